//===- Variants.h - Variants of kernels -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TUNING_VARIANTS_H
#define KILN_TUNING_VARIANTS_H

#include "kiln/Pipeline/Oracle.h"
#include "kiln/runtime.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kiln::tuning {

/// Code that a target has for a kernel: a variant, or the code for all launches.
struct KernelVariant {
  size_t kernel;
  std::string code; ///< name of the entry
  /// Conjunction of bounds under which the code runs; empty: code for all launches.
  std::vector<kiln_bound_info> when;
  size_t index;       ///< index of a variant in the model
  std::string text;   ///< "batch*seq <= 8 and seq <= 4", "batch*seq > 64", "otherwise"
  std::string suffix; ///< suffix that the variant adds to the kernel's name: "rows8"

  bool isOwn() const { return when.empty(); }
};

/// Returns all code of a target for kernels that have variants, by kernel, in the order
/// in which it is tried, the code for all launches last.
std::vector<KernelVariant> variantsOf(kiln_model *model, llvm::StringRef target);

/// Returns text such as "batch*seq <= 8 and seq <= 4".
std::string boundsText(const kiln_variant_info &variant);

/// Returns the PTX and the config of the code of this name for a target; nullptr if there
/// is none.
const char *ptxOf(kiln_model *model, llvm::StringRef code, llvm::StringRef target);
const char *configOf(kiln_model *model, llvm::StringRef code, llvm::StringRef target);

/// Tracks which code of kernels with variants has run.
class VariantCoverage {
public:
  VariantCoverage(kiln_model *model, llvm::StringRef target);
  bool empty() const { return codes.empty(); }

  /// Marks the code that a run with these dims executes.
  llvm::Error run(const SymbolValues &symbols);
  /// Returns dims for which code that has not run yet runs, as close as possible to its
  /// bounds: the maximum rows of a variant, or the minimum rows of the code for all
  /// launches. nullopt if all code has run or is in `unreachable`.
  llvm::Expected<std::optional<SymbolValues>> next();
  /// Code that no dims that were tried execute: "matmul_0_rows8 (batch <= 8)".
  const std::vector<std::string> &unreachable() const { return excluded; }

private:
  using Values = std::vector<int64_t>; ///< in the model's order of symbols
  llvm::Expected<int64_t> excess(const KernelVariant &code, const Values &values) const;
  llvm::Expected<size_t> chosen(size_t kernel, const Values &values) const;
  llvm::Error raise(const KernelVariant &code, size_t symbol, Values &values) const;
  llvm::Expected<std::vector<Values>> edgesOf(const KernelVariant &code) const;
  llvm::Expected<std::optional<Values>> closest(size_t code) const;
  llvm::Expected<int64_t> distance(size_t code, const Values &values) const;
  Values corner(bool upper) const;

  kiln_model *model;
  std::vector<KernelVariant> codes;
  std::set<size_t> taken; ///< indices of `codes`
  std::vector<std::string> excluded;
};

} // namespace kiln::tuning

#endif // KILN_TUNING_VARIANTS_H

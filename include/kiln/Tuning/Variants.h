//===- Variants.h - Code of kernels for some dims ---------------*- C++ -*-===//
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

/// One of the codes that a target has for a kernel: a variant, or the kernel's own.
struct KernelVariant {
  size_t kernel;
  std::string code; ///< name of the entry
  /// Bounds that all hold where it runs; none: the kernel's own code.
  std::vector<kiln_bound_info> when;
  size_t index;       ///< of a variant in the model
  std::string text;   ///< "batch*seq <= 8 and seq <= 4", "batch*seq > 64", "otherwise"
  std::string suffix; ///< what the name adds to the kernel's: "rows8"

  bool isOwn() const { return when.empty(); }
};

/// All of a target, by name, whose kernels have variants; by kernel, in the order in
/// which they are tried, the kernel's own last.
std::vector<KernelVariant> variantsOf(kiln_model *model, llvm::StringRef target);

/// "batch*seq <= 8 and seq <= 4"
std::string boundsText(const kiln_variant_info &variant);

/// The PTX and the config of the code of this name for a target; NULL if there is none.
const char *ptxOf(kiln_model *model, llvm::StringRef code, llvm::StringRef target);
const char *configOf(kiln_model *model, llvm::StringRef code, llvm::StringRef target);

/// Which of the codes of kernels that have several have run.
class VariantCoverage {
public:
  VariantCoverage(kiln_model *model, llvm::StringRef target);
  bool empty() const { return codes.empty(); }

  /// Marks what a run at these dims takes.
  llvm::Error run(const SymbolValues &symbols);
  /// Dims that run code which has not run yet, as close to its bounds as there are: the
  /// most rows that a variant is for, or the fewest that the kernel's own code is for.
  /// nullopt: all have run or are named in `unreachable`.
  llvm::Expected<std::optional<SymbolValues>> next();
  /// Codes that no dims that were tried run: "matmul_0_rows8 (batch <= 8)".
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

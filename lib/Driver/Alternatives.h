//===- Alternatives.h - Code of kernels for few rows ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_ALTERNATIVES_H
#define KILN_LIB_DRIVER_ALTERNATIVES_H

#include "kiln/Pipeline/Oracle.h"
#include "kiln/runtime.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kiln::driver {

/// A way of a target to run a kernel that has several, and its launches.
struct KernelWay {
  size_t kernel;
  std::string code; ///< name of the alternative, or of the kernel
  std::string rows; ///< what is counted: "batch*seq"
  int64_t least;    ///< rows
  int64_t most;     ///< INT64_MAX: no bound
};

/// All of a target, by name, whose kernels have several; by kernel, fewest rows first.
std::vector<KernelWay> waysOf(kiln_model *model, llvm::StringRef target);

/// The PTX and the config of the code of this name for a target; NULL if there is none.
const char *ptxOf(kiln_model *model, llvm::StringRef code, llvm::StringRef target);
const char *configOf(kiln_model *model, llvm::StringRef code, llvm::StringRef target);

/// Which of the ways have been taken.
class WayCoverage {
public:
  WayCoverage(kiln_model *model, llvm::StringRef target);
  bool empty() const { return ways.empty(); }

  /// Marks what a run at these dims takes.
  llvm::Error run(const SymbolValues &symbols);
  /// Dims that take a way not taken yet, at the edge of its bound: the most rows of it,
  /// or the fewest where it has no bound. nullopt: all are taken or named in
  /// `unreachable`.
  llvm::Expected<std::optional<SymbolValues>> next();
  /// Of what no dims in the ranges of the package take: "matmul_0_rows8 (batch <= 8)".
  const std::vector<std::string> &unreachable() const { return excluded; }

private:
  using Values = std::vector<int64_t>; ///< in the model's order of symbols
  llvm::Expected<int64_t> rowsAt(size_t kernel, const Values &values) const;
  llvm::Error raise(size_t kernel, size_t symbol, int64_t most, Values &values) const;
  llvm::Expected<std::optional<Values>> largest(const KernelWay &way) const;
  llvm::Expected<std::optional<Values>> smallest(const KernelWay &way) const;
  Values corner(bool upper) const;

  kiln_model *model;
  std::vector<KernelWay> ways;
  std::set<size_t> taken; ///< indices of `ways`
  std::vector<std::string> excluded;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_ALTERNATIVES_H

//===- TuneFile.h - The file that kiln tune writes --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TUNING_TUNEFILE_H
#define KILN_TUNING_TUNEFILE_H

#include "kiln/Pipeline/Oracle.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace kiln::tuning {

/// A kernel's code on the device, which all steps with equal kernels share.
struct TuneProblem {
  std::string key;                ///< as in the configs file
  std::string code;               ///< "matmul_3"
  std::vector<size_t> steps;      ///< of the plan
  std::vector<std::string> lines; ///< candidates; the first is the compiler's choice
  size_t measured = 0;            ///< candidates beside the first that were timed
  size_t refused = 0;             ///< that did not compile or computed something else
  size_t best = 0;                ///< of `lines`
  std::optional<double> fastest;  ///< ratio of the fastest other one, a winner or not
  double ratio = 1;               ///< time of the best over that of the first
  double before = 0, after = 0;   ///< seconds of all its steps in one run
};

/// The lines of problems that have a winner, each under a comment with its times. The
/// compiler's choice for the others is in comments, ready to be edited.
std::string tuneFileText(llvm::ArrayRef<TuneProblem> problems, llvm::StringRef device,
                         llvm::StringRef target, llvm::ArrayRef<SymbolValues> points);

} // namespace kiln::tuning

#endif // KILN_TUNING_TUNEFILE_H

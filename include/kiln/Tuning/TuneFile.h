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

/// Code of a kernel on the device, used by all steps with equal kernels.
struct TuneProblem {
  std::string key;                ///< key in configs files
  std::string code;               ///< "matmul_3"
  std::vector<size_t> steps;      ///< indices in the plan
  std::vector<std::string> lines; ///< candidates; the first is the compiler's choice
  size_t measured = 0;            ///< number of timed candidates other than the first
  size_t refused = 0;             ///< number of candidates that did not compile or gave
                                  ///< wrong results
  size_t best = 0;                ///< index into `lines`
  std::optional<double> fastest;  ///< time ratio of the fastest other candidate, whether
                                  ///< it wins or not
  double ratio = 1;               ///< time of the best divided by that of the first
  double before = 0, after = 0;   ///< seconds of all its steps in one run
};

/// Returns the lines of problems that have a winner, each below a comment with its times.
/// For the other problems the compiler's choice is in comments, ready to be edited.
std::string tuneFileText(llvm::ArrayRef<TuneProblem> problems, llvm::StringRef device,
                         llvm::StringRef target, llvm::ArrayRef<SymbolValues> points);

} // namespace kiln::tuning

#endif // KILN_TUNING_TUNEFILE_H

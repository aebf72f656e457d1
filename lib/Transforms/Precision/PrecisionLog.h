//===- PrecisionLog.h - What became of products -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Precision.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_PRECISION_PRECISIONLOG_H
#define KILN_LIB_TRANSFORMS_PRECISION_PRECISIONLOG_H

#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {

/// Writes the report of a pass that lowers precision, and its remarks.
struct PrecisionLog {
  static constexpr llvm::StringLiteral kPolicy = "the policy says so";
  llvm::StringRef pass, verb; ///< "kiln-lower-precision", "lower"
  PrecisionReport report = {};

  void lowered(mlir::Operation *op, llvm::StringRef became, llvm::StringRef why,
               const std::string &remark);
  void kept(mlir::Operation *op, llvm::StringRef why);
  /// Norms, softmax and reductions stay as they are; nothing for other ops.
  void keepReduction(mlir::Operation *op);
};

/// Returns the number of entries that are in fewer bits now.
unsigned countLowered(const PrecisionReport &report);
/// True if the error of PrecisionPolicy::check has been reported.
bool reportedInvalid(mlir::Location loc, const PrecisionPolicy &policy);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_PRECISION_PRECISIONLOG_H

//===- PrecisionLog.h - Reports of precision passes -------------*- C++ -*-===//
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
  static constexpr llvm::StringLiteral kPolicy = "a rule of the precision policy says so";
  llvm::StringRef pass, verb; ///< "kiln-lower-precision", "lower"
  PrecisionReport report = {};

  void lowered(mlir::Operation *op, llvm::StringRef became, llvm::StringRef why,
               const std::string &remark);
  void kept(mlir::Operation *op, llvm::StringRef why);
  /// Reports that a norm, softmax or reduction is kept in f32; ignores other ops.
  void keepReduction(mlir::Operation *op);
};

/// Returns the number of entries with lowered precision.
unsigned countLowered(const PrecisionReport &report);
/// Reports the error of PrecisionPolicy::check, if any, and returns whether there was
/// one.
bool reportedInvalid(mlir::Location loc, const PrecisionPolicy &policy);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_PRECISION_PRECISIONLOG_H

//===- ResultChange.h - Passes that change results --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_RESULTCHANGE_H
#define KILN_REFERENCE_RESULTCHANGE_H

#include "mlir/IR/BuiltinOps.h"

namespace kiln::reference {

/// Bounds on the change of a model's results by a pass.
struct ResultChange {
  /// Relative to the largest element of an output; 0: the default of all passes.
  double tolerance = 0;
  /// Finite elements may become NaN or infinite, and vice versa, if an input has such
  /// elements: a select hides a NaN in the scores, adding minus infinity does not.
  bool movesNonFinite = false;
  /// A constant such as -10000 is treated as minus infinity, which is correct for the
  /// scores of models but not for adversarial inputs.
  bool assumesMasks = false;
};

/// Interface of passes that may change results more than others; `--verify=each` asks
/// them for bounds.
class ChangesResults {
public:
  virtual ~ChangesResults();
  /// Returns bounds for running the pass on `module`.
  virtual ResultChange resultChange(mlir::ModuleOp module) = 0;
};

/// Returns the bounds of passes that fuse several ops into one: in models with 16-bit
/// types the fused op rounds once where each of the ops rounded.
ResultChange changeByRaising(mlir::ModuleOp module);

} // namespace kiln::reference

#endif // KILN_REFERENCE_RESULTCHANGE_H

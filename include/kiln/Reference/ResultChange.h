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
  /// Relative to the largest element of an output; 0: as any other pass.
  double tolerance = 0;
  /// A number may become NaN or infinite, or the other way round, where an input is: a
  /// select hides a NaN of the scores, a sum with minus infinity does not.
  bool movesNonFinite = false;
  /// A number such as -10000 is taken for minus infinity, which holds for scores of
  /// models and not for adversarial inputs.
  bool assumesMasks = false;
};

/// Interface of passes that may change results more than others: `--verify=each` asks
/// them by how much.
class ChangesResults {
public:
  virtual ~ChangesResults();
  /// `module` is as the pass finds it.
  virtual ResultChange resultChange(mlir::ModuleOp module) = 0;
};

/// Returns the change by passes that make one op of several: in models with 16-bit types
/// it rounds once where each of them rounded.
ResultChange changeByRaising(mlir::ModuleOp module);

} // namespace kiln::reference

#endif // KILN_REFERENCE_RESULTCHANGE_H

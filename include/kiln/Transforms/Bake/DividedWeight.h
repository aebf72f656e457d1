//===- DividedWeight.h - Weights divided along K ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_BAKE_DIVIDEDWEIGHT_H
#define KILN_TRANSFORMS_BAKE_DIVIDEDWEIGHT_H

#include "dialects/Graph/Ranks.h"
#include "kiln/Transforms/Bake/Bake.h"

namespace kiln::graph {

/// Builds values of @bake from entire weights if ranks divide K: each rank has K / ranks
/// rows of a weight [K, N], but a value (such as its quantized elements) may need the
/// rows of all ranks. The value is computed from the entire weight and then divided.
class DividedWeights {
public:
  explicit DividedWeights(mlir::ModuleOp module) : baker(module) {}

  /// A weight before its rows are divided.
  struct Whole {
    mlir::Value matrix; ///< null: the rows are not divided, or `part` reads no weight of
                        ///< the model
    MeshAxis ranks;     ///< mesh axis that divides the rows
  };
  /// Returns the entire matrix [K, N] of a rank's part [K / ranks, N], with the part's
  /// casts and transposes; a null matrix if ranks do not divide K of `part`.
  Whole wholeOf(mlir::OpBuilder &builder, mlir::Value part);
  /// Returns this rank's part, along the axis, of a value made from an entire weight.
  mlir::Value divide(mlir::OpBuilder &builder, mlir::Value whole, int64_t axis,
                     const MeshAxis &ranks);

private:
  struct Found {
    Whole whole;
    int64_t axis;
  };
  std::optional<Found> find(mlir::OpBuilder &builder, mlir::Value part);

  BakeCopier baker;
};

} // namespace kiln::graph

#endif // KILN_TRANSFORMS_BAKE_DIVIDEDWEIGHT_H

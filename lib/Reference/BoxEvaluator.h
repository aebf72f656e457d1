//===- BoxEvaluator.h - Evaluates boxes of values ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_BOXEVALUATOR_H
#define KILN_LIB_REFERENCE_BOXEVALUATOR_H

#include "Ops.h"
#include "kiln/Reference/WeightBlocks.h"

namespace kiln::reference {

/// Elements of a tensor: the element at x is number offset + sum(x[i] * strides[i]) of
/// `base`.
struct BoxView {
  Tensor base;
  int64_t offset = 0;
  Shape shape, strides;

  /// Returns the elements row-major; copies nothing if they are already.
  Tensor contiguous() const;
};

/// Returns a box of a tensor as a view.
BoxView partOf(const Tensor &tensor, const Box &box);

/// Returns true if a box of the op's result needs only boxes of its operands.
bool worksByBox(mlir::Operation *op);

/// Computes boxes of values; boxes of values with several uses are cached.
class BoxEvaluator {
public:
  BoxEvaluator(const WeightBlocks::Leaves &leaves, const Options &options)
      : leaves(leaves), options(options) {}
  llvm::Expected<BoxView> get(mlir::Value value, const Box &box);

private:
  using Result = llvm::Expected<BoxView>;
  Result compute(mlir::Value value, const Box &box);
  Result visit(graph::ReshapeOp op, const Box &box);
  /// Evaluates a transpose, broadcast or slice by changing strides.
  Result visitView(mlir::Operation *op, const Box &box);
  Result visit(graph::ConcatOp op, const Box &box);
  Result visit(graph::PackOp op, const Box &box);
  Result visit(graph::UnpackOp op, const Box &box);
  Result visit(graph::QuantizeWeightOp op, const Box &box);
  Result quantizePanels(graph::QuantizeWeightOp op, const Box &box);
  Result elementwise(mlir::Operation *op, const Box &box);
  llvm::Error measureFloat8(mlir::Operation *op, const Tensor &rounded,
                            graph::BinaryOp source, const Box &box);

  const WeightBlocks::Leaves &leaves;
  const Options &options;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Box, BoxView>, 1>> kept;
};

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_BOXEVALUATOR_H

//===- BoxEvaluator.h - Boxes of values, computed from boxes ----*- C++ -*-===//
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

/// Elements of a tensor that exists: number offset + sum(coordinate[i] * strides[i]).
struct BoxView {
  Tensor base;
  int64_t offset = 0;
  Shape shape, strides;

  /// Row-major; without a copy where the elements lie so already.
  Tensor contiguous() const;
};

/// The part of a tensor that a box names.
BoxView partOf(const Tensor &tensor, const Box &box);

/// True if a box of the op's result needs boxes of its operands only.
bool worksByBox(mlir::Operation *op);

/// Computes one box of a value; boxes of values with several uses are kept until then.
class BoxEvaluator {
public:
  BoxEvaluator(const WeightBlocks::Leaves &leaves, const Options &options)
      : leaves(leaves), options(options) {}
  llvm::Expected<BoxView> get(mlir::Value value, const Box &box);

private:
  using Result = llvm::Expected<BoxView>;
  Result compute(mlir::Value value, const Box &box);
  Result visit(graph::ReshapeOp op, const Box &box);
  /// A transpose, broadcast or slice: other strides.
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

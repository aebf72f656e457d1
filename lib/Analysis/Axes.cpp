//===- Axes.cpp - Which axis of an operand is one of the result -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Axes.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

std::optional<int64_t> kiln::graph::axisBefore(ReshapeOp op, int64_t axis) {
  SmallVector<int64_t> from, to;
  Dims before = getDims(op.getInput()), after = getDims(op.getResult());
  for (auto [i, dim] : llvm::enumerate(before))
    if (!dim.isConstant(1))
      from.push_back(int64_t(i));
  for (auto [i, dim] : llvm::enumerate(after))
    if (!dim.isConstant(1))
      to.push_back(int64_t(i));
  if (from.size() != to.size())
    return std::nullopt;
  std::optional<int64_t> found;
  for (auto [i, j] : llvm::zip(from, to)) {
    if (before[i] != after[j])
      return std::nullopt;
    if (j == axis)
      found = i;
  }
  return found;
}

int64_t kiln::graph::operandAxis(Value operand, Value result, int64_t axis) {
  axis -= rankOf(result) - rankOf(operand);
  return axis >= 0 && !getDims(operand)[axis].isConstant(1) ? axis : -1;
}

bool kiln::graph::variesAlong(Value value, int64_t axis) {
  if (axis < 0 || getDims(value)[axis].isConstant(1) || splatOf(value))
    return false;
  Operation *op = value.getDefiningOp();
  if (auto iota = dyn_cast_if_present<IotaOp>(op))
    return int64_t(iota.getAxis()) == axis;
  if (auto reshape = dyn_cast_if_present<ReshapeOp>(op)) {
    std::optional<int64_t> before = axisBefore(reshape, axis);
    return !before || variesAlong(reshape.getInput(), *before);
  }
  bool broadcasts =
      op && (isa<BroadcastOp>(op) || op->hasTrait<kiln::graph::Elementwise>());
  return !broadcasts || llvm::any_of(op->getOperands(), [&](Value operand) {
    return variesAlong(operand, operandAxis(operand, value, axis));
  });
}

//===- Folding.cpp - Constant folding -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/Folding.h"
#include "kiln/Reference/Evaluator.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

/// Maximum size of a graph.constant that is not a splat.
static constexpr int64_t kMaxBytes = 1024;
/// Maximum elements of all operands plus operations of the op: well under a millisecond
/// for a million of each.
static constexpr int64_t kMaxWork = 1 << 20;

static bool atMost(const SymbolicExpr &expr, int64_t limit) {
  std::optional<int64_t> value = expr.getConstant();
  return value && *value >= 0 && *value <= limit;
}

/// Returns true for ops whose value depends only on operands and attributes.
static bool isFoldable(Operation *op) {
  return isa_and_nonnull<GraphDialect>(op->getDialect()) && op->getNumResults() == 1 &&
         op->getNumRegions() == 0 && isPure(op) && !isa<ConstantOp, GetWeightOp>(op);
}

static bool isCheap(Operation *op) {
  if (!atMost(byteSize(op->getResult(0).getType()), kMaxBytes))
    return false;
  int64_t elements = 0;
  for (Value operand : op->getOperands()) {
    SymbolicExpr count = numElements(getDims(operand));
    if (!atMost(count, kMaxWork))
      return false;
    elements += *count.getConstant();
  }
  auto cost = dyn_cast<CostOpInterface>(op);
  return elements <= kMaxWork && (!cost || atMost(cost.getFlops(), kMaxWork));
}

std::optional<DenseElementsAttr> reference::foldOp(Operation *op) {
  auto supported = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && isSupported(tensor.getElementType());
  };
  if (!isFoldable(op) || !llvm::all_of(op->getOperandTypes(), supported) ||
      !llvm::all_of(op->getResultTypes(), supported) || !isCheap(op))
    return std::nullopt;
  SmallVector<Tensor> operands;
  for (Value operand : op->getOperands()) {
    auto constant = operand.getDefiningOp<ConstantOp>();
    std::optional<Tensor> value;
    if (constant)
      value = Tensor::fromAttr(constant.getValue());
    if (!value)
      return std::nullopt;
    operands.push_back(std::move(*value));
  }
  NoWeights weights;
  llvm::Expected<Results> results = evaluateOp(op, operands, Symbols(), weights);
  if (!results) {
    llvm::consumeError(results.takeError());
    return std::nullopt;
  }
  return results->front().toAttr();
}

//===- QuantizationErrors.cpp - Errors of quantized weights ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/QuantizationErrors.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/Support/Error.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

double SquaredError::relative() const {
  return weight > 0 ? std::sqrt(error / weight) : 0;
}

void QuantizationErrors::add(Operation *op, int64_t begin, SquaredError sums) {
  std::lock_guard<std::mutex> guard(lock);
  blocks[op][begin] = sums;
}

std::optional<SquaredError> QuantizationErrors::sumOf(ArrayRef<Operation *> ops) const {
  std::lock_guard<std::mutex> guard(lock);
  // Iterates in program order: the order of pointers differs from process to process.
  SmallVector<Operation *> ordered;
  for (Operation *op : ops)
    if (blocks.count(op))
      ordered.push_back(op);
  if (ordered.empty())
    return std::nullopt;
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  SquaredError sum;
  for (Operation *op : ordered)
    for (const auto &[begin, own] : blocks.at(op)) {
      sum.error += own.error;
      sum.weight += own.weight;
    }
  return sum;
}

std::map<std::string, SquaredError> QuantizationErrors::byProduct() const {
  std::map<std::string, SmallVector<Operation *>> ops;
  {
    std::lock_guard<std::mutex> guard(lock);
    for (const auto &[op, own] : blocks)
      ops[describe(op->getLoc())].push_back(op);
  }
  std::map<std::string, SquaredError> result;
  for (const auto &[product, own] : ops)
    result[product] = *sumOf(own);
  return result;
}

BinaryOp reference::float8Source(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  if (!cast || !isFloat8(getElementTypeOrSelf(cast.getResult())))
    return {};
  Value value = cast.getInput();
  // Formats of fewer bits are stored as f8E4M3FN: a select of two roundings, of which the
  // second is a pair of casts.
  if (auto select = value.getDefiningOp<SelectOp>()) {
    value = select.getOnFalse();
    while (auto rounding = value.getDefiningOp<CastOp>())
      value = rounding.getInput();
  }
  auto quotient = value.getDefiningOp<BinaryOp>();
  return quotient && quotient.getKind() == BinaryKind::div ? quotient : BinaryOp();
}

bool reference::makesCodes(Operation *op) {
  if (auto quantize = dyn_cast<QuantizeWeightOp>(op))
    return quantize.getPart() == QuantizedPart::codes;
  return bool(float8Source(op));
}

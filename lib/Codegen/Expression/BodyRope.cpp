//===- BodyRope.cpp - Pulling through rotary embeddings -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Body.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace mlir;

Node *Body::pullRotated(RopeOp op, SmallVector<OperandRead, 4> reads) {
  if (reads.size() == 1)
    return pull(op.getInput(), reads.front().at);
  // The first read is that of the element itself, the second that of the pair's other
  // element.
  SymbolicExpr distance = reads[0].at.back() - reads[1].at.back();
  bool isSecond = distance.dominates(0);
  if (isSecond)
    std::swap(reads[0], reads[1]);
  SmallVector<Node *> operands;
  for (const OperandRead &read : reads)
    operands.push_back(pull(op->getOperand(read.operand), read.at));
  if (llvm::is_contained(operands, nullptr))
    return nullptr;
  auto rotate = [isSecond](OpBuilder &b, Location loc, ValueRange values) -> Value {
    Value x = values[isSecond ? 1 : 0], y = values[isSecond ? 0 : 1];
    Value byCosine = arith::MulFOp::create(b, loc, x, values[2]);
    Value bySine = arith::MulFOp::create(b, loc, y, values[3]);
    if (isSecond)
      return arith::AddFOp::create(b, loc, bySine, byCosine);
    return arith::SubFOp::create(b, loc, byCosine, bySine);
  };
  return compute(computeType(op.getType().getElementType()), operands, rotate,
                 /*cost=*/3);
}

/// Pulls without a select if the loops determine which element of its pair it is.
Node *Body::pullRope(RopeOp op, ArrayRef<SymbolicExpr> indices) {
  SmallVector<OperandRead, 4> taken;
  for (const OperandRead &read : readsOf(op, indices)) {
    std::optional<bool> takes = takesPlace(read, vars);
    if (!takes)
      return chooseRotated(op, indices);
    if (*takes)
      taken.push_back(read);
  }
  return pullRotated(op, std::move(taken));
}

/// Selects between the parts of the last dim (first elements of pairs, second elements,
/// elements that are not rotated), each pulled with an index known to be in its part.
Node *Body::chooseRotated(RopeOp op, ArrayRef<SymbolicExpr> indices) {
  SymbolicExpr index = indices.back(), pairs = getDims(op.getCosine()).back();
  SymbolicExpr width = getDims(op.getInput()).back(), rotated = pairs * SymbolicExpr(2);
  auto pullAt = [&](const SymbolicExpr &place) {
    Indices source(indices);
    source.back() = place;
    return pullRope(op, source);
  };
  if (op.getInterleaved() && vars.provablyInside(index, rotated)) {
    auto [pair, side] = vars.divMod(index, SymbolicExpr(2));
    Node *first = pullAt(pair * SymbolicExpr(2));
    return choose(side, {0, 1}, {first, pullAt(pair * SymbolicExpr(2) + 1)});
  }
  SmallVector<SymbolicExpr> bounds{0}, ends;
  if (!op.getInterleaved())
    bounds.push_back(pairs);
  if (width != rotated)
    bounds.push_back(rotated);
  ends.append(bounds.begin() + 1, bounds.end());
  ends.push_back(width);
  SmallVector<Node *> parts;
  for (auto [first, end] : llvm::zip(bounds, ends))
    parts.push_back(pullInside(index, first, end - first, [&](SymbolicExpr place) {
      return pullAt(first + place);
    }));
  return parts.size() == 1 ? parts.front() : choose(index, bounds, parts);
}

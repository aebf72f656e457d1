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

Node *Body::pullRotated(RopeOp op, ArrayRef<SymbolicExpr> indices,
                        const SymbolicExpr &pair, bool isSecond) {
  SymbolicExpr pairs = getDims(op.getCosine()).back();
  Indices first(indices), second(indices), angle(indices);
  first.back() = op.getInterleaved() ? pair * SymbolicExpr(2) : pair;
  second.back() = first.back() + (op.getInterleaved() ? SymbolicExpr(1) : pairs);
  angle.back() = pair;
  SmallVector<Node *> operands{
      pull(op.getInput(), first), pull(op.getInput(), second),
      pull(op.getCosine(), broadcastPlaces(angle, getDims(op.getCosine()))),
      pull(op.getSine(), broadcastPlaces(angle, getDims(op.getSine())))};
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

/// Where the loops show which element of a pair it is, nothing is selected.
Node *Body::pullRope(RopeOp op, ArrayRef<SymbolicExpr> indices) {
  SymbolicExpr index = indices.back(), pairs = getDims(op.getCosine()).back();
  SymbolicExpr width = getDims(op.getInput()).back(), rotated = pairs * SymbolicExpr(2);
  if (vars.provablyInside(index - rotated, width - rotated))
    return pull(op.getInput(), indices);
  auto place = op.getInterleaved() ? vars.divMod(index, SymbolicExpr(2))
                                   : std::pair(SymbolicExpr(0), SymbolicExpr(0));
  if (op.getInterleaved() && place.second.isConstant() &&
      vars.provablyInside(index, rotated))
    return pullRotated(op, indices, place.first, place.second.isConstant(1));
  for (int64_t second : {0, 1}) {
    SymbolicExpr pair = index - SymbolicExpr(second) * pairs;
    if (!op.getInterleaved() && vars.provablyInside(pair, pairs))
      return pullRotated(op, indices, pair, second == 1);
  }
  return chooseRotated(op, indices);
}

Node *Body::chooseRotated(RopeOp op, ArrayRef<SymbolicExpr> indices) {
  SymbolicExpr index = indices.back(), pairs = getDims(op.getCosine()).back();
  SymbolicExpr width = getDims(op.getInput()).back(), rotated = pairs * SymbolicExpr(2);
  // What is in [first, first + extent) of the last dim.
  auto inside = [&](const SymbolicExpr &first, const SymbolicExpr &extent,
                    function_ref<Node *(SymbolicExpr)> pullAt) {
    StringAttr own = vars.addLoop(extent);
    Node *node = pullAt(SymbolicExpr::symbol(own));
    replaceInNodes(own, index - first);
    return node;
  };
  auto choose = [&](const SymbolicExpr &by, ArrayRef<SymbolicExpr> bounds,
                    ArrayRef<Node *> operands) -> Node * {
    if (llvm::is_contained(operands, nullptr))
      return nullptr;
    Node node;
    node.kind = Node::Kind::Choose;
    node.type = operands[0]->type;
    node.index = by;
    node.bounds.assign(bounds.begin(), bounds.end());
    node.operands.assign(operands.begin(), operands.end());
    return make(std::move(node));
  };
  auto elements = [&](bool isSecond) {
    if (op.getInterleaved())
      return pullRotated(op, indices, vars.divMod(index, SymbolicExpr(2)).first,
                         isSecond);
    return inside(isSecond ? pairs : SymbolicExpr(0), pairs, [&](SymbolicExpr pair) {
      return pullRotated(op, indices, pair, isSecond);
    });
  };
  Node *first = elements(false), *second = elements(true);
  bool isWhole = width == rotated;
  Node *rest = isWhole ? nullptr : inside(rotated, width - rotated, [&](SymbolicExpr at) {
    Indices source(indices);
    source.back() = rotated + at;
    return pull(op.getInput(), source);
  });
  if (!op.getInterleaved())
    return isWhole ? choose(index, {0, pairs}, {first, second})
                   : choose(index, {0, pairs, rotated}, {first, second, rest});
  Node *pair =
      choose(vars.divMod(index, SymbolicExpr(2)).second, {0, 1}, {first, second});
  return isWhole || !pair ? pair : choose(index, {0, rotated}, {pair, rest});
}

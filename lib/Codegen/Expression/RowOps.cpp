//===- RowOps.cpp - Softmax, norms and reductions as passes ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace kiln;
using namespace mlir;

namespace {

/// Builds the passes of one row op. The arithmetic helpers make one node each.
class RowBuilder {
public:
  RowBuilder(const RowShape &shape, Body &body, SmallVectorImpl<Pass> &passes, Type graphType)
      : shape(shape), body(body), passes(passes), graphType(graphType),
        type(computeType(graphType)) {}

  Node *softmax(SoftmaxOp op);
  Node *layerNorm(LayerNormOp op);
  Node *rmsNorm(RmsNormOp op);
  Node *reduce(ReduceOp op);

private:
  Node *logSumExp(Node *x);

  template <typename OpTy> Node *op(ArrayRef<Node *> operands, int cost = 1) {
    return body.compute(type, operands,
                        [](OpBuilder &b, Location loc, ValueRange v) -> Value {
                          return OpTy::create(b, loc, v[0].getType(), v,
                                              ArrayRef<NamedAttribute>{});
                        },
                        cost);
  }
  Node *add(Node *a, Node *b) { return op<arith::AddFOp>({a, b}); }
  Node *sub(Node *a, Node *b) { return op<arith::SubFOp>({a, b}); }
  Node *mul(Node *a, Node *b) { return op<arith::MulFOp>({a, b}); }
  Node *fma(Node *a, Node *b, Node *c) { return op<math::FmaOp>({a, b, c}); }
  Node *div(Node *a, Node *b) { return op<arith::DivFOp>({a, b}, 5); }
  Node *exp(Node *a) { return op<math::ExpOp>({a}, 12); }
  Node *log(Node *a) { return op<math::LogOp>({a}, 15); }
  Node *sqrt(Node *a) { return op<math::SqrtOp>({a}, 5); }
  Node *abs(Node *a) { return op<math::AbsFOp>({a}); }
  Node *number(double value) { return body.constant(FloatAttr::get(type, value)); }
  /// Returns the number of reduced elements as a float.
  Node *count() { return body.indexValue(type, shape.count); }

  Node *pass(tile::ReduceKind kind, Node *term, Node *stage = nullptr);
  Node *sumOfSquares(Node *term);
  Node *maximumIgnoringNan(Node *term);
  /// Returns `value`, computed once after the last pass.
  Node *once(Node *value);
  /// Pulls the operand of a norm that is broadcast to the reduced dims.
  Node *pullAlong(Value operand);

  const RowShape &shape;
  Body &body;
  SmallVectorImpl<Pass> &passes;
  Type graphType, type;
};

} // namespace

Node *RowBuilder::pass(tile::ReduceKind kind, Node *term, Node *stage) {
  Pass pass{{kind, term, body.bound(term->type)}, stage, {}};
  pass.reduction.isUnsigned = graphType.isUnsignedInteger();
  passes.push_back(pass);
  return pass.reduction.result;
}

Node *RowBuilder::maximumIgnoringNan(Node *term) {
  Node *result = pass(tile::ReduceKind::max, term);
  passes.back().reduction.ignoresNan = true;
  return result;
}

Node *RowBuilder::sumOfSquares(Node *term) {
  Node *result = pass(tile::ReduceKind::sum, term);
  passes.back().reduction.squares = true;
  return result;
}

Node *RowBuilder::once(Node *value) {
  Node *bound = body.bound(value->type);
  passes.back().finals.push_back({bound, value});
  return bound;
}

Node *RowBuilder::pullAlong(Value operand) {
  return body.pull(operand, broadcastPlaces(shape.indices, getDims(operand)));
}

//===----------------------------------------------------------------------===//
// Row ops
//===----------------------------------------------------------------------===//

Node *RowBuilder::softmax(SoftmaxOp op) {
  Node *x = body.pull(op.getInput(), shape.indices);
  if (!x)
    return nullptr;
  Node *e = exp(sub(x, maximumIgnoringNan(x)));
  Node *sum = pass(tile::ReduceKind::sum, e, /*stage=*/e);
  return mul(e, once(div(number(1.0), sum)));
}

Node *RowBuilder::layerNorm(LayerNormOp op) {
  Node *x = body.pull(op.getInput(), shape.indices);
  if (!x)
    return nullptr;
  Node *mean = pass(tile::ReduceKind::sum, x);
  mean = once(div(mean, count()));
  Node *centered = sub(x, mean);
  Node *variance = sumOfSquares(centered);
  variance = add(div(variance, count()), number(op.getEpsilon().convertToDouble()));
  Node *result = mul(centered, once(div(number(1.0), sqrt(variance))));
  Node *scale = op.getScale() ? pullAlong(op.getScale()) : number(1.0);
  Node *bias = op.getBias() ? pullAlong(op.getBias()) : nullptr;
  if (!scale || (op.getBias() && !bias))
    return nullptr;
  if (bias)
    return fma(result, scale, bias);
  return op.getScale() ? mul(result, scale) : result;
}

Node *RowBuilder::rmsNorm(RmsNormOp op) {
  Node *x = body.pull(op.getInput(), shape.indices);
  Node *scale = x ? pullAlong(op.getScale()) : nullptr;
  if (!scale)
    return nullptr;
  Node *square = div(sumOfSquares(x), count());
  square = add(square, number(op.getEpsilon().convertToDouble()));
  return mul(mul(x, once(div(number(1.0), sqrt(square)))), scale);
}

/// Returns log(sum(exp(x - max))) + max, with 0 in place of an infinite max, because inf
/// - inf is NaN.
Node *RowBuilder::logSumExp(Node *x) {
  Node *max = maximumIgnoringNan(x);
  Node *finite = body.compute(
      type, {max, abs(max)},
      [](OpBuilder &b, Location loc, ValueRange v) -> Value {
        auto infinity = APFloat::getInf(cast<FloatType>(v[0].getType()).getFloatSemantics());
        Value limit = arith::ConstantOp::create(b, loc, FloatAttr::get(v[0].getType(), infinity));
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(v[0].getType()));
        Value below = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, v[1], limit);
        return arith::SelectOp::create(b, loc, below, v[0], zero);
      },
      2);
  Node *shift = once(finite);
  return add(log(pass(tile::ReduceKind::sum, exp(sub(x, shift)))), shift);
}

Node *RowBuilder::reduce(ReduceOp op) {
  Node *x = body.pull(op.getInput(), shape.indices);
  if (!x)
    return nullptr;
  switch (op.getKind()) {
  case graph::ReduceKind::sum:
    return pass(tile::ReduceKind::sum, x);
  case graph::ReduceKind::mean:
    return div(pass(tile::ReduceKind::sum, x), count());
  case graph::ReduceKind::max:
    return pass(tile::ReduceKind::max, x);
  case graph::ReduceKind::min:
    return pass(tile::ReduceKind::min, x);
  case graph::ReduceKind::prod:
    return pass(tile::ReduceKind::prod, x);
  case graph::ReduceKind::l1:
    return pass(tile::ReduceKind::sum, abs(x));
  case graph::ReduceKind::l2:
    return sqrt(sumOfSquares(x));
  case graph::ReduceKind::sum_square:
    return sumOfSquares(x);
  case graph::ReduceKind::log_sum:
    return log(pass(tile::ReduceKind::sum, x));
  case graph::ReduceKind::log_sum_exp:
    return logSumExp(x);
  }
  llvm_unreachable("all kinds handled");
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

SmallVector<bool> kiln::codegen::reducedDims(Operation *op) {
  if (!isa<SoftmaxOp, LayerNormOp, RmsNormOp, ReduceOp>(op))
    return {};
  size_t rank = getDims(op->getOperand(0)).size();
  SmallVector<bool> reduced(std::max<size_t>(rank, 1), false);
  auto markFrom = [&](size_t axis) {
    for (size_t i = axis; i < rank; ++i)
      reduced[i] = true;
  };
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    reduced[softmax.getAxis()] = true;
  else if (auto norm = dyn_cast<LayerNormOp>(op))
    markFrom(norm.getAxis());
  else if (auto norm = dyn_cast<RmsNormOp>(op))
    markFrom(norm.getAxis());
  else
    for (int64_t axis : cast<ReduceOp>(op).getAxes())
      reduced[axis] = true;
  return reduced;
}

Node *kiln::codegen::buildRowOp(Operation *op, const RowShape &shape, Body &body,
                                SmallVectorImpl<Pass> &passes) {
  Type element = cast<RankedTensorType>(op->getOperand(0).getType()).getElementType();
  RowBuilder builder(shape, body, passes, element);
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return builder.softmax(softmax);
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return builder.layerNorm(norm);
  if (auto norm = dyn_cast<RmsNormOp>(op))
    return builder.rmsNorm(norm);
  return builder.reduce(cast<ReduceOp>(op));
}

//===- Softmax.cpp - Scores and their softmax -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the softmax that do not depend on where scores are kept. Only the result is
// divided by the sum, because it has fewer elements than the scores. If a query sees no
// key, the sum is zero, and attributes of the op define the result.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value AttentionBuilder::isMinusInfinity(OpBuilder &b, Value number) {
  Value none = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(number.getType(), -std::numeric_limits<double>::infinity()));
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, number, none);
}

Value AttentionBuilder::timesScales(Value row, Node *scales) {
  Value factors = emitter.convert(emitter.fragment(scales), program.accumulator);
  return map({row, factors}, [&](OpBuilder &b, ValueRange x) -> Value {
    return arith::MulFOp::create(b, loc, x[0], x[1]);
  });
}

/// Selects instead of adding where a key is hidden, because the score of a hidden key may
/// be NaN.
Value AttentionBuilder::addMask(OpBuilder &b, Value score, Value mask, Value keep) {
  Value sum = arith::AddFOp::create(b, loc, score, mask);
  if (keep)
    return arith::SelectOp::create(b, loc, keep, sum, mask);
  return masksHide()
             ? arith::SelectOp::create(b, loc, isMinusInfinity(b, mask), mask, sum)
             : sum;
}

/// Returns the maximum, or 0 if it is -inf, because -inf - (-inf) is NaN.
Value AttentionBuilder::finiteShift(Value maximum) {
  Value isLowest =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, maximum, lowest());
  return arith::SelectOp::create(b, loc, isLowest, number(0.0), maximum);
}

/// Returns exp(sink - sink): 1, or NaN if the sink is NaN or plus infinity. A sink of
/// minus infinity means that there is none, and gives 0.
Value AttentionBuilder::sumOfSink(OpBuilder &b, Value sink) {
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, value));
  };
  Value none = arith::SubFOp::create(b, loc, sink, sink);
  Value one = arith::AddFOp::create(b, loc, none, constant(1.0));
  Value isLowest =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, sink,
                            constant(-std::numeric_limits<double>::infinity()));
  return arith::SelectOp::create(b, loc, isLowest, constant(0.0), one);
}

Value AttentionBuilder::scaleSink(OpBuilder &b, Value sink, MaximumUnit in) {
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, value));
  };
  Value scaled = arith::MulFOp::create(b, loc, sink, constant(1 / in.unit));
  scaled = arith::MaximumFOp::create(b, loc, scaled, constant(-in.limit));
  scaled = arith::MinimumFOp::create(b, loc, scaled, constant(in.limit));
  Value none = arith::SubFOp::create(b, loc, sink, sink);
  Value isFinite = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, none, none);
  return arith::SelectOp::create(b, loc, isFinite, scaled, sink);
}

AttentionBuilder::SoftmaxState AttentionBuilder::initialState() {
  if (!program.sinks)
    return {lowest(), number(0.0)};
  Value sink = emitter.scalar(program.sinks);
  if (sink.getType() != program.accumulator)
    sink = arith::ExtFOp::create(b, loc, program.accumulator, sink);
  return {sink, sumOfSink(b, sink)};
}

AttentionBuilder::SoftmaxState
AttentionBuilder::initialRows(QueryRows rows, int64_t tileRows,
                              std::optional<MaximumUnit> in) {
  if (!program.sinks || !program.packsGroup) { // all rows belong to one head
    auto [maximum, sum] = initialState();
    if (program.sinks && in)
      maximum = scaleSink(b, maximum, *in);
    auto fill = [&](Value value) -> Value {
      return tile::FillOp::create(b, loc, fragType({tileRows}), value);
    };
    return {fill(maximum), fill(sum)};
  }
  NodeEmitter::Scope scope(emitter);
  emitter.bind(program.row.var, rows.begin);
  emitter.setLanes({program.row.var, rows.begin, tileRows, rows.count});
  Value sinks = emitter.convert(emitter.fragment(program.sinks), program.accumulator);
  Value maxima = !in ? sinks : map({sinks}, [&](OpBuilder &b, ValueRange x) -> Value {
    return scaleSink(b, x[0], *in);
  });
  Value added = map(
      {sinks}, [&](OpBuilder &b, ValueRange x) -> Value { return sumOfSink(b, x[0]); });
  return {maxima, added};
}

Value AttentionBuilder::scaleScore(OpBuilder &b, Value product, double factor) {
  auto times = [&](Value value, double number) -> Value {
    Value constant =
        arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, number));
    return arith::MulFOp::create(b, loc, value, constant);
  };
  double scale = program.op.getScale().convertToDouble();
  std::optional<APFloat> softcap = program.op.getSoftcap();
  if (!softcap)
    return times(product, scale * factor);
  double cap = softcap->convertToDouble();
  Value bounded = math::TanhOp::create(b, loc, times(product, scale / cap));
  return times(bounded, cap * factor);
}

/// Returns the factor that normalizes the result of a row, the inverse of its sum. The
/// sum of a row with a key or a sink is at least 1, since the exponential of the maximum
/// score is 1. A row with neither has the sum 0; it gives infinity, and so NaN for 0 / 0,
/// or 0 if the op says so. The sum is NaN if a score is NaN or plus infinity.
Value AttentionBuilder::invert(OpBuilder &b, Value sum) {
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, value));
  };
  Value inverse = arith::DivFOp::create(b, loc, constant(1.0), sum);
  if (!program.op.getMaskedZero() && !program.op.getNanZero())
    return inverse;
  Value zero = constant(0.0);
  auto predicate =
      program.op.getNanZero() ? arith::CmpFPredicate::UEQ : arith::CmpFPredicate::OEQ;
  Value isEmpty = arith::CmpFOp::create(b, loc, predicate, sum, zero);
  return arith::SelectOp::create(b, loc, isEmpty, zero, inverse);
}

/// Multiplies an element of a result by the inverse sum. If the inverse is 0, because the
/// row has no keys, the result is 0 even if the element is not finite.
Value AttentionBuilder::normalize(OpBuilder &b, Value value, Value inverse) {
  Value product = arith::MulFOp::create(b, loc, value, inverse);
  if (!program.op.getMaskedZero())
    return product;
  Value zero =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, 0.0));
  Value isEmpty = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, inverse, zero);
  return arith::SelectOp::create(b, loc, isEmpty, zero, product);
}

void AttentionBuilder::storeLse(Value lse, Value begin, Value count) {
  SmallVector<int64_t> masked;
  if (isa<tile::FragType>(lse.getType()))
    masked.push_back(0);
  for (const Output &output : program.lseOutputs) {
    NodeEmitter::Scope scope(emitter);
    emitter.bind(program.row.var, begin);
    const SymbolicExpr &address = output.address;
    OpFoldResult apart = fold(*coefficientOf(address, program.row.var));
    Value rows = view(results[output.result].buffer, emitter.index(address),
                      {getAsOpFoldResult(count)}, {apart});
    tile::StoreOp::create(b, loc, lse, rows, ValueRange{index(0)}, masked);
  }
}

Value AttentionBuilder::unlessFinite(Value fragment, function_ref<Value()> again) {
  auto type = cast<tile::FragType>(fragment.getType());
  Type element = type.getElementType();
  Value none = map({fragment}, [&](OpBuilder &b, ValueRange x) -> Value {
    return arith::SubFOp::create(b, loc, x[0], x[0]);
  });
  Value sum = tile::ReduceOp::create(b, loc, element, tile::ReduceKind::sum, none, 0);
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, sum, sum);
  auto other = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, again());
  };
  auto same = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, fragment); };
  return scf::IfOp::create(b, loc, isNaN, other, same).getResult(0);
}

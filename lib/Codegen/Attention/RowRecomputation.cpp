//===- RowRecomputation.cpp - Recomputation of non-finite rows ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowRecomputation.h"
#include "../Expression/Scalar.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value RowRecomputation::numbers(Node *operand) {
  Value stored = emitter.fragment(operand);
  return program.codes ? fragmentCast(b, loc, stored, program.codes, program.accumulator)
                       : stored;
}

/// Returns the score of the bound key with `query`, a fragment.
RowRecomputation::Score RowRecomputation::scoreOf(Value query) {
  openLanes(program.depth, tile.headLanes);
  Type element = program.accumulator;
  Value product =
      map({query, numbers(program.keys)}, [&](OpBuilder &b, ValueRange x) -> Value {
        return arith::MulFOp::create(b, loc, x[0], x[1]);
      });
  product = emitter.maskWith(product, b.getFloatAttr(element, 0.0));
  Value sum = tile::ReduceOp::create(b, loc, element, tile::ReduceKind::sum, product, 0);
  if (program.codes)
    sum = arith::MulFOp::create(b, loc, sum, emitter.scalar(program.keyScales));
  Value score = scaleScore(b, sum);
  if (!program.mask)
    return {score, {}};
  Value mask = emitter.scalar(program.mask);
  score = addMask(b, score, mask, program.keep ? emitter.scalar(program.keep) : Value());
  return {score, masksHide() ? isMinusInfinity(b, mask) : Value()};
}

RowRecomputation::Values RowRecomputation::addKey(Value query, ValueRange state) {
  auto [score, isHidden] = scoreOf(query);
  Value maximum = arith::MaximumFOp::create(b, loc, state[0], score);
  Value shift = finiteShift(maximum);
  auto power = [&](Value of) -> Value {
    return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, of, shift));
  };
  Value factor = power(state[0]), weight = power(score);
  Value sum = math::FmaOp::create(b, loc, state[1], factor, weight);
  if (program.op.getNanZero()) {
    Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, sum, sum);
    factor = arith::SelectOp::create(b, loc, isNaN, number(0.0), factor);
    weight = arith::SelectOp::create(b, loc, isNaN, number(0.0), weight);
  }
  if (program.codes)
    weight = arith::MulFOp::create(b, loc, weight, emitter.scalar(program.valueScales));
  Value hidden = isHidden; // lambdas capture no structured binding
  openLanes(program.column, tile.columnLanes);
  Value result =
      map({state[2], numbers(program.values)}, [&](OpBuilder &b, ValueRange x) -> Value {
        Value older = arith::MulFOp::create(b, loc, x[0], factor);
        Value sum = math::FmaOp::create(b, loc, weight, x[1], older);
        return hidden ? arith::SelectOp::create(b, loc, hidden, older, sum) : sum;
      });
  return {maximum, sum, result};
}

Value RowRecomputation::attend(Value row) {
  NodeEmitter::Scope scope(emitter);
  NodeEmitter::Lanes before = emitter.getLanes();
  emitter.bind(program.row.var, row);
  openLanes(program.depth, tile.headLanes);
  Value query = emitter.fragment(program.query);
  auto step = [&](OpBuilder &, Location, Value key, ValueRange state) {
    NodeEmitter::Scope scope(emitter);
    emitter.bind(program.key.var, key);
    scf::YieldOp::create(b, loc, addKey(query, state));
  };
  Value none = tile::FillOp::create(b, loc, fragType({tile.columnLanes}), number(0.0));
  auto [maximum, exponentials] = initialState();
  Values inits{maximum, exponentials, none};
  auto loop = scf::ForOp::create(b, loc, visible.beginOf(row), visible.endOf(row),
                                 index(1), inits, step);
  Value inverse = invert(b, loop.getResult(1));
  emitter.setLanes(before);
  return map({loop.getResult(2)}, [&](OpBuilder &b, ValueRange x) -> Value {
    return normalize(b, x[0], inverse);
  });
}

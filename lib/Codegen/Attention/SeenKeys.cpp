//===- SeenKeys.cpp - Results that are not finite, again ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a tile of keys that some rows of a block see in part, the others have the weight
// 0, and 0 times an infinity or a NaN is NaN: what a query does not see would reach
// its result. So a row that is not finite is computed once more, from the values that
// its query sees alone. Where those are the cause, the result is the same. On a GPU that
// is also the row whose weights are NaN and count as 0, which the online softmax finds out
// when it has added values already.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// The fragment, or, where an infinity or a NaN is in it, what `again` makes.
Value AttentionEmitter::unlessFinite(Value fragment, function_ref<Value()> again) {
  auto type = cast<tile::FragType>(fragment.getType());
  Type element = type.getElementType();
  Value none = mapOf(type, {fragment}, [&](OpBuilder &b, ValueRange x) -> Value {
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

/// On the host: a row of a panel of the result, from the weights in the strip; its sums
/// are in the order of the product.
Value AttentionEmitter::addSeenValues(Value stripRow, Value row, Value panel) {
  Value rows = emitter.index(values.depth), lanes = index(width);
  OpFoldResult across = b.getIndexAttr(width), one = b.getIndexAttr(1);
  Value from = view(values.buffer, mul(mul(panel, rows), lanes),
                    {fold(values.depth), across}, {across, one});
  Value end = b.createOrFold<arith::MinSIOp>(loc, blockKeys, lastKeyOf(row));
  auto body = [&](OpBuilder &, Location, Value key, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    Value weight = tile::LoadOp::create(b, loc, program.accumulator, strip,
                                        ValueRange{stripRow, key});
    Value value =
        tile::LoadOp::create(b, loc, rowType(), from, ValueRange{key, index(0)});
    Value sum = mapOne({carried[0], value}, [&](OpBuilder &b, ValueRange x) -> Value {
      return math::FmaOp::create(b, loc, weight, x[1], x[0]);
    });
    scf::YieldOp::create(b, loc, sum);
  };
  Value none = tile::FillOp::create(b, loc, rowType(), number(0.0));
  return scf::ForOp::create(b, loc, index(0), end, index(1), none, body).getResult(0);
}

/// The score of the key whose index is bound with the query, a fragment.
Value AttentionEmitter::scoreOf(Value query) {
  openLanes(program.depth, depthLanes);
  Type element = program.accumulator;
  Value product = mapOf(cast<tile::FragType>(query.getType()),
                        {query, emitter.fragment(program.keys)},
                        [&](OpBuilder &b, ValueRange x) -> Value {
                          return arith::MulFOp::create(b, loc, x[0], x[1]);
                        });
  product = emitter.maskWith(product, b.getFloatAttr(element, 0.0));
  Value sum = tile::ReduceOp::create(b, loc, element, tile::ReduceKind::sum, product, 0);
  Value score = scaleScore(b, sum);
  if (program.mask)
    score = arith::AddFOp::create(b, loc, score, emitter.scalar(program.mask));
  return score;
}

/// One key: `state` is the largest score, the sum of the exponentials and the result.
SmallVector<Value> AttentionEmitter::addKey(Value query, ValueRange state) {
  Value score = scoreOf(query);
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
  openLanes(program.column, columnLanes);
  Value result = mapOf(cast<tile::FragType>(state[2].getType()),
                       {state[2], emitter.fragment(program.values)},
                       [&](OpBuilder &b, ValueRange x) -> Value {
                         Value older = arith::MulFOp::create(b, loc, x[0], factor);
                         return math::FmaOp::create(b, loc, weight, x[1], older);
                       });
  return {maximum, sum, result};
}

/// In a block of threads: a row of the result, key by key.
Value AttentionEmitter::attendSeen(Value row) {
  NodeEmitter::Scope scope(emitter);
  NodeEmitter::Lanes before = emitter.getLanes();
  auto type = tile::FragType::get(b.getContext(), {columnLanes}, program.accumulator);
  emitter.bind(program.row.var, row);
  openLanes(program.depth, depthLanes);
  Value query = emitter.fragment(program.query);
  auto step = [&](OpBuilder &, Location, Value key, ValueRange state) {
    NodeEmitter::Scope scope(emitter);
    emitter.bind(program.key.var, key);
    scf::YieldOp::create(b, loc, addKey(query, state));
  };
  Value none = tile::FillOp::create(b, loc, type, number(0.0));
  SmallVector<Value> inits{number(-std::numeric_limits<double>::infinity()), number(0.0),
                           none};
  Value end = keyEnd;
  if (program.op.getCausal())
    end = b.createOrFold<arith::MinSIOp>(loc, keyEnd, lastKeyOf(row));
  auto loop = scf::ForOp::create(b, loc, index(0), end, index(1), inits, step);
  Value inverse = invert(b, loop.getResult(1));
  emitter.setLanes(before);
  return mapOf(type, {loop.getResult(2)}, [&](OpBuilder &b, ValueRange x) -> Value {
    return normalize(b, x[0], inverse);
  });
}

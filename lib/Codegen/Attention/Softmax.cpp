//===- Softmax.cpp - Softmax along the rows of a strip --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two walks: scale, mask and maximum; exponentials and their sum. The division
// waits for the result, which has fewer elements. Columns past the keys are
// minus infinity, so they add nothing. Where all keys are, the sum is zero, and the
// op says what a row of nothing is.
//
//===----------------------------------------------------------------------===//

#include "../Blocks.h"
#include "Emitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value AttentionEmitter::mapOne(ArrayRef<Value> inputs,
                               function_ref<Value(OpBuilder &, ValueRange)> body) {
  auto map = tile::MapOp::create(
      b, loc, TypeRange{rowType()}, inputs,
      [&](OpBuilder &inner, Location, ValueRange arguments) -> SmallVector<Value> {
        return {body(inner, arguments)};
      });
  return map.getResult(0);
}

/// Any number will do for a row of minus infinities, but no infinity.
Value AttentionEmitter::finiteShift(Value maximum) {
  Value lowest = number(-std::numeric_limits<double>::infinity());
  Value isLowest =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, maximum, lowest);
  return arith::SelectOp::create(b, loc, isLowest, number(0.0), maximum);
}

Value AttentionEmitter::scaleScore(OpBuilder &b, Value product, double factor) {
  auto times = [&](Value value, double number) -> Value {
    Value constant = arith::ConstantOp::create(
        b, loc, b.getFloatAttr(program.accumulator, number));
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

/// What the result of a row is multiplied by. The sum of a row that sees a key is 1 at
/// least, since the largest score has an exponential of 1; a row that sees none gives
/// 0 / 0, or 0. The sum is NaN where a score is NaN or plus infinity.
Value AttentionEmitter::invert(OpBuilder &b, Value sum) {
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, value));
  };
  Value inverse = arith::DivFOp::create(b, loc, constant(1.0), sum);
  if (!program.op.getMaskedZero() && !program.op.getNanZero())
    return inverse;
  Value zero = constant(0.0);
  auto predicate = program.op.getNanZero() ? arith::CmpFPredicate::UEQ
                                           : arith::CmpFPredicate::OEQ;
  Value isEmpty = arith::CmpFOp::create(b, loc, predicate, sum, zero);
  return arith::SelectOp::create(b, loc, isEmpty, zero, inverse);
}

/// An element of a result times the inverse; of a row without a sum, whatever the values.
Value AttentionEmitter::normalize(OpBuilder &b, Value value, Value inverse) {
  Value product = arith::MulFOp::create(b, loc, value, inverse);
  if (!program.op.getMaskedZero())
    return product;
  Value zero =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, 0.0));
  Value isEmpty = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, inverse, zero);
  return arith::SelectOp::create(b, loc, isEmpty, zero, product);
}

/// Whole fragments of keys, then what is left with the number of its keys.
Value AttentionEmitter::forKeys(Value init,
                                function_ref<Value(Value, Value, Value)> step) {
  Value end = blockKeys, lanes = index(width);
  Value whole = mul(b.createOrFold<arith::DivUIOp>(loc, end, lanes), lanes);
  auto body = [&](OpBuilder &, Location, Value first, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, step(first, {}, carried[0]));
  };
  Value carried =
      scf::ForOp::create(b, loc, index(0), whole, lanes, init, body).getResult(0);
  auto keys = getConstantIntValue(end);
  if (keys && *keys % width == 0)
    return carried;
  Value valid = sub(end, whole);
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, valid, index(0));
  auto rest = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, step(whole, valid, carried));
  };
  auto none = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, carried); };
  return scf::IfOp::create(b, loc, any, rest, none).getResult(0);
}

/// Scales and masks the scores of a fragment of keys; returns the maximum so far.
Value AttentionEmitter::emitScaled(Value stripRow, Value row, Value first, Value valid,
                                   Value maximum) {
  emitter.bind(program.key.var, first);
  emitter.setLanes({program.key.var, first, width, valid});
  Value scores =
      tile::LoadOp::create(b, loc, rowType(), strip, ValueRange{stripRow, first});
  SmallVector<Value> inputs{scores};
  if (program.mask)
    inputs.push_back(emitter.fragment(program.mask));
  scores = mapOne(inputs, [&](OpBuilder &b, ValueRange x) -> Value {
    Value scaled = scaleScore(b, x[0]);
    return x.size() == 1 ? scaled
                         : arith::AddFOp::create(b, loc, scaled, x[1]).getResult();
  });
  Value lowest = number(-std::numeric_limits<double>::infinity());
  auto keepBelow = [&](Value limit) {
    scores = tile::SelectRangeOp::create(b, loc, rowType(), scores, index(0), limit,
                                         lowest, uint64_t(0));
  };
  if (program.op.getCausal())
    keepBelow(sub(lastKeyOf(row), first));
  if (valid)
    keepBelow(valid);
  tile::StoreOp::create(b, loc, scores, strip, ValueRange{stripRow, first});
  // A NaN may be passed over here: it comes back in the exponentials.
  return mapOne({maximum, scores}, [&](OpBuilder &b, ValueRange x) -> Value {
    Value greater = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, x[0], x[1]);
    return arith::SelectOp::create(b, loc, greater, x[0], x[1]);
  });
}

Value AttentionEmitter::emitExponentials(Value stripRow, Value first, Value shift,
                                         Value sum) {
  Value scores =
      tile::LoadOp::create(b, loc, rowType(), strip, ValueRange{stripRow, first});
  scores = mapOne({scores}, [&](OpBuilder &b, ValueRange x) -> Value {
    return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, x[0], shift));
  });
  tile::StoreOp::create(b, loc, scores, strip, ValueRange{stripRow, first});
  return mapOne({sum, scores}, [&](OpBuilder &b, ValueRange x) -> Value {
    return arith::AddFOp::create(b, loc, x[0], x[1]);
  });
}

/// Weights of 0 for a row whose sum is NaN, which then is 0.
Value AttentionEmitter::dropInvalid(Value stripRow, Value sum) {
  Value zero = number(0.0);
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, sum, sum);
  auto drop = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    Value none = tile::FillOp::create(b, loc, rowType(), zero);
    Value end = forKeys(zero, [&](Value first, Value, Value carried) {
      tile::StoreOp::create(b, loc, none, strip, ValueRange{stripRow, first});
      return carried;
    });
    scf::YieldOp::create(b, loc, end);
  };
  auto keep = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, sum); };
  return scf::IfOp::create(b, loc, isNaN, drop, keep).getResult(0);
}

void AttentionEmitter::emitSoftmax(Value row, Value height) {
  emitLoop(b, loc, emitter, index(0), height, index(1), [&](Value r) {
    Value at = add(row, r);
    emitter.bind(program.row.var, at);
    Value lowest = tile::FillOp::create(b, loc, rowType(),
                                        number(-std::numeric_limits<double>::infinity()));
    Value maxima = forKeys(lowest, [&](Value first, Value valid, Value carried) {
      return emitScaled(r, at, first, valid, carried);
    });
    Value shift = finiteShift(tile::ReduceOp::create(b, loc, program.accumulator,
                                                     tile::ReduceKind::max, maxima, 0));
    Value none = tile::FillOp::create(b, loc, rowType(), number(0.0));
    Value partial = forKeys(none, [&](Value first, Value, Value carried) {
      return emitExponentials(r, first, shift, carried);
    });
    Value sum = tile::ReduceOp::create(b, loc, program.accumulator, tile::ReduceKind::sum,
                                       partial, 0);
    if (program.op.getNanZero())
      sum = dropInvalid(r, sum);
    tile::StoreOp::create(b, loc, invert(b, sum), sums, ValueRange{r});
  });
}

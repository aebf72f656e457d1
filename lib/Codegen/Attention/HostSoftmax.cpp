//===- HostSoftmax.cpp - Softmax and epilogue on a host -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostSoftmax.h"
#include "../Blocks.h"
#include "../Expression/Scalar.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

HostScratch::HostScratch(const AttentionBuilder &attention,
                         tile::AttentionConfigAttr config, Type operand,
                         bool copiesQueries)
    : AttentionBuilder(attention), rows(config.getMr()), width(config.getNr()),
      operand(operand), copiesQueries(copiesQueries) {
  int64_t operandBytes = tile::elementBytes(operand);
  SymbolicExpr valuePanels = program.column.extent.ceilDiv(width);
  paddedKeys = program.key.extent.ceilDiv(width) * SymbolicExpr(width);
  keyOffset = allocate(paddedKeys * program.depth.extent, operandBytes);
  valueOffset =
      allocate(valuePanels * program.key.extent * SymbolicExpr(width), operandBytes);
  weightOffset = allocate(paddedKeys * SymbolicExpr(rows), bytes());
  sumOffset = allocate(rows, bytes());
  resultOffset = allocate(rows * width, bytes());
  if (!copiesQueries)
    return;
  paddedHeadDim = program.depth.extent.alignTo(kTileRegisterSteps);
  queryOffset = allocate(paddedHeadDim * SymbolicExpr(rows), operandBytes);
}

/// Appends `elements` to the scratch memory, aligned to a cache line; returns the offset.
SymbolicExpr HostScratch::allocate(const SymbolicExpr &elements, int64_t elementBytes) {
  SymbolicExpr offset = size;
  size += (elements * SymbolicExpr(elementBytes)).alignTo(64);
  return offset;
}

void HostScratch::open(int64_t resultLanes) {
  OpFoldResult mr = b.getIndexAttr(rows), one = b.getIndexAttr(1);
  OpFoldResult keys = fold(paddedKeys), lanes = b.getIndexAttr(resultLanes);
  scores = view(scratch(weightOffset), index(0), {mr, keys}, {keys, one});
  weights = scores;
  if (operand != program.accumulator) {
    SymbolicExpr pitch = paddedKeys * SymbolicExpr(bytes() / tile::elementBytes(operand));
    weights =
        view(scratch(weightOffset, operand), index(0), {mr, keys}, {fold(pitch), one});
  }
  inverses = view(scratch(sumOffset), index(0), {mr}, {one});
  resultPanel = view(scratch(resultOffset), index(0), {mr, lanes}, {lanes, one});
  if (copiesQueries)
    queries = view(scratch(queryOffset, operand), index(0), {mr, fold(paddedHeadDim)},
                   {fold(paddedHeadDim), one});
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Runs `step` for all full fragments of keys, then for the remainder with its number of
/// keys.
Value HostSoftmax::forKeys(Value init, Step step) {
  auto [begin, end] = keys;
  Value lanes = index(width);
  Value whole = mul(b.createOrFold<arith::DivUIOp>(loc, end, lanes), lanes);
  auto body = [&](OpBuilder &, Location, Value first, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, step(first, {}, carried[0]));
  };
  Value carried =
      scf::ForOp::create(b, loc, begin, whole, lanes, init, body).getResult(0);
  auto constant = getConstantIntValue(end);
  if (constant && *constant % width == 0)
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
Value HostSoftmax::emitScaled(Value scratchRow, Value row, Value first, Value valid,
                              Value maximum) {
  emitter.bind(program.key.var, first);
  emitter.setLanes({program.key.var, first, width, valid});
  Value scores = tile::LoadOp::create(b, loc, rowType(), scratch.scores,
                                      ValueRange{scratchRow, first});
  if (program.codes)
    scores = timesScales(scores, program.keyScales);
  Values inputs{scores};
  for (Node *perScore : {program.mask, program.keep})
    if (perScore)
      inputs.push_back(emitter.fragment(perScore));
  scores = map(inputs, [&](OpBuilder &b, ValueRange x) -> Value {
    Value scaled = scaleScore(b, x[0]);
    return x.size() == 1 ? scaled
                         : addMask(b, scaled, x[1], x.size() > 2 ? x[2] : Value());
  });
  Value masked = lowest();
  auto keep = [&](Value from, Value limit) {
    scores = tile::SelectRangeOp::create(b, loc, rowType(), scores, from, limit, masked,
                                         uint64_t(0));
  };
  if (visible.needsPositions())
    keep(visible.hasWindow() ? sub(visible.beginOf(row), first) : index(0),
         sub(visible.causalEnd(row), first));
  if (valid)
    keep(index(0), valid);
  tile::StoreOp::create(b, loc, scores, scratch.scores, ValueRange{scratchRow, first});
  // The comparison may drop a NaN from the maximum; its exponential is NaN again.
  return map({maximum, scores}, [&](OpBuilder &b, ValueRange x) -> Value {
    Value greater = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, x[0], x[1]);
    return arith::SelectOp::create(b, loc, greater, x[0], x[1]);
  });
}

/// Stores the weights of a fragment of keys, rounded to the type of the operands.
void HostSoftmax::storeWeights(Value weights, Value scratchRow, Value first) {
  Type element = cast<tile::ViewType>(scratch.weights.getType()).getElementType();
  if (element != program.accumulator)
    weights = tile::ConvertOp::create(b, loc, rowType().cloneWith(element), weights);
  tile::StoreOp::create(b, loc, weights, scratch.weights, ValueRange{scratchRow, first});
}

Value HostSoftmax::emitExponentials(Value scratchRow, Value first, Value valid,
                                    Value shift, Value sum) {
  Value scores = tile::LoadOp::create(b, loc, rowType(), scratch.scores,
                                      ValueRange{scratchRow, first});
  scores = map({scores}, [&](OpBuilder &b, ValueRange x) -> Value {
    return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, x[0], shift));
  });
  Value weights = scores;
  if (program.codes) {
    emitter.bind(program.key.var, first);
    emitter.setLanes({program.key.var, first, width, valid});
    weights = timesScales(scores, program.valueScales);
  }
  storeWeights(weights, scratchRow, first);
  return map({sum, scores}, [&](OpBuilder &b, ValueRange x) -> Value {
    return arith::AddFOp::create(b, loc, x[0], x[1]);
  });
}

/// Sets the weights and the sum of a row to 0 where the sum is NaN.
Value HostSoftmax::dropInvalid(Value scratchRow, Value sum) {
  Value zero = number(0.0);
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, sum, sum);
  auto drop = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    Value none = tile::FillOp::create(b, loc, rowType(), zero);
    Value end = forKeys(zero, [&](Value first, Value, Value carried) {
      storeWeights(none, scratchRow, first);
      return carried;
    });
    scf::YieldOp::create(b, loc, end);
  };
  auto keep = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, sum); };
  return scf::IfOp::create(b, loc, isNaN, drop, keep).getResult(0);
}

void HostSoftmax::emit(QueryRows rows, KeyRange seen) {
  keys = seen;
  emitLoop(b, loc, emitter, index(0), rows.count, index(1), [&](Value r) {
    Value at = add(rows.begin, r);
    emitter.bind(program.row.var, at);
    Value sink = program.sinks ? initialState().maximum : Value();
    Value init = tile::FillOp::create(b, loc, rowType(), lowest());
    Value maxima = forKeys(init, [&](Value first, Value valid, Value carried) {
      return emitScaled(r, at, first, valid, carried);
    });
    Value highest = tile::ReduceOp::create(b, loc, program.accumulator,
                                           tile::ReduceKind::max, maxima, 0);
    if (sink)
      highest = arith::MaximumFOp::create(b, loc, sink, highest);
    Value shift = finiteShift(highest);
    Value none = tile::FillOp::create(b, loc, rowType(), number(0.0));
    Value partial = forKeys(none, [&](Value first, Value valid, Value carried) {
      return emitExponentials(r, first, valid, shift, carried);
    });
    Value sum = tile::ReduceOp::create(b, loc, program.accumulator, tile::ReduceKind::sum,
                                       partial, 0);
    if (sink)
      sum = arith::AddFOp::create(
          b, loc, sum,
          math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, sink, shift)));
    if (program.op.getNanZero())
      sum = dropInvalid(r, sum);
    tile::StoreOp::create(b, loc, invert(b, sum), scratch.inverses, ValueRange{r});
    if (!program.lseOutputs.empty()) // state without keys: -inf + log(0)
      storeLse(arith::AddFOp::create(b, loc, highest, math::LogOp::create(b, loc, sum)),
               at, index(1));
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Returns the number of columns of a panel.
static int64_t lanesOf(Value panel) {
  return cast<tile::ViewType>(panel.getType()).getShape()[1];
}

/// Returns whether the mask hides a key from the bound row; null: it hides none.
Value HostAttentionEpilogue::isHidden(Value key) {
  if (!masksHide())
    return {};
  emitter.bind(program.key.var, key);
  return isMinusInfinity(b, emitter.scalar(program.mask));
}

/// Loads a row of a panel, dequantized to the type of `type`.
Value HostAttentionEpilogue::loadValues(tile::FragType type, Value values, Value key) {
  Type stored = cast<tile::ViewType>(values.getType()).getElementType();
  Value row = tile::LoadOp::create(b, loc, type.cloneWith(stored), values,
                                   ValueRange{key, index(0)});
  if (stored == type.getElementType())
    return row;
  return fragmentCast(b, loc, row, program.codes ? program.codes : stored,
                      type.getElementType());
}

/// Returns a subnormal number as zero, as dot products do.
Value HostAttentionEpilogue::flush(OpBuilder &b, Value number) {
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, value));
  };
  Value isSmall = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(b, loc, number),
                                        constant(std::numeric_limits<float>::min()));
  Value zero = arith::MulFOp::create(b, loc, number, constant(0));
  return arith::SelectOp::create(b, loc, isSmall, zero, number);
}

/// Adds weight * value as the matmul does: by a fused multiply-add, which in dot products
/// takes and returns subnormal numbers as zeros.
Value HostAttentionEpilogue::addValue(OpBuilder &b, Value sum, Value weight,
                                      Value value) {
  if (!dot)
    return math::FmaOp::create(b, loc, weight, value, sum);
  return flush(b, math::FmaOp::create(b, loc, flush(b, weight), flush(b, value), sum));
}

/// Adds the keys from `begin` on that a dot product adds together, in its order; see
/// tile.mma. `add` adds one key.
Value HostAttentionEpilogue::addBlock(Value begin, Value sum, AddKey add) {
  auto after = [&](Value key) { return this->add(key, index(1)); };
  if (!dot)
    return add(begin, sum);
  if (dot == tile::DotProduct::vdpbf16ps)
    return add(begin, add(after(begin), sum));
  auto body = [&](OpBuilder &, Location, Value pair, ValueRange chains) {
    NodeEmitter::Scope scope(emitter);
    Value key = this->add(begin, pair);
    scf::YieldOp::create(b, loc,
                         ValueRange{add(key, chains[0]), add(after(key), chains[1])});
  };
  Value none = tile::FillOp::create(b, loc, sum.getType(), number(0.0));
  auto both = scf::ForOp::create(b, loc, index(0), index(kTileRegisterSteps), index(2),
                                 ValueRange{none, none}, body);
  return map({sum, both.getResult(0), both.getResult(1)},
             [&](OpBuilder &b, ValueRange x) -> Value {
               Value block = flush(b, arith::AddFOp::create(b, loc, x[1], x[2]));
               return flush(b, arith::AddFOp::create(b, loc, flush(b, x[0]), block));
             });
}

/// Returns the keys that a dot product adds together.
static int64_t keysOfBlock(std::optional<tile::DotProduct> dot) {
  if (!dot)
    return 1;
  return dot == tile::DotProduct::vdpbf16ps ? 2 : kTileRegisterSteps;
}

/// Computes one row of a panel of the result from the weights of its visible keys, in the
/// order in which the matmul accumulates.
Value HostAttentionEpilogue::addVisibleValues(Value scratchRow, Value row, Value values,
                                              KeyRange keys) {
  tile::FragType type = fragType({lanesOf(values)});
  Value begin = visible.beginOf(row), end = keys.end;
  if (visible.needsPositions())
    end = b.createOrFold<arith::MinSIOp>(loc, end, visible.causalEnd(row));
  Type stored = cast<tile::ViewType>(scratch.weights.getType()).getElementType();
  auto add = [&](Value key, Value carried) -> Value {
    Value weight = tile::LoadOp::create(b, loc, stored, scratch.weights,
                                        ValueRange{scratchRow, key});
    if (stored != program.accumulator)
      weight = arith::ExtFOp::create(b, loc, program.accumulator, weight);
    Value value = loadValues(type, values, key);
    Value hidden = isHidden(key);
    return map({carried, value}, [&](OpBuilder &b, ValueRange x) -> Value {
      Value added = addValue(b, x[0], weight, x[1]);
      return hidden ? arith::SelectOp::create(b, loc, hidden, x[0], added) : added;
    });
  };
  auto addInside = [&](Value key, Value carried) -> Value {
    Value inside = arith::AndIOp::create(
        b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, key, begin),
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, key, end));
    auto then = [&](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      scf::YieldOp::create(b, loc, add(key, carried));
    };
    auto none = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, carried); };
    return scf::IfOp::create(b, loc, inside, then, none).getResult(0);
  };
  auto body = [&](OpBuilder &, Location, Value key, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    Value sum =
        dot ? addBlock(key, carried[0], addInside) : addBlock(key, carried[0], add);
    scf::YieldOp::create(b, loc, sum);
  };
  Value none = tile::FillOp::create(b, loc, type, number(0.0));
  Value block = index(keysOfBlock(dot));
  if (dot)
    begin = sub(begin, remainder(begin, block));
  return scf::ForOp::create(b, loc, begin, end, block, none, body).getResult(0);
}

void HostAttentionEpilogue::emit(QueryRows rows, Value at, Value values, KeyRange keys) {
  int64_t width = lanesOf(values);
  Value first = mul(at, index(width));
  auto columns = program.column.extent.getConstant();
  bool isWhole = columns && *columns % width == 0;
  Value valid = isWhole ? Value() : sub(emitter.index(program.column.extent), first);
  emitLoop(b, loc, emitter, index(0), rows.count, index(1), [&](Value r) {
    emitter.bind(program.column.var, first);
    emitter.setLanes({program.column.var, first, width, valid});
    Value row = add(rows.begin, r);
    emitter.bind(program.row.var, row);
    Value tile = tile::LoadOp::create(b, loc, fragType({width}), scratch.resultPanel,
                                      ValueRange{r, index(0)});
    if (visible.needsPositions() || masksHide())
      tile = unlessFinite(tile, [&] { return addVisibleValues(r, row, values, keys); });
    Value inverse = tile::LoadOp::create(b, loc, program.accumulator, scratch.inverses,
                                         ValueRange{r});
    Value scaled = map({tile}, [&](OpBuilder &b, ValueRange x) -> Value {
      return normalize(b, x[0], inverse);
    });
    emitter.bind(program.product, scaled);
    storeOutputs(program.outputs);
  });
}

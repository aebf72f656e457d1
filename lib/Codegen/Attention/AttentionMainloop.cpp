//===- AttentionMainloop.cpp - Online softmax over the keys ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMainloop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

void ScratchRows::open() {
  OpFoldResult height = b.getIndexAttr(rows), pitch = b.getIndexAttr(stride);
  opened = view(scratch(0), index(0), {height, pitch}, {pitch, b.getIndexAttr(1)});
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

KeyRange AttentionMainloop::allKeys(QueryRows rows) {
  return {visible.begin(rows, tile.keys), visible.lastEnd(rows)};
}

AttentionMainloop::SoftmaxState AttentionMainloop::emptyRows() {
  auto fill = [&](Value value) -> Value {
    return tile::FillOp::create(b, loc, fragType({tile.rows}), value);
  };
  return {fill(lowest()), fill(number(0.0))};
}

void AttentionMainloop::storeLse(QueryRows rows, Value maxima, Value denominators) {
  if (program.lseOutputs.empty())
    return;
  Value found = map({maxima, denominators}, [&](OpBuilder &b, ValueRange x) -> Value {
    return lseOf(b, x[0], x[1]);
  });
  AttentionBuilder::storeLse(found, rows.begin, rows.count);
}

AttentionMainloop::Values AttentionMainloop::forKeyTiles(QueryRows rows, KeyRange range,
                                                         ValueRange inits, Step step) {
  Value firstEnd = visible.endOf(rows.begin), lastBegin;
  if (visible.hasWindow())
    lastBegin = visible.beginOf(add(rows.begin, sub(rows.count, index(1))));
  auto keys = operands.openKeys(), values = operands.openValues();
  auto load = [&](OpBuilder &, Location, Value at) {
    return operands.stageKeys(keys, values, at);
  };
  auto compute = [&](OpBuilder &, Location, Value at, ValueRange staged,
                     ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    // A tile of keys that all rows see needs no mask.
    if (program.isCausal() || !hasWholeTiles())
      isEdge = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                     add(at, index(tile.keys)), firstEnd);
    if (lastBegin) {
      Value cutsBegin =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at, lastBegin);
      isEdge = arith::OrIOp::create(b, loc, isEdge, cutsBegin);
    }
    return step(at, staged, carried);
  };
  auto pipeline = tile::PipelineOp::create(b, loc, range.begin, range.end,
                                           index(tile.keys), inits, load, compute);
  pipeline.setStages(stages);
  return Values(pipeline.getResults());
}

/// Returns true if the number of keys is a multiple of the tile's.
bool AttentionMainloop::hasWholeTiles() const {
  auto constant = program.key.extent.getConstant();
  return !program.lengths && constant && *constant % tile.keys == 0;
}

Value AttentionMainloop::validKeys(Value first) {
  return hasWholeTiles() ? Value() : sub(visible.end(), first);
}

Value AttentionMainloop::maskAtEdge(Value scores, function_ref<Value(Value)> mask) {
  if (!program.isCausal() && hasWholeTiles())
    return scores;
  auto masked = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, mask(scores));
  };
  auto whole = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, scores); };
  return scf::IfOp::create(b, loc, isEdge, masked, whole).getResult(0);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Multiplies a mask by a factor, and clamps finite values to the lowest finite number: a
/// query for which all keys have that mask sees them all with equal weight.
Value AttentionMainloop::scaleMask(Value mask, double factor) {
  Value scale = number(factor), lowestFinite = number(-std::numeric_limits<float>::max());
  Value removed = lowest();
  auto element = cast<RankedTensorType>(program.op.getMask().getType()).getElementType();
  return map({mask}, [&](OpBuilder &b, ValueRange x) -> Value {
    Value product = arith::MulFOp::create(b, loc, x[0], scale);
    if (element.isF16()) // f16 is far from the limits of f32
      return product;
    Value finite = arith::MaximumFOp::create(b, loc, product, lowestFinite);
    Value isRemoved =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x[0], removed);
    return arith::SelectOp::create(b, loc, isRemoved, removed, finite);
  });
}

void AttentionMainloop::storeMask(ValueRange to, ValueRange at, Value row, Value first,
                                  Value valid, double factor) {
  emitter.bind(program.row.var, row);
  emitter.bind(program.key.var, first);
  emitter.setLanes({program.key.var, first, tile.keys, valid});
  Value mask = emitter.fragment(program.mask);
  if (factor != 1)
    mask = scaleMask(mask, factor);
  tile::StoreOp::create(b, loc, mask, to[0], at);
  if (to.size() == 1)
    return;
  Value one = number(1.0), zero = number(0.0);
  Value keep = map({mask, emitter.fragment(program.keep)},
                   [&](OpBuilder &b, ValueRange x) -> Value {
                     return arith::SelectOp::create(b, loc, x[1], one, zero);
                   });
  tile::StoreOp::create(b, loc, keep, to[1], at);
}

//===- Keys.cpp - Which keys a query sees -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence has all keys, or so many as its length says; with causal, a query sees
// those up to its own position. Both end loops early; only tiles of keys that some
// rows of a block see in part are masked.
//
//===----------------------------------------------------------------------===//

#include "../Expression/IndexMath.h"
#include "Emitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

bool AttentionProgram::hasOneMaskRow() {
  bool differs = false;
  body.walk({mask}, [&](Node *part) { differs |= mentions(part->index, row.var); });
  return !differs;
}

/// Of the sequence whose indices are bound.
Value AttentionEmitter::countKeys() {
  Value all = emitter.index(program.key.extent);
  if (!program.lengths)
    return all;
  Value length = emitter.scalar(program.lengths);
  length = arith::IndexCastOp::create(b, loc, b.getIndexType(), length);
  length = arith::MaxSIOp::create(b, loc, length, index(0));
  return arith::MinSIOp::create(b, loc, length, all);
}

/// The end of the keys that causal lets a query see, which may lie anywhere:
/// row + 1 + keys - queries.
Value AttentionEmitter::lastKeyOf(Value row) {
  Value end = program.op.getFromLength() ? keyEnd : emitter.index(program.key.extent);
  Value offset = sub(end, emitter.index(program.row.extent));
  return add(add(row, offset), index(1));
}

Value AttentionEmitter::lastKey(Value rowBegin, Value rowCount) {
  if (!program.op.getCausal())
    return keyEnd;
  // Later keys are of no row of the block.
  Value last = lastKeyOf(add(rowBegin, sub(rowCount, index(1))));
  return b.createOrFold<arith::MinSIOp>(loc, keyEnd, last);
}

Value AttentionEmitter::lastSharedKey(Value rowBegin) {
  if (!program.op.getCausal())
    return keyEnd;
  return b.createOrFold<arith::MinSIOp>(loc, keyEnd, lastKeyOf(rowBegin));
}

/// Of the keys, those that some of the rows see.
Value AttentionEmitter::seenKeys(Value rowBegin, Value rowCount) {
  Value last = lastKey(rowBegin, rowCount);
  return seesSome() ? b.createOrFold<arith::MaxSIOp>(loc, last, index(0)) : last;
}

/// The extent of a loop, of which keys may be fewer.
Value AttentionEmitter::extentIn(const Loop &loop, Value keyCount) {
  return loop.var == program.key.var ? keyCount : emitter.index(loop.extent);
}

/// No tile of keys is cut off by their end.
bool AttentionEmitter::hasWholeTiles() {
  auto constant = program.key.extent.getConstant();
  return !program.lengths && constant && *constant % threads.getKeys() == 0;
}

/// `shared`: lastSharedKey of the block.
void AttentionEmitter::enterTile(Value first, Value shared) {
  if (program.op.getCausal() || !hasWholeTiles())
    isEdge = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                   add(first, index(threads.getKeys())), shared);
}

/// Scores of a tile, masked if it is one that some rows see in part.
Value AttentionEmitter::atEdge(Value scores, function_ref<Value(Value)> mask) {
  if (!program.op.getCausal() && hasWholeTiles())
    return scores;
  auto masked = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, mask(scores));
  };
  auto whole = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, scores); };
  return scf::IfOp::create(b, loc, isEdge, masked, whole).getResult(0);
}

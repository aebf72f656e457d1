//===- VisibleKeys.cpp - Keys that a query sees ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VisibleKeys.h"
#include "../Expression/IndexMath.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

bool AttentionProgram::hasOneMaskRow() {
  bool differs = false;
  SmallVector<Node *> perScore{mask};
  if (keep)
    perScore.push_back(keep);
  body.walk(perScore, [&](Node *part) { differs |= mentions(part->index, row.var); });
  return !differs;
}

void VisibleKeys::open() {
  keyEnd = queryEnd = emitter.index(program.key.extent);
  if (!program.lengths)
    return;
  Value length = emitter.scalar(program.lengths);
  length = arith::IndexCastOp::create(b, loc, b.getIndexType(), length);
  length = arith::MaxSIOp::create(b, loc, length, index(0));
  // The length is clamped to keys + queries (+ window): beyond that it makes no
  // difference, because all queries see all keys, or none of them.
  if (program.op.getFromLength() && needsPositions()) {
    Value longest = add(keyEnd, emitter.index(program.packsGroup ? program.outer.extent
                                                                 : program.row.extent));
    if (hasWindow())
      longest = add(longest, index(window()));
    queryEnd = arith::MinSIOp::create(b, loc, length, longest);
  }
  keyEnd = arith::MinSIOp::create(b, loc, length, keyEnd);
}

/// Returns row + 1 + keys - queries, with the sequence's length in place of keys if the
/// op says so. The length may exceed the number of keys; the last queries are then past
/// all keys.
Value VisibleKeys::causalEnd(Value row) {
  Value end = program.op.getFromLength() ? queryEnd : emitter.index(program.key.extent);
  if (program.packsGroup) // the only query is at the last position
    return end;
  Value offset = sub(end, emitter.index(program.row.extent));
  return add(add(row, offset), index(1));
}

Value VisibleKeys::endOf(Value row) {
  return needsPositions() ? minimum(keyEnd, causalEnd(row)) : keyEnd;
}

Value VisibleKeys::beginOf(Value row) {
  if (!hasWindow())
    return index(0);
  Value begin = sub(causalEnd(row), index(window()));
  return b.createOrFold<arith::MaxSIOp>(loc, begin, index(0));
}

Value VisibleKeys::begin(QueryRows rows, int64_t multiple) {
  if (!hasWindow())
    return index(0);
  Value first = minimum(beginOf(rows.begin), count(rows));
  return mul(divide(first, index(multiple)), index(multiple));
}

Value VisibleKeys::lastEnd(QueryRows rows) {
  if (!needsPositions())
    return keyEnd;
  return endOf(add(rows.begin, sub(rows.count, index(1))));
}

KeyRange VisibleKeys::range(QueryRows rows, int64_t multiple) {
  return {begin(rows, multiple), count(rows)};
}

Value VisibleKeys::count(QueryRows rows) {
  Value last = lastEnd(rows);
  return isRestricted() ? b.createOrFold<arith::MaxSIOp>(loc, last, index(0)) : last;
}

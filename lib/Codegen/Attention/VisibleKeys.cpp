//===- VisibleKeys.cpp - Which keys a query sees --------------------------===//
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
  body.walk({mask}, [&](Node *part) { differs |= mentions(part->index, row.var); });
  return !differs;
}

void VisibleKeys::open() {
  keyEnd = queryEnd = emitter.index(program.key.extent);
  if (!program.lengths)
    return;
  Value length = emitter.scalar(program.lengths);
  length = arith::IndexCastOp::create(b, loc, b.getIndexType(), length);
  length = arith::MaxSIOp::create(b, loc, length, index(0));
  // All queries of a sequence that is this much longer see all keys.
  if (program.op.getFromLength()) {
    Value longest = add(keyEnd, emitter.index(program.row.extent));
    queryEnd = arith::MinSIOp::create(b, loc, length, longest);
  }
  keyEnd = arith::MinSIOp::create(b, loc, length, keyEnd);
}

/// row + 1 + keys - queries, or the length in place of keys, which may be longer: the
/// last queries of such a sequence are behind all keys.
Value VisibleKeys::causalEnd(Value row) {
  Value end = program.op.getFromLength() ? queryEnd : emitter.index(program.key.extent);
  Value offset = sub(end, emitter.index(program.row.extent));
  return add(add(row, offset), index(1));
}

Value VisibleKeys::endOf(Value row) {
  return program.op.getCausal() ? minimum(keyEnd, causalEnd(row)) : keyEnd;
}

Value VisibleKeys::lastEnd(QueryRows rows) {
  if (!program.op.getCausal())
    return keyEnd;
  return endOf(add(rows.begin, sub(rows.count, index(1))));
}

Value VisibleKeys::count(QueryRows rows) {
  Value last = lastEnd(rows);
  return isRestricted() ? b.createOrFold<arith::MaxSIOp>(loc, last, index(0)) : last;
}

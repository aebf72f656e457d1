//===- State.cpp - State tensors ------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "Storage.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

Result reference::evaluate(KvWriteOp op, const Call &call) {
  Tensor state = call.operands[0], rows = call.operands[1];
  const Tensor &starts = call.operands[2], &counts = call.operands[3];
  if (state.isWide() || rows.isWide()) {
    state = state.widen();
    rows = rows.widen();
  }
  Tensor result = Tensor::allocate(state.getElementType(), call.shape, state.isWide());
  if (result.getNumElements() == 0)
    return result;
  int64_t bytes = result.getElementBytes(), axis = op.getAxis();
  std::memcpy(result.mutableData(), state.data(), result.getNumElements() * bytes);
  // [b, outer, axis, inner]
  int64_t capacity = call.shape[axis], count = rows.getShape()[axis];
  int64_t outer = countElements(call.shape.slice(1, axis - 1)).value();
  int64_t run = countElements(call.shape.drop_front(axis + 1)).value() * bytes;
  for (int64_t b = 0; b < call.shape[0]; ++b)
    for (int64_t line = b * outer; line < (b + 1) * outer; ++line)
      for (int64_t i = 0; i < std::min(count, counts.getInt(b)); ++i) {
        int64_t start = starts.getInt(b), position = start + i;
        if (op.getRing())
          position = start >= 0 ? position % capacity : -1;
        if (position >= 0 && position < capacity)
          std::memcpy(result.mutableData() + (line * capacity + position) * run,
                      rows.data() + (line * count + i) * run, run);
      }
  return result;
}

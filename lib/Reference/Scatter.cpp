//===- Scatter.cpp - Evaluates scatters -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combine.h"
#include "Ops.h"
#include "Storage.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

/// Calls `fn(place, update)` with element indices in the result and in the updates, in
/// the order of updates.
static void forEachUpdate(ArrayRef<int64_t> data, const Tensor &indices,
                          ArrayRef<int64_t> updates,
                          function_ref<void(int64_t place, int64_t update)> fn) {
  int64_t rows = data[1], columns = data[2], width = indices.getShape()[2];
  for (int64_t batch = 0; batch < updates[0]; ++batch)
    for (int64_t m = 0; m < updates[1]; ++m)
      for (int64_t column = 0; column < columns; ++column) {
        int64_t line = batch * updates[1] + m;
        int64_t row = indices.getInt(line * width + (width == columns ? column : 0));
        row += row < 0 ? rows : 0;
        if (row >= 0 && row < rows)
          fn((batch * rows + row) * columns + column, line * columns + column);
      }
}

Result reference::evaluate(ScatterOp op, const Call &call) {
  std::optional<ReduceKind> kind = op.getCombine();
  Tensor data = call.operands[0], updates = call.operands[2];
  const Tensor &indices = call.operands[1];
  if (data.isFloat() && (kind || data.isWide() || updates.isWide())) {
    data = data.widen();
    updates = updates.widen();
  }
  Tensor result = Tensor::allocate(data.getElementType(), call.shape, data.isWide());
  int64_t bytes = data.getElementBytes();
  if (int64_t size = data.getNumElements() * bytes)
    std::memcpy(result.mutableData(), data.data(), size);
  auto forEach = [&](function_ref<void(int64_t, int64_t)> fn) {
    forEachUpdate(data.getShape(), indices, updates.getShape(), fn);
  };
  if (!kind) {
    forEach([&](int64_t place, int64_t update) {
      std::memcpy(result.mutableData() + place * bytes, updates.data() + update * bytes,
                  bytes);
    });
  } else if (data.isFloat()) {
    auto *out = result.mutableDataAs<double>();
    forEach([&](int64_t place, int64_t update) {
      out[place] = combineFloats(*kind, out[place], updates.doubles()[update]);
    });
  } else {
    withInteger(data.getElementType(), [&](auto zero) {
      using T = decltype(zero);
      auto *out = result.mutableDataAs<T>();
      forEach([&](int64_t place, int64_t update) {
        out[place] =
            combineIntegers(*kind, out[place], static_cast<T>(updates.getInt(update)));
      });
    });
  }
  return result;
}

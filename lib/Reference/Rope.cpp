//===- Rope.cpp - Rotary position embedding -------------------------------===//
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

/// Returns for each row of `to` (all dims but the last) the offset of its row in the
/// table.
static std::vector<int64_t> rowsOf(const Tensor &table, ArrayRef<int64_t> to) {
  Shape strides = broadcastStrides(table.getShape(), to);
  int64_t count = countElements(to.drop_back()).value();
  std::vector<int64_t> rows(count);
  for (int64_t row = 0; row < count; ++row)
    for (int64_t rest = row, dim = int64_t(to.size()) - 2; dim >= 0; --dim) {
      rows[row] += rest % to[dim] * strides[dim];
      rest /= to[dim];
    }
  return rows;
}

Result reference::evaluate(RopeOp op, const Call &call) {
  Tensor input = call.operands[0].widen(), cosine = call.operands[1].widen();
  Tensor sine = call.operands[2].widen();
  int64_t width = call.shape.back(), pairs = cosine.getShape().back();
  Shape rotated(call.shape);
  rotated.back() = pairs;
  std::vector<double> result(input.doubles().begin(), input.doubles().end());
  std::vector<int64_t> cosines = rowsOf(cosine, rotated), sines = rowsOf(sine, rotated);
  for (size_t row = 0; row < cosines.size(); ++row)
    for (int64_t i = 0; i < pairs; ++i) {
      int64_t at = int64_t(row) * width + (op.getInterleaved() ? 2 * i : i);
      int64_t behind = at + (op.getInterleaved() ? 1 : pairs);
      double a = input.doubles()[at], b = input.doubles()[behind];
      double cos = cosine.doubles()[cosines[row] + i],
             sin = sine.doubles()[sines[row] + i];
      result[at] = a * cos - b * sin;
      result[behind] = a * sin + b * cos;
    }
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, result);
}

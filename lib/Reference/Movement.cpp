//===- Movement.cpp - Ops that move elements ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are moved as raw bytes. Weights pass through these functions on their way into
// a package, so the loops are tight.
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "Storage.h"
#include "StridedCopy.h"
#include "kiln/ErrorCodes/Graph.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

/// Returns a new tensor whose element at x is the input's element number offset +
/// sum(x[i] * strides[i]).
static Tensor movedBy(const Tensor &input, ArrayRef<int64_t> shape, int64_t offset,
                      ArrayRef<int64_t> strides) {
  Tensor result = Tensor::allocate(input.getElementType(), shape, input.isWide());
  copyStrided(result.mutableData(), input.data(), input.getElementBytes(), shape, offset,
              strides);
  return result;
}

//===----------------------------------------------------------------------===//
// reshape, transpose, broadcast, slice
//===----------------------------------------------------------------------===//

Result reference::evaluate(ReshapeOp op, const Call &call) {
  const Tensor &input = call.operands[0];
  int64_t count = countElements(call.shape).value();
  if (count == input.getNumElements())
    return input.withShape(call.shape);
  return errorAt(op, ErrorCode::EvaluationReshape, "a reshape changes the number of elements",
                 std::to_string(input.getNumElements()) + " elements, as in " +
                     printShape(input.getShape()),
                 printShape(call.shape), "choose dims for which the model's shapes agree");
}

Result reference::evaluate(TransposeOp op, const Call &call) {
  Shape own = stridesOf(call.operands[0].getShape()), strides;
  for (int64_t source : op.getPermutation())
    strides.push_back(own[source]);
  return movedBy(call.operands[0], call.shape, 0, strides);
}

Result reference::evaluate(BroadcastOp op, const Call &call) {
  return movedBy(call.operands[0], call.shape, 0,
                 broadcastStrides(call.operands[0].getShape(), call.shape));
}

Result reference::evaluate(SliceOp op, const Call &call) {
  const Tensor &input = call.operands[0];
  Shape strides = stridesOf(input.getShape());
  bool empty = countElements(call.shape) == 0;
  int64_t offset = 0;
  for (auto [i, expr] : llvm::enumerate(getDims(op.getStarts()))) {
    std::optional<int64_t> start = call.symbols.evaluate(expr);
    if (!start)
      return errorAt(op, ErrorCode::EvaluationShape, "the start " + expr.str() + " has no value",
                     {}, call.symbols.str());
    int64_t step = op.getSteps()[i], extent = input.getShape()[i];
    // Starts and extents are at most 2^46, steps are arbitrary: 128 bits cannot overflow.
    __int128 last = static_cast<__int128>(call.shape[i] - 1) * step + *start;
    if (!empty && (*start < 0 || *start >= extent || last < 0 || last >= extent))
      return errorAt(op, ErrorCode::EvaluationSlice,
                     "a slice of dim " + std::to_string(i) + " reaches outside",
                     "elements in [0, " + std::to_string(extent) + ")",
                     std::to_string(call.shape[i]) + " elements from " + std::to_string(*start) +
                         " by " + std::to_string(step),
                     "choose dims for which the model's shapes agree");
    offset += *start * strides[i];
    strides[i] *= step;
  }
  return movedBy(input, call.shape, empty ? 0 : offset, strides);
}

//===----------------------------------------------------------------------===//
// concat, gather
//===----------------------------------------------------------------------===//

Tensor reference::joined(ArrayRef<Tensor> parts, int64_t axis, ArrayRef<int64_t> shape) {
  const Tensor &first = parts.front();
  Tensor result = Tensor::allocate(first.getElementType(), shape, first.isWide());
  // [outer, axis, inner]: each part contributes `outer` runs of axis * inner elements.
  int64_t outer = countElements(shape.take_front(axis)).value();
  int64_t inner = countElements(shape.drop_front(axis + 1)).value();
  int64_t pitch = shape[axis] * inner * result.getElementBytes(), at = 0;
  for (const Tensor &part : parts) {
    int64_t run = part.getShape()[axis] * inner * result.getElementBytes();
    for (int64_t i = 0; run && i < outer; ++i)
      std::memcpy(result.mutableData() + i * pitch + at, part.data() + i * run, run);
    at += run;
  }
  return result;
}

Result reference::evaluate(ConcatOp op, const Call &call) {
  bool wide = llvm::any_of(call.operands, [](const Tensor &t) { return t.isWide(); });
  Results parts;
  for (const Tensor &operand : call.operands)
    parts.push_back(wide ? operand.widen() : operand);
  return joined(parts, op.getAxis(), call.shape);
}

/// Returns the element that an index selects: negative indices count from the end, others
/// are clamped.
static int64_t clampIndex(int64_t index, int64_t extent) {
  return std::clamp<int64_t>(index < 0 ? index + extent : index, 0, extent - 1);
}

Result reference::evaluate(GatherOp op, const Call &call) {
  const Tensor &data = call.operands[0];
  std::vector<int64_t> indices = call.operands[1].ints();
  int64_t extent = data.getShape()[op.getAxis()];
  Tensor result = Tensor::allocate(data.getElementType(), call.shape, data.isWide());
  if (result.getNumElements() == 0)
    return result;
  if (extent == 0)
    return errorAt(op, ErrorCode::EvaluationSlice, "a gather reads from an empty dim",
                   "at least one element along axis " + std::to_string(op.getAxis()),
                   printShape(data.getShape()), "choose dims of at least 1");
  int64_t outer = countElements(data.getShape().take_front(op.getAxis())).value();
  int64_t run = countElements(data.getShape().drop_front(op.getAxis() + 1)).value() *
                data.getElementBytes();
  char *out = result.mutableData();
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t index : indices) {
      std::memcpy(out, data.data() + (i * extent + clampIndex(index, extent)) * run, run);
      out += run;
    }
  return result;
}

//===----------------------------------------------------------------------===//
// pack, unpack
//===----------------------------------------------------------------------===//

/// Calls `fn(panelOffset, matrixOffset, bytes)` for each segment of a row of a [k, n]
/// matrix that is in one panel of `width` columns.
static void forEachPiece(int64_t k, int64_t n, int64_t width, int64_t elementBytes,
                         function_ref<void(int64_t, int64_t, int64_t)> fn) {
  int64_t panel = 0;
  for (int64_t column = 0; column < n; column += width)
    for (int64_t row = 0; row < k; ++row, panel += width)
      fn(panel * elementBytes, (row * n + column) * elementBytes,
         std::min(width, n - column) * elementBytes);
}

Result reference::evaluate(PackOp op, const Call &call) {
  const Tensor &input = call.operands[0];
  Tensor result = Tensor::allocate(input.getElementType(), call.shape, input.isWide());
  int64_t bytes = result.getElementBytes(), width = op.getWidth();
  forEachPiece(input.getShape()[0], input.getShape()[1], width, bytes,
               [&](int64_t panel, int64_t matrix, int64_t count) {
                 char *out = result.mutableData() + panel;
                 std::memcpy(out, input.data() + matrix, count);
                 std::memset(out + count, 0, width * bytes - count);
               });
  return result;
}

Result reference::evaluate(UnpackOp op, const Call &call) {
  const Tensor &input = call.operands[0];
  Tensor result = Tensor::allocate(input.getElementType(), call.shape, input.isWide());
  forEachPiece(call.shape[0], call.shape[1], input.getShape()[2], result.getElementBytes(),
               [&](int64_t panel, int64_t matrix, int64_t count) {
                 std::memcpy(result.mutableData() + matrix, input.data() + panel, count);
               });
  return result;
}

//===- Shape.cpp - Shapes and changes of shape ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/IntFold.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Sizes as values
//===----------------------------------------------------------------------===//

LogicalResult kiln::import::importShape(Node &n) {
  Dims dims = n.inputDims(0);
  int64_t rank = dims.size();
  auto clamp = [&](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + rank : index, 0, rank);
  };
  int64_t start = clamp(n.intAttr("start", 0)), end = clamp(n.intAttr("end", rank));
  Dims part(dims.begin() + start, dims.begin() + std::max(start, end));
  return n.result(IntTensor::vector(part, n.builder.getI64Type()));
}

LogicalResult kiln::import::importSize(Node &n) {
  return n.result(
      IntTensor::scalar(graph::numElements(n.inputDims(0)), n.builder.getI64Type()));
}

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

/// Sets input 0 reshaped to `to`, with its known content, as the node's result.
static LogicalResult resultOfShape(Node &n, ArrayRef<SymbolicExpr> to) {
  SmallVector<int64_t> sizes;
  for (const SymbolicExpr &dim : to)
    sizes.push_back(dim.getConstant().value_or(-1));
  if (const IntTensor *known = n.content(0); known && !llvm::is_contained(sizes, -1))
    if (std::optional<IntTensor> same = reshape(*known, sizes))
      return n.result(*same);
  return n.result(n.reshape(n.input(0), to));
}

/// Returns the size that -1 stands for: `from` elements divided by those of `others`.
static std::optional<SymbolicExpr> inferDim(Node &n, Dims from,
                                            ArrayRef<SymbolicExpr> others) {
  SymbolicExpr divisor = 1;
  for (const SymbolicExpr &dim : others) {
    // Equal factors cancel, even unknown ones.
    auto *same = llvm::find(from, dim);
    if (same != from.end() && !dim.isConstant(0))
      from.erase(same);
    else
      divisor *= dim;
  }
  SymbolicExpr count = graph::numElements(from);
  if (std::optional<SymbolicExpr> exact = count.exactDiv(divisor))
    return exact;
  if (divisor.isConstant(0) || (count.isConstant() && divisor.isConstant()))
    return std::nullopt;
  return count.floorDiv(divisor);
}

LogicalResult kiln::import::importReshape(Node &n) {
  const IntTensor *shape = n.requireContent(1, "target shape");
  if (!shape)
    return failure();
  Dims from = n.inputDims(0), to;
  bool allowZero = n.intAttr("allowzero", 0);
  std::optional<size_t> inferred;
  for (auto [i, element] : llvm::enumerate(shape->elements)) {
    to.push_back(n.symbols.canonical(element));
    if (element.isConstant(0) && !allowZero && i < from.size())
      to.back() = from[i];
    if (!element.isConstant(-1))
      continue;
    if (inferred)
      return n.fail(ErrorCode::NodeInvalid, "the target shape has two dims -1",
                    "at most one -1", graph::printDims(shape->elements),
                    "correct the target shape");
    inferred = i;
  }
  if (inferred) {
    Dims others = to;
    others.erase(others.begin() + *inferred);
    std::optional<SymbolicExpr> dim = inferDim(n, from, others);
    if (!dim)
      return n.fail(ErrorCode::ShapeMismatch,
                    "the elements cannot be divided among the dims",
                    "a shape for the elements of " + graph::printDims(from),
                    graph::printDims(shape->elements), "check the target shape");
    to[*inferred] = *dim;
  }
  return resultOfShape(n, to);
}

LogicalResult kiln::import::importFlatten(Node &n) {
  Dims dims = n.inputDims(0);
  int64_t rank = dims.size(), axis = n.intAttr("axis", 1);
  if (axis < -rank || axis > rank)
    return n.fail(ErrorCode::NodeInvalid, "an axis is out of range",
                  "an axis in [" + Twine(-rank) + ", " + Twine(rank) + "]", Twine(axis),
                  "correct the attribute");
  ArrayRef<SymbolicExpr> all(dims);
  axis = axis < 0 ? axis + rank : axis;
  return resultOfShape(n, {graph::numElements(all.take_front(axis)),
                           graph::numElements(all.drop_front(axis))});
}

//===----------------------------------------------------------------------===//
// Dims of size 1
//===----------------------------------------------------------------------===//

static LogicalResult unsqueeze(Node &n, ArrayRef<int64_t> values) {
  Dims dims = n.inputDims(0);
  auto axes = n.axes(values, dims.size() + values.size());
  if (!axes)
    return failure();
  for (int64_t axis : *axes)
    dims.insert(dims.begin() + axis, 1);
  return resultOfShape(n, dims);
}

/// Imports Unsqueeze before opset 13, whose axes are an attribute.
LogicalResult kiln::import::importUnsqueeze1(Node &n) {
  return unsqueeze(n, n.intsAttr("axes").value_or(SmallVector<int64_t>()));
}

LogicalResult kiln::import::importUnsqueeze(Node &n) {
  auto axes = n.requireConstants(1, "list of axes");
  return axes ? unsqueeze(n, *axes) : failure();
}

static LogicalResult squeeze(Node &n, std::optional<SmallVector<int64_t>> values) {
  Dims dims = n.inputDims(0), rest;
  if (!values) {
    values.emplace();
    for (auto [i, dim] : llvm::enumerate(dims)) {
      std::optional<bool> one = n.symbols.isEqual(dim, 1);
      if (!one)
        return n.failUndecided("whether a squeeze without axes removes a dim",
                               {dim, SymbolicExpr(1), Undecided::Kind::Equal});
      if (*one)
        values->push_back(i);
    }
  }
  auto axes = n.axes(*values, dims.size());
  if (!axes)
    return failure();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(*axes, int64_t(i)))
      rest.push_back(dim);
    else if (failed(n.unify(dim, 1, "a squeezed dim is not 1")))
      return failure();
  }
  return resultOfShape(n, rest);
}

/// Imports Squeeze before opset 13, whose axes are an attribute.
LogicalResult kiln::import::importSqueeze1(Node &n) {
  return squeeze(n, n.intsAttr("axes"));
}

LogicalResult kiln::import::importSqueeze(Node &n) {
  if (!n.hasInput(1))
    return squeeze(n, std::nullopt);
  auto axes = n.requireConstants(1, "list of axes");
  return axes ? squeeze(n, axes) : failure();
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

LogicalResult kiln::import::importExpand(Node &n) {
  const IntTensor *shape = n.requireContent(1, "target shape");
  if (!shape)
    return failure();
  Dims target;
  for (const SymbolicExpr &element : shape->elements)
    target.push_back(n.symbols.canonical(element));
  std::optional<Dims> to = n.broadcastDims(n.inputDims(0), target);
  if (!to)
    return n.fail(ErrorCode::ShapeMismatch, "the shape cannot be expanded",
                  "dims that are equal or 1",
                  graph::printDims(n.inputDims(0)) + " and " + graph::printDims(target),
                  "check the target shape");
  if (const IntTensor *known = n.content(0)) {
    IntTensor ones = IntTensor::scalar(0, known->elementType);
    for (const SymbolicExpr &dim : *to)
      ones.shape.push_back(dim.getConstant().value_or(IntTensor::kMaxElements + 1));
    int64_t count = 1;
    for (int64_t size : ones.shape)
      count = std::min<int64_t>(count * size, IntTensor::kMaxElements + 1);
    ones.elements.assign(std::min<int64_t>(count, IntTensor::kMaxElements),
                         SymbolicExpr(0));
    if (count <= int64_t(IntTensor::kMaxElements))
      if (auto same = combine({known, &ones}, known->elementType,
                              [](ArrayRef<SymbolicExpr> e) { return e[0]; }))
        return n.result(*same);
  }
  return n.result(n.broadcast(n.input(0), *to));
}

static std::optional<IntTensor> tileContent(Node &n, const IntTensor &repeats) {
  const IntTensor *known = n.content(0);
  auto counts = repeats.constants();
  if (!known || !counts)
    return std::nullopt;
  std::optional<IntTensor> result = *known;
  for (auto [axis, count] : llvm::enumerate(*counts)) {
    SmallVector<int64_t> indices;
    if (count < 0 || count > int64_t(IntTensor::kMaxElements))
      return std::nullopt;
    for (int64_t i = 0; i < count; ++i)
      for (int64_t index = 0; index < known->shape[axis]; ++index)
        indices.push_back(index);
    result = take(*result, axis, indices, {int64_t(indices.size())});
    if (!result)
      return std::nullopt;
  }
  return result;
}

/// Repeats each dim d r times by [d] -> [1, d] -> [r, d] -> [r * d].
LogicalResult kiln::import::importTile(Node &n) {
  const IntTensor *repeats = n.requireContent(1, "list of repeats");
  Dims dims = n.inputDims(0), split, repeated, joined;
  if (!repeats)
    return failure();
  if (repeats->elements.size() != dims.size())
    return n.fail(ErrorCode::NodeInvalid, "repeats does not fit the input",
                  Twine(dims.size()) + " repeats", Twine(repeats->elements.size()),
                  "correct the repeats");
  if (std::optional<IntTensor> content = tileContent(n, *repeats))
    return n.result(*content);
  for (auto [dim, repeat] : llvm::zip(dims, repeats->elements)) {
    split.append({1, dim});
    repeated.append({repeat, dim});
    joined.push_back(repeat * dim);
  }
  return n.result(n.reshape(n.broadcast(n.reshape(n.input(0), split), repeated), joined));
}

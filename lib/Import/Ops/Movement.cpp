//===- Movement.cpp - Transposes, concats, splits, gathers ----------------===//
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

LogicalResult kiln::import::importTranspose(Node &n) {
  int64_t rank = n.inputRank(0);
  SmallVector<int64_t> permutation;
  if (auto given = n.intsAttr("perm"))
    permutation = *given;
  else
    for (int64_t i = rank; i-- > 0;)
      permutation.push_back(i);
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  bool valid = int64_t(sorted.size()) == rank;
  for (int64_t i = 0; valid && i < rank; ++i)
    valid = sorted[i] == i;
  if (const IntTensor *known = n.content(0); known && valid)
    return n.result(transpose(*known, permutation));
  return n.result(n.transpose(n.input(0), permutation));
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

LogicalResult kiln::import::importConcat(Node &n) {
  auto axis = n.axis(n.intAttr("axis", 1), n.inputRank(0));
  if (!axis)
    return failure();
  SmallVector<const IntTensor *> contents;
  for (unsigned i = 0; i < n.numInputs() && n.content(i); ++i)
    contents.push_back(n.content(i));
  if (contents.size() == n.numInputs())
    if (std::optional<IntTensor> joined = join(contents, *axis))
      return n.result(*joined);
  SmallVector<Value> values = n.allInputs();
  return n.result(values.size() == 1 ? values[0] : n.concat(values, *axis));
}

//===----------------------------------------------------------------------===//
// Split
//===----------------------------------------------------------------------===//

static LogicalResult split(Node &n, int64_t axis, ArrayRef<SymbolicExpr> sizes) {
  SymbolicExpr start = 0;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    SymbolicExpr end = start + size;
    auto from = start.getConstant(), to = end.getConstant();
    const IntTensor *known = n.content(0);
    std::optional<IntTensor> part;
    if (known && from && to && *to <= known->shape[axis]) {
      SmallVector<int64_t> indices;
      for (int64_t index = *from; index < *to; ++index)
        indices.push_back(index);
      part = take(*known, axis, indices, {int64_t(indices.size())});
    }
    LogicalResult done =
        part ? n.result(*part, i) : n.result(n.slice(n.input(0), axis, start, size), i);
    if (failed(done))
      return failure();
    start = end;
  }
  return n.unify(start, n.inputDims(0)[axis], "the parts do not fill the dim");
}

/// Returns equal sizes; the last is smaller if the dim is not divisible.
static Dims equalParts(const SymbolicExpr &dim, int64_t count) {
  SymbolicExpr part = dim.ceilDiv(count);
  Dims sizes(count, part);
  sizes.back() = dim - part * SymbolicExpr(count - 1);
  return sizes;
}

static LogicalResult splitInto(Node &n, std::optional<Dims> given, int64_t count) {
  auto axis = n.axis(n.intAttr("axis", 0), n.inputRank(0));
  if (!axis)
    return failure();
  Dims sizes =
      given ? *given : equalParts(n.inputDims(0)[*axis], std::max<int64_t>(count, 1));
  if (sizes.size() != n.numOutputs())
    return n.fail(ErrorCode::NodeInvalid, "the parts are not as many as the outputs",
                  Twine(n.numOutputs()) + " parts", Twine(sizes.size()),
                  "correct the split");
  return split(n, *axis, sizes);
}

/// Imports Split before opset 13, whose sizes are an attribute.
LogicalResult kiln::import::importSplit2(Node &n) {
  std::optional<Dims> sizes;
  if (auto given = n.intsAttr("split"))
    sizes.emplace(given->begin(), given->end());
  return splitInto(n, sizes, n.numOutputs());
}

LogicalResult kiln::import::importSplit(Node &n) {
  if (!n.hasInput(1))
    return splitInto(n, std::nullopt, n.intAttr("num_outputs", n.numOutputs()));
  const IntTensor *sizes = n.requireContent(1, "list of sizes");
  return sizes ? splitInto(n, sizes->elements, 0) : failure();
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// Imports a gather with a single index as a slice.
static LogicalResult gatherOne(Node &n, int64_t axis, SymbolicExpr index) {
  Dims dims = n.inputDims(0), rest = dims;
  if (n.symbols.boundsOf(index).hi < 0)
    index = index + dims[axis];
  rest.erase(rest.begin() + axis);
  return n.result(n.reshape(n.slice(n.input(0), axis, index, 1), rest));
}

/// Returns true if the index is inside the dim for all sizes.
static bool isInside(Node &n, const SymbolicExpr &index, const SymbolicExpr &dim) {
  Symbols::Bounds bounds = n.symbols.boundsOf(index);
  if (bounds.lo >= 0)
    return n.symbols.isAtLeast(dim - 1, index).value_or(false);
  return bounds.hi < 0 && n.symbols.isAtLeast(index + dim, 0).value_or(false);
}

LogicalResult kiln::import::importGather(Node &n) {
  auto axis = n.axis(n.intAttr("axis", 0), n.inputRank(0));
  if (!axis)
    return failure();
  const IntTensor *data = n.content(0), *indices = n.content(1);
  auto constants = indices ? indices->constants() : std::nullopt;
  if (data && constants)
    if (std::optional<IntTensor> taken = take(*data, *axis, *constants, indices->shape))
      return n.result(*taken);
  SymbolicExpr dim = n.inputDims(0)[*axis];
  if (constants && dim.isConstant())
    for (int64_t index : *constants)
      if (index < -*dim.getConstant() || index >= *dim.getConstant())
        return n.fail(ErrorCode::NodeInvalid, "an index is outside the dim",
                      "an index in [-" + dim.str() + ", " + dim.str() + ")", Twine(index),
                      "correct the indices");
  if (indices && indices->rank() == 0 && isInside(n, indices->elements[0], dim))
    return gatherOne(n, *axis, indices->elements[0]);
  Value index = n.input(1);
  return n.result(n.gatherFrom(0, index, *axis));
}

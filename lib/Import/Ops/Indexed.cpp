//===- Indexed.cpp - Gathers and scatters by index tensors ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph dialect gathers and scatters along one dim. Ops with an index per dim are
// imported on the flattened dims, with an index computed from theirs.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Attention/Cache.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::import;
using namespace mlir;

static Type indexType(Node &n) { return n.builder.getI64Type(); }

static Value number(Node &n, const SymbolicExpr &value) {
  return n.integers(IntTensor::scalar(value, indexType(n)));
}

/// Wraps negative indices, which count from the end.
static Value wrap(Node &n, Value index, const SymbolicExpr &dim) {
  Value negative = n.compare(CompareKind::less, index, number(n, 0));
  return n.select(negative, n.binary(BinaryKind::add, index, number(n, dim)), index);
}

namespace {
/// Index into flattened dims, built dim by dim, outermost first.
class JoinedIndex {
public:
  explicit JoinedIndex(Node &n) : n(n) {}

  /// Adds an index that is inside its dim.
  void addInside(Value index, const SymbolicExpr &dim) {
    total = total ? n.binary(BinaryKind::add,
                             n.binary(BinaryKind::mul, total, number(n, dim)), index)
                  : index;
    extent *= dim;
  }
  /// Adds an index that may be negative, counting from the end, or out of range.
  void add(Value index, const SymbolicExpr &dim) {
    index = wrap(n, index, dim);
    Value above = n.compare(CompareKind::greater_equal, index, number(n, 0));
    Value inside = n.binary(BinaryKind::logical_and, above,
                            n.compare(CompareKind::less, index, number(n, dim)));
    valid = valid ? n.binary(BinaryKind::logical_and, valid, inside) : inside;
    addInside(index, dim);
  }
  const SymbolicExpr &getExtent() const { return extent; }
  Value getAny() const { return total; }
  /// Returns the index; out of range of the flattened dims if any index is out of range.
  Value getChecked() { return valid ? n.select(valid, total, number(n, extent)) : total; }

private:
  Node &n;
  Value total, valid;
  SymbolicExpr extent = 1;
};
} // namespace

/// Returns component `number` of the index tuples along the last dim.
static Value component(Node &n, Value tuples, int64_t number) {
  Dims rest = n.dims(tuples);
  Value slice = n.slice(tuples, rest.size() - 1, number, 1);
  rest.pop_back();
  return slice ? n.cast(n.reshape(slice, rest), indexType(n)) : Value();
}

/// Returns the position along a dim, with the shape of the index tensor.
static Value position(Node &n, ArrayRef<SymbolicExpr> dims, int64_t dim) {
  Dims own(dims.size(), SymbolicExpr(1));
  own[dim] = dims[dim];
  return n.iota(own, indexType(n), dim);
}

/// Returns the number of dims that tuples of an ND op index; nullopt after an error.
static std::optional<int64_t> tupleSize(Node &n, int64_t limit) {
  Dims dims = n.inputDims(1);
  auto size = dims.empty() ? std::nullopt : dims.back().getConstant();
  if (size && *size >= 1 && *size <= limit)
    return size;
  (void)n.fail(ErrorCode::NodeInvalid, "the last dim of the indices is no number of dims",
               "a constant from 1 to " + Twine(limit),
               dims.empty() ? std::string("a scalar") : dims.back().str(),
               "correct the shape of the indices");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// GatherElements, GatherND
//===----------------------------------------------------------------------===//

/// Returns the flattened index of ops with an index per element: the given index along
/// the axis, positions along the other dims.
static JoinedIndex joinElements(Node &n, int64_t axis, Value own) {
  Dims data = n.inputDims(0), shape = n.inputDims(1);
  JoinedIndex joined(n);
  for (int64_t dim = 0; dim < int64_t(data.size()); ++dim)
    if (dim == axis)
      joined.add(own, data[dim]);
    else
      joined.addInside(position(n, shape, dim), data[dim]);
  return joined;
}

/// Returns the axis of an op whose indices have the rank of the data; nullopt after an
/// error.
static std::optional<int64_t> elementsAxis(Node &n) {
  if (n.inputRank(0) == n.inputRank(1) && n.inputRank(0) > 0)
    return n.axis(n.intAttr("axis", 0), n.inputRank(0));
  (void)n.fail(ErrorCode::NodeInvalid, "indices and data have different ranks",
               "rank " + Twine(n.inputRank(0)) + ", at least 1", Twine(n.inputRank(1)),
               "correct the shape of the indices");
  return std::nullopt;
}

LogicalResult kiln::import::importGatherElements(Node &n) {
  auto axis = elementsAxis(n);
  if (!axis)
    return failure();
  Value index = n.cast(n.input(1), indexType(n));
  JoinedIndex joined = joinElements(n, *axis, index);
  Value flat = n.reshape(n.input(0), {joined.getExtent()});
  return flat ? n.result(n.gather(flat, joined.getAny(), 0)) : failure();
}

LogicalResult kiln::import::importGatherND(Node &n) {
  Dims data = n.inputDims(0), shape = n.inputDims(1);
  int64_t batches = n.intAttr("batch_dims", 0), rank = data.size();
  int64_t limit = std::min<int64_t>(rank, shape.size());
  if (batches < 0 || batches >= limit)
    return n.fail(ErrorCode::NodeInvalid, "batch_dims is out of range",
                  "at least 0 and less than " + Twine(limit), Twine(batches),
                  "correct batch_dims");
  auto size = tupleSize(n, rank - batches);
  if (!size)
    return failure();
  for (int64_t dim = 0; dim < batches; ++dim)
    if (failed(n.unify(data[dim], shape[dim], "a batch dim of data and indices differs")))
      return failure();
  JoinedIndex joined(n);
  Dims places(shape.begin(), shape.end() - 1);
  for (int64_t dim = 0; dim < batches; ++dim)
    joined.addInside(position(n, places, dim), data[dim]);
  for (int64_t i = 0; i < *size; ++i)
    joined.add(component(n, n.input(1), i), data[batches + i]);
  Dims flat{joined.getExtent()};
  flat.append(data.begin() + batches + *size, data.end());
  Value table = n.reshape(n.input(0), flat);
  return table ? n.result(n.gather(table, joined.getAny(), 0)) : failure();
}

//===----------------------------------------------------------------------===//
// ScatterElements, ScatterND, TensorScatter
//===----------------------------------------------------------------------===//

/// Returns how the attribute combines updates of the same element (inner nullopt: the
/// last one replaces the others); outer nullopt after an error.
static std::optional<std::optional<ReduceKind>> reductionOf(Node &n) {
  using Kind = std::optional<ReduceKind>;
  StringRef name = n.stringAttr("reduction", "none");
  auto kind = llvm::StringSwitch<std::optional<Kind>>(name)
                  .Case("none", Kind())
                  .Case("add", Kind(ReduceKind::sum))
                  .Case("mul", Kind(ReduceKind::prod))
                  .Case("max", Kind(ReduceKind::max))
                  .Case("min", Kind(ReduceKind::min))
                  .Default(std::nullopt);
  if (!kind)
    (void)n.fail(ErrorCode::NodeInvalid, "the reduction is unknown",
                 "none, add, mul, max or min", name, "correct the attribute");
  return kind;
}

/// Scatters with data and updates as [batch, rows, columns]; the result has the data's
/// shape.
static LogicalResult scatter(Node &n, ArrayRef<SymbolicExpr> data, Value indices,
                             ArrayRef<SymbolicExpr> updates,
                             std::optional<ReduceKind> kind, unsigned updatesInput = 2) {
  Value from = n.reshape(n.input(0), data);
  Value by = from && indices ? n.reshape(n.input(updatesInput), updates) : Value();
  Value result = by ? n.scatter(from, indices, by, kind) : Value();
  return result ? n.result(n.reshape(result, n.inputDims(0))) : failure();
}

LogicalResult kiln::import::importScatterElements(Node &n) {
  auto axis = elementsAxis(n);
  auto kind = axis ? reductionOf(n) : std::nullopt;
  if (!kind)
    return failure();
  Dims data = n.inputDims(0), shape = n.inputDims(1), updates = n.inputDims(2);
  if (updates.size() != shape.size())
    return n.fail(ErrorCode::NodeInvalid, "updates and indices have different ranks",
                  Twine(shape.size()), Twine(updates.size()), "correct the updates");
  for (auto [own, other] : llvm::zip(shape, updates))
    if (failed(n.unify(own, other, "a dim of updates and indices differs")))
      return failure();
  ArrayRef<SymbolicExpr> all = data;
  bool alike = llvm::all_of(llvm::seq<int64_t>(data.size()), [&](int64_t dim) {
    return dim == *axis || data[dim] == shape[dim];
  });
  if (!alike) { // also fewer indices than data along other dims
    Value index = n.cast(n.input(1), indexType(n));
    SymbolicExpr count = numElements(shape);
    Value flat = n.reshape(joinElements(n, *axis, index).getChecked(), {1, count, 1});
    return scatter(n, {1, numElements(data), 1}, flat, {1, count, 1}, *kind);
  }
  SymbolicExpr outer = numElements(all.take_front(*axis)),
               inner = numElements(all.drop_front(*axis + 1));
  Dims blocks{outer, shape[*axis], inner};
  return scatter(n, {outer, data[*axis], inner}, n.reshape(n.input(1), blocks), blocks,
                 *kind);
}

LogicalResult kiln::import::importScatterND(Node &n) {
  Dims data = n.inputDims(0), shape = n.inputDims(1), updates = n.inputDims(2);
  auto size = tupleSize(n, data.size());
  auto kind = size ? reductionOf(n) : std::nullopt;
  if (!kind)
    return failure();
  Dims expected(shape.begin(), shape.end() - 1);
  expected.append(data.begin() + *size, data.end());
  if (expected.size() != updates.size())
    return n.fail(ErrorCode::NodeInvalid, "the rank of the updates is wrong",
                  Twine(expected.size()), Twine(updates.size()), "correct the updates");
  for (auto [own, other] : llvm::zip(expected, updates))
    if (failed(
            n.unify(own, other, "a dim of the updates is not that of indices or data")))
      return failure();
  JoinedIndex joined(n);
  for (int64_t i = 0; i < *size; ++i)
    joined.add(component(n, n.input(1), i), data[i]);
  ArrayRef<SymbolicExpr> all = data;
  SymbolicExpr count = numElements(ArrayRef(shape).drop_back());
  SymbolicExpr columns = numElements(all.drop_front(*size));
  Value indices = n.reshape(joined.getChecked(), {1, count, 1});
  return scatter(n, {1, joined.getExtent(), columns}, indices, {1, count, columns},
                 *kind);
}

/// Returns true if the cache becomes state or is empty. The new rows then follow the
/// existing ones, as in a model with pasts and presents, and the cache's dim is their
/// number.
static bool appendsToCache(Node &n, int64_t axis, StringRef mode) {
  bool isEmpty = n.symbols.pastIsEmpty();
  SymbolicExpr rows = n.inputDims(0)[axis];
  bool hasRows = rows.getSymbol() || (isEmpty && rows.isConstant(0));
  if (!(n.symbols.pastIsState() || isEmpty) || mode != "linear" || !n.hasInput(2) ||
      !hasRows)
    return false;
  // A reshape may have changed the type of an empty cache.
  BlockArgument cache = isEmpty ? inputBehind(n.input(0))
                                : dyn_cast<BlockArgument>(n.input(0)),
                first = dyn_cast<BlockArgument>(n.input(2));
  if (!cache || !first)
    return false;
  markCache(cache, "cache");
  markCache(first, "past");
  return !isEmpty || succeeded(n.unify(rows, 0, "a cache cannot be empty"));
}

LogicalResult kiln::import::importTensorScatter(Node &n) {
  auto axis = n.axis(n.intAttr("axis", -2), n.inputRank(0));
  if (!axis)
    return failure();
  StringRef mode = n.stringAttr("mode", "linear");
  if (*axis == 0 || (mode != "linear" && mode != "circular"))
    return n.fail(ErrorCode::NodeInvalid, "the axis is the batch, or the mode is unknown",
                  "an axis behind the first, mode linear or circular",
                  "axis " + Twine(*axis) + ", mode " + mode, "correct the attributes");
  Dims data = n.inputDims(0), updates = n.inputDims(1);
  if (data.size() != updates.size())
    return n.fail(ErrorCode::NodeInvalid, "update and cache have different ranks",
                  Twine(data.size()), Twine(updates.size()), "correct the update");
  for (int64_t dim = 0; dim < int64_t(data.size()); ++dim)
    if (dim != *axis &&
        failed(n.unify(data[dim], updates[dim], "a dim of update and cache differs")))
      return failure();
  if (appendsToCache(n, *axis, mode))
    return n.result(n.concat({n.input(0), n.input(1)}, *axis), 0);
  ArrayRef<SymbolicExpr> all = data;
  SymbolicExpr heads = numElements(all.slice(1, *axis - 1)), rows = data[*axis];
  SymbolicExpr count = updates[*axis], columns = numElements(all.drop_front(*axis + 1));
  Value index = n.iota({1, 1, count}, indexType(n), 2);
  if (n.hasInput(2)) {
    Value first = n.reshape(n.cast(n.input(2), indexType(n)), {data[0], 1, 1});
    index = first ? n.binary(BinaryKind::add, first, index) : Value();
  }
  if (index && mode == "circular")
    index = n.binary(BinaryKind::mod, index, number(n, rows));
  if (!index)
    return failure();
  SymbolicExpr batch = data[0] * heads;
  index = n.reshape(n.broadcast(index, {data[0], heads, count}), {batch, count, 1});
  return scatter(n, {batch, rows, columns}, index, {batch, count, columns}, std::nullopt,
                 /*updatesInput=*/1);
}

//===----------------------------------------------------------------------===//
// ArrayFeatureExtractor (ai.onnx.ml)
//===----------------------------------------------------------------------===//

/// Gathers columns of the last dim; a vector is treated as a matrix with one row.
LogicalResult kiln::import::importArrayFeatureExtractor(Node &n) {
  Dims dims = n.inputDims(0);
  if (dims.empty())
    return n.fail(ErrorCode::ShapeMismatch, "there is no dim to take columns of",
                  "rank of at least 1", "rank 0", "check the input");
  if (dims.size() == 1)
    dims.insert(dims.begin(), 1);
  Value columns = n.reshape(n.input(1), {graph::numElements(n.inputDims(1))});
  return n.result(
      n.gather(n.reshape(n.input(0), dims), columns, int64_t(dims.size()) - 1));
}

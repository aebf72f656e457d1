//===- Normalization.cpp - Softmax and norms ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Ops/Windows/Windows.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::ReduceKind;
using graph::UnaryKind;

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static Value logSoftmax(Node &n, Value x, int64_t axis) {
  Value shifted = n.binary(BinaryKind::sub, x, n.reduce(ReduceKind::max, x, axis, true));
  Value sum = n.reduce(ReduceKind::sum, n.unary(UnaryKind::exp, shifted), axis, true);
  return n.binary(BinaryKind::sub, shifted, n.unary(UnaryKind::log, sum));
}

static Value softmaxOf(Node &n, Value x, int64_t axis, bool isLog) {
  return isLog ? logSoftmax(n, x, axis) : n.softmax(x, axis);
}

/// Imports softmax before opset 13, which flattens the input to [dims before axis, other
/// dims] and normalizes over all other dims.
static LogicalResult flatSoftmax(Node &n, bool isLog) {
  Dims dims = n.inputDims(0);
  auto axis = n.axis(n.intAttr("axis", 1), dims.size());
  if (!axis)
    return failure();
  Value x = n.input(0);
  if (*axis == int64_t(dims.size()) - 1)
    return n.result(softmaxOf(n, x, *axis, isLog));
  ArrayRef<SymbolicExpr> all(dims);
  Value flat = n.reshape(x, {graph::numElements(all.take_front(*axis)),
                             graph::numElements(all.drop_front(*axis))});
  return n.result(n.reshape(softmaxOf(n, flat, 1, isLog), dims));
}

static LogicalResult axisSoftmax(Node &n, bool isLog) {
  auto axis = n.axis(n.intAttr("axis", -1), n.inputRank(0));
  return axis ? n.result(softmaxOf(n, n.input(0), *axis, isLog)) : failure();
}

LogicalResult kiln::import::importSoftmax1(Node &n) { return flatSoftmax(n, false); }
LogicalResult kiln::import::importSoftmax(Node &n) { return axisSoftmax(n, false); }
LogicalResult kiln::import::importLogSoftmax1(Node &n) { return flatSoftmax(n, true); }
LogicalResult kiln::import::importLogSoftmax(Node &n) { return axisSoftmax(n, true); }

//===----------------------------------------------------------------------===//
// Layer norm
//===----------------------------------------------------------------------===//

/// Sets the optional outputs Mean and InvStdDev, which are float for any input type.
static LogicalResult statistics(Node &n, ArrayRef<int64_t> axes, double epsilon) {
  if (!n.wantsOutput(1) && !n.wantsOutput(2))
    return success();
  Value x = n.cast(n.input(0), n.builder.getF32Type());
  Value mean = n.reduce(ReduceKind::mean, x, axes, true);
  Value centred = n.binary(BinaryKind::sub, x, mean);
  Value square = n.binary(BinaryKind::mul, centred, centred);
  Value variance = n.reduce(ReduceKind::mean, square, axes, true);
  if (!variance)
    return failure();
  Value inverse = n.unary(UnaryKind::rsqrt, n.binary(BinaryKind::add, variance,
                                                     n.scalarLike(variance, epsilon)));
  return success(succeeded(n.result(mean, 1)) && succeeded(n.result(inverse, 2)));
}

LogicalResult kiln::import::importLayerNormalization(Node &n) {
  int64_t rank = n.inputRank(0);
  auto axis = n.axis(n.intAttr("axis", -1), rank);
  if (!axis)
    return failure();
  SmallVector<int64_t> axes;
  for (int64_t i = *axis; i < rank; ++i)
    axes.push_back(i);
  double epsilon = n.floatAttr("epsilon", 1e-5f);
  Value scale = n.input(1), bias = n.hasInput(2) ? n.input(2) : Value();
  if (!scale || failed(statistics(n, axes, epsilon)))
    return failure();
  // Before opset 17 the scale may have a wider type, which then is the result's type.
  Type from = n.inputType(0).getElementType(), to = n.elementType(scale);
  Type compute = from == to ? from : n.builder.getF32Type();
  Value norm = n.layerNorm(n.cast(n.input(0), compute), n.cast(scale, compute),
                           n.cast(bias, compute), *axis, epsilon);
  return n.result(n.cast(norm, to));
}

/// Imports RMSNormalization, which ONNX Runtime calls SimplifiedLayerNormalization.
LogicalResult kiln::import::importRmsNormalization(Node &n) {
  auto axis = n.axis(n.intAttr("axis", -1), n.inputRank(0));
  if (!axis)
    return failure();
  Value x = n.input(0), scale = n.input(1);
  Type from = n.inputType(0).getElementType(), to = n.inputType(1).getElementType();
  // Different types are computed in f32.
  Type compute = from == to ? from : n.builder.getF32Type();
  Value norm = n.rmsNorm(n.cast(x, compute), n.cast(scale, compute), *axis,
                         n.floatAttr("epsilon", 1e-5f));
  return n.result(n.cast(norm, to));
}

//===----------------------------------------------------------------------===//
// Batch norm
//===----------------------------------------------------------------------===//

/// Uses the batch's mean and variance instead of the given ones (training mode), and
/// updates the running ones with momentum.
static LogicalResult takeBatchMoments(Node &n, Value x, Value &mean, Value &variance) {
  SmallVector<int64_t> axes{0};
  for (int64_t axis = 2; axis < n.rank(x); ++axis)
    axes.push_back(axis);
  Value ofBatch = n.reduce(ReduceKind::mean, x, axes, /*keepDims=*/true);
  Value away = n.binary(BinaryKind::sub, x, ofBatch);
  Value square = n.binary(BinaryKind::mul, away, away);
  Value spread = n.reduce(ReduceKind::mean, square, axes, /*keepDims=*/true);
  double momentum = n.floatAttr("momentum", 0.9f);
  auto follow = [&](Value &given, Value batch, unsigned input, unsigned output) {
    batch = batch ? n.reshape(batch, n.dims(given)) : Value();
    if (!batch)
      return failure();
    Value kept = n.binary(BinaryKind::mul, given, n.scalarLike(given, momentum));
    Value added = n.binary(BinaryKind::mul, batch, n.scalarLike(batch, 1 - momentum));
    Value running = n.binary(BinaryKind::add, kept, added);
    given = batch;
    running = n.cast(n.reshape(running, n.inputDims(input)),
                     n.inputType(input).getElementType());
    return n.wantsOutput(output) ? n.result(running, output) : success();
  };
  return failure(failed(follow(mean, ofBatch, 3, 1)) ||
                 failed(follow(variance, spread, 4, 2)));
}

LogicalResult kiln::import::importBatchNormalization(Node &n) {
  if (!n.intAttr("spatial", 1))
    return n.unsupported("BatchNormalization per element", "spatial 1", "0");
  Value x = n.input(0);
  int64_t rank = n.inputRank(0);
  Value parts[4];
  for (unsigned i = 0; i < 4; ++i) {
    Value part = n.input(i + 1);
    if (!part || rank < 2 || n.rank(part) != 1)
      return n.fail(ErrorCode::ShapeMismatch, "BatchNormalization needs channels",
                    "rank of at least 2 and vectors of channels", "rank " + Twine(rank),
                    "check the shapes");
    // A parameter vector of one element would broadcast, which the op does not allow.
    if (failed(n.unify(n.dims(part)[0], n.dims(x)[1], "a channel has no parameter")))
      return failure();
    Dims shape(rank - 1, SymbolicExpr(1));
    shape[0] = n.dims(part)[0];
    parts[i] = n.reshape(n.cast(part, n.elementType(x)), shape);
  }
  auto [scale, bias, mean, variance] = parts;
  if (n.intAttr("training_mode", 0) && failed(takeBatchMoments(n, x, mean, variance)))
    return failure();
  Value epsilon = n.scalarLike(x, n.floatAttr("epsilon", 1e-5f));
  Value deviation =
      n.unary(UnaryKind::sqrt, n.binary(BinaryKind::add, variance, epsilon));
  Value factor = n.binary(BinaryKind::div, scale, deviation);
  Value scaled = n.binary(BinaryKind::mul, n.binary(BinaryKind::sub, x, mean), factor);
  return n.result(n.binary(BinaryKind::add, scaled, bias));
}

//===----------------------------------------------------------------------===//
// Norms over spatial dims
//===----------------------------------------------------------------------===//

/// Normalizes x [batch, channels, spatial...] over all dims but the batch within each of
/// `groups` groups of channels, then scales and shifts per channel.
static LogicalResult normalizeGroups(Node &n, const SymbolicExpr &groups) {
  Value x = n.input(0);
  Dims dims = n.inputDims(0);
  Type type = n.inputType(0).getElementType();
  // Statistics of f16 are computed in f32.
  Type compute = n.builder.getF32Type();
  if (type.isF64())
    compute = type;
  Dims grouped{dims[0], groups,
               graph::numElements(ArrayRef(dims).drop_front(2)) *
                   dims[1].exactDiv(groups).value_or(1)};
  Value rows = n.reshape(n.cast(x, compute), grouped);
  Value norm = n.layerNorm(rows, {}, {}, 2, n.floatAttr("epsilon", 1e-5f));
  norm = n.reshape(norm, dims);
  Dims shape(dims.size() - 1, SymbolicExpr(1));
  shape[0] = dims[1];
  Value parts[2];
  for (unsigned i = 0; i < 2; ++i) {
    Value part = n.input(i + 1);
    if (!part || n.rank(part) != 1)
      return n.fail(ErrorCode::ShapeMismatch, "scale and bias are not vectors",
                    "one element per channel", "another rank", "check the shapes");
    if (failed(n.unify(n.dims(part)[0], dims[1], "a channel has no parameter")))
      return failure();
    parts[i] = n.reshape(n.cast(part, compute), shape);
  }
  Value scaled = n.binary(BinaryKind::mul, norm, parts[0]);
  return n.result(n.cast(n.binary(BinaryKind::add, scaled, parts[1]), type));
}

LogicalResult kiln::import::importInstanceNormalization(Node &n) {
  if (n.inputRank(0) < 3)
    return n.fail(ErrorCode::ShapeMismatch, "InstanceNormalization needs spatial dims",
                  "rank of at least 3", "rank " + Twine(n.inputRank(0)),
                  "check the input");
  return normalizeGroups(n, n.inputDims(0)[1]);
}

LogicalResult kiln::import::importGroupNormalization(Node &n) {
  int64_t groups = n.intAttr("num_groups", 0);
  Dims dims = n.inputDims(0);
  std::optional<int64_t> channels =
      dims.size() < 2 ? std::nullopt : dims[1].getConstant();
  if (!channels || groups < 1 || *channels % groups)
    return n.fail(ErrorCode::ShapeMismatch, "the groups do not divide the channels",
                  "a divisor of a constant dim 1", Twine(groups) + " groups",
                  "check the node and its input");
  return normalizeGroups(n, groups);
}

/// Computes x / (bias + alpha / size * sum of squares of `size` adjacent channels)^beta.
LogicalResult kiln::import::importLrn(Node &n) {
  int64_t size = n.intAttr("size", 0);
  if (n.inputRank(0) < 2 || size < 1 || size > INT32_MAX)
    return n.fail(ErrorCode::NodeInvalid, "LRN sums over no channels",
                  "a positive size and rank of at least 2", Twine(size),
                  "correct the node");
  Value x = n.input(0);
  if (!x)
    return failure();
  Window window;
  window.kernel = size;
  window.in = window.out = n.inputDims(0)[1];
  window.before = (size - 1) / 2;
  window.after = size - 1 - (size - 1) / 2;
  Value squares = splitWindows(n, n.binary(BinaryKind::mul, x, x), 1, window, 0);
  Value sum = n.reduce(ReduceKind::sum, squares, {2}, /*keepDims=*/false);
  Value scaled = n.binary(BinaryKind::mul, sum,
                          n.scalarLike(x, n.floatAttr("alpha", 1e-4f) / double(size)));
  Value base = n.binary(BinaryKind::add, scaled, n.scalarLike(x, n.floatAttr("bias", 1)));
  Value divisor =
      n.binary(BinaryKind::pow, base, n.scalarLike(x, n.floatAttr("beta", 0.75f)));
  return n.result(n.binary(BinaryKind::div, x, divisor));
}

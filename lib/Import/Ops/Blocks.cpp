//===- Blocks.cpp - Rearrangements of elements ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Types.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;
using graph::UnaryKind;

//===----------------------------------------------------------------------===//
// DepthToSpace, SpaceToDepth
//===----------------------------------------------------------------------===//

/// Returns the block size of an image op; nullopt after an error.
static std::optional<int64_t> blockSize(Node &n) {
  int64_t size = n.intAttr("blocksize", 0);
  if (n.inputRank(0) == 4 && size >= 1)
    return size;
  (void)n.fail(ErrorCode::NodeInvalid, "the input is no image, or has no blocks",
               "rank 4 and blocksize of at least 1",
               "rank " + Twine(n.inputRank(0)) + ", blocksize " + Twine(size),
               "correct the node");
  return std::nullopt;
}

/// Returns dim / size; reports an error if it is not exact.
static std::optional<SymbolicExpr> divide(Node &n, const SymbolicExpr &dim,
                                          int64_t size) {
  if (std::optional<SymbolicExpr> exact = dim.exactDiv(SymbolicExpr(size)))
    return exact;
  SymbolicExpr quotient = dim.floorDiv(size);
  if (failed(n.unify(quotient * SymbolicExpr(size), dim,
                     "a dim is no multiple of the block size")))
    return std::nullopt;
  return quotient;
}

LogicalResult kiln::import::importDepthToSpace(Node &n) {
  auto size = blockSize(n);
  if (!size)
    return failure();
  StringRef mode = n.stringAttr("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    return n.fail(ErrorCode::NodeInvalid, "attribute mode has an unknown value",
                  "DCR or CRD", mode, "correct the attribute");
  Dims dims = n.inputDims(0);
  auto depth = divide(n, dims[1], *size * *size);
  if (!depth)
    return failure();
  SymbolicExpr block = *size;
  Value x;
  if (mode == "DCR")
    x = n.transpose(
        n.reshape(n.input(0), {dims[0], block, block, *depth, dims[2], dims[3]}),
        {0, 3, 4, 1, 5, 2});
  else
    x = n.transpose(
        n.reshape(n.input(0), {dims[0], *depth, block, block, dims[2], dims[3]}),
        {0, 1, 4, 2, 5, 3});
  return n.result(n.reshape(x, {dims[0], *depth, dims[2] * block, dims[3] * block}));
}

LogicalResult kiln::import::importSpaceToDepth(Node &n) {
  auto size = blockSize(n);
  if (!size)
    return failure();
  Dims dims = n.inputDims(0);
  auto height = divide(n, dims[2], *size), width = divide(n, dims[3], *size);
  if (!height || !width)
    return failure();
  StringRef mode = n.stringAttr("mode", "DCR"); // since opset 28
  if (mode != "DCR" && mode != "CRD")
    return n.fail(ErrorCode::NodeInvalid, "attribute mode has an unknown value",
                  "DCR or CRD", mode, "correct the attribute");
  SymbolicExpr block = *size;
  Value split = n.reshape(n.input(0), {dims[0], dims[1], *height, block, *width, block});
  Value x = mode == "DCR" ? n.transpose(split, {0, 3, 5, 1, 2, 4})
                          : n.transpose(split, {0, 1, 3, 5, 2, 4});
  return n.result(n.reshape(x, {dims[0], dims[1] * block * block, *height, *width}));
}

//===----------------------------------------------------------------------===//
// ReverseSequence
//===----------------------------------------------------------------------===//

/// Gathers rows of [time, batch] or [batch, time] by their flattened index.
LogicalResult kiln::import::importReverseSequence(Node &n) {
  Dims dims = n.inputDims(0);
  int64_t time = n.intAttr("time_axis", 0), batch = n.intAttr("batch_axis", 1);
  if (dims.size() < 2 || time + batch != 1 || time * batch != 0)
    return n.fail(ErrorCode::NodeInvalid, "time and batch are not the first two dims",
                  "rank of at least 2, the axes 0 and 1",
                  "rank " + Twine(dims.size()) + ", axes " + Twine(time) + " and " +
                      Twine(batch),
                  "correct the node");
  if (n.inputRank(1) != 1 ||
      failed(n.unify(n.inputDims(1)[0], dims[batch], "a batch has no length")))
    return failure();
  Type type = n.builder.getI64Type();
  auto number = [&](const SymbolicExpr &value) {
    return n.integers(IntTensor::scalar(value, type));
  };
  Dims steps{1, 1}, batches{1, 1};
  steps[time] = dims[time];
  batches[batch] = dims[batch];
  Value length = n.reshape(n.cast(n.input(1), type), batches);
  Value step = n.iota(steps, type, time), row = n.iota(batches, type, batch);
  Value mirrored = n.binary(BinaryKind::sub,
                            n.binary(BinaryKind::sub, length, n.scalar(type, 1)), step);
  Value from = n.select(n.compare(CompareKind::less, step, length), mirrored, step);
  Value outer = time == 0 ? from : row, inner = time == 0 ? row : from;
  Value joined =
      n.binary(BinaryKind::add, n.binary(BinaryKind::mul, outer, number(dims[1])), inner);
  Dims flat(dims.begin() + 1, dims.end());
  flat[0] = dims[0] * dims[1];
  Value rows = n.gather(n.reshape(n.input(0), flat), joined, 0);
  return rows ? n.result(n.reshape(rows, dims)) : failure();
}

//===----------------------------------------------------------------------===//
// EyeLike, Compress, Unique
//===----------------------------------------------------------------------===//

LogicalResult kiln::import::importEyeLike(Node &n) {
  Dims dims = n.inputDims(0);
  if (dims.size() != 2)
    return n.fail(ErrorCode::ShapeMismatch, "EyeLike needs a matrix", "rank 2",
                  "rank " + Twine(dims.size()), "check the input");
  Type type = n.inputType(0).getElementType();
  if (n.hasAttr("dtype")) {
    int64_t number = n.intAttr("dtype", 0);
    type = elementTypeOf(int(number), n.builder.getContext());
    if (!type)
      return n.fail(ErrorCode::ElementType, "this type is not supported", kSupportedTypes,
                    onnxTypeName(int(number)), "ask for a supported type");
  }
  Type index = n.builder.getI64Type();
  Value row = n.iota({dims[0], 1}, index, 0, double(n.intAttr("k", 0)));
  Value column = n.iota({1, dims[1]}, index, 1);
  return n.result(n.cast(n.compare(CompareKind::equal, row, column), type));
}

/// Imports Compress with a known condition; otherwise the size of the result would be
/// data.
LogicalResult kiln::import::importCompress(Node &n) {
  auto condition = n.requireConstants(1, "condition");
  if (!condition)
    return failure();
  SmallVector<int64_t> kept;
  for (auto [i, value] : llvm::enumerate(*condition))
    if (value)
      kept.push_back(i);
  Value x = n.input(0);
  int64_t axis = 0;
  if (!n.hasAttr("axis")) {
    x = n.reshape(x, {graph::numElements(n.inputDims(0))});
  } else {
    auto given = n.axis(n.intAttr("axis", 0), n.inputRank(0));
    if (!given)
      return failure();
    axis = *given;
  }
  if (!x)
    return failure();
  if (!n.symbols.isAtLeast(n.dims(x)[axis], kept.empty() ? 0 : kept.back() + 1)
           .value_or(false))
    return n.fail(ErrorCode::NodeInvalid, "the condition is longer than the axis",
                  "at most " + n.dims(x)[axis].str() + " elements",
                  Twine(condition->size()), "correct the condition");
  Dims elements(kept.begin(), kept.end());
  return n.result(
      n.gather(x, n.integers(IntTensor::vector(elements, n.builder.getI64Type())), axis));
}

LogicalResult kiln::import::importUnique(Node &n) {
  return n.fail(ErrorCode::ShapeFromData,
                "the number of different elements is not known before the model runs",
                "sizes that follow from shapes", "values computed from data",
                "leave what needs Unique out of the exported model");
}

//===----------------------------------------------------------------------===//
// LpNormalization
//===----------------------------------------------------------------------===//

LogicalResult kiln::import::importLpNormalization(Node &n) {
  auto axis = n.axis(n.intAttr("axis", -1), n.inputRank(0));
  int64_t order = n.intAttr("p", 2);
  if (!axis)
    return failure();
  if (order != 1 && order != 2)
    return n.fail(ErrorCode::NodeInvalid, "the order of the norm is unknown", "1 or 2",
                  Twine(order), "correct attribute p");
  Value x = n.input(0);
  Value norm = n.reduce(order == 1 ? ReduceKind::l1 : ReduceKind::l2, x, *axis,
                        /*keepDims=*/true);
  // ONNX's test cases expect 0 for a zero vector, not 0 / 0.
  Value zero = n.scalarLike(x, 0);
  return n.result(n.select(n.compare(CompareKind::equal, norm, zero), zero,
                           n.binary(BinaryKind::div, x, norm)));
}

LogicalResult kiln::import::importPRelu(Node &n) {
  Value x = n.input(0);
  Value negative = n.compare(CompareKind::less, x, n.scalarLike(x, 0));
  return n.result(n.select(negative, n.binary(BinaryKind::mul, x, n.input(1)), x));
}

//===- ContribPosition.cpp - com.microsoft ops on positions ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Ops/Position.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;
using graph::UnaryKind;

//===----------------------------------------------------------------------===//
// RotaryEmbedding
//===----------------------------------------------------------------------===//

namespace {
/// The halves of the elements that are rotated, [batch, seq, heads, half].
struct Halves {
  Value first, second;
};
} // namespace

/// Pairs are adjacent elements, or elements half the width apart.
static Halves splitPairs(Node &n, Value x, int64_t half, bool interleaved) {
  int64_t axis = n.rank(x) - 1;
  if (!interleaved)
    return {n.slice(x, axis, 0, half), n.slice(x, axis, half, half)};
  Dims dims = n.dims(x), rest = dims;
  dims[axis] = rest[axis] = half;
  dims.push_back(2);
  Value pairs = n.reshape(x, dims);
  return {n.reshape(n.slice(pairs, axis + 1, 0, 1), rest),
          n.reshape(n.slice(pairs, axis + 1, 1, 1), rest)};
}

static Value joinPairs(Node &n, Halves halves, bool interleaved) {
  if (!halves.first || !halves.second)
    return {};
  int64_t axis = n.rank(halves.first) - 1;
  if (!interleaved)
    return n.concat({halves.first, halves.second}, axis);
  Dims dims = n.dims(halves.first);
  dims[axis] *= SymbolicExpr(2);
  Value pairs = n.concat(
      {n.unsqueeze(halves.first, axis + 1), n.unsqueeze(halves.second, axis + 1)},
      axis + 1);
  return n.reshape(pairs, dims);
}

/// Rows of a table for each position, [batch or 1, seq, 1, half].
static Value rowsOf(Node &n, unsigned table, Value positions) {
  Value rows = n.gatherFrom(table, positions, 0);
  return rows ? n.unsqueeze(rows, 2) : rows;
}

/// [batch, seq], or [1, seq] counted from the one start.
static Value rotaryPositions(Node &n, const SymbolicExpr &length) {
  if (n.inputRank(1) == 2)
    return n.input(1);
  Type type = n.builder.getI64Type();
  Value start = n.cast(n.reshape(n.input(1), {1, 1}), type);
  return n.binary(BinaryKind::add, start, n.iota({1, length}, type, 1));
}

Value kiln::import::rotateHeads(Node &n, Value x, int64_t half, Value cosine, Value sine,
                                bool interleaved) {
  int64_t axis = n.rank(x) - 1;
  auto width = n.dims(x)[axis].getConstant();
  Halves in = splitPairs(n, width == 2 * half ? x : n.slice(x, axis, 0, 2 * half), half,
                         interleaved);
  auto product = [&](Value a, Value b) { return n.binary(BinaryKind::mul, a, b); };
  Halves out{
      n.binary(BinaryKind::sub, product(in.first, cosine), product(in.second, sine)),
      n.binary(BinaryKind::add, product(in.first, sine), product(in.second, cosine))};
  Value rotated = joinPairs(n, out, interleaved);
  if (!rotated || width == 2 * half)
    return rotated;
  return n.concat({rotated, n.slice(x, axis, 2 * half, n.dims(x)[axis] - 2 * half)},
                  axis);
}

static Value rotate(Node &n, Value x, int64_t half) {
  Value positions = rotaryPositions(n, n.dims(x)[1]);
  Value cosine = rowsOf(n, 2, positions), sine = rowsOf(n, 3, positions);
  return rotateHeads(n, x, half, cosine, sine, n.intAttr("interleaved", 0));
}

/// Input [batch, seq, heads * width] or [batch, heads, seq, width].
LogicalResult kiln::import::importRotaryEmbedding(Node &n) {
  Dims dims = n.inputDims(0);
  auto half = n.inputRank(2) == 2 ? n.inputDims(2)[1].getConstant() : std::nullopt;
  if ((dims.size() != 3 && dims.size() != 4) || !half || n.inputRank(1) < 1 ||
      n.inputRank(1) > 2)
    return n.unsupported("the ranks of RotaryEmbedding",
                         "an input of rank 3 or 4, positions of rank 1 or 2, tables of "
                         "rank 2 and constant width",
                         "rank " + Twine(dims.size()) + ", positions of rank " +
                             Twine(n.inputRank(1)));
  if (n.intAttr("is_packed_batching", 0))
    return n.unsupported("packed batches", "is_packed_batching 0", "1");
  if (dims.size() == 4) {
    Value x = rotate(n, n.transpose(n.input(0), {0, 2, 1, 3}), *half);
    return x ? n.result(n.transpose(x, {0, 2, 1, 3})) : failure();
  }
  int64_t heads = n.intAttr("num_heads", 0);
  auto hidden = dims[2].getConstant();
  if (heads == 0 && n.intAttr("rotary_embedding_dim", 0) == 0 && hidden)
    heads = *hidden / (2 * *half);
  if (!hidden || heads < 1 || *hidden % heads || *hidden / heads < 2 * *half)
    return n.fail(ErrorCode::NodeInvalid, "the heads do not fit the hidden size",
                  "num_heads that divides it into heads as wide as the tables",
                  Twine(heads), "correct num_heads");
  Value x =
      rotate(n, n.reshape(n.input(0), {dims[0], dims[1], heads, *hidden / heads}), *half);
  return x ? n.result(n.reshape(x, dims)) : failure();
}

//===----------------------------------------------------------------------===//
// RelativePositionBias
//===----------------------------------------------------------------------===//

/// The bucket of each distance from 0 to `farthest`, as T5 computes it in f32.
static Dims bucketsOf(int64_t buckets, int64_t farthest) {
  int64_t exact = buckets / 2;
  Dims result;
  for (int64_t distance = 0; distance <= farthest; ++distance) {
    int64_t bucket = distance;
    if (distance >= exact) {
      float part = std::log(float(distance) / float(exact)) /
                   std::log(float(farthest) / float(exact)) * float(buckets - exact);
      bucket = std::min<int64_t>(exact + int64_t(part), buckets - 1);
    }
    result.push_back(bucket);
  }
  return result;
}

/// A table row for the distance of each query and key, [1, heads, queries, keys].
LogicalResult kiln::import::importRelativePositionBias(Node &n) {
  auto count = n.inputRank(0) == 2 ? n.inputDims(0)[0].getConstant() : std::nullopt;
  const IntTensor *queries = n.requireContent(1, "query length"),
                  *keys = n.requireContent(2, "key length");
  if (!queries || !keys)
    return failure();
  bool both = n.intAttr("is_bidirectional", 0);
  int64_t farthest = n.intAttr("max_distance", 0);
  int64_t buckets = both ? count.value_or(0) / 2 : count.value_or(0);
  if (buckets < 2 || farthest <= buckets / 2 || farthest > 4096)
    return n.fail(ErrorCode::NodeInvalid, "the buckets do not fit the distance",
                  "max_distance above half the buckets, up to 4096", Twine(farthest),
                  "correct max_distance");
  Type type = n.builder.getI64Type();
  SymbolicExpr rows = n.symbols.canonical(queries->elements[0]),
               columns = n.symbols.canonical(keys->elements[0]);
  Value distance = n.binary(BinaryKind::sub, n.iota({rows, 1}, type, 0),
                            n.iota({1, columns}, type, 1));
  Value zero = n.scalar(type, 0);
  Value size = both ? n.unary(UnaryKind::abs, distance)
                    : n.binary(BinaryKind::max, distance, zero);
  size = n.binary(BinaryKind::min, size, n.scalar(type, double(farthest)));
  Value table = n.integers(IntTensor::vector(bucketsOf(buckets, farthest), type));
  Value bucket = n.gather(table, size, 0);
  if (both)
    bucket = n.binary(BinaryKind::add, bucket,
                      n.select(n.compare(CompareKind::less, distance, zero),
                               n.scalar(type, double(buckets)), zero));
  Value bias = n.gather(n.input(0), bucket, 0);
  return bias ? n.result(n.unsqueeze(n.transpose(bias, {2, 0, 1}), 0)) : failure();
}

/// WavLM's: a gate for each query from its own vector.
LogicalResult kiln::import::importGatedRelativePositionBias(Node &n) {
  enum { Query, QueryBias, Positions, Weight, Bias, Scale, Offsets };
  int64_t heads = n.intAttr("num_heads", 0);
  Dims dims = n.inputDims(Query);
  auto hidden = dims.back().getConstant();
  if (n.hasInput(Offsets))
    return n.unsupported("packed tokens", "no token_offset", "token_offset");
  if (dims.size() != 3 || heads < 1 || !hidden || *hidden % heads)
    return n.fail(ErrorCode::NodeInvalid, "the heads do not fit the hidden size",
                  "rank 3 and num_heads that divides the last dim", Twine(heads),
                  "correct num_heads");
  Value query = n.binary(BinaryKind::add, n.input(Query), n.input(QueryBias));
  query = n.reshape(query, {dims[0], dims[1], heads, *hidden / heads});
  query = n.transpose(query, {0, 2, 1, 3});
  auto gates = n.inputDims(Weight).back().getConstant();
  if (!query || !gates || *gates % 2)
    return n.fail(ErrorCode::NodeInvalid, "the gates are not two groups",
                  "an even number of columns", n.inputDims(Weight).back().str(),
                  "correct the weight");
  Value gate = n.binary(BinaryKind::add, n.matmul(query, n.input(Weight)), n.input(Bias));
  gate = n.reshape(gate, {dims[0], heads, dims[1], 2, *gates / 2});
  gate = n.unary(UnaryKind::sigmoid, n.reduce(ReduceKind::sum, gate, 4, false));
  if (!gate)
    return failure();
  Value update = n.slice(gate, 3, 0, 1), reset = n.slice(gate, 3, 1, 1);
  Value inner =
      n.binary(BinaryKind::sub, n.binary(BinaryKind::mul, reset, n.input(Scale)),
               n.scalarLike(gate, 1));
  Value factor = n.binary(BinaryKind::add, n.binary(BinaryKind::mul, update, inner),
                          n.scalarLike(gate, 2));
  return n.result(n.binary(BinaryKind::mul, factor, n.input(Positions)));
}

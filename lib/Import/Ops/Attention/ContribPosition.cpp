//===- ContribPosition.cpp - com.microsoft ops on positions ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;
using graph::UnaryKind;

//===----------------------------------------------------------------------===//
// RelativePositionBias
//===----------------------------------------------------------------------===//

/// Returns the bucket of each distance from 0 to `farthest`, as T5 computes it in f32.
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

/// Gathers a table row for the distance of each query and key: [1, heads, queries, keys].
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

/// Imports WavLM's position bias, with a gate per query computed from its own vector.
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

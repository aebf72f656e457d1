//===- ContribNorm.cpp - com.microsoft: norms and activations -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;
using graph::UnaryKind;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

static Value withBias(Node &n) {
  Value x = n.input(0);
  return n.hasInput(1) ? n.binary(BinaryKind::add, x, n.input(1)) : x;
}

LogicalResult kiln::import::importBiasGelu(Node &n) {
  return n.result(n.unary(UnaryKind::gelu, withBias(n)));
}

LogicalResult kiln::import::importContribGelu(Node &n) {
  return n.result(n.unary(UnaryKind::gelu, n.input(0)));
}

LogicalResult kiln::import::importFastGelu(Node &n) {
  return n.result(n.unary(UnaryKind::gelu_tanh, withBias(n)));
}

/// Computes x * sigmoid(alpha * x).
LogicalResult kiln::import::importQuickGelu(Node &n) {
  Value x = n.input(0);
  Value scaled =
      n.binary(BinaryKind::mul, x, n.scalarLike(x, n.floatAttr("alpha", 1.702f)));
  return n.result(n.binary(BinaryKind::mul, x, n.unary(UnaryKind::sigmoid, scaled)));
}

//===----------------------------------------------------------------------===//
// Skip connection and norm
//===----------------------------------------------------------------------===//

/// Returns input + skip + bias, which is also output 3 of the skip norms.
static Value skipSum(Node &n, unsigned bias) {
  Value sum = n.binary(BinaryKind::add, n.input(0), n.input(1));
  if (n.hasInput(bias))
    sum = n.binary(BinaryKind::add, sum, n.input(bias));
  if (sum && n.wantsOutput(3) && failed(n.result(sum, 3)))
    return {};
  return sum;
}

LogicalResult kiln::import::importSkipLayerNormalization(Node &n) {
  Value sum = skipSum(n, 4);
  if (!sum)
    return failure();
  Value beta = n.hasInput(3) ? n.input(3) : Value();
  return n.result(n.layerNorm(sum, n.input(2), beta, n.rank(sum) - 1,
                              n.floatAttr("epsilon", 1e-12f)));
}

LogicalResult kiln::import::importSkipSimplifiedLayerNormalization(Node &n) {
  Value sum = skipSum(n, 3);
  if (!sum)
    return failure();
  return n.result(
      n.rmsNorm(sum, n.input(2), n.rank(sum) - 1, n.floatAttr("epsilon", 1e-12f)));
}

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

/// Gathers rows of the position table: at given ids, or from 0 to the sequence length.
static Value positions(Node &n, unsigned table, unsigned ids) {
  if (n.hasInput(ids))
    return n.gather(n.input(table), n.input(ids), 0);
  SymbolicExpr length = n.inputDims(0)[1];
  SymbolicExpr limit = n.inputDims(table)[0];
  if (!n.symbols.narrowToPositive(limit - length, describe(n.loc))) {
    (void)n.fail(ErrorCode::ShapeMismatch,
                 "the sequence is longer than the position table",
                 "at most " + limit.str() + " positions", length.str(),
                 "shorten the sequence with --dims");
    return {};
  }
  return n.slice(n.input(table), 0, 0, length);
}

/// Returns the number of tokens of each sequence, or zeros without a mask.
static Value maskIndex(Node &n, unsigned mask) {
  if (n.hasInput(mask))
    return n.reduce(ReduceKind::sum, n.input(mask), 1, /*keepDims=*/false);
  return n.fill({n.inputDims(0)[0]}, n.builder.getI32Type(), 0);
}

LogicalResult kiln::import::importEmbedLayerNormalization(Node &n) {
  enum { Ids, Segments, Words, Positions, SegmentTable, Gamma, Beta, Mask, PositionIds };
  if (n.inputRank(Ids) != 2 || n.inputRank(Words) != 2 || n.inputRank(Positions) != 2)
    return n.unsupported("the ranks of EmbedLayerNormalization",
                         "rank 2 of ids and tables", "other ranks");
  Value words = n.gather(n.input(Words), n.input(Ids), 0);
  Value sum = n.binary(BinaryKind::add, words, positions(n, Positions, PositionIds));
  if (n.hasInput(Segments) && n.hasInput(SegmentTable))
    sum = n.binary(BinaryKind::add, sum,
                   n.gather(n.input(SegmentTable), n.input(Segments), 0));
  if (!sum)
    return failure();
  if (n.wantsOutput(1) && failed(n.result(maskIndex(n, Mask), 1)))
    return failure();
  if (n.wantsOutput(2) && failed(n.result(sum, 2)))
    return failure();
  return n.result(
      n.layerNorm(sum, n.input(Gamma), n.input(Beta), 2, n.floatAttr("epsilon", 1e-12f)));
}

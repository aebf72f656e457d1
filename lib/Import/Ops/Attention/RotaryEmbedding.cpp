//===- RotaryEmbedding.cpp - Rotary position embeddings -------------------===//
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

/// Gathers rows of a table for each position: [batch or 1, seq, 1, half].
static Value rowsOf(Node &n, unsigned table, Value positions) {
  Value rows = n.gatherFrom(table, positions, 0);
  return rows ? n.unsqueeze(rows, 2) : rows;
}

/// Splits an input [batch, seq, heads * width] to [batch, seq, heads, width].
static Value splitRotaryHeads(Node &n, int64_t heads, int64_t rotated) {
  Dims dims = n.inputDims(0);
  auto hidden = dims[2].getConstant();
  if (hidden && heads >= 1 && *hidden % heads == 0 && *hidden / heads >= rotated)
    return n.reshape(n.input(0), {dims[0], dims[1], heads, *hidden / heads});
  (void)n.fail(ErrorCode::NodeInvalid, "the heads do not fit the hidden size",
               "num_heads that divides it into heads as wide as the tables", Twine(heads),
               "correct num_heads");
  return {};
}

/// Sets the rotated heads, [batch, seq, heads, width], as the node's result.
static LogicalResult finish(Node &n, Value x, Value cosine, Value sine) {
  x = x ? n.rope(x, cosine, sine, n.intAttr("interleaved", 0)) : x;
  if (!x)
    return failure();
  Dims dims = n.inputDims(0);
  x = dims.size() == 4 ? n.transpose(x, {0, 2, 1, 3}) : n.reshape(x, dims);
  return x ? n.result(x) : failure();
}

//===----------------------------------------------------------------------===//
// com.microsoft
//===----------------------------------------------------------------------===//

/// Returns positions [batch, seq], or [1, seq] counted from a single start.
static Value rotaryPositions(Node &n, const SymbolicExpr &length) {
  if (n.inputRank(1) == 2)
    return n.input(1);
  Type type = n.builder.getI64Type();
  Value start = n.cast(n.reshape(n.input(1), {1, 1}), type);
  return n.binary(BinaryKind::add, start, n.iota({1, length}, type, 1));
}

/// Takes input [batch, seq, heads * width] or [batch, heads, seq, width].
LogicalResult kiln::import::importContribRotaryEmbedding(Node &n) {
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
  int64_t heads = n.intAttr("num_heads", 0);
  auto hidden = dims.back().getConstant();
  if (heads == 0 && n.intAttr("rotary_embedding_dim", 0) == 0 && hidden && *half > 0)
    heads = *hidden / (2 * *half);
  Value x = dims.size() == 4 ? n.transpose(n.input(0), {0, 2, 1, 3})
                             : splitRotaryHeads(n, heads, 2 * *half);
  if (!x)
    return failure();
  Value positions = rotaryPositions(n, n.dims(x)[1]);
  return finish(n, x, rowsOf(n, 2, positions), rowsOf(n, 3, positions));
}

//===----------------------------------------------------------------------===//
// ONNX
//===----------------------------------------------------------------------===//

/// Takes input [batch, heads, seq, width] or [batch, seq, heads * width]; tables are
/// [rows, half] with positions, [batch, seq, half] without.
LogicalResult kiln::import::importRotaryEmbedding(Node &n) {
  enum { Input, Cosine, Sine, Positions };
  bool hasPositions = n.hasInput(Positions);
  int64_t rank = n.inputRank(Input), tableRank = hasPositions ? 2 : 3;
  bool fits = (rank == 3 || rank == 4) && n.inputRank(Cosine) == tableRank &&
              n.inputRank(Sine) == tableRank &&
              (!hasPositions || n.inputRank(Positions) == 2);
  auto half = fits ? n.inputDims(Cosine).back().getConstant() : std::nullopt;
  if (!half)
    return n.fail(ErrorCode::NodeInvalid, "the ranks of RotaryEmbedding do not fit",
                  "an input of rank 3 or 4 and tables of constant width and rank 2 with "
                  "position_ids, 3 without",
                  "rank " + Twine(rank) + " and " + Twine(n.inputRank(Cosine)),
                  "correct the node");
  int64_t rotated = n.intAttr("rotary_embedding_dim", 0);
  if (rotated != 0 && rotated != 2 * *half)
    return n.fail(ErrorCode::NodeInvalid, "the tables do not fit rotary_embedding_dim",
                  "tables of width " + Twine(rotated / 2), Twine(*half),
                  "correct rotary_embedding_dim");
  Value x = rank == 4 ? n.transpose(n.input(Input), {0, 2, 1, 3})
                      : splitRotaryHeads(n, n.intAttr("num_heads", 0), 2 * *half);
  if (!x)
    return failure();
  auto table = [&](unsigned number) {
    return hasPositions ? rowsOf(n, number, n.input(Positions))
                        : n.unsqueeze(n.input(number), 2);
  };
  return finish(n, x, table(Cosine), table(Sine));
}

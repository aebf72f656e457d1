//===- MultiHeadAttention.cpp - com.microsoft: MultiHeadAttention ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Query, key and value are already projected: separately, with key and value interleaved
// per head, or all three interleaved. A past is concatenated before the new keys and
// values; one that has the same buffer as the present (past_sequence_length) becomes
// state.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Cache.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;

namespace {
namespace mha {
enum Inputs {
  Query,
  Key,
  ValueInput,
  Bias,
  Mask,
  ScoreBias,
  PastKey,
  PastValue,
  PastLength,
  CacheIndirection
};
enum Outputs { Result, PresentKey, PresentValue, Scores };
} // namespace mha

class MultiHeadImport {
public:
  explicit MultiHeadImport(Node &n) : n(n) {}
  LogicalResult run();

private:
  LogicalResult checkForm();
  LogicalResult checkPast();
  Value project(Value x, SymbolicExpr biasStart);
  Value projectInput(unsigned input, SymbolicExpr biasStart);
  Value unpack(unsigned input, int64_t part, SymbolicExpr biasStart);
  LogicalResult split();
  LogicalResult appendPast();

  Node &n;
  int64_t count = 0; ///< number of heads
  Heads heads;
};
} // namespace

LogicalResult MultiHeadImport::checkForm() {
  count = n.intAttr("num_heads", 0);
  auto rankOf = [&](unsigned input) {
    return n.hasInput(input) ? n.inputRank(input) : 0;
  };
  int64_t query = rankOf(mha::Query), key = rankOf(mha::Key),
          value = rankOf(mha::ValueInput);
  bool isSeparate = query == 3 && (key == 3 || key == 4) && (value == 3 || value == 4);
  bool isPackedKeys = query == 3 && key == 5 && value == 0;
  bool isPacked = query == 5 && key == 0 && value == 0;
  if (count <= 0 || !(isSeparate || isPackedKeys || isPacked))
    return n.fail(ErrorCode::NodeInvalid,
                  "the attributes or inputs of MultiHeadAttention are wrong",
                  "num_heads > 0, and query, key and value of rank 3, or key and value "
                  "in one tensor of rank 5, or all in one",
                  "num_heads " + Twine(count) + ", ranks " + Twine(query) + ", " +
                      Twine(key) + ", " + Twine(value) + " (0: absent)",
                  "export the model again");
  if (n.hasInput(mha::CacheIndirection))
    return n.unsupported("a form of MultiHeadAttention", "no beams in the cache",
                         "cache_indirection: beam search");
  if (n.wantsOutput(mha::Scores))
    return n.unsupported("a form of MultiHeadAttention", "no scores as an output",
                         "the output qk: scores");
  return checkPast();
}

LogicalResult MultiHeadImport::checkPast() {
  if (n.hasInput(mha::PastKey) != n.hasInput(mha::PastValue) ||
      (n.hasInput(mha::PastLength) && !n.hasInput(mha::PastKey)))
    return n.fail(ErrorCode::NodeInvalid,
                  "the past of MultiHeadAttention is not complete",
                  "past_key and past_value", "one of them, or a length alone",
                  "export the model again");
  if (!n.hasInput(mha::PastLength))
    return success();
  markLength(n, mha::PastLength, "past");
  return markCaches(n, {mha::PastKey, mha::PastValue});
}

/// Adds the input's part of the common bias to [B, S, heads * size] and splits the heads.
Value MultiHeadImport::project(Value x, SymbolicExpr biasStart) {
  if (x && n.hasInput(mha::Bias))
    x = n.binary(BinaryKind::add, x,
                 n.slice(n.input(mha::Bias), 0, biasStart, n.dims(x).back()));
  return splitHeads(n, x, count);
}

/// Rank 4 is already split and has no bias.
Value MultiHeadImport::projectInput(unsigned input, SymbolicExpr biasStart) {
  return n.inputRank(input) == 4 ? n.input(input) : project(n.input(input), biasStart);
}

/// Returns part `part` of [B, S, heads, parts, size].
Value MultiHeadImport::unpack(unsigned input, int64_t part, SymbolicExpr biasStart) {
  Dims dims = n.inputDims(input);
  Value one = n.slice(n.input(input), 3, part, 1);
  return project(n.reshape(one, {dims[0], dims[1], dims[2] * dims[4]}), biasStart);
}

LogicalResult MultiHeadImport::split() {
  Dims dims = n.inputDims(mha::Query);
  SymbolicExpr width = dims.back();
  bool isPacked = dims.size() == 5,
       isPackedKeys = !isPacked && n.inputRank(mha::Key) == 5;
  if (isPacked || isPackedKeys) {
    unsigned input = isPacked ? mha::Query : mha::Key;
    Dims packed = n.inputDims(input);
    int64_t parts = isPacked ? 3 : 2;
    if (!packed[2].isConstant(count) || !packed[3].isConstant(parts))
      return n.fail(ErrorCode::ShapeMismatch, "the packed heads have another shape",
                    "[batch, length, " + Twine(count) + ", " + Twine(parts) + ", size]",
                    graph::printDims(packed), "check num_heads");
    width = packed[2] * packed[4];
    heads = {isPacked ? unpack(mha::Query, 0, 0) : projectInput(mha::Query, 0),
             unpack(input, parts - 2, width),
             unpack(input, parts - 1, width * SymbolicExpr(2))};
  } else {
    heads = {projectInput(mha::Query, 0), projectInput(mha::Key, width),
             projectInput(mha::ValueInput, width * SymbolicExpr(2))};
  }
  return success(heads.query && heads.key && heads.value);
}

LogicalResult MultiHeadImport::appendPast() {
  if (n.hasInput(mha::PastKey)) {
    heads.past = n.inputDims(mha::PastKey)[2];
    heads.key = n.concat({n.input(mha::PastKey), heads.key}, 2);
    heads.value = n.concat({n.input(mha::PastValue), heads.value}, 2);
  }
  if (!heads.key || !heads.value)
    return failure();
  if ((n.wantsOutput(mha::PresentKey) && failed(n.result(heads.key, mha::PresentKey))) ||
      (n.wantsOutput(mha::PresentValue) &&
       failed(n.result(heads.value, mha::PresentValue))))
    return failure();
  return success();
}

LogicalResult MultiHeadImport::run() {
  if (failed(checkForm()) || failed(split()) || failed(appendPast()))
    return failure();
  return attend(n, heads, mha::Mask, mha::ScoreBias);
}

LogicalResult kiln::import::importMultiHeadAttention(Node &n) {
  return MultiHeadImport(n).run();
}

//===- GroupQueryAttention.cpp - com.microsoft: GroupQueryAttention -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention with a cache, its rotation and its positions in one op. ONNX Runtime lets
// each sequence have a length of its own, seqlens_k + 1, within a past of one length for
// all: new rows stand behind the sequence's own, and a first prompt may be padded. With
// state this is what the state's lengths say, so the op is imported for a model whose
// pasts become state, where every sequence fills its past.
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Attention.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Ops/Position.h"

#include <cmath>
#include <limits>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;

namespace {
enum Inputs {
  Query,
  Key,
  ValueInput,
  PastKey,
  PastValue,
  Lengths,
  TotalLength,
  CosCache,
  SinCache,
  PositionIds,
  Bias,
  HeadSink,
  KeyScale,
  ValueScale
};
enum Outputs { Result, PresentKey, PresentValue, Scores };

class GroupQueryImport {
public:
  explicit GroupQueryImport(Node &n) : n(n) {}
  LogicalResult run();

private:
  LogicalResult checkForm();
  LogicalResult split();
  Value heads(Value x, int64_t count);
  LogicalResult rotate();
  LogicalResult appendPast();
  Value mask();

  Node &n;
  int64_t queryHeads = 0, keyHeads = 0;
  Value query, key, value; ///< [B, S, heads, size], then [B, heads, length, size]
  SymbolicExpr past = 0, added;
};
} // namespace

LogicalResult GroupQueryImport::checkForm() {
  if (!n.symbols.pastIsState())
    return n.fail(
        ErrorCode::FormUnsupported, "GroupQueryAttention needs a cache that is state",
        "a model compiled with state", "pasts as inputs", "leave --no-state out");
  queryHeads = n.intAttr("num_heads", 0);
  keyHeads = n.intAttr("kv_num_heads", 0);
  bool isFormed = queryHeads > 0 && keyHeads > 0 && queryHeads % keyHeads == 0 &&
                  n.inputRank(Query) == 3 && n.hasInput(Key) == n.hasInput(ValueInput) &&
                  n.hasInput(PastKey) && n.hasInput(PastValue);
  if (!isFormed)
    return n.fail(ErrorCode::NodeInvalid,
                  "the attributes or inputs of GroupQueryAttention are wrong",
                  "num_heads, a multiple of kv_num_heads, a query of rank 3, key and "
                  "value or neither, and a past",
                  "num_heads " + Twine(queryHeads) + ", kv_num_heads " + Twine(keyHeads),
                  "export the model again");
  for (auto [input, what] : {std::pair(HeadSink, "head_sink"),
                             std::pair(KeyScale, "k_scale: a quantized cache"),
                             std::pair(ValueScale, "v_scale: a quantized cache")})
    if (n.hasInput(input))
      return n.unsupported("a form of GroupQueryAttention", Twine("no ") + what, what);
  if (n.intAttr("smooth_softmax", 0) > 0 || n.wantsOutput(Scores) ||
      n.stringAttr("k_quant_type", "NONE") != "NONE")
    return n.unsupported("a form of GroupQueryAttention",
                         "no smooth_softmax, no scores, no quantized cache",
                         n.wantsOutput(Scores) ? "scores" : "the attribute");
  return success();
}

Value GroupQueryImport::heads(Value x, int64_t count) {
  if (!x)
    return {};
  Dims dims = n.dims(x);
  auto width = dims.size() == 3 ? dims[2].getConstant() : std::nullopt;
  if (width && *width % count == 0)
    return n.reshape(x, {dims[0], dims[1], count, *width / count});
  (void)n.fail(ErrorCode::ShapeMismatch, "the heads do not divide the hidden size",
               "[batch, length, a multiple of " + Twine(count) + "]",
               graph::printDims(dims), "check num_heads and kv_num_heads");
  return {};
}

/// Query, key and value by themselves, or side by side in the first input.
LogicalResult GroupQueryImport::split() {
  Value joint = n.input(Query);
  if (!joint)
    return failure();
  if (n.hasInput(Key)) {
    query = heads(joint, queryHeads);
    key = heads(n.input(Key), keyHeads);
    value = heads(n.input(ValueInput), keyHeads);
  } else {
    Value all = heads(joint, queryHeads + 2 * keyHeads);
    if (!all)
      return failure();
    query = n.slice(all, 2, 0, queryHeads);
    key = n.slice(all, 2, queryHeads, keyHeads);
    value = n.slice(all, 2, queryHeads + keyHeads, keyHeads);
  }
  if (!query || !key || !value)
    return failure();
  added = n.dims(query)[1];
  past = n.inputDims(PastKey)[2];
  return success();
}

LogicalResult GroupQueryImport::rotate() {
  if (!n.intAttr("do_rotary", 0))
    return success();
  auto half = n.hasInput(CosCache) && n.hasInput(SinCache) && n.inputRank(CosCache) == 2
                  ? n.inputDims(CosCache)[1].getConstant()
                  : std::nullopt;
  auto size = n.dims(query)[3].getConstant();
  if (!half || !size || *size < 2 * *half)
    return n.fail(ErrorCode::NodeInvalid, "the tables of the rotation do not fit",
                  "cos_cache and sin_cache of at most half a head", "others",
                  "export the model again");
  Type i64 = n.builder.getI64Type();
  Value places = n.hasInput(PositionIds)
                     ? n.input(PositionIds)
                     : n.binary(BinaryKind::add, n.iota({1, added}, i64, 1),
                                n.integers(IntTensor::scalar(past, i64)));
  auto rows = [&](unsigned table) -> Value {
    Value found = n.gather(n.input(table), places, 0);
    return found ? n.unsqueeze(found, 2) : found;
  };
  Value cosine = rows(CosCache), sine = rows(SinCache);
  if (!cosine || !sine)
    return failure();
  bool interleaved = n.intAttr("rotary_interleaved", 0);
  query = rotateHeads(n, query, *half, cosine, sine, interleaved);
  key = rotateHeads(n, key, *half, cosine, sine, interleaved);
  return success(query && key);
}

LogicalResult GroupQueryImport::appendPast() {
  query = n.transpose(query, {0, 2, 1, 3});
  key = n.concat({n.input(PastKey), n.transpose(key, {0, 2, 1, 3})}, 2);
  value = n.concat({n.input(PastValue), n.transpose(value, {0, 2, 1, 3})}, 2);
  if (!query || !key || !value)
    return failure();
  if ((n.wantsOutput(PresentKey) && failed(n.result(key, PresentKey))) ||
      (n.wantsOutput(PresentValue) && failed(n.result(value, PresentValue))))
    return failure();
  return success();
}

/// The bias, and minus infinity for keys in front of the window; null if there is none.
Value GroupQueryImport::mask() {
  Type type = n.elementType(query), i64 = n.builder.getI64Type();
  Value result;
  if (int64_t window = n.intAttr("local_window_size", -1); window >= 0) {
    // Query i stands at past + i and sees `window` keys, its own among them.
    Value first =
        n.binary(BinaryKind::add, n.iota({added, 1}, i64, 0),
                 n.integers(IntTensor::scalar(past - SymbolicExpr(window), i64)));
    Value isSeen = n.compare(CompareKind::greater,
                             n.iota({SymbolicExpr(1), n.dims(key)[2]}, i64, 1), first);
    result = n.select(isSeen, n.scalar(type, 0),
                      n.scalar(type, -std::numeric_limits<double>::infinity()));
  }
  if (!n.hasInput(Bias))
    return result;
  return result ? n.binary(BinaryKind::add, result, n.input(Bias)) : n.input(Bias);
}

LogicalResult GroupQueryImport::run() {
  if (failed(checkForm()) || failed(split()) || failed(rotate()) || failed(appendPast()))
    return failure();
  double size = double(n.dims(query)[3].getConstant().value_or(1));
  double scale = n.floatAttr("scale", 0);
  // One query at the end sees everything.
  bool causal = !added.isConstant(1);
  Value y = n.attention(
      query, key, value, mask(), scale == 0 ? 1 / std::sqrt(size) : scale, causal, {},
      /*fromLength=*/false, /*maskedZero=*/true, n.floatAttr("softcap", 0));
  return n.result(mergeHeads(n, y), Result);
}

LogicalResult kiln::import::importGroupQueryAttention(Node &n) {
  return GroupQueryImport(n).run();
}

//===- GroupQueryAttention.cpp - com.microsoft: GroupQueryAttention -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention with a cache, norms of queries and keys, rotary embedding and positions in
// one op. In ONNX Runtime each sequence has its own length, seqlens_k + 1, in a past of
// common length: new rows are written after the sequence's own, and a first prompt may be
// padded. The lengths of a state express the same, so the op is imported for models whose
// pasts become state, where every sequence fills its past; otherwise only if seqlens_k is
// known to mean a full past, or without a past.
//
// A quantized cache has scales as inputs: one for all, or one per channel of a head. Key
// scales multiply the queries, whose dot products with quantized keys then are the
// scores; value scales multiply the result.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Cache.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Ops/Quantization.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;

namespace {
namespace gqa {
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
  ValueScale,
  QueryNorm,
  KeyNorm
};
enum Outputs { Result, PresentKey, PresentValue, Scores };
} // namespace gqa

class GroupQueryImport {
public:
  explicit GroupQueryImport(Node &n) : n(n) {}
  LogicalResult run();

private:
  LogicalResult checkForm();
  LogicalResult checkSupported();
  LogicalResult checkCodes();
  LogicalResult split();
  Value heads(Value x, int64_t count);
  bool fillsPast();
  LogicalResult checkPast();
  LogicalResult normalize();
  LogicalResult rotate();
  Value scaleOf(unsigned input, StringRef kind);
  Value perKeyHead(BinaryKind kind, Value x, Value scale);
  LogicalResult toCodes();
  /// Casts a term of the scores to f32 if keys are quantized: their scores are f32.
  Value besideCodes(Value x) { return x && codes ? n.cast(x, f32()) : x; }
  Type f32() { return n.builder.getF32Type(); }
  LogicalResult appendPast();
  Value attention();
  Value sinks();
  Value lengths();

  Node &n;
  int64_t queryHeads = 0, keyHeads = 0, window = -1;
  bool causal = true, hasWindowCache = false;
  Value query, key, value; ///< [B, S, heads, size], then [B, heads, length, size]
  Type codes;              ///< type of a quantized cache, else null
  Value keyScale, valueScale;
  SymbolicExpr past = 0, added;
};
} // namespace

LogicalResult GroupQueryImport::checkForm() {
  queryHeads = n.intAttr("num_heads", 0);
  keyHeads = n.intAttr("kv_num_heads", 0);
  causal = n.intAttr("causal", 1);
  window = n.intAttr("local_window_size", -1);
  bool isFormed = queryHeads > 0 && keyHeads > 0 && queryHeads % keyHeads == 0 &&
                  n.inputRank(gqa::Query) == 3 &&
                  n.hasInput(gqa::Key) == n.hasInput(gqa::ValueInput) &&
                  n.hasInput(gqa::PastKey) == n.hasInput(gqa::PastValue) &&
                  n.hasInput(gqa::QueryNorm) == n.hasInput(gqa::KeyNorm);
  if (!isFormed)
    return n.fail(ErrorCode::NodeInvalid,
                  "the attributes or inputs of GroupQueryAttention are wrong",
                  "num_heads, a multiple of kv_num_heads, a query of rank 3; key and "
                  "value, the two pasts, the two norms: both or neither",
                  "num_heads " + Twine(queryHeads) + ", kv_num_heads " + Twine(keyHeads),
                  "export the model again");
  hasWindowCache = n.intAttr("sliding_window_cache", 0);
  if (hasWindowCache && window <= 0)
    return n.fail(ErrorCode::NodeInvalid, "the window of GroupQueryAttention is wrong",
                  "local_window_size of at least 1 with sliding_window_cache 1",
                  Twine(window), "export the model again");
  if (window == 0 || (window > 0 && !causal))
    return n.fail(ErrorCode::NodeInvalid, "the window of GroupQueryAttention is wrong",
                  "local_window_size of at least 1 with causal 1, or -1",
                  Twine(window) + " with causal " + Twine(int(causal)),
                  "export the model again");
  return checkSupported();
}

LogicalResult GroupQueryImport::checkSupported() {
  std::string found;
  if (n.wantsOutput(gqa::Scores))
    found = "the output output_qk: scores";
  else if (n.intAttr("kv_cache_bit_width", 8) == 4)
    found = "kv_cache_bit_width 4: two codes per byte";
  if (!found.empty())
    return n.unsupported("a form of GroupQueryAttention",
                         "no scores as an output, and a cache of floats or of 8 bits",
                         found);
  return checkCodes();
}

/// Checks a quantized cache: keys and values have the same type, a kind of scales and the
/// scales. Sets `codes`.
LogicalResult GroupQueryImport::checkCodes() {
  std::string kinds[] = {n.stringAttr("k_quant_type", "NONE").str(),
                         n.stringAttr("v_quant_type", "NONE").str()};
  auto typeOf = [&](unsigned past) {
    return n.hasInput(past) ? n.inputType(past).getElementType() : Type();
  };
  Type type = typeOf(gqa::PastKey);
  bool hasCodes = type && (type.isSignlessInteger(8) || isFloat8(type));
  bool isPlain = kinds[0] == "NONE" && kinds[1] == "NONE" && !n.hasInput(gqa::KeyScale) &&
                 !n.hasInput(gqa::ValueScale);
  if (isPlain && !hasCodes)
    return success();
  bool isComplete = hasCodes && typeOf(gqa::PastValue) == type &&
                    n.hasInput(gqa::KeyScale) && n.hasInput(gqa::ValueScale) &&
                    llvm::all_of(kinds, [](StringRef kind) {
                      return kind == "PER_TENSOR" || kind == "PER_CHANNEL";
                    });
  if (!isComplete)
    return n.fail(ErrorCode::NodeInvalid,
                  "a quantized cache of GroupQueryAttention is not complete",
                  "pasts of int8 or float8e4m3fn, k_scale and v_scale, k_quant_type and "
                  "v_quant_type PER_TENSOR or PER_CHANNEL",
                  "k_quant_type " + kinds[0] + ", v_quant_type " + kinds[1],
                  "export the model again");
  codes = type;
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

/// Splits query, key and value: separate inputs, or concatenated in the first one.
LogicalResult GroupQueryImport::split() {
  Value joint = n.input(gqa::Query);
  if (!joint)
    return failure();
  if (n.hasInput(gqa::Key)) {
    query = heads(joint, queryHeads);
    key = heads(n.input(gqa::Key), keyHeads);
    value = heads(n.input(gqa::ValueInput), keyHeads);
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
  for (Value rows : {key, value})
    if (failed(n.unify(added, n.dims(rows)[1], "query and new keys differ in number")))
      return failure();
  if (n.hasInput(gqa::PastKey))
    past = n.inputDims(gqa::PastKey)[2];
  return success();
}

/// Returns true if seqlens_k is known to be that of a full past for every sequence.
bool GroupQueryImport::fillsPast() {
  const IntTensor *known = n.content(gqa::Lengths);
  return known && llvm::all_of(known->elements, [&](const SymbolicExpr &length) {
           return n.symbols.canonical(length) ==
                  n.symbols.canonical(past + added - SymbolicExpr(1));
         });
}

LogicalResult GroupQueryImport::checkPast() {
  // The rows that a window-sized cache keeps are a property of a run, not of the model,
  // so it becomes state; see WindowCaches.h.
  if (!n.hasInput(gqa::PastKey) || (!hasWindowCache && fillsPast()))
    return success();
  markLength(n, gqa::Lengths, "last");
  markLength(n, gqa::TotalLength, "total");
  return markCaches(n, {gqa::PastKey, gqa::PastValue});
}

/// Applies RMS norms to each head, as in Qwen 3.
LogicalResult GroupQueryImport::normalize() {
  if (!n.hasInput(gqa::QueryNorm))
    return success();
  double epsilon = n.floatAttr("qk_norm_epsilon", 1e-6);
  query = n.rmsNorm(query, n.input(gqa::QueryNorm), 3, epsilon);
  key = n.rmsNorm(key, n.input(gqa::KeyNorm), 3, epsilon);
  return success(query && key);
}

LogicalResult GroupQueryImport::rotate() {
  if (!n.intAttr("do_rotary", 0))
    return success();
  auto half = n.hasInput(gqa::CosCache) && n.hasInput(gqa::SinCache) &&
                      n.inputRank(gqa::CosCache) == 2
                  ? n.inputDims(gqa::CosCache)[1].getConstant()
                  : std::nullopt;
  auto size = n.dims(query)[3].getConstant();
  if (!half || !size || *size < 2 * *half)
    return n.fail(ErrorCode::NodeInvalid, "the tables of the rotation do not fit",
                  "cos_cache and sin_cache of at most half a head", "others",
                  "export the model again");
  Type i64 = n.builder.getI64Type();
  Value places = n.hasInput(gqa::PositionIds)
                     ? n.input(gqa::PositionIds)
                     : n.binary(BinaryKind::add, n.iota({1, added}, i64, 1),
                                n.integers(IntTensor::scalar(past, i64)));
  auto rows = [&](unsigned table) -> Value {
    Value found = n.gatherFrom(table, places, 0);
    return found ? n.unsqueeze(found, 2) : found;
  };
  Value cosine = rows(gqa::CosCache), sine = rows(gqa::SinCache);
  if (!cosine || !sine)
    return failure();
  bool interleaved = n.intAttr("rotary_interleaved", 0);
  query = n.rope(query, cosine, sine, interleaved);
  key = n.rope(key, cosine, sine, interleaved);
  return success(query && key);
}

//===----------------------------------------------------------------------===//
// Quantized caches
//===----------------------------------------------------------------------===//

/// Returns scales of a cache as [] or [heads, 1, size], f32; null after an error.
Value GroupQueryImport::scaleOf(unsigned input, StringRef kind) {
  Dims dims = n.inputDims(input);
  SymbolicExpr size = n.dims(key)[3];
  bool isSingle = kind == "PER_TENSOR";
  SymbolicExpr expected = isSingle ? SymbolicExpr(1) : SymbolicExpr(keyHeads) * size;
  if (graph::numElements(dims) == expected)
    return n.cast(n.reshape(n.input(input), isSingle ? Dims() : Dims{keyHeads, 1, size}),
                  f32());
  (void)n.fail(ErrorCode::ShapeMismatch, "the scales of a cache do not fit",
               kind +
                   " scales: " + (isSingle ? "one" : "[1, kv_num_heads, 1, head size]"),
               graph::printDims(dims), "export the model again");
  return {};
}

/// Multiplies or divides x [B, heads, S, size] by the scale of its key head, in f32.
Value GroupQueryImport::perKeyHead(BinaryKind kind, Value x, Value scale) {
  if (!x || !scale)
    return {};
  Dims dims = n.dims(x), shape = dims;
  if (n.rank(scale)) {
    SymbolicExpr shared = *dims[1].getConstant() / keyHeads;
    shape = {dims[0], keyHeads, shared, dims[2], dims[3]};
    scale = n.unsqueeze(scale, 1);
  }
  Value wide = n.reshape(n.cast(x, f32()), shape);
  return n.reshape(n.binary(kind, wide, scale), dims);
}

/// Quantizes new keys and values, and multiplies queries by the key scales.
LogicalResult GroupQueryImport::toCodes() {
  if (!codes)
    return success();
  keyScale = scaleOf(gqa::KeyScale, n.stringAttr("k_quant_type", ""));
  valueScale = scaleOf(gqa::ValueScale, n.stringAttr("v_quant_type", ""));
  if (!keyScale || !valueScale)
    return failure();
  key = roundToCodes(n, perKeyHead(BinaryKind::div, key, keyScale), codes);
  value = roundToCodes(n, perKeyHead(BinaryKind::div, value, valueScale), codes);
  query = perKeyHead(BinaryKind::mul, query, keyScale);
  return success(key && value && query);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

LogicalResult GroupQueryImport::appendPast() {
  query = n.transpose(query, {0, 2, 1, 3});
  key = n.transpose(key, {0, 2, 1, 3});
  value = n.transpose(value, {0, 2, 1, 3});
  if (failed(toCodes()))
    return failure();
  if (n.hasInput(gqa::PastKey)) {
    key = n.concat({n.input(gqa::PastKey), key}, 2);
    value = n.concat({n.input(gqa::PastValue), value}, 2);
  }
  if (!query || !key || !value)
    return failure();
  if ((n.wantsOutput(gqa::PresentKey) && failed(n.result(key, gqa::PresentKey))) ||
      (n.wantsOutput(gqa::PresentValue) && failed(n.result(value, gqa::PresentValue))))
    return failure();
  return success();
}

/// Returns an additional score per head in the softmax's denominator; smooth_softmax adds
/// a score of 0. If both are given, ONNX Runtime uses head_sink.
Value GroupQueryImport::sinks() {
  if (n.hasInput(gqa::HeadSink))
    return besideCodes(n.input(gqa::HeadSink));
  return n.intAttr("smooth_softmax", 0) == 1
             ? n.fill({queryHeads}, n.elementType(query), 0)
             : Value();
}

/// Returns lengths of sequences shorter than the rows, needed without a past and
/// causality.
Value GroupQueryImport::lengths() {
  if (causal || n.hasInput(gqa::PastKey) || fillsPast())
    return {};
  Value before = n.reshape(n.input(gqa::Lengths), {n.dims(query)[0]});
  return n.binary(BinaryKind::add, before, n.scalarLike(before, 1));
}

Value GroupQueryImport::attention() {
  double size = double(n.dims(query)[3].getConstant().value_or(1));
  double scale = n.floatAttr("scale", 0);
  // A single query at the end sees all keys, or the last ones of a window.
  bool hidesKeys = causal && (window > 0 || !added.isConstant(1));
  constexpr int64_t kMaxWindow = int64_t(1) << 30; // graph.attention's limit
  Value ones;
  if (codes) {
    Dims dims = n.dims(key);
    dims.pop_back();
    ones = n.fill(dims, f32(), 1);
  }
  return n.attention(query, key, value, besideCodes(n.input(gqa::Bias)),
                     scale == 0 ? 1 / std::sqrt(size) : scale, hidesKeys, lengths(),
                     /*fromLength=*/false, /*maskedZero=*/true,
                     std::max(n.floatAttr("softcap", 0), 0.0), sinks(),
                     std::clamp<int64_t>(window, 0, kMaxWindow), ones);
}

LogicalResult GroupQueryImport::run() {
  if (failed(checkForm()) || failed(split()) || failed(checkPast()) ||
      failed(normalize()) || failed(rotate()) || failed(appendPast()))
    return failure();
  Type type = n.elementType(n.input(gqa::Query));
  Value y = attention();
  if (codes)
    y = n.cast(perKeyHead(BinaryKind::mul, y, valueScale), type);
  return n.result(mergeHeads(n, y), gqa::Result);
}

LogicalResult kiln::import::importGroupQueryAttention(Node &n) {
  return GroupQueryImport(n).run();
}

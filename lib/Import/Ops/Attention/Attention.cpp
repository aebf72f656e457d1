//===- Attention.cpp - ONNX's Attention -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports one graph.attention or, for a model that has a softcap or reads the scores,
// separate ops. If editions of ONNX disagree, the latest one counts: the softcap is
// applied before the mask, and a query whose mask hides all keys gets zero weights.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Cache.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Types.h"

#include <cmath>
#include <limits>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::UnaryKind;

namespace {
enum Inputs { Query, Key, ValueInput, Mask, PastKey, PastValue, Lengths };
enum Outputs { Result, PresentKey, PresentValue, Scores };

class AttentionImport {
public:
  explicit AttentionImport(Node &n) : n(n) {}
  LogicalResult run();

private:
  LogicalResult checkForm();
  void markLengths();
  /// Returns true if an input has the number of valid keys of each sequence. False with
  /// empty caches, where all keys are new and valid.
  bool hasLengths() { return n.hasInput(Lengths) && !hasEmptyCaches(n); }
  LogicalResult readOperands();
  Value asHeads(unsigned input, StringRef attribute);
  LogicalResult readMask();
  bool padMask(Value &mask);
  Value positions();
  void maskBehind(int64_t distance);
  void maskBefore(int64_t distance);
  LogicalResult readPositions();
  void addToMask(Value term);
  Value keepWhere(Value condition);
  LogicalResult finish(Value y);

  // Separate ops.
  void maskPositions();
  Value repeatHeads(Value x);
  Value weights(Value scores);
  LogicalResult runSteps();

  Node &n;
  Value query, key, value; ///< [B, heads, length, size]
  Value mask;              ///< added to the scores; null: none
  Type type;               ///< of query, key and value
  SymbolicExpr queries, keys, past = 0;
  bool causal = false; ///< as in graph.attention: the last query sees all keys
  int64_t window = 0;  ///< with causal: visible keys per query; 0: all
  double scale = 1;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LogicalResult AttentionImport::checkForm() {
  if (n.inputRank(Query) != 4 &&
      (n.inputRank(Query) != 3 || n.intAttr("q_num_heads", 0) <= 0 ||
       n.intAttr("kv_num_heads", 0) <= 0))
    return n.fail(ErrorCode::NodeInvalid,
                  "the attributes or ranks of Attention are wrong",
                  "rank 4, or rank 3 with q_num_heads and kv_num_heads",
                  "rank " + Twine(n.inputRank(Query)), "export the model again");
  if (n.hasInput(PastKey) != n.hasInput(PastValue))
    return n.fail(ErrorCode::NodeInvalid, "Attention has one of past_key and past_value",
                  "both or none", n.hasInput(PastKey) ? "past_key" : "past_value",
                  "export the model again");
  if (n.hasInput(Lengths) && n.hasInput(PastKey))
    return n.unsupported("Attention with nonpad_kv_seqlen and a past",
                         "keys and values in place", "both");
  return success();
}

Value AttentionImport::asHeads(unsigned input, StringRef attribute) {
  if (n.inputRank(input) == 4)
    return n.input(input);
  return splitHeads(n, n.input(input), n.intAttr(attribute, 0));
}

/// Marks the input of lengths as the "total" of a cache if keys are that cache's rows
/// followed by new ones, so that the cache may become state.
void AttentionImport::markLengths() {
  Value input = n.input(Key);
  auto keys = input ? input.getDefiningOp<graph::ConcatOp>() : graph::ConcatOp();
  auto cache = keys ? dyn_cast<BlockArgument>(keys.getInputs().front()) : BlockArgument();
  if (cache && isCache(cache) && n.hasInput(Lengths))
    if (auto lengths = dyn_cast<BlockArgument>(n.input(Lengths)))
      markCache(lengths, "total");
}

LogicalResult AttentionImport::readOperands() {
  markLengths();
  query = asHeads(Query, "q_num_heads");
  key = asHeads(Key, "kv_num_heads");
  value = asHeads(ValueInput, "kv_num_heads");
  if (!query || !key || !value)
    return failure();
  if (n.hasInput(PastKey)) {
    key = n.concat({n.input(PastKey), key}, 2);
    value = n.concat({n.input(PastValue), value}, 2);
    if (!key || !value)
      return failure();
    past = n.dims(n.input(PastKey))[2];
  }
  type = n.elementType(query);
  queries = n.dims(query)[2];
  keys = n.dims(key)[2];
  double size = double(n.dims(query)[3].getConstant().value_or(1));
  scale = n.floatAttr("scale", 1 / std::sqrt(size));
  return success();
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Returns 0 where the condition holds, else minus infinity.
Value AttentionImport::keepWhere(Value condition) {
  return n.select(condition, n.scalar(type, 0),
                  n.scalar(type, -std::numeric_limits<double>::infinity()));
}

void AttentionImport::addToMask(Value term) {
  mask = mask ? n.binary(BinaryKind::add, mask, term) : term;
}

/// Pads a mask shorter than the keys: from opset 24 on it hides the keys after its end.
bool AttentionImport::padMask(Value &mask) {
  Dims dims = n.dims(mask);
  if (n.sinceVersion() < 24 || dims.empty() || dims.back() == keys ||
      n.symbols.isAtLeast(keys, dims.back()) != true)
    return true;
  dims.back() = keys - dims.back();
  Value rest = n.fill(dims, type, -std::numeric_limits<double>::infinity());
  mask = n.concat({mask, rest}, int64_t(dims.size()) - 1);
  return bool(mask);
}

LogicalResult AttentionImport::readMask() {
  if (!n.hasInput(Mask))
    return success();
  mask = n.input(Mask);
  if (!mask)
    return failure();
  if (n.rank(mask) > 4)
    return n.unsupported("the rank of the mask", "at most 4", Twine(n.rank(mask)));
  mask = n.elementType(mask).isInteger(1) ? keepWhere(mask) : n.cast(mask, type);
  return success(mask && padMask(mask));
}

/// Returns the position of each query among the keys: past + i or, with lengths, at the
/// end of the sequence. Shape [queries, 1], or with lengths [batch, 1, queries, 1].
Value AttentionImport::positions() {
  Type i64 = n.builder.getI64Type();
  if (!hasLengths()) {
    Value position = n.iota({queries, 1}, i64, 0);
    return past.isConstant(0) ? position
                              : n.binary(BinaryKind::add, position,
                                         n.integers(IntTensor::scalar(past, i64)));
  }
  Value end = n.reshape(n.cast(n.input(Lengths), i64), {n.dims(query)[0], 1, 1, 1});
  Value first =
      n.binary(BinaryKind::sub, end, n.integers(IntTensor::scalar(queries, i64)));
  return n.binary(BinaryKind::add, n.iota({1, 1, queries, 1}, i64, 2), first);
}

/// Hides keys after position + `distance`.
void AttentionImport::maskBehind(int64_t distance) {
  Type i64 = n.builder.getI64Type();
  Value last = n.binary(BinaryKind::add, positions(), n.scalar(i64, distance));
  addToMask(
      keepWhere(n.compare(CompareKind::less_equal, n.iota({1, keys}, i64, 1), last)));
}

/// Hides keys before position - `distance`.
void AttentionImport::maskBefore(int64_t distance) {
  Type i64 = n.builder.getI64Type();
  Value first = n.binary(BinaryKind::sub, positions(), n.scalar(i64, distance));
  addToMask(
      keepWhere(n.compare(CompareKind::greater_equal, n.iota({1, keys}, i64, 1), first)));
}

/// Reads causality and, from opset 25 on, window sizes to the left and right of a query's
/// position. With lengths, a sequence's queries are at its last positions.
LogicalResult AttentionImport::readPositions() {
  constexpr int64_t kMaxWindow = int64_t(1) << 30; // graph.attention's limit
  bool hasWindows = n.sinceVersion() >= 25;
  int64_t left = hasWindows ? n.intAttr("left_window_size", -1) : -1,
          right = hasWindows ? n.intAttr("right_window_size", -1) : -1;
  bool isCausal = n.intAttr("is_causal", 0) || right == 0,
       isLast = past == keys - queries;
  // A single query at the end sees all keys.
  causal =
      isCausal && (hasLengths() || (isLast && (left >= 0 || !queries.isConstant(1))));
  bool isMasked = false;
  auto hide = [&](void (AttentionImport::*keys)(int64_t), int64_t distance) {
    (this->*keys)(distance);
    isMasked = true;
  };
  if (isCausal && !causal && !isLast)
    hide(&AttentionImport::maskBehind, 0);
  if (!isCausal && right >= 0)
    hide(&AttentionImport::maskBehind, right);
  if (left >= 0 && causal)
    window = std::min(left, kMaxWindow - 1) + 1;
  else if (left >= 0)
    hide(&AttentionImport::maskBefore, left);
  return success(!isMasked || mask);
}

//===----------------------------------------------------------------------===//
// Separate ops
//===----------------------------------------------------------------------===//

/// Expresses causality, its window and the lengths as terms added to the scores.
void AttentionImport::maskPositions() {
  if (causal)
    maskBehind(0);
  if (window > 0)
    maskBefore(window - 1);
  if (!hasLengths())
    return;
  Type i64 = n.builder.getI64Type();
  Value lengths = n.cast(n.input(Lengths), i64);
  Value end = n.reshape(lengths, {n.dims(query)[0], 1, 1, 1});
  Value index = n.iota({1, 1, 1, keys}, i64, 3);
  addToMask(keepWhere(n.compare(CompareKind::less, index, end)));
}

Value kiln::import::repeatHeads(Node &n, Value x, int64_t heads) {
  if (!x)
    return {};
  Dims dims = n.dims(x);
  int64_t own = dims[1].getConstant().value_or(0);
  if (heads <= 0 || own <= 0 || heads == own || heads % own)
    return x; // the matmul reports a mismatch
  Value wide =
      n.broadcast(n.unsqueeze(x, 2), {dims[0], dims[1], heads / own, dims[2], dims[3]});
  return n.reshape(wide, {dims[0], heads, dims[2], dims[3]});
}

/// Repeats key heads for all query heads.
Value AttentionImport::repeatHeads(Value x) {
  return import::repeatHeads(n, x, n.dims(query)[1].getConstant().value_or(0));
}

/// Computes the softmax; rows that the mask hides entirely get zero weights.
Value AttentionImport::weights(Value scores) {
  Type precise = type;
  if (n.hasAttr("softmax_precision"))
    precise =
        elementTypeOf(int(n.intAttr("softmax_precision", 0)), n.builder.getContext());
  if (!precise || !isa<FloatType>(precise)) {
    (void)n.fail(ErrorCode::ElementType, "a softmax of this type is not supported",
                 "float, double, float16 or bfloat16",
                 onnxTypeName(int(n.intAttr("softmax_precision", 0))),
                 "leave softmax_precision out");
    return {};
  }
  Value result = n.cast(n.softmax(n.cast(scores, precise), 3), type);
  if (!mask)
    return result;
  int64_t last = n.rank(mask) - 1;
  Value highest = last < 0 ? mask : n.reduce(graph::ReduceKind::max, mask, {last}, true);
  Value lowest = n.scalar(type, -std::numeric_limits<double>::infinity());
  return n.select(n.compare(CompareKind::equal, highest, lowest), n.scalar(type, 0),
                  result);
}

LogicalResult AttentionImport::runSteps() {
  maskPositions();
  if (scale < 0)
    return n.fail(ErrorCode::NodeInvalid, "the scale of Attention is negative",
                  "zero or more, of which ONNX takes the root", std::to_string(scale),
                  "export the model again");
  // Scales query and key by the same factor, so that neither their product nor one of
  // them overflows in 16-bit types.
  Value root = n.scalar(type, std::sqrt(scale));
  Value scores = n.matmul(n.binary(BinaryKind::mul, query, root),
                          n.binary(BinaryKind::mul, repeatHeads(key), root),
                          /*transposeA=*/false, /*transposeB=*/true);
  SmallVector<Value, 4> modes{scores};
  if (double limit = n.floatAttr("softcap", 0); limit != 0) {
    Value factor = n.scalar(type, limit);
    scores = n.unary(UnaryKind::tanh, n.binary(BinaryKind::div, scores, factor));
    scores = n.binary(BinaryKind::mul, scores, factor);
  }
  modes.push_back(scores);
  if (mask)
    scores = n.binary(BinaryKind::add, scores, mask);
  modes.push_back(scores);
  modes.push_back(weights(scores));
  int64_t mode = n.intAttr("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3)
    return n.fail(ErrorCode::NodeInvalid, "qk_matmul_output_mode is out of range",
                  "0 to 3", Twine(mode), "export the model again");
  if (n.wantsOutput(Scores) && failed(n.result(modes[mode], Scores)))
    return failure();
  return finish(n.matmul(modes.back(), repeatHeads(value)));
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

LogicalResult AttentionImport::finish(Value y) {
  if ((n.wantsOutput(PresentKey) && failed(n.result(key, PresentKey))) ||
      (n.wantsOutput(PresentValue) && failed(n.result(value, PresentValue))))
    return failure();
  return n.result(n.inputRank(Query) == 4 ? y : mergeHeads(n, y), Result);
}

LogicalResult AttentionImport::run() {
  if (failed(checkForm()) || failed(readOperands()) || failed(readMask()) ||
      failed(readPositions()))
    return failure();
  double softcap = n.floatAttr("softcap", 0);
  if (n.wantsOutput(Scores) || softcap < 0)
    return runSteps();
  Value lengths = hasLengths() ? n.input(Lengths) : Value();
  return finish(n.attention(query, key, value, mask, scale, causal, lengths,
                            /*fromLength=*/causal && lengths, /*maskedZero=*/true,
                            softcap, /*sinks=*/{}, window));
}

LogicalResult kiln::import::importStandardAttention(Node &n) {
  return AttentionImport(n).run();
}

//===- ContribAttention.cpp - com.microsoft: attention --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Cache.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Ops/Quantization.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;

Value kiln::import::splitHeads(Node &n, Value x, int64_t heads) {
  if (!x)
    return {};
  Dims dims = n.dims(x);
  std::optional<int64_t> width = dims.size() == 3 ? dims[2].getConstant() : std::nullopt;
  if (!width || *width % heads) {
    (void)n.fail(ErrorCode::ShapeMismatch, "the heads do not divide the hidden size",
                 "[batch, length, a multiple of " + Twine(heads) + "]",
                 graph::printDims(dims), "check num_heads");
    return {};
  }
  Value split = n.reshape(x, {dims[0], dims[1], heads, *width / heads});
  return n.transpose(split, {0, 2, 1, 3});
}

Value kiln::import::mergeHeads(Node &n, Value x) {
  if (!x)
    return {};
  Dims dims = n.dims(x);
  return n.reshape(n.transpose(x, {0, 2, 1, 3}), {dims[0], dims[2], dims[1] * dims[3]});
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Keeps keys before the end of each sequence, and from its start on if starts are given.
/// `limits` has batch ends, then batch starts or nothing; with 3 * batch + 2 elements,
/// batch ends and their cumulative sums, which are not needed.
static Value keepRange(Node &n, Value limits, const SymbolicExpr &batch,
                       const SymbolicExpr &keys) {
  Type type = n.elementType(limits);
  Dims column{batch, 1, 1, 1};
  bool both = n.dims(limits)[0] == batch * SymbolicExpr(2) && !batch.isConstant(0);
  Value index = n.iota({1, 1, 1, keys}, type, 3);
  Value ends = n.slice(limits, 0, 0, batch);
  Value keep = n.compare(CompareKind::less, index, n.reshape(ends, column));
  if (!both)
    return keep;
  Value starts = n.reshape(n.slice(limits, 0, batch, batch), column);
  return n.binary(BinaryKind::logical_and, keep,
                  n.compare(CompareKind::greater_equal, index, starts));
}

/// Returns the positions that an integer mask keeps, broadcastable to [B, heads, S, T].
static Value keptPositions(Node &n, Value mask, const Heads &heads) {
  Dims q = n.dims(heads.query), k = n.dims(heads.key);
  SymbolicExpr length = q[2], keys = k[2];
  switch (n.rank(mask)) {
  case 1: {
    SymbolicExpr size = n.dims(mask)[0];
    if (size != q[0] * SymbolicExpr(2) && size != q[0] * SymbolicExpr(3) + 2 &&
        failed(n.unify(size, q[0], "the mask does not fit")))
      return {};
    return keepRange(n, mask, q[0], keys);
  }
  case 2:
    mask = n.unsqueeze(n.unsqueeze(mask, 1), 1);
    break;
  case 3:
    mask = n.unsqueeze(mask, 1);
    break;
  case 4: // [B, 1, max, max]: the last rows of the used part
    mask = n.slice(n.slice(mask, 2, keys - length, length), 3, 0, keys);
    break;
  default:
    (void)n.unsupported("the rank of the mask", "rank 1 to 4", Twine(n.rank(mask)));
    return {};
  }
  return n.compare(CompareKind::greater, mask, n.scalarLike(mask, 0));
}

/// Builds the term that is added to the scores: the filter value where the mask hides a
/// key, plus the bias.
static LogicalResult additiveMask(Node &n, unsigned mask, unsigned bias,
                                  const Heads &heads, Value &result) {
  Type type = n.elementType(heads.query);
  if (n.hasInput(mask)) {
    double filter = n.floatAttr("mask_filter_value", -10000.0);
    // A filter value chosen for f32 must stay finite in models converted to f16.
    constexpr double kLowestHalf = -65504;
    if (type.isF16() && filter < kLowestHalf)
      type = n.builder.getF32Type();
    Value keep = keptPositions(n, n.input(mask), heads);
    result = n.select(keep, n.scalar(type, 0), n.scalar(type, filter));
    if (!result)
      return failure();
  }
  if (n.hasInput(bias)) {
    result = result ? n.binary(BinaryKind::add, result, n.cast(n.input(bias), type))
                    : n.input(bias);
    if (!result)
      return failure();
  }
  return success();
}

LogicalResult kiln::import::attend(Node &n, const Heads &heads, unsigned mask,
                                   unsigned bias) {
  if (!heads.query || !heads.key || !heads.value)
    return failure();
  Value additive;
  if (failed(additiveMask(n, mask, bias, heads, additive)))
    return failure();
  // Only past and new keys are supported. For others, ONNX Runtime lets the last query
  // see all keys, but aligns the others with the first keys.
  bool causal = n.intAttr("unidirectional", 0);
  SymbolicExpr ends = heads.past + n.dims(heads.query)[2];
  if (causal &&
      failed(n.unify(n.dims(heads.key)[2], ends,
                     "the keys of a causal attention are not past and new ones")))
    return failure();
  double size = double(n.dims(heads.query)[3].getConstant().value_or(1));
  double scale = n.floatAttr("scale", 0);
  Value y = n.attention(heads.query, heads.key, heads.value, additive,
                        scale == 0 ? 1 / std::sqrt(size) : scale, causal);
  return n.result(mergeHeads(n, y));
}

//===----------------------------------------------------------------------===//
// Attention: one weight for query, key and value
//===----------------------------------------------------------------------===//

/// Returns keys (index 0) or values (1) of earlier steps, from past [2, B, heads, P,
/// size].
static Value pastOf(Node &n, unsigned past, int64_t index) {
  Value one = n.slice(n.input(past), 0, index, 1);
  if (!one)
    return {};
  Dims dims = n.dims(one);
  dims.erase(dims.begin());
  return n.reshape(one, dims);
}

static LogicalResult appendPast(Node &n, unsigned past, Heads &heads) {
  if (n.hasInput(past)) {
    if (n.inputRank(past) != 5)
      return n.unsupported("the rank of past", "rank 5", Twine(n.inputRank(past)));
    heads.past = n.inputDims(past)[3];
    heads.key = n.concat({pastOf(n, past, 0), heads.key}, 2);
    heads.value = n.concat({pastOf(n, past, 1), heads.value}, 2);
  }
  if (!heads.key || !heads.value)
    return failure();
  if (!n.wantsOutput(1))
    return success();
  return n.result(n.concat({n.unsqueeze(heads.key, 0), n.unsqueeze(heads.value, 0)}, 0),
                  1);
}

/// Handles past and present in one buffer, of which past_sequence_length rows are valid.
static LogicalResult shareBuffer(Node &n, unsigned past, unsigned length) {
  if (!n.intAttr("past_present_share_buffer", 0) && !n.hasInput(length))
    return success();
  if (!n.hasInput(past) || !n.hasInput(length))
    return n.fail(ErrorCode::NodeInvalid, "a shared buffer of Attention is not complete",
                  "past and past_sequence_length", "one of them",
                  "export the model again");
  markLength(n, length, "past");
  return markCaches(n, {past});
}

namespace {
/// Indices of the inputs that Attention and QAttention have in addition to the operands
/// of their projection to queries, keys and values.
struct JointInputs {
  unsigned mask, past, scoreBias;
};
} // namespace

static LogicalResult checkJoint(Node &n) {
  enum : unsigned { Input, Weight };
  int64_t heads = n.intAttr("num_heads", 0);
  if (heads <= 0 || n.inputRank(Input) != 3 || n.inputRank(Weight) != 2)
    return n.fail(ErrorCode::NodeInvalid,
                  "the attributes or ranks of " + n.op() + " are wrong",
                  "num_heads > 0, input of rank 3, weights of rank 2",
                  "num_heads " + Twine(heads), "export the model again");
  if (n.intAttr("do_rotary", 0))
    return n.fail(ErrorCode::FormUnsupported,
                  "the rotation in " + n.op() +
                      " (do_rotary) is not defined by its attributes",
                  "a rotation whose tables the model holds", "do_rotary 1",
                  "export the model with RotaryEmbedding and MultiHeadAttention");
  return success();
}

/// Builds the attention of query, key and value, which are concatenated in joint [B, S,
/// widths].
static LogicalResult attendJoint(Node &n, Value joint, const JointInputs &inputs) {
  if (!joint)
    return failure();
  std::optional<int64_t> width = n.dims(joint)[2].getConstant();
  SmallVector<int64_t> sizes =
      n.intsAttr("qkv_hidden_sizes")
          .value_or(SmallVector<int64_t>(3, width.value_or(0) / 3));
  if (!width || sizes.size() != 3 || sizes[0] + sizes[1] + sizes[2] != *width)
    return n.fail(
        ErrorCode::ShapeMismatch, "the weights do not hold query, key and value",
        "three parts of the last dim", n.dims(joint)[2].str(), "check qkv_hidden_sizes");
  Value parts[3];
  for (int64_t i = 0, start = 0; i < 3; start += sizes[i++])
    parts[i] =
        splitHeads(n, n.slice(joint, 2, start, sizes[i]), n.intAttr("num_heads", 0));
  Heads split{parts[0], parts[1], parts[2]};
  if (!split.query || failed(appendPast(n, inputs.past, split)))
    return failure();
  return attend(n, split, inputs.mask, inputs.scoreBias);
}

LogicalResult kiln::import::importAttention(Node &n) {
  enum : unsigned { Input, Weight, Bias, Mask, Past, ScoreBias, PastLength };
  if (failed(checkJoint(n)) || failed(shareBuffer(n, Past, PastLength)))
    return failure();
  Value joint = n.matmul(n.input(Input), n.input(Weight));
  if (n.hasInput(Bias))
    joint = n.binary(BinaryKind::add, joint, n.input(Bias));
  return attendJoint(n, joint, {Mask, Past, ScoreBias});
}

/// Imports Attention with an integer projection. Its result, scaled and with bias, is
/// float, and so is the attention.
LogicalResult kiln::import::importQAttention(Node &n) {
  enum : unsigned {
    Input,
    Weight,
    Bias,
    InputScale,
    WeightScale,
    Mask,
    InputZero,
    WeightZero,
    Past,
    End
  };
  if (failed(checkJoint(n)))
    return failure();
  if (n.intAttr("past_present_share_buffer", 0))
    return n.unsupported("a form of QAttention", "a past and a present of their own",
                         "past_present_share_buffer 1");
  Value joint = integerProductToFloat(
      n, {Input, Weight, InputScale, WeightScale, InputZero, WeightZero, Bias});
  return attendJoint(n, joint, {Mask, Past, /*scoreBias=*/End});
}

//===- Attention.cpp - ONNX's Attention with lengths and causal ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All other forms of the op come through its function body.
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Attention.h"

#include <cmath>
#include <limits>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

namespace {
enum Inputs { Query, Key, ValueInput, Mask, PastKey, PastValue, Lengths };
} // namespace

bool kiln::import::isRaggedCausal(const onnx::NodeProto &node) {
  if (node.op_type() != "Attention" ||
      !(node.domain().empty() || node.domain() == "ai.onnx"))
    return false;
  bool causal = false;
  for (const onnx::AttributeProto &attribute : node.attribute())
    causal |= attribute.name() == "is_causal" && attribute.i();
  return causal && node.input_size() > Lengths && !node.input(Lengths).empty();
}

/// As [B, heads, length, size]; rank 3 is split.
static Value asHeads(Node &n, unsigned input, StringRef attribute) {
  if (n.inputRank(input) == 4)
    return n.input(input);
  return splitHeads(n, n.input(input), n.intAttr(attribute, 0));
}

/// What is added to the scores: a boolean mask keeps where it is true.
static LogicalResult readMask(Node &n, Type type, const SymbolicExpr &keys, Value &mask) {
  if (!n.hasInput(Mask))
    return success();
  mask = n.input(Mask);
  if (!mask)
    return failure();
  Dims dims = n.dims(mask);
  if (dims.empty() || (dims.back() != keys && !dims.back().isConstant(1)))
    return n.unsupported("a mask that is shorter than the keys",
                         "as many columns as keys", graph::printDims(dims));
  if (n.elementType(mask).isInteger(1))
    mask = n.select(mask, n.scalar(type, 0),
                    n.scalar(type, -std::numeric_limits<double>::infinity()));
  return success(bool(mask));
}

LogicalResult kiln::import::importRaggedCausal(Node &n) {
  bool isSplit = n.inputRank(Query) == 4;
  if (!isSplit && (n.inputRank(Query) != 3 || n.intAttr("q_num_heads", 0) <= 0 ||
                   n.intAttr("kv_num_heads", 0) <= 0))
    return n.fail(ErrorCode::NodeInvalid,
                  "the attributes or ranks of Attention are wrong",
                  "rank 4, or rank 3 with q_num_heads and kv_num_heads",
                  "rank " + Twine(n.inputRank(Query)), "export the model again");
  if (n.hasInput(PastKey) || n.hasInput(PastValue) || n.wantsOutput(1) ||
      n.wantsOutput(2) || n.wantsOutput(3))
    return n.unsupported("Attention with nonpad_kv_seqlen and a past, or its scores",
                         "keys and values in place, one result", "more");
  Value query = asHeads(n, Query, "q_num_heads"), key = asHeads(n, Key, "kv_num_heads"),
        value = asHeads(n, ValueInput, "kv_num_heads"), mask;
  if (!query || !key || !value ||
      failed(readMask(n, n.elementType(query), n.dims(key)[2], mask)))
    return failure();
  double size = double(n.dims(query)[3].getConstant().value_or(1));
  Value y =
      n.attention(query, key, value, mask, n.floatAttr("scale", 1 / std::sqrt(size)),
                  /*causal=*/true, n.input(Lengths), /*fromLength=*/true);
  return n.result(isSplit ? y : mergeHeads(n, y));
}

//===- FlexAttention.cpp - Attention with modified scores -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Choice.h"
#include "lib/Import/Ops/Ops.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;

/// Returns the result of a modifier subgraph applied to a tensor; the tensor if there is
/// none.
static Value modified(Node &n, StringRef name, Value x) {
  const onnx::AttributeProto *attribute = n.attr(name);
  if (!attribute || !x)
    return x;
  if (attribute->g().input_size() != 1 || attribute->g().output_size() != 1) {
    (void)n.fail(ErrorCode::NodeInvalid, "a modifier of FlexAttention has another form",
                 "a graph with one input and one output",
                 Twine(attribute->g().input_size()) + " inputs and " +
                     Twine(attribute->g().output_size()) + " outputs",
                 "correct attribute " + name);
    return {};
  }
  FailureOr<SmallVector<Operand>> results = n.branch(attribute->g(), {Operand{x, {}}});
  if (failed(results))
    return {};
  Value result = makeValue(n, results->front());
  if (result && n.dims(result) != n.dims(x)) {
    (void)n.fail(ErrorCode::ShapeMismatch,
                 "a modifier of FlexAttention changes the shape",
                 graph::printDims(n.dims(x)), graph::printDims(n.dims(result)),
                 "correct attribute " + name);
    return {};
  }
  return result;
}

/// Imports FlexAttention-1 of ai.onnx.preview: scores are modified, then the softmax's
/// result is modified and multiplied by values.
LogicalResult kiln::import::importFlexAttention(Node &n) {
  Dims q = n.inputDims(0), k = n.inputDims(1), v = n.inputDims(2);
  auto headsOf = [](const Dims &dims) {
    return dims.size() == 4 ? dims[1].getConstant().value_or(0) : 0;
  };
  int64_t heads = headsOf(q), own = headsOf(k);
  if (heads < 1 || own < 1 || headsOf(v) != own || heads % own || !q[3].isConstant())
    return n.fail(ErrorCode::ShapeMismatch, "query, key and value do not fit together",
                  "[batch, heads, length, size], and key heads that divide query heads",
                  graph::printDims(q) + ", " + graph::printDims(k) + " and " +
                      graph::printDims(v),
                  "check the shapes of the inputs");
  Type type = n.inputType(0).getElementType(), precise = n.builder.getF32Type();
  if (type.isF64() || n.intAttr("softmax_precision", 1) == 11)
    precise = n.builder.getF64Type();
  double scale = n.floatAttr("scale", 1 / std::sqrt(double(*q[3].getConstant())));
  Value query = n.input(0), key = n.input(1), value = n.input(2);
  if (!query || !key || !value)
    return failure();
  Value scores = n.matmul(query, repeatHeads(n, key, heads), false, /*transposeB=*/true);
  scores = n.cast(scores, precise);
  scores = n.binary(BinaryKind::mul, scores, n.scalar(precise, scale));
  scores = modified(n, "score_mod", scores);
  Value weights = scores ? n.softmax(scores, 3) : Value();
  weights = n.cast(modified(n, "prob_mod", weights), type);
  return n.result(n.matmul(weights, repeatHeads(n, value, heads)));
}

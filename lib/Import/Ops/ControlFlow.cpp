//===- ControlFlow.cpp - Branches decided during import -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters write If for what depends on shapes alone: only the branch that is taken
// is imported, and what it must support is what it holds.
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

LogicalResult kiln::import::importIf(Node &n) {
  const IntTensor *condition = n.requireContent(0, "condition");
  if (!condition)
    return failure();
  std::optional<SmallVector<int64_t>> values = condition->constants();
  if (!values || values->size() != 1)
    return n.fail(ErrorCode::NodeInvalid, "the condition is not one truth value",
                  "a tensor with one element",
                  Twine(condition->elements.size()) + " elements", "correct the condition");
  const onnx::AttributeProto *branch =
      n.attr(values->front() ? "then_branch" : "else_branch");
  if (!branch || !branch->has_g())
    return n.fail(ErrorCode::NodeInvalid, "a branch is missing",
                  "then_branch and else_branch", "one of them", "correct the node");
  FailureOr<SmallVector<Operand>> results = n.branch(branch->g());
  if (failed(results))
    return failure();
  if (results->size() != n.numOutputs())
    return n.fail(ErrorCode::NodeInvalid, "a branch has not the outputs of its node",
                  Twine(n.numOutputs()) + " outputs", Twine(results->size()),
                  "correct the branch");
  for (auto [i, result] : llvm::enumerate(*results))
    if (failed(n.result(result, i)))
      return failure();
  return success();
}

//===- ControlFlow.cpp - If -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters use If for code that depends on shapes only: only the branch that is taken is
// imported, so ops of the other one need no support. If the condition is known only at
// run time, both branches are imported, if they have few nodes, and their results are
// selected. An example are Phi 3's rotary tables, which depend on the sequence length.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Choice.h"
#include "lib/Import/Ops/Ops.h"
#include "mlir/IR/Diagnostics.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

/// Returns true if two values can be results of an If with unknown condition: their types
/// are equal, or they are tables of static shapes that differ only in the number of rows.
static bool areAlike(const Operand &a, const Operand &b) {
  RankedTensorType first = a.type(), second = b.type();
  if (first == second)
    return true;
  return first.getElementType() == second.getElementType() && first.hasStaticShape() &&
         second.hasStaticShape() && first.getRank() == second.getRank() &&
         first.getRank() > 0 &&
         first.getShape().drop_front() == second.getShape().drop_front();
}

/// Maximum nodes of a branch: both branches are computed, so they must be cheap.
static constexpr int kMaxNodes = 64;

/// Counts nodes of a branch, including nested branches; nullopt if it has a loop.
static std::optional<int> countNodes(const onnx::GraphProto &branch) {
  int count = branch.node_size();
  for (const onnx::NodeProto &node : branch.node())
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      std::optional<int> inner = attribute.has_g() && node.op_type() == "If"
                                     ? countNodes(attribute.g())
                                     : std::nullopt;
      if ((attribute.has_g() || attribute.graphs_size()) && !inner)
        return std::nullopt;
      count += inner.value_or(0);
    }
  return count;
}

/// Returns true if an op after `last` reads or writes at computed indices: they may be
/// out of range, an error, if its branch is not the one taken.
static bool hasComputedPlaces(Block &block, Operation *last) {
  auto first = last ? std::next(last->getIterator()) : block.begin();
  return std::any_of(first, block.end(), [](Operation &op) {
    return isa<graph::GatherOp, graph::ScatterOp>(op) &&
           !isa_and_present<graph::ConstantOp>(op.getOperand(1).getDefiningOp());
  });
}

namespace {
class IfImport {
public:
  explicit IfImport(Node &n) : n(n) {}
  LogicalResult run();

private:
  const IntTensor *requireCondition(const Twine &why);
  std::string whyOne() const;
  LogicalResult take(const IntTensor &condition);
  LogicalResult importBoth();
  LogicalResult select(ArrayRef<Operand> onTrue, ArrayRef<Operand> onFalse);
  LogicalResult checkCount(size_t found);

  Node &n;
  const onnx::AttributeProto *thenBranch = nullptr, *elseBranch = nullptr;
};
} // namespace

LogicalResult IfImport::checkCount(size_t found) {
  if (found == n.numOutputs())
    return success();
  return n.fail(ErrorCode::NodeInvalid, "a branch has not the outputs of its node",
                Twine(n.numOutputs()) + " outputs", Twine(found), "correct the branch");
}

/// Returns why only the branch that is taken can be computed; "" if both can be.
std::string IfImport::whyOne() const {
  for (const onnx::AttributeProto *branch : {thenBranch, elseBranch}) {
    std::optional<int> count = countNodes(branch->g());
    if (!count)
      return "a branch has a loop";
    if (*count > kMaxNodes)
      return "a branch has " + std::to_string(*count) +
             " nodes, and both would be computed";
  }
  return "";
}

/// Returns the condition, or null after an error that says how to make it known, and why
/// both branches cannot be computed.
const IntTensor *IfImport::requireCondition(const Twine &why) {
  // For a comparison of sizes the error can propose ranges.
  if (n.content(0) || n.undecidedInput(0))
    return n.requireContent(0, "condition");
  const std::string &name = n.getProto().input(0);
  if (!isa_and_present<BlockArgument>(n.input(0))) {
    (void)n.fail(ErrorCode::ShapeFromData,
                 "the condition is not known before the model runs",
                 "constants and sizes of dims, or branches of which both can be computed",
                 "values computed from data ('" + name + "'): " + why,
                 "cut the model before this node, and run the part that is needed");
    return nullptr;
  }
  (void)n.fail(ErrorCode::ShapeFromData,
               "the condition is not known before the model runs",
               "constants and sizes of dims", "the model's input '" + name + "'",
               "compile with --freeze " + name + "=true, or with " + name +
                   "=false for the other branch");
  return nullptr;
}

LogicalResult IfImport::take(const IntTensor &condition) {
  std::optional<SmallVector<int64_t>> values = condition.constants();
  if (!values || values->size() != 1)
    return n.fail(ErrorCode::NodeInvalid, "the condition is not one truth value",
                  "a tensor with one element",
                  Twine(condition.elements.size()) + " elements",
                  "correct the condition");
  FailureOr<SmallVector<Operand>> results =
      n.branch(values->front() ? thenBranch->g() : elseBranch->g());
  if (failed(results) || failed(checkCount(results->size())))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    if (failed(n.result(result, i)))
      return failure();
  return success();
}

LogicalResult IfImport::select(ArrayRef<Operand> onTrue, ArrayRef<Operand> onFalse) {
  Value condition = n.input(0);
  if (condition && n.rank(condition) > 0)
    condition = n.reshape(condition, {});
  if (!condition)
    return failure();
  for (auto [i, a, b] : llvm::enumerate(onTrue, onFalse)) {
    Operand chosen;
    chosen.choice =
        std::make_shared<const Choice>(Choice{condition, a, b, n.undecidedInput(0)});
    if (!areAlike(a, b))
      return failChoice(n, *chosen.choice);
    if (failed(n.result(chosen, i)))
      return failure();
  }
  return success();
}

/// Imports both branches. If one cannot be imported, or makes dims equal, it is valid for
/// some sizes only: the changes to the symbols are undone, and the condition has to be
/// known.
LogicalResult IfImport::importBoth() {
  Symbols before = n.symbols;
  Block &block = *n.builder.getInsertionBlock();
  Operation *last = block.empty() ? nullptr : &block.back();
  FailureOr<SmallVector<Operand>> onTrue, onFalse;
  std::string refusal;
  {
    ScopedDiagnosticHandler silent(n.builder.getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error && refusal.empty()) {
        Diagnosis inner = diagnosisOf(diagnostic);
        refusal = inner.where + ": " + inner.what + ", found " + inner.found;
      }
      return success();
    });
    onTrue = n.branch(thenBranch->g());
    if (succeeded(onTrue))
      onFalse = n.branch(elseBranch->g());
  }
  bool isNew = n.symbols.changes() != before.changes();
  if (isNew)
    n.symbols = before;
  std::string why = isNew ? "a branch holds for some sizes alone"
                    : failed(onTrue) || failed(onFalse)
                        ? "a branch cannot be imported: " + refusal
                    : hasComputedPlaces(block, last)
                        ? "a branch reads at computed places, which may be outside where "
                          "it is not taken"
                        : "";
  if (!why.empty()) {
    (void)requireCondition(why);
    return failure();
  }
  if (failed(checkCount(onTrue->size())) || failed(checkCount(onFalse->size())))
    return failure();
  return select(*onTrue, *onFalse);
}

LogicalResult IfImport::run() {
  thenBranch = n.attr("then_branch");
  elseBranch = n.attr("else_branch");
  if (!thenBranch || !elseBranch || !thenBranch->has_g() || !elseBranch->has_g())
    return n.fail(ErrorCode::NodeInvalid, "a branch is missing",
                  "then_branch and else_branch", "one of them", "correct the node");
  std::string why = whyOne();
  if (!n.content(0) && n.hasInput(0) && why.empty())
    return importBoth();
  const IntTensor *condition = requireCondition(why);
  return condition ? take(*condition) : failure();
}

LogicalResult kiln::import::importIf(Node &n) { return IfImport(n).run(); }

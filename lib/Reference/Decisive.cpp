//===- Decisive.cpp - Floats that become integers -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decisive.h"
#include "dialects/Graph/Indexing.h"

using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

static bool isFloat(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

/// Returns true for integers and for floats of 8 bits or fewer, whose adjacent values are
/// similarly far apart.
static bool isCoarse(Value value) {
  return !isFloat(value) ||
         isNarrow(cast<RankedTensorType>(value.getType()).getElementType());
}

static bool makesWhole(Operation *op) {
  if (auto unary = dyn_cast<UnaryOp>(op))
    return unary.getKind() == UnaryKind::floor || unary.getKind() == UnaryKind::ceil ||
           unary.getKind() == UnaryKind::round;
  return isa<QuantizeOp>(op) ||
         (isa<CastOp>(op) && isFloat(op->getOperand(0)) && isCoarse(op->getResult(0)));
}

static bool worksByElement(Operation *op) {
  return op->hasTrait<kiln::graph::Elementwise>() || !movedOperands(op).empty();
}

namespace {
struct Search {
  llvm::DenseSet<Value> values; ///< from which an integer is computed
  llvm::DenseSet<Operation *> ops;

  /// Visits ops in reverse, so that uses come before definitions.
  void run(Block &block) {
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      if (auto kernel = dyn_cast<KernelOp>(op))
        enter(kernel);
      else
        visit(&op);
    }
  }

private:
  void lead(Operation *op) {
    for (Value operand : op->getOperands())
      if (isFloat(operand))
        values.insert(operand);
  }
  void visit(Operation *op) {
    if (makesWhole(op))
      lead(op);
    if (op->getNumResults() != 1 || !values.contains(op->getResult(0)) ||
        !worksByElement(op))
      return;
    ops.insert(op);
    lead(op);
  }
  void enter(KernelOp kernel) {
    Block &body = kernel.getBlock();
    for (auto [result, yielded] :
         llvm::zip(kernel->getResults(), body.getTerminator()->getOperands()))
      if (values.contains(result))
        values.insert(yielded);
    run(body);
    for (auto [argument, operand] : llvm::zip(body.getArguments(), kernel->getOperands()))
      if (values.contains(argument))
        values.insert(operand);
  }
};
} // namespace

llvm::DenseSet<Operation *> kiln::reference::decisiveOps(Block &block) {
  Search search;
  search.run(block);
  return std::move(search.ops);
}

//===- DelayWidening.cpp - Delays widening of 16-bit weights --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rationale/weights.md explains why.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Indexing.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace kiln {
#define GEN_PASS_DEF_DELAYWIDENINGPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Returns the narrow type that all moved operands are widened from; null if there is
/// none.
static Type narrowType(ArrayRef<OpOperand *> moved) {
  Type narrow;
  for (OpOperand *operand : moved) {
    CastOp cast = asWidenedWeight(operand->get());
    if (!cast || (narrow && elementTypeOf(cast.getInput()) != narrow))
      return {};
    narrow = elementTypeOf(cast.getInput());
  }
  return narrow;
}

/// Applies the op to the narrow values and widens the result.
static void delay(Operation *op, ArrayRef<OpOperand *> moved, Type narrow) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  IRMapping narrower;
  for (OpOperand *operand : moved)
    narrower.map(operand->get(), operand->get().getDefiningOp<CastOp>().getInput());
  Operation *copy = builder.clone(*op, narrower);
  copy->getResult(0).setType(type.clone(narrow));
  auto widened = CastOp::create(builder, op->getLoc(), type, copy->getResult(0));
  replaceAndErase(op, widened);
}

unsigned kiln::delayWidening(func::FuncOp function) {
  unsigned delayed = 0;
  for (Block &block : function.getBody())
    // Operands precede their users, so one sweep moves a cast past an entire chain.
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (llvm::none_of(op.getOperands(), asWidenedWeight))
        continue;
      SmallVector<OpOperand *> moved = movedOperands(&op);
      if (Type narrow = narrowType(moved)) {
        delay(&op, moved, narrow);
        ++delayed;
      }
    }
  return delayed;
}

namespace {
class DelayWideningPass : public kiln::impl::DelayWideningPassBase<DelayWideningPass> {
public:
  void runOnGraph() override { numDelayed += delayWidening(getOperation()); }
};
} // namespace

//===- DelayWidening.cpp - Weights of 16 bits stay so as long as they can --===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rationale/weights.md says why.
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_DELAYWIDENINGPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// How many of the leading operands of an op it moves; 0: it is no movement.
static unsigned movedOperands(Operation *op) {
  if (isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp, GatherOp>(op))
    return 1;
  return isa<ConcatOp>(op) ? op->getNumOperands() : 0;
}

/// The narrow type that all of the moved operands are widened from; null if that is not
/// so.
static Type narrowType(Operation *op, unsigned moved) {
  Type narrow;
  for (Value operand : op->getOperands().take_front(moved)) {
    CastOp cast = asWidenedWeight(operand);
    if (!cast || (narrow && elementTypeOf(cast.getInput()) != narrow))
      return {};
    narrow = elementTypeOf(cast.getInput());
  }
  return narrow;
}

/// Moves what is narrow and widens the result.
static void delay(Operation *op, unsigned moved, Type narrow) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Operation *copy = builder.clone(*op);
  for (OpOperand &operand : copy->getOpOperands().take_front(moved))
    operand.set(operand.get().getDefiningOp<CastOp>().getInput());
  copy->getResult(0).setType(type.clone(narrow));
  auto widened = CastOp::create(builder, op->getLoc(), type, copy->getResult(0));
  replaceAndErase(op, widened);
}

unsigned kiln::delayWidening(func::FuncOp function) {
  unsigned delayed = 0;
  for (Block &block : function.getBody())
    // Operands stand before their users: one sweep moves a cast behind a whole chain.
    for (Operation &op : llvm::make_early_inc_range(block))
      if (unsigned moved = movedOperands(&op))
        if (Type narrow = narrowType(&op, moved)) {
          delay(&op, moved, narrow);
          ++delayed;
        }
  return delayed;
}

namespace {
class DelayWideningPass : public kiln::impl::DelayWideningPassBase<DelayWideningPass> {
public:
  void runOnOperation() override { numDelayed += delayWidening(getOperation()); }
};
} // namespace

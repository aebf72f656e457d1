//===- FoldConstants.cpp - Folds small ops on constants -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Reference/Folding.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace kiln {
#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Whether all operands are constants. Ops without operands (iota, fill, dims) are more
/// useful than their elements, unless the result is one scalar.
static bool isCandidate(Operation &op) {
  if (isa<ConstantOp, GetWeightOp>(op) || op.getNumResults() != 1 || !isPure(&op))
    return false;
  if (op.getNumOperands() == 0)
    return getDims(op.getResult(0)).empty();
  return llvm::all_of(op.getOperands(),
                      [](Value value) { return value.getDefiningOp<ConstantOp>(); });
}

unsigned kiln::foldConstants(func::FuncOp function) {
  unsigned folded = 0;
  for (Block &block : function.getBody())
    // Operands precede their users, so one sweep folds entire trees.
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!isCandidate(op))
        continue;
      std::optional<DenseElementsAttr> value = reference::foldOp(&op);
      if (!value)
        continue;
      OpBuilder builder(&op);
      replaceAndErase(&op, ConstantOp::create(builder, op.getLoc(), *value).getResult());
      ++folded;
    }
  return folded;
}

namespace {
class FoldConstantsPass : public kiln::impl::FoldConstantsPassBase<FoldConstantsPass> {
public:
  void runOnGraph() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      numFolded += foldConstants(function);
  }
};
} // namespace

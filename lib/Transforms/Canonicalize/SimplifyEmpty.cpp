//===- SimplifyEmpty.cpp - Removes computations without elements ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation divides by the extents of kernels, so ops with extents that are always
// 0 are removed here.
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/PatternMatch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static bool isZero(const SymbolicExpr &dim) { return dim.isConstant(0); }

/// Whether the op is a sum over zero elements, which is 0.
static bool addsNothing(Operation *op) {
  auto matmul = dyn_cast<MatmulOp>(op);
  if (!matmul)
    return false;
  Dims dims = getDims(matmul.getLhs());
  return isZero(dims[dims.size() - (matmul.getTransposeA() ? 2 : 1)]);
}

namespace {
/// Replaces an op whose result has no elements, and a matmul with K = 0, by a fill.
struct FillForNothing : RewritePattern {
  explicit FillForNothing(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<GraphDialect>(op->getDialect()) || op->getNumResults() != 1 ||
        op->getNumRegions() || !isPure(op) || isa<FillOp, ConstantOp, GetWeightOp>(op))
      return failure();
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !(llvm::any_of(getDims(type), isZero) || addsNothing(op)))
      return failure();
    auto zero = cast<TypedAttr>(rewriter.getZeroAttr(type.getElementType()));
    rewriter.replaceOpWithNewOp<FillOp>(op, type, zero);
    return success();
  }
};
} // namespace

void kiln::populateSimplifyEmptyPatterns(RewritePatternSet &patterns) {
  patterns.add<FillForNothing>(patterns.getContext());
}

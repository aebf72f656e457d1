//===- SimplifyContractions.cpp - Folds transposes into matmuls -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/PatternMatch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Returns the input of a transpose of the last two dims, or null.
static Value asSwapped(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  return transpose && swapsLastTwo(transpose.getPermutation()) ? transpose.getInput() : Value();
}

namespace {
/// Replaces matmul(transpose(a), b) by matmul(a, b) {transpose_a}, likewise for b.
struct AbsorbTranspose : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Value lhs = asSwapped(op.getLhs()), rhs = asSwapped(op.getRhs());
    if (!lhs && !rhs)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      if (lhs) {
        op.getLhsMutable().assign(lhs);
        op.setTransposeA(!op.getTransposeA());
      }
      if (rhs) {
        op.getRhsMutable().assign(rhs);
        op.setTransposeB(!op.getTransposeB());
      }
    });
    return success();
  }
};
} // namespace

void kiln::populateSimplifyContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<AbsorbTranspose>(patterns.getContext());
}

//===- SimplifyPositions.cpp - Folds by values of positions ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Match.h"
#include "kiln/Analysis/PlaceReader.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/PatternMatch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
/// Folds select(c, x, y) if c, computed from positions, has the same value everywhere.
struct DecideSelect : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    PlaceReader reader(op.getCondition());
    std::optional<bool> holds = reader.decide(op.getCondition(), reader.places);
    if (!holds)
      return failure();
    Value chosen = *holds ? op.getOnTrue() : op.getOnFalse();
    rewriter.replaceOp(op, broadcastTo(rewriter, op.getLoc(), chosen, op.getType()));
    return success();
  }
};

/// Folds a scatter that replaces every element by the update at the same index, such as
/// ONNX's ScatterND with all indices.
struct ScatterEverywhere : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    Dims data = getDims(op.getData());
    bool isWhole = !op.getCombine() && data == getDims(op.getUpdates()) &&
                   data[0].isConstant(1) && data[2].isConstant(1);
    if (!isWhole)
      return failure();
    Value places = op.getIndices();
    while (auto reshape = places.getDefiningOp<ReshapeOp>())
      places = reshape.getInput();
    PlaceReader reader(places);
    std::optional<SymbolicExpr> index = reader.read(places, reader.places);
    SymbolicExpr own, stride = 1;
    Dims dims = getDims(places);
    for (size_t i = dims.size(); i-- > 0; stride *= dims[i])
      own += reader.places[i] * stride;
    if (!index || *index != own)
      return failure();
    rewriter.replaceOp(op, op.getUpdates());
    return success();
  }
};
/// Removes lengths that equal the number of keys, such as those of a past plus its new
/// rows, as they mask no key.
struct AllKeysCount : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    if (!op.getLengths())
      return failure();
    PlaceReader reader(op.getLengths());
    std::optional<SymbolicExpr> length = reader.read(op.getLengths(), reader.places);
    if (!length || *length != getDims(op.getKey())[2])
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getLengthsMutable().clear();
      // Without lengths, windows and causal masks count from the last key anyway.
      op.setFromLength(false);
    });
    return success();
  }
};
} // namespace

void kiln::populateSimplifyPositionPatterns(RewritePatternSet &patterns) {
  patterns.add<AllKeysCount, DecideSelect, ScatterEverywhere>(patterns.getContext());
}

//===- AttentionSinks.cpp - Attention sinks as exporters write them -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sink is an additional column of the softmax whose weight is dropped (gpt-oss, after
// Xiao et al., Efficient Streaming Language Models with Attention Sinks, 2023):
//   softmax(concat(scores, sinks [1, H, 1, 1] broadcast to [B, H, S, 1]))[..., :-1] V
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Matches x - max(x) over the last axis, which does not change a softmax.
bool AttentionMatcher::stepShift(BinaryOp op, Value &scores) {
  Value shifted = op.getLhs(), shift = op.getRhs();
  if (auto reshape = shift.getDefiningOp<ReshapeOp>())
    shift = reshape.getInput();
  auto highest = shift.getDefiningOp<ReduceOp>();
  int64_t last = rankOf(shifted) - 1;
  Dims perRow = getDims(op.getRhs()), rows = getDims(shifted);
  rows.back() = 1;
  if (!highest || highest.getKind() != ReduceKind::max || highest.getInput() != shifted ||
      highest.getAxes() != ArrayRef<int64_t>{last} || perRow != rows)
    return refuse("what is subtracted from the scores is not the maximum of each row");
  if (!result.masks.empty() || result.softcap != 0)
    return refuse("the maximum of each row is subtracted before the scores are masked");
  if (!shifted.hasNUses(2))
    return refuse("the scores have other users");
  this->shifted = scores = shifted;
  return true;
}

/// Matches weights[..., :-1].
bool AttentionMatcher::stepSlice(SliceOp op, Value &weights) {
  Dims whole = getDims(op.getInput()), part = getDims(op.getResult());
  whole.back() = whole.back() - SymbolicExpr(1);
  bool isFront = llvm::all_of(op.getSteps(), [](int64_t step) { return step == 1; }) &&
                 llvm::all_of(getDims(op.getStarts()), [](const SymbolicExpr &start) {
                   return start.isConstant(0);
                 });
  if (dropsSink || !isFront || whole != part)
    return refuse("a slice of the softmax leaves out more than a last column");
  dropsSink = true;
  weights = op.getResult();
  return true;
}

/// Matches the concat of scores with one column that is equal for all queries.
bool AttentionMatcher::stepConcat(ConcatOp op, Value &scores) {
  Dims dims = getDims(op.getResult());
  if (!dropsSink || result.sinks)
    return refuse("a concatenation of scores has no column that the slice leaves out");
  if (outerScale != 1 || !result.masks.empty() || result.softcap != 0)
    return refuse("scores and sinks are scaled, capped or masked together");
  if (dims.size() != 4 || op.getAxis() != 3 || op.getInputs().size() != 2)
    return refuse("sinks are not one column behind scores [B, H, S, T]");
  Value sinks = op.getInputs().back();
  if (!getDims(sinks).back().isConstant(1))
    return refuse("sinks are not one column behind scores [B, H, S, T]");
  result.sinkType = elementTypeOf(sinks);
  while (Operation *from = sinks.getDefiningOp()) {
    if (!isa<BroadcastOp>(from) && !asFloatCast(sinks))
      break;
    sinks = from->getOperand(0);
  }
  result.sinks = sinks;
  result.sinkScores = {dims[0], dims[1]};
  scores = op.getInputs().front();
  return true;
}

/// Matches one value per head, [1, H, 1, 1] with leading ones optional, or a splat.
bool AttentionMatcher::matchSinks() {
  if (dropsSink != bool(result.sinks))
    return refuse("a slice leaves out weights of keys");
  if (!result.sinks)
    return true;
  Dims dims = getDims(result.sinks);
  if (dims.size() > 4)
    return refuse("sinks have rank " + Twine(dims.size()) + "; expected 4 at most");
  dims.insert(dims.begin(), 4 - dims.size(), 1);
  if (!splatOf(result.sinks) && dims != Dims{1, result.lead[1], 1, 1})
    return refuse("the sinks " + printDims(getDims(result.sinks)) +
                  " are not one number per head");
  if (result.sinkScores != result.lead)
    return refuse("sinks join scores of other leading dims than [B, H]");
  if (!result.sinkType.isF32() &&
      result.sinkType != elementTypeOf(result.scores.getLhs()))
    return refuse("the sinks have another element type than the query");
  return true;
}

Value kiln::graph::buildSinks(OpBuilder &builder, Location loc,
                              const AttentionMatch &match) {
  Value sinks = match.sinks;
  if (!sinks)
    return {};
  int64_t heads = *match.lead[1].getConstant();
  if (std::optional<double> number = splatOf(sinks))
    return makeSplat(builder, loc, match.sinkType, *number, {heads});
  sinks = reshapeTo(builder, loc, sinks, {heads});
  if (elementTypeOf(sinks) == match.sinkType)
    return sinks;
  return CastOp::create(builder, loc, makeTensorType({heads}, match.sinkType), sinks);
}

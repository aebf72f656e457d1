//===- SimplifyConcat.cpp - Simplifies ops that are equivalent to concats -===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch.export writes x[..., :k] = y as a scatter of rows of transposed and flattened
// tensors. It is replaced by a concat of the original tensors, whose dims are not
// flattened.
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/PatternMatch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Returns the first of consecutive indices, which are the same for all rows.
static std::optional<int64_t> firstOfRange(Value indices) {
  auto constant = indices.getDefiningOp<ConstantOp>();
  auto places = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                         : DenseIntElementsAttr();
  if (!places || places.empty() || !getDims(indices)[0].isConstant(1) ||
      !getDims(indices)[2].isConstant(1))
    return std::nullopt;
  int64_t first = (*places.value_begin<APInt>()).getSExtValue(), next = first;
  for (const APInt &place : places.getValues<APInt>())
    if (place.getSExtValue() != next++)
      return std::nullopt;
  return first;
}

namespace {
/// Replaces a scatter to consecutive indices by a concat.
struct ScatterToRange : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> first = firstOfRange(op.getIndices());
    auto rows = getDims(op.getData())[1].getConstant();
    auto count = getDims(op.getUpdates())[1].getConstant();
    if (op.getCombine() || !first || *first < 0 || !rows || !count ||
        *first + *count > *rows)
      return failure();
    SmallVector<Value> parts;
    if (*first > 0)
      parts.push_back(part(rewriter, op, 0, *first));
    parts.push_back(op.getUpdates());
    if (*first + *count < *rows)
      parts.push_back(part(rewriter, op, *first + *count, *rows));
    rewriter.replaceOpWithNewOp<ConcatOp>(op, parts, 1);
    return success();
  }

private:
  static Value part(OpBuilder &b, ScatterOp op, int64_t from, int64_t to) {
    Dims dims = getDims(op.getData()), starts(3, SymbolicExpr(0));
    starts[1] = from;
    dims[1] = to - from;
    return SliceOp::create(
        b, op.getLoc(), makeTensorType(dims, elementTypeOf(op.getData())), op.getData(),
        makeShape(b.getContext(), starts), SmallVector<int64_t>{1, 1, 1});
  }
};

/// Returns the inputs of a concat's inputs if all of these are ops of one kind; empty
/// otherwise.
template <typename OpT> SmallVector<Value> inputsBehind(ConcatOp concat) {
  SmallVector<Value> inputs;
  for (Value input : concat.getInputs()) {
    auto view = input.getDefiningOp<OpT>();
    if (!view)
      return {};
    inputs.push_back(view.getInput());
  }
  return inputs;
}

/// Folds a reshape of a concat of reshapes if the concatenated tensors have the dims of
/// the result, except for one dim, along which they can be concatenated.
struct ConcatBetweenReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    SmallVector<Value> inputs =
        concat ? inputsBehind<ReshapeOp>(concat) : SmallVector<Value>();
    if (inputs.empty())
      return failure();
    Dims joined = getDims(concat.getResult()), to = getDims(op.getResult());
    SymbolicExpr outer =
        graph::numElements(ArrayRef(joined).take_front(concat.getAxis()));
    for (size_t axis = 0; axis < to.size(); ++axis) {
      bool isAxis = to[axis] == joined[concat.getAxis()] &&
                    graph::numElements(ArrayRef(to).take_front(axis)) == outer;
      if (!isAxis || !llvm::all_of(inputs, [&](Value input) {
            return differsAlong(getDims(input), to, axis);
          }))
        continue;
      rewriter.replaceOpWithNewOp<ConcatOp>(op, inputs, axis);
      return success();
    }
    return failure();
  }

private:
  static bool differsAlong(Dims dims, ArrayRef<SymbolicExpr> to, size_t axis) {
    if (dims.size() != to.size())
      return false;
    dims[axis] = to[axis];
    return ArrayRef(dims) == to;
  }
};

/// Folds a transpose of a concat of transposes that are inverse to it.
struct ConcatBetweenTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    SmallVector<Value> inputs =
        concat ? inputsBehind<TransposeOp>(concat) : SmallVector<Value>();
    if (inputs.empty())
      return failure();
    ArrayRef<int64_t> outer = op.getPermutation();
    for (Value input : concat.getInputs()) {
      ArrayRef<int64_t> inner = input.getDefiningOp<TransposeOp>().getPermutation();
      for (auto [i, from] : llvm::enumerate(outer))
        if (inner[from] != int64_t(i))
          return failure();
    }
    auto *axis = llvm::find(outer, int64_t(concat.getAxis()));
    rewriter.replaceOpWithNewOp<ConcatOp>(op, inputs, axis - outer.begin());
    return success();
  }
};
} // namespace

void kiln::populateSimplifyConcatPatterns(RewritePatternSet &patterns) {
  patterns.add<ConcatBetweenReshapes, ConcatBetweenTransposes, ScatterToRange>(
      patterns.getContext());
}

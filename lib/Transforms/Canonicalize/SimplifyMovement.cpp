//===- SimplifyMovement.cpp - Simplifies data movement --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Indexing.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/PatternMatch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Reshape, transpose, broadcast
//===----------------------------------------------------------------------===//

namespace {
/// Replaces a transpose that moves only dims of size 1 by a reshape.
struct TransposeOfOnes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!keepsOrder(op))
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getInput());
    return success();
  }
};

/// Returns, for each dim of `result`, the dim of `value` it comes from, where `result` is
/// made from `value` by ops that move all of its elements; nullopt if a dim is split or
/// collapsed, or if dims of size 1 make the mapping ambiguous.
std::optional<SmallVector<int64_t>> movedDims(Value value, Value result) {
  IndexVars vars(value.getContext());
  Dims at;
  for (const SymbolicExpr &dim : getDims(result))
    at.push_back(SymbolicExpr::symbol(vars.addLoop(dim)));
  Dims places = at;
  while (result != value) {
    std::optional<Place> from = movedFrom(result.getDefiningOp(), places, vars);
    if (!from)
      return std::nullopt;
    result = from->value;
    places = from->at;
  }
  SmallVector<int64_t> dims;
  for (const SymbolicExpr &place : at) {
    const auto *axis = llvm::find(places, place);
    if (axis == places.end())
      return std::nullopt;
    dims.push_back(axis - places.begin());
  }
  return dims.size() == places.size() ? std::optional(dims) : std::nullopt;
}

/// Whether a reshape collapses dims none of which has size 1, which would make the
/// mapping ambiguous.
bool joinsDims(ReshapeOp op) {
  Dims from = getDims(op.getInput());
  return from.size() > getDims(op.getResult()).size() &&
         llvm::none_of(from, [](const SymbolicExpr &dim) { return dim.isConstant(1); });
}

/// torch collapses the batch dims of a matmul's operand, transposes, and expands them
/// again: one transpose moves the same elements.
struct TransposeOfMerged : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto transpose = op.getInput().getDefiningOp<TransposeOp>();
    auto merge =
        transpose ? transpose.getInput().getDefiningOp<ReshapeOp>() : ReshapeOp();
    if (!merge || !joinsDims(merge))
      return failure();
    auto permutation = movedDims(merge.getInput(), op.getResult());
    if (!permutation)
      return failure();
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), merge.getInput(),
                                             *permutation);
    return success();
  }
};

/// onnxruntime-genai norms each head as a row of (sequence * heads), and splits the two
/// again after the norm. Moving the norm after the second reshape keeps positions and
/// heads separate for passes that divide them.
template <typename NormOp> struct NormBetweenReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern<ReshapeOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto norm = op.getInput().getDefiningOp<NormOp>();
    if (!norm || !norm->hasOneUse() ||
        !norm.getInput().template getDefiningOp<ReshapeOp>())
      return failure();
    Dims from = getDims(norm.getInput()), to = getDims(op.getResult());
    size_t normed = from.size() - norm.getAxis();
    if (to.size() < normed ||
        ArrayRef(from).take_back(normed) != ArrayRef(to).take_back(normed))
      return failure();
    Value rows = ReshapeOp::create(rewriter, op.getLoc(), op.getType(), norm.getInput());
    Operation *moved = rewriter.clone(*norm);
    moved->setOperand(0, rows);
    cast<NormOp>(moved).setAxis(static_cast<int64_t>(to.size() - normed));
    moved->getResult(0).setType(op.getType());
    rewriter.replaceOp(op, moved->getResults());
    return success();
  }
};

/// Folds a reshape of a constant, so that scalar constants have one form.
struct ReshapeConstant : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto constant = op.getInput().getDefiningOp<ConstantOp>();
    auto value =
        constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
    auto type = cast<RankedTensorType>(op.getType());
    if (!value || !type.hasStaticShape())
      return failure();
    rewriter.replaceOpWithNewOp<ConstantOp>(op, value.reshape(type));
    return success();
  }
};

/// Folds broadcast(broadcast(x)), and broadcast(reshape(x)) if the reshape only adds or
/// drops leading dims of size 1 that the broadcast would add anyway.
struct BroadcastOfBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<BroadcastOp>();
    if (!inner)
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(inner.getInput()); });
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Concat and slice
//===----------------------------------------------------------------------===//

struct ConcatOfOne : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1)
      return failure();
    rewriter.replaceOp(op, op.getInputs().front());
    return success();
  }
};

/// Each part is a parameter of the kernel, whose number a GPU's launch limits, and a
/// branch of its code, which is slow to compile and to run.
constexpr size_t kMaxParts = 64;

/// Replaces a concat of more than kMaxParts operands by a concat of smaller ones.
struct ConcatOfMany : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    size_t parts = op.getInputs().size();
    if (parts <= kMaxParts)
      return failure();
    size_t each = llvm::divideCeil(parts, llvm::divideCeil(parts, kMaxParts));
    SmallVector<Value> joined;
    for (size_t begin = 0; begin < parts; begin += each)
      joined.push_back(ConcatOp::create(
          rewriter, op.getLoc(),
          op.getInputs().slice(begin, std::min(each, parts - begin)), op.getAxisAttr()));
    rewriter.replaceOpWithNewOp<ConcatOp>(op, joined, op.getAxisAttr());
    return success();
  }
};

/// Replaces a slice of a concat that is within one part by a slice of that part.
struct SliceOfConcat : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    if (!concat)
      return failure();
    IndexVars vars(op.getContext());
    std::optional<Place> whole =
        movedFrom(op, vars.addPlaces(getDims(op.getResult())), vars);
    std::optional<Place> part = movedFrom(concat, whole->at, vars);
    if (!part)
      return failure();
    Dims starts = getDims(op.getStarts());
    for (auto [start, own, from] : llvm::zip(starts, part->at, whole->at))
      start += own - from;
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), part->value,
                                         makeShape(op.getContext(), starts),
                                         op.getStepsAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// Returns the minimum of a dim in the declared envelope; 0 if it is unclear.
int64_t minValue(const SymbolicExpr &dim, Operation *from) {
  if (!dim.dominates(0))
    return 0; // with subtractions, the minimum need not be at the smallest symbols
  auto minOf = [&](StringAttr name) -> int64_t {
    auto symbol = SymbolTable::lookupNearestSymbolFrom<SymbolOp>(from, name);
    return symbol ? symbol.getMin() : 0;
  };
  for (const SymbolicExpr::Term &term : dim.getTerms())
    for (const SymbolicExpr::Atom &atom : term.factors)
      if (atom.kind != SymbolicExpr::AtomKind::Symbol)
        return 0;
  return dim.evaluate(minOf).value_or(0);
}

/// Returns the constant index of a gather if it has exactly one.
std::optional<int64_t> onlyIndex(GatherOp op) {
  auto constant = op.getIndices().getDefiningOp<ConstantOp>();
  auto value = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                        : DenseIntElementsAttr();
  if (!value || value.getNumElements() != 1)
    return std::nullopt;
  return (*value.begin()).getSExtValue();
}

/// Replaces gather(x, constant) by a slice; a scalar index also drops the dim. A gather
/// clamps an index out of range but a slice does not, so the index must be in range.
struct GatherOfOne : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> index = onlyIndex(op);
    if (!index)
      return failure();
    Dims dims = getDims(op.getData()), starts(dims.size(), 0);
    int64_t axis = op.getAxis(), minimum = minValue(dims[axis], op);
    if (*index >= 0 ? *index >= minimum : -*index > minimum)
      return rewriter.notifyMatchFailure(op, "the index may be outside");
    starts[axis] = *index >= 0 ? SymbolicExpr(*index) : dims[axis] + SymbolicExpr(*index);
    dims[axis] = 1;
    SmallVector<int64_t> steps(dims.size(), 1);
    Value slice = SliceOp::create(rewriter, op.getLoc(),
                                  makeTensorType(dims, elementTypeOf(op.getData())),
                                  op.getData(), makeShape(op.getContext(), starts),
                                  rewriter.getDenseI64ArrayAttr(steps));
    rewriter.replaceOp(op,
                       reshapeTo(rewriter, op.getLoc(), slice, getDims(op.getResult())));
    return success();
  }
};
} // namespace

void kiln::populateSimplifyMovementPatterns(RewritePatternSet &patterns) {
  patterns.add<TransposeOfOnes, TransposeOfMerged, NormBetweenReshapes<LayerNormOp>,
               NormBetweenReshapes<RmsNormOp>, ReshapeConstant, BroadcastOfBroadcast,
               ConcatOfOne, ConcatOfMany, SliceOfConcat, GatherOfOne>(
      patterns.getContext());
}

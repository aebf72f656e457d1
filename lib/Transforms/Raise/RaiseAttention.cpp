//===- RaiseAttention.cpp - Raises scaled dot-product attention -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matching does not change the IR. Rewriting begins when only the shapes of the new ops
// can refuse, and these are checked before the first change.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "dialects/Graph/SymbolBounds.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Reference/ResultChange.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace kiln {
#define GEN_PASS_DEF_RAISEATTENTIONPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kRaiseAttentionPass = "kiln-raise-attention";

//===----------------------------------------------------------------------===//
// Query, key and value
//===----------------------------------------------------------------------===//

/// Removes a constant factor from `value`, also through reshapes and transposes, which
/// are then rebuilt.
static Value peelScale(OpBuilder &builder, Value value, double &scale) {
  SmallVector<Operation *> views;
  Value source = value;
  while (isa_and_nonnull<ReshapeOp, TransposeOp>(source.getDefiningOp()) &&
         source.hasOneUse()) {
    views.push_back(source.getDefiningOp());
    source = views.back()->getOperand(0);
  }
  std::optional<ScalarOperand> scaled = asScaled(source);
  // With other users, the multiplication would still be computed.
  if (!scaled || !source.hasOneUse())
    return value;
  scale *= scaled->scalar;
  Value result = peelScale(builder, scaled->value, scale);
  for (Operation *view : llvm::reverse(views)) {
    IRMapping mapping;
    mapping.map(view->getOperand(0), result);
    result = builder.clone(*view, mapping)->getResult(0);
  }
  return result;
}

/// Returns [B, Hkv, T, D] for a key or value [B, H, T, D] that repeats each head:
/// reshape(broadcast([B, Hkv, 1, T, D] to [B, Hkv, G, T, D])); otherwise the value
/// itself.
static Value peelRepeat(OpBuilder &builder, Value value) {
  auto join = value.getDefiningOp<ReshapeOp>();
  auto repeat = join ? join.getInput().getDefiningOp<BroadcastOp>() : BroadcastOp();
  if (!repeat)
    return value;
  Dims joined = getDims(value), wide = getDims(repeat.getResult());
  Dims narrow = getDims(repeat.getInput());
  if (joined.size() != 4 || wide.size() != 5 || narrow.size() != 5)
    return value;
  bool ok = joined[0] == wide[0] && joined[1] == wide[1] * wide[2] &&
            joined[2] == wide[3] && joined[3] == wide[4] && narrow[2].isConstant(1);
  for (unsigned i : {0, 1, 3, 4})
    ok &= narrow[i] == wide[i];
  if (!ok)
    return value;
  return reshapeTo(builder, value.getLoc(), repeat.getInput(),
                   {narrow[0], narrow[1], narrow[3], narrow[4]});
}

/// Reshapes to [B, H, rows, columns]: the leading dims of rank 2 and 3 are split to
/// `lead`.
static Value liftOperand(OpBuilder &builder, Value value, ArrayRef<SymbolicExpr> lead) {
  if (rankOf(value) == 4)
    return value;
  Dims own = getDims(value), dims(lead);
  dims.append(own.end() - 2, own.end());
  return reshapeTo(builder, value.getLoc(), value, dims);
}

//===----------------------------------------------------------------------===//
// Mask
//===----------------------------------------------------------------------===//

namespace {
/// The operands `mask` and `keep` of an attention.
struct Masks {
  Value mask, keep;
};
} // namespace

/// Value that is added to hidden scores: its sum with any realistic score equals it in
/// f32 and bf16. Lower values in the model are kept: the sum of two of a type's lowest
/// values is minus infinity in the model, too, and a query all of whose keys are hidden
/// then sees those hidden by one mask.
static constexpr double kRemove = -1e30;

/// Whether the value that selects put in place of scores matters. A row whose keys are
/// all hidden weighs them by the values of all terms: -1e4 from a select is like -1e4
/// added to a score near zero. If all terms are selects with one value, such a row has
/// equal weights, whatever the value.
static bool needsKeep(ArrayRef<MaskTerm> terms) {
  const MaskTerm *near = nullptr;
  for (const MaskTerm &term : terms)
    if (term.select && !(term.removed <= kRemove))
      near = &term;
  auto differs = [&](const MaskTerm &term) {
    return !term.select || (std::isfinite(term.removed) && term.removed != near->removed);
  };
  return near && (!(near->removed <= kMaskedAtMost) || llvm::any_of(terms, differs));
}

/// No f16 value absorbs all scores.
static bool needsWideMask(const AttentionMatch &match, Type element) {
  return match.hasWideMask || (element.isF16() && !needsKeep(match.masks) &&
                               llvm::any_of(match.masks, [](const MaskTerm &term) {
                                 return term.select && !std::isinf(term.removed);
                               }));
}

static Value buildTerm(OpBuilder &builder, Location loc, const MaskTerm &term,
                       Value inner, Type elementType, bool isKeepApart) {
  if (term.select) {
    Value keep = inner ? inner : makeSplat(builder, loc, elementType, 0.0);
    double removed = isKeepApart ? term.removed : std::min(term.removed, kRemove);
    Value remove = makeSplat(builder, loc, elementType, removed);
    return SelectOp::create(builder, loc, term.value, term.keepOnTrue ? keep : remove,
                            term.keepOnTrue ? remove : keep);
  }
  Value mask = term.value;
  if (elementTypeOf(mask) != elementType)
    mask = CastOp::create(builder, loc, makeTensorType(getDims(mask), elementType), mask);
  if (term.factor != 1)
    mask = BinaryOp::create(builder, loc, BinaryKind::mul, mask,
                            makeSplat(builder, loc, elementType, term.factor));
  return inner ? Value(BinaryOp::create(builder, loc, BinaryKind::add, inner, mask))
               : mask;
}

/// Returns the condition that no select hides the score, including one more term.
static Value buildKeep(OpBuilder &builder, Location loc, const MaskTerm &term,
                       Value inner) {
  Value keep = term.value;
  if (!term.keepOnTrue)
    keep = UnaryOp::create(builder, loc, UnaryKind::logical_not, keep);
  return inner ? BinaryOp::create(builder, loc, BinaryKind::logical_and, inner, keep)
                     .getResult()
               : keep;
}

/// Builds the attention's mask operands from the terms, in order from the matmul; null
/// without terms.
static Masks buildMasks(OpBuilder &builder, Location loc, ArrayRef<MaskTerm> terms,
                        Type elementType) {
  Value mask, keep;
  bool isKeepApart = needsKeep(terms);
  for (MaskTerm term : llvm::reverse(terms)) {
    if (!term.wide.empty()) {
      Type own = elementTypeOf(term.value);
      term.value = reshapeTo(builder, loc, term.value, term.own);
      term.value =
          BroadcastOp::create(builder, loc, makeTensorType(term.wide, own), term.value);
    }
    term.value = reshapeTo(builder, loc, term.value, term.dims);
    mask = buildTerm(builder, loc, term, mask, elementType, isKeepApart);
    if (isKeepApart && term.select)
      keep = buildKeep(builder, loc, term, keep);
  }
  return {mask, keep};
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void rewrite(const AttentionMatch &match) {
  MatmulOp root = match.output, scores = match.scores;
  OpBuilder builder(root);
  Location loc =
      builder.getFusedLoc({match.softmax->getLoc(), scores.getLoc(), root.getLoc()});
  double scale = match.scale;
  Value query = peelScale(builder, scores.getLhs(), scale);
  Value key = peelScale(builder, scores.getRhs(), scale);
  Value value = root.getRhs();
  if (scores.getTransposeA())
    query = swapLastTwo(builder, loc, query);
  if (!scores.getTransposeB())
    key = swapLastTwo(builder, loc, key);
  if (root.getTransposeB())
    value = swapLastTwo(builder, loc, value);
  query = liftOperand(builder, query, match.lead);
  key = liftOperand(builder, key, match.lead);
  value = liftOperand(builder, value, match.lead);
  // Both or neither: keys and values must have the same number of heads.
  Value narrowKey = peelRepeat(builder, key), narrowValue = peelRepeat(builder, value);
  if (getDims(narrowKey)[1] == getDims(narrowValue)[1])
    key = narrowKey, value = narrowValue;
  Type element = elementTypeOf(query);
  Type maskType = needsWideMask(match, element) ? builder.getF32Type() : element;
  Masks masks = buildMasks(builder, loc, match.masks, maskType);
  // A softmax over minus infinities is NaN, which is kept unless the model replaces it;
  // hence not `masked_zero`.
  UnitAttr nanZero = match.nanZero ? builder.getUnitAttr() : UnitAttr();
  FloatAttr softcap =
      match.softcap != 0 ? builder.getF64FloatAttr(match.softcap) : FloatAttr();
  auto attention = AttentionOp::create(
      builder, loc, query, key, value, masks.mask, /*lengths=*/Value(),
      buildSinks(builder, loc, match), /*key_scales=*/Value(), /*value_scales=*/Value(),
      masks.keep, builder.getF64FloatAttr(scale), UnitAttr(), UnitAttr(),
      /*masked_zero=*/UnitAttr(), nanZero, softcap, /*window=*/IntegerAttr(),
      /*mask_hides=*/UnitAttr());
  remarkPassed(root.getLoc(), kRaiseAttentionPass, "attention",
               "raised: product, softmax and product became one attention");
  Value result =
      reshapeTo(builder, loc, attention.getResult(), getDims(root.getResult()));
  replaceAndErase(root, result);
}

/// For a query without keys, attention gives 0 / 0, but a matmul with K = 0 gives 0.
static bool mayHaveNoKeys(MatmulOp scores, const SymbolRanges &ranges) {
  std::optional<Bounds> keys = ranges.boundsOf(getDims(scores.getResult()).back());
  return keys && keys->min <= 0;
}

unsigned kiln::raiseAttention(func::FuncOp function) {
  SymbolRanges ranges(function->getParentOfType<ModuleOp>());
  SmallVector<SoftmaxOp> anchors;
  function.walk([&](SoftmaxOp op) { anchors.push_back(op); });
  unsigned raised = 0;
  for (SoftmaxOp anchor : anchors) {
    anchor = joinLead(anchor);
    joinSplitMasks(anchor);
    moveHeadScale(anchor);
    AttentionMatcher matcher(anchor);
    if (std::optional<AttentionMatch> match = matcher.match();
        match && !match->nanZero && mayHaveNoKeys(match->scores, ranges)) {
      remarkMissed(anchor.getLoc(), kRaiseAttentionPass, "attention",
                   "the dims allow that there are no keys");
    } else if (match) {
      rewrite(*match);
      ++raised;
    } else if (matcher.looksLikeOne()) {
      remarkMissed(anchor.getLoc(), kRaiseAttentionPass, "attention", matcher.why);
    }
  }
  SmallVector<AttentionOp> attentions;
  function.walk([&](AttentionOp op) { attentions.push_back(op); });
  for (AttentionOp op : attentions)
    if (readSight(op))
      remarkPassed(
          op.getLoc(), kRaiseAttentionPass, "mask",
          "its mask follows from positions, so its loop leaves out keys that are "
          "hidden from all queries of a tile");
  return raised;
}

/// Whether there is a constant such as -10000 that would be treated as minus infinity if
/// it replaces scores.
static bool hasFiniteMask(ModuleOp module) {
  constexpr double kAbsorbs = -1e30, kMasks = -1e4;
  auto result = module.walk([&](ConstantOp op) {
    auto elements = dyn_cast<DenseFPElementsAttr>(op.getValue());
    if (!elements || !elements.isSplat())
      return WalkResult::advance();
    double value = elements.getSplatValue<APFloat>().convertToDouble();
    return value > kAbsorbs && value <= kMasks ? WalkResult::interrupt()
                                               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
class RaiseAttentionPass : public kiln::impl::RaiseAttentionPassBase<RaiseAttentionPass>,
                           public reference::ChangesResults {
public:
  void runOnGraph() override { numRaised += raiseAttention(getOperation()); }
  reference::ResultChange resultChange(ModuleOp module) override {
    reference::ResultChange change = reference::changeByRaising(module);
    change.movesNonFinite = true;
    change.assumesMasks = hasFiniteMask(module);
    return change;
  }
};
} // namespace

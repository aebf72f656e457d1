//===- AttentionMatch.cpp - Attention matcher -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"

#include <utility>

using namespace kiln::graph;
using namespace mlir;

/// Maximum number of ops between the softmax and a matmul.
static constexpr int kMaxSteps = 16;

/// Follows single-use values up to a matmul, to tell which operand of an add is the
/// scores and which the mask.
static bool reachesProduct(Value value, int depth = kMaxSteps) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || !value.hasOneUse())
    return false;
  if (isa<MatmulOp>(op))
    return true;
  if (isa<ReshapeOp>(op) || asFloatCast(value))
    return reachesProduct(op->getOperand(0), depth - 1);
  if (std::optional<ScalarOperand> scaled = asScaled(value))
    return reachesProduct(scaled->value, depth - 1);
  if (UnaryOp tanh = asUnary(value, UnaryKind::tanh))
    return reachesProduct(tanh.getInput(), depth - 1);
  if (auto select = dyn_cast<SelectOp>(op))
    return reachesProduct(select.getOnTrue(), depth - 1) ||
           reachesProduct(select.getOnFalse(), depth - 1);
  if (!asBinary(value, BinaryKind::add))
    return false;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return reachesProduct(operand, depth - 1); });
}

/// Whether a reshape splits or collapses only leading dims, and keeps rows and columns.
static bool keepsMatrix(ReshapeOp op) {
  Dims from = getDims(op.getInput()), to = getDims(op.getResult());
  return from.size() >= 2 && to.size() >= 2 && from.back() == to.back() &&
         from[from.size() - 2] == to[to.size() - 2];
}

//===----------------------------------------------------------------------===//
// From the softmax to the scores' matmul
//===----------------------------------------------------------------------===//

void AttentionMatcher::noteSplit(ReshapeOp op) {
  for (Value side : {op.getResult(), op.getInput()})
    if (Dims dims = getDims(side); dims.size() == 4)
      split = {dims[0], dims[1]};
}

bool AttentionMatcher::stepReshape(ReshapeOp op, Value &scores) {
  if (!keepsMatrix(op))
    return refuse("a reshape of the scores changes more than leading dims");
  noteSplit(op);
  scores = op.getInput();
  return true;
}

bool AttentionMatcher::stepAdd(BinaryOp op, Value &scores) {
  if (result.softcap != 0)
    return refuse("a mask is added before the scores are capped");
  Value lhs = op.getLhs(), rhs = op.getRhs();
  bool left = lhs.getType() == op.getType() && reachesProduct(lhs);
  if (!left && !(rhs.getType() == op.getType() && reachesProduct(rhs)))
    return refuse("neither operand of a sum below the softmax is a product used only there");
  MaskTerm term;
  term.value = left ? rhs : lhs;
  term.factor = outerScale;
  term.scores = getDims(op.getResult());
  result.masks.push_back(term);
  scores = left ? lhs : rhs;
  return true;
}

bool AttentionMatcher::stepSelect(SelectOp op, Value &scores) {
  if (result.softcap != 0)
    return refuse("scores are masked before they are capped");
  MaskTerm term;
  term.select = true;
  std::optional<double> onTrue = splatOf(op.getOnTrue()), onFalse = splatOf(op.getOnFalse());
  if (onTrue.has_value() == onFalse.has_value())
    return refuse("a select of the scores has no constant branch");
  term.keepOnTrue = onFalse.has_value();
  term.removed = term.keepOnTrue ? *onFalse : *onTrue;
  term.value = op.getCondition();
  term.scores = getDims(op.getResult());
  scores = term.keepOnTrue ? op.getOnTrue() : op.getOnFalse();
  if (scores.getType() != op.getType())
    return refuse("a select broadcasts the scores");
  term.removed *= outerScale;
  result.masks.push_back(term);
  return true;
}

/// Matches a * tanh(b * s), which has the cap a and the scale a * b.
bool AttentionMatcher::stepCap(UnaryOp tanh, Value &scores) {
  if (result.softcap != 0)
    return refuse("the scores are capped twice");
  if (!(outerScale > 0) || !std::isfinite(outerScale))
    return refuse("a tanh of the scores is not multiplied by a positive number");
  result.softcap = outerScale;
  scores = tanh.getInput();
  return true;
}

/// Matches max(s, -3.4e38), which keeps scores from being minus infinity but does not
/// change finite ones.
bool AttentionMatcher::stepFloor(BinaryOp op, Value &scores) {
  constexpr double kLowest = -1e38;
  std::optional<ScalarOperand> floor = splitScalar(op);
  if (!floor || !(floor->scalar <= kLowest))
    return refuse("scores are limited from below");
  hasFloor = true;
  scores = floor->value;
  return true;
}

/// Whether no element is minus infinity, as for select(causal, 0, -3.4e38).
static bool isFinite(Value value, unsigned depth = 16) {
  if (std::optional<double> number = splatOf(value))
    return std::isfinite(*number);
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (auto select = dyn_cast<SelectOp>(op))
    return isFinite(select.getOnTrue(), depth - 1) &&
           isFinite(select.getOnFalse(), depth - 1);
  return isa<ReshapeOp, BroadcastOp, TransposeOp>(op) &&
         isFinite(op->getOperand(0), depth - 1);
}

/// With masks of minus infinity, or two masks whose sum is minus infinity, a row without
/// visible keys would have equal weights in the model but none in graph.attention.
bool AttentionMatcher::matchFloor() {
  auto isFiniteTerm = [](const MaskTerm &term) {
    return term.select ? std::isfinite(term.removed)
                       : isFinite(term.value) && term.factor == 1;
  };
  bool isFiniteMask = result.masks.size() <= 1 && llvm::all_of(result.masks, isFiniteTerm);
  return !hasFloor || isFiniteMask ||
         refuse("scores are limited from below, and a mask may be minus infinity");
}

bool AttentionMatcher::step(Value &scores) {
  if (auto reshape = scores.getDefiningOp<ReshapeOp>())
    return stepReshape(reshape, scores);
  if (CastOp cast = asFloatCast(scores)) {
    scores = cast.getInput();
    return true;
  }
  if (std::optional<ScalarOperand> scaled = asScaled(scores)) {
    outerScale *= scaled->scalar;
    scores = scaled->value;
    return true;
  }
  if (BinaryOp add = asBinary(scores, BinaryKind::add))
    return stepAdd(add, scores);
  if (auto select = scores.getDefiningOp<SelectOp>())
    return stepSelect(select, scores);
  if (UnaryOp tanh = asUnary(scores, UnaryKind::tanh))
    return stepCap(tanh, scores);
  if (BinaryOp sub = asBinary(scores, BinaryKind::sub))
    return stepShift(sub, scores);
  if (BinaryOp max = asBinary(scores, BinaryKind::max))
    return stepFloor(max, scores);
  if (auto concat = scores.getDefiningOp<ConcatOp>())
    return stepConcat(concat, scores);
  return refuse("the operand of the softmax is no product with scales and masks");
}

bool AttentionMatcher::matchScores() {
  Value scores = result.softmax.getInput();
  for (int i = 0; i < kMaxSteps; ++i) {
    if (!scores.hasOneUse() && scores != shifted)
      return refuse("the scores have other users");
    if ((result.scores = scores.getDefiningOp<MatmulOp>())) {
      if (result.scores.getResultElement())
        return refuse("the scores are wider than query and key");
      result.scale = outerScale;
      return true;
    }
    if (!step(scores))
      return false;
  }
  return refuse("too many steps between product and softmax");
}

//===----------------------------------------------------------------------===//
// From the softmax to the output
//===----------------------------------------------------------------------===//

/// Matches select(is_nan(p), 0, p), as PyTorch writes softmax: a row of minus infinities
/// gives 0. If one weight of a row is NaN, all are.
bool AttentionMatcher::stepNanToZero(Value &weights) {
  if (result.nanZero || !weights.hasNUses(2))
    return false;
  for (Operation *user : weights.getUsers()) {
    auto select = dyn_cast<SelectOp>(user);
    if (!select || select.getType() != weights.getType())
      continue;
    Value condition = select.getCondition();
    bool keepsOnTrue = false;
    if (UnaryOp inverse = asUnary(condition, UnaryKind::logical_not)) {
      condition = inverse.getInput();
      keepsOnTrue = true;
    }
    UnaryOp isNan = asUnary(condition, UnaryKind::is_nan);
    Value kept = keepsOnTrue ? select.getOnTrue() : select.getOnFalse();
    Value other = keepsOnTrue ? select.getOnFalse() : select.getOnTrue();
    if (!isNan || isNan.getInput() != weights || kept != weights || splatOf(other) != 0.0)
      return false;
    result.nanZero = true;
    weights = select.getResult();
    return true;
  }
  return false;
}

bool AttentionMatcher::matchOutput() {
  Value weights = result.softmax.getResult();
  for (int i = 0; i < kMaxSteps; ++i) {
    if (stepNanToZero(weights))
      continue;
    if (!weights.hasOneUse())
      return refuse("the softmax has other users");
    Operation *user = *weights.user_begin();
    if (auto matmul = dyn_cast<MatmulOp>(user)) {
      if (matmul.getLhs() != weights || matmul.getTransposeA())
        return refuse("the softmax is not the left operand of the product with the value");
      if (matmul.getResultElement())
        return refuse("the result is wider than the value");
      result.output = matmul;
      return true;
    }
    if (auto slice = dyn_cast<SliceOp>(user)) {
      if (!stepSlice(slice, weights))
        return false;
      continue;
    }
    auto reshape = dyn_cast<ReshapeOp>(user);
    if (reshape && !keepsMatrix(reshape))
      return refuse("a reshape of the softmax changes more than leading dims");
    if (!reshape && !(isa<CastOp>(user) && asFloatCast(user->getResult(0))))
      return refuse("the softmax does not feed a product");
    if (reshape)
      noteSplit(reshape);
    weights = user->getResult(0);
  }
  return refuse("too many steps between softmax and product");
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool AttentionMatcher::matchLead() {
  Dims scores = getDims(result.scores.getResult());
  size_t rank = scores.size();
  if (rank > 4)
    return refuse("the scores have rank " + Twine(rank) + "; expected 2 to 4");
  if (rank == 4)
    result.lead = {scores[0], scores[1]};
  else if (rank == 3 && !split.empty() && split[0] * split[1] == scores[0])
    result.lead = split;
  else
    result.lead = {rank == 3 ? scores[0] : SymbolicExpr(1), 1};
  // A reshape may be between the two matmuls.
  const std::pair<Value, int64_t> operands[] = {
      {result.scores.getLhs(), rank},
      {result.scores.getRhs(), rank},
      {result.output.getRhs(), rankOf(result.output.getResult())}};
  for (auto [operand, expected] : operands) {
    Dims dims = getDims(operand);
    if (int64_t(dims.size()) != expected || expected > 4)
      return refuse("query, key and value differ in rank");
    if (expected == 4 ? dims[0] != result.lead[0]
                      : numElements(ArrayRef(dims).drop_back(2)) != numElements(result.lead))
      return refuse("query, key and value differ in leading dims");
  }
  return true;
}

bool AttentionMatcher::matchOperands() {
  auto headsOf = [&](Value value) {
    Dims dims = getDims(value);
    return dims.size() == 4 ? dims[1] : result.lead[1];
  };
  SymbolicExpr q = headsOf(result.scores.getLhs()), k = headsOf(result.scores.getRhs());
  SymbolicExpr v = headsOf(result.output.getRhs());
  if (q != result.lead[1])
    return refuse("several key heads read one query head");
  std::optional<int64_t> heads = q.getConstant(), shared = k.getConstant();
  if (!heads || !shared || *shared <= 0 || *heads % *shared || k != v)
    return refuse("heads of query, key and value do not match: " + q.str() + ", " + k.str() +
                  " and " + v.str());
  Type type = elementTypeOf(result.scores.getLhs());
  if (!isa<FloatType>(type) || elementTypeOf(result.output.getRhs()) != type)
    return refuse("query and value differ in element type");
  if (numElements(getDims(result.output.getResult())) !=
      result.lead[0] * result.lead[1] *
          numElements(ArrayRef(getDims(result.output.getResult())).take_back(2)))
    return refuse("the product with the value broadcasts");
  return true;
}

/// Collapses several dims to one, where `own` broadcasts to `scores`. If `own` has only
/// some of the dims, it is first broadcast to `wide`.
static SymbolicExpr joinDims(ArrayRef<SymbolicExpr> own, ArrayRef<SymbolicExpr> scores,
                             Dims &wide) {
  bool isOne = llvm::all_of(own, [](const SymbolicExpr &dim) { return dim.isConstant(1); });
  llvm::append_range(wide, isOne ? own : scores);
  return isOne ? SymbolicExpr(1) : numElements(scores);
}

/// Determines the dims of a mask for scores [B, H, S, T] if the scores it is added to
/// have other leading dims: in shifted-window attention the windows are a part of the
/// batch, [B / W, W, H, S, T], with a mask [1, W, 1, S, T].
bool AttentionMatcher::fitMask(MaskTerm &term) {
  ArrayRef<SymbolicExpr> scores = ArrayRef(term.scores).drop_back(2);
  term.own = getDims(term.value);
  if (term.own.size() > term.scores.size())
    return false;
  if (term.scores.size() == 4) {
    term.dims = term.own;
    return true;
  }
  term.own.insert(term.own.begin(), term.scores.size() - term.own.size(), 1);
  ArrayRef<SymbolicExpr> own = ArrayRef(term.own).drop_back(2);
  bool isOne = llvm::all_of(own, [](const SymbolicExpr &dim) { return dim.isConstant(1); });
  if (isOne) {
    term.dims = {1, 1};
  } else if (own == scores) {
    term.dims = result.lead;
  } else {
    size_t batch = 0; // number of dims that form the batch
    while (batch <= scores.size() && numElements(scores.take_front(batch)) != result.lead[0])
      ++batch;
    if (batch > scores.size() || numElements(scores.drop_front(batch)) != result.lead[1])
      return false;
    for (bool isBatch : {true, false}) {
      auto part = [&](ArrayRef<SymbolicExpr> dims) {
        return isBatch ? dims.take_front(batch) : dims.drop_front(batch);
      };
      term.dims.push_back(joinDims(part(own), part(scores), term.wide));
    }
    term.wide.append(term.own.end() - 2, term.own.end());
  }
  term.dims.append(term.own.end() - 2, term.own.end());
  return true;
}

bool AttentionMatcher::matchMasks() {
  Dims scores = getDims(result.scores.getResult()), full = result.lead;
  full.append(scores.end() - 2, scores.end());
  Type type = elementTypeOf(result.scores.getLhs());
  for (MaskTerm &term : result.masks) {
    // A broadcast mask is read at its original size.
    while (auto broadcast = term.value.getDefiningOp<BroadcastOp>())
      term.value = broadcast.getInput();
    if (!fitMask(term) || !broadcastsTo(term.dims, full))
      return refuse("the mask " + printDims(getDims(term.value)) + " does not broadcast to " +
                    printDims(full));
    Type own = elementTypeOf(term.value);
    if (!term.select && own != type && !own.isF32())
      return refuse("the mask has another element type than the query");
    result.hasWideMask |= !term.select && own != type;
  }
  return true;
}

static bool feedsProduct(Value value, int depth) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<MatmulOp>(user))
      return true;
    return depth > 0 &&
           isa<UnaryOp, BinaryOp, SelectOp, CastOp, ReshapeOp, TransposeOp, SliceOp>(user) &&
           feedsProduct(user->getResult(0), depth - 1);
  });
}

bool AttentionMatcher::looksLikeOne() {
  constexpr int kSteps = 4; // number of users to follow: small, as every user has users
  return feedsProduct(result.softmax.getResult(), kSteps);
}

std::optional<AttentionMatch> AttentionMatcher::match() {
  int64_t rank = rankOf(result.softmax.getInput());
  if (int64_t(result.softmax.getAxis()) != rank - 1) {
    refuse("the softmax is not over the last axis");
    return std::nullopt;
  }
  if (matchOutput() && matchScores() && matchFloor() && matchLead() && matchOperands() &&
      matchMasks() && matchSinks())
    return result;
  return std::nullopt;
}

//===- AttentionScores.cpp - Canonical form of attention scores -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts three patterns to the one that AttentionMatcher matches: scores of windows,
// [B, heads, windows, S, T] (Hiera), where (head, window) pairs become heads; a scale per
// head (the cosine attention of Swin v2), which becomes a scale of the query; and biases
// for rows and columns that are added to split scores (VitDet), which become one mask.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
/// Both matmuls around a softmax, and the scales between the first matmul and the
/// softmax.
struct Matmuls {
  MatmulOp scores, output;
  SmallVector<BinaryOp> scales; ///< in order from the softmax to the matmul
};
} // namespace

/// Whether the value is a splat that broadcasts to tensors of any rank >= 4.
static bool isScalar(Value value) {
  return splatOf(value) && numElements(getDims(value)).isConstant(1) &&
         rankOf(value) <= 4;
}

/// Finds the matmuls around a softmax; nullopt if ops other than scales are between them,
/// or if a value has other users.
static std::optional<Matmuls> matmulsAround(SoftmaxOp softmax) {
  Matmuls found;
  int64_t rank = rankOf(softmax.getResult());
  Value scores = softmax.getInput();
  while (auto scale = scores.getDefiningOp<BinaryOp>()) {
    std::optional<ScalarOperand> scaled = asScaled(scores);
    bool isPlain = scaled && scale->hasOneUse() && scaled->value == scale.getLhs() &&
                   isScalar(scale.getRhs());
    if (!isPlain)
      return std::nullopt;
    found.scales.push_back(scale);
    scores = scaled->value;
  }
  found.scores = scores.getDefiningOp<MatmulOp>();
  if (!found.scores || !found.scores->hasOneUse() || !softmax->hasOneUse())
    return std::nullopt;
  found.output = dyn_cast<MatmulOp>(*softmax->getUsers().begin());
  if (!found.output || found.output.getLhs() != softmax.getResult() ||
      found.output.getTransposeA())
    return std::nullopt;
  Dims lead(getDims(softmax.getResult()));
  for (Value operand :
       {found.scores.getLhs(), found.scores.getRhs(), found.output.getRhs()})
    if (rankOf(operand) != rank ||
        ArrayRef(getDims(operand)).drop_back(2) != ArrayRef(lead).drop_back(2))
      return std::nullopt;
  return found;
}

/// Reshapes [B, H, W, .., S, D] to [B, H * W * .., S, D].
static Value joined(OpBuilder &b, Value value) {
  Dims dims = getDims(value);
  ArrayRef<SymbolicExpr> all(dims);
  Dims to{all[0], numElements(all.drop_front().drop_back(2)), all[all.size() - 2],
          all.back()};
  return reshapeTo(b, value.getLoc(), value, to);
}

static Value cloneWith(OpBuilder &b, Operation *op, ValueRange operands,
                       const Dims &dims) {
  Operation *moved = b.clone(*op);
  moved->setOperands(operands);
  Value result = moved->getResult(0);
  result.setType(makeTensorType(dims, elementTypeOf(result)));
  return result;
}

SoftmaxOp kiln::graph::joinLead(SoftmaxOp softmax) {
  if (rankOf(softmax.getResult()) <= 4 ||
      int64_t(softmax.getAxis()) != rankOf(softmax.getResult()) - 1)
    return softmax;
  std::optional<Matmuls> matmuls = matmulsAround(softmax);
  if (!matmuls)
    return softmax;
  OpBuilder b(matmuls->output);
  MatmulOp scores = matmuls->scores, output = matmuls->output;
  Value query = joined(b, scores.getLhs()), key = joined(b, scores.getRhs()),
        value = joined(b, output.getRhs());
  Dims dims = getDims(softmax.getResult()), to = getDims(query);
  to[2] = dims[dims.size() - 2];
  to[3] = dims.back();
  Value weights = cloneWith(b, scores, {query, key}, to);
  for (BinaryOp scale : llvm::reverse(matmuls->scales))
    weights = cloneWith(b, scale, {weights, scale.getRhs()}, to);
  auto last = SoftmaxOp::create(b, softmax.getLoc(), weights, /*axis=*/3);
  Dims whole = getDims(output.getResult());
  to[3] = whole.back();
  Value result = cloneWith(b, output, {last, value}, to);
  replaceAndErase(output, reshapeTo(b, output.getLoc(), result, whole));
  return last;
}

/// Whether a value has one element for each head: [H, 1, 1], or [B, H, 1, 1].
static bool isPerHead(Value value) {
  Dims dims = getDims(value);
  return dims.size() >= 3 && dims.size() <= 4 && dims.back().isConstant(1) &&
         dims[dims.size() - 2].isConstant(1) && !splatOf(value);
}

/// Rewrites (Q K^T) * s to (Q * s) K^T.
static void scaleQuery(BinaryOp op) {
  for (bool isLeft : {true, false}) {
    Value product = isLeft ? op.getLhs() : op.getRhs(),
          scale = isLeft ? op.getRhs() : op.getLhs();
    auto scores = product.getDefiningOp<MatmulOp>();
    if (!scores || !scores->hasOneUse() || !isPerHead(scale) || scores.getTransposeA() ||
        product.getType() != op.getType() ||
        elementTypeOf(scale) != elementTypeOf(scores.getLhs()))
      continue;
    // The scale broadcasts to the query only if it has the leading dims of the scores.
    Dims query = getDims(scores.getLhs()), own = getDims(product);
    if (ArrayRef(query).drop_back(2) != ArrayRef(own).drop_back(2))
      continue;
    OpBuilder b(op);
    Operation *moved = b.clone(*scores);
    b.setInsertionPoint(moved);
    moved->setOperand(
        0, BinaryOp::create(b, op.getLoc(), BinaryKind::mul, scores.getLhs(), scale));
    return replaceAndErase(op, moved->getResult(0));
  }
}

void kiln::graph::moveHeadScale(SoftmaxOp softmax) {
  constexpr unsigned kMaxSteps = 12;
  Value scores = softmax.getInput();
  for (unsigned i = 0; i < kMaxSteps && scores.hasOneUse(); ++i) {
    if (auto reshape = scores.getDefiningOp<ReshapeOp>()) {
      scores = reshape.getInput();
      continue;
    }
    if (BinaryOp mul = asBinary(scores, BinaryKind::mul))
      return scaleQuery(mul);
    BinaryOp add = asBinary(scores, BinaryKind::add);
    if (!add)
      return;
    // The scores are the summand that has no other users and the result's type.
    scores = add.getLhs().hasOneUse() && add.getLhs().getType() == add.getType()
                 ? add.getLhs()
                 : add.getRhs();
  }
}

/// Returns the operand of an add that is split scores or another add to them; null if
/// there is none.
static Value splitScores(BinaryOp add) {
  for (Value side : {add.getLhs(), add.getRhs()})
    if (side.hasOneUse() && side.getType() == add.getType() &&
        (side.getDefiningOp<ReshapeOp>() || asBinary(side, BinaryKind::add)))
      return side;
  return {};
}

/// Whether a reshape splits only leading dims, as windows from the batch; masks of such
/// scores need no conversion.
static bool keepsRowsAndColumns(ReshapeOp op) {
  Dims from = getDims(op.getInput()), to = getDims(op.getResult());
  return from.size() >= 2 && to.size() >= 2 &&
         ArrayRef(from).take_back(2) == ArrayRef(to).take_back(2);
}

void kiln::graph::joinSplitMasks(SoftmaxOp softmax) {
  auto join = softmax.getInput().getDefiningOp<ReshapeOp>();
  if (!join || !join->hasOneUse())
    return;
  SmallVector<Value> masks;
  Value scores = join.getInput();
  while (BinaryOp add = asBinary(scores, BinaryKind::add)) {
    Value side = splitScores(add);
    if (!side)
      return;
    masks.push_back(side == add.getLhs() ? add.getRhs() : add.getLhs());
    scores = side;
  }
  auto split = scores.getDefiningOp<ReshapeOp>();
  if (!split || masks.empty() || getDims(split.getInput()) != getDims(join.getResult()) ||
      keepsRowsAndColumns(split))
    return;
  OpBuilder b(join);
  Location loc = join.getLoc();
  Value mask = masks.back();
  for (Value next : llvm::reverse(ArrayRef(masks).drop_back()))
    mask = BinaryOp::create(b, loc, BinaryKind::add, mask, next);
  mask = broadcastTo(b, loc, mask, split.getResult().getType());
  mask = reshapeTo(b, loc, mask, getDims(join.getResult()));
  replaceAndErase(join,
                  BinaryOp::create(b, loc, BinaryKind::add, split.getInput(), mask));
}

//===- RopeMatch.cpp - RoPE matcher ---------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RopeMatch.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Maximum number of ops from a sum to a factor: add, mul, neg.
static constexpr int kMaxRopeDepth = 4;

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

std::optional<RopeMatcher::Sum> RopeMatcher::expandBinary(BinaryOp op, const Piece &piece,
                                                          int depth) const {
  auto operand = [&](Value of) -> std::optional<Sum> {
    if (rankOf(of) < piece.tail ||
        tailOf(of, piece.tail) != tailOf(piece.base, piece.tail))
      return std::nullopt;
    Piece part = piece;
    part.base = of;
    return expand(part, depth - 1);
  };
  bool isSum = op.getKind() == BinaryKind::add || op.getKind() == BinaryKind::sub;
  if (!isSum && op.getKind() != BinaryKind::mul)
    return std::nullopt;
  std::optional<Sum> lhs = operand(op.getLhs()), rhs = operand(op.getRhs());
  if (!lhs || !rhs)
    return std::nullopt;
  if (isSum) {
    for (Product &product : *rhs) {
      product.sign *= op.getKind() == BinaryKind::sub ? -1 : 1;
      lhs->push_back(product);
    }
    return lhs;
  }
  if (lhs->size() != 1 || rhs->size() != 1)
    return std::nullopt;
  Product product = lhs->front();
  product.sign *= rhs->front().sign;
  llvm::append_range(product.factors, rhs->front().factors);
  return Sum{product};
}

std::optional<RopeMatcher::Sum> RopeMatcher::expand(Piece piece, int depth) const {
  piece = resolve(piece);
  Sum itself{Product{1, {piece}}};
  Operation *op = piece.base.getDefiningOp();
  // Inputs and tables have several users, so their definition is not expanded.
  bool isPart = piece.base == value || piece.base.hasOneUse();
  if (!op || depth == 0 || !isPart)
    return itself;
  if (UnaryOp neg = asUnary(piece.base, UnaryKind::neg)) {
    piece.base = neg.getInput();
    std::optional<Sum> inner = expand(piece, depth - 1);
    if (!inner || inner->size() != 1)
      return itself;
    inner->front().sign = -inner->front().sign;
    return inner;
  }
  auto binary = dyn_cast<BinaryOp>(op);
  if (!binary)
    return itself;
  if (std::optional<ScalarOperand> scaled = asScaled(piece.base)) {
    if (scaled->scalar != -1.0)
      return itself;
    Piece part = piece;
    part.base = scaled->value;
    std::optional<Sum> inner = expand(part, depth - 1);
    if (!inner || inner->size() != 1)
      return itself;
    inner->front().sign = -inner->front().sign;
    return inner;
  }
  std::optional<Sum> sum = expandBinary(binary, piece, depth);
  return sum ? sum : itself;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// Whether a and b form pairs in the same value, by halves or interleaved.
static bool arePairs(const Piece &a, const Piece &b, bool interleaved) {
  return a.base == b.base && a.tail == b.tail && a.step == b.step && a.count == b.count &&
         a.step == (interleaved ? 2 : 1) &&
         b.start == a.start + (interleaved ? 1 : a.count);
}

std::optional<RopeMatch> RopeMatcher::assign(const Sum &first, const Sum &second,
                                             unsigned product, unsigned which,
                                             bool interleaved) {
  const Product &plus = first[product], &minus = first[1 - product];
  const Piece &a = plus.factors[which];
  for (unsigned other : {0, 1}) {
    const Piece &b = minus.factors[other];
    if (!arePairs(a, b, interleaved))
      continue;
    // The second sum must have the same elements.
    for (unsigned swapped : {0, 1})
      for (unsigned sineAt : {0, 1})
        for (unsigned cosineAt : {0, 1}) {
          const Product &withSine = second[swapped], &withCosine = second[1 - swapped];
          if (!(withSine.factors[sineAt] == a) || !(withCosine.factors[cosineAt] == b))
            continue;
          double sign = withSine.sign;
          if (plus.sign != 1 || withCosine.sign != 1 || minus.sign != -sign)
            return refuse("the signs of its products are not those of a rotation");
          const Piece &cosine = plus.factors[1 - which], &sine = minus.factors[1 - other];
          if (!isSamePiece(cosine, withCosine.factors[1 - cosineAt]))
            return refuse("the elements of a pair have cosines that may differ");
          if (!isSamePiece(sine, withSine.factors[1 - sineAt]))
            return refuse("the elements of a pair have sines that may differ");
          Piece all{a.base, a.tail, a.start, 1, 2 * a.count};
          return RopeMatch{all, cosine, sine, interleaved, sign < 0};
        }
  }
  return std::nullopt;
}

std::optional<RopeMatch> RopeMatcher::matchPairs(bool interleaved) {
  int64_t pairs = *tailOf(value, 1) / 2, step = interleaved ? 2 : 1;
  std::optional<Sum> sums[2];
  for (unsigned i : {0, 1}) {
    sums[i] = expand({value, 1, interleaved ? i : i * pairs, step, pairs}, kMaxRopeDepth);
    auto isProduct = [](const Product &product) { return product.factors.size() == 2; };
    if (!sums[i] || sums[i]->size() != 2 || !llvm::all_of(*sums[i], isProduct))
      return std::nullopt;
  }
  Dims lead = getDims(value);
  lead.pop_back();
  for (unsigned product : {0, 1})
    for (unsigned which : {0, 1}) {
      auto match = assign(*sums[0], *sums[1], product, which, interleaved);
      // If the table was mistaken for the input, the input has fewer leading dims.
      if (match && leadOf(match->input) == lead)
        return match;
    }
  return std::nullopt;
}

std::optional<RopeMatch> RopeMatcher::match() {
  auto width = tailOf(value, 1);
  if (rankOf(value) < 2 || !isa<FloatType>(elementTypeOf(value)) || !width ||
      *width < 2 || *width % 2)
    return std::nullopt;
  if (auto match = matchPairs(/*interleaved=*/false))
    return match;
  return matchPairs(/*interleaved=*/true);
}

//===- RopeMatch.h - RoPE matcher -------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Raise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_RAISE_ROPEMATCH_H
#define KILN_LIB_TRANSFORMS_RAISE_ROPEMATCH_H

#include "Piece.h"

namespace kiln::graph {

/// A value whose last dim consists of `pairs` rotated pairs.
struct RopeMatch {
  Piece input; ///< slice of all pairs, in order
  Piece cosine, sine;
  bool interleaved = false;
  bool isInverse = false; ///< rotates by the negative angle
};

/// Matches a value whose halves, or even and odd elements, are each a sum of two products
/// of slices, one with a plus and one with a minus sign.
class RopeMatcher {
public:
  explicit RopeMatcher(mlir::Value value) : value(value) {}
  std::optional<RopeMatch> match();
  /// Reason for the refusal if both parts are sums of two products; else empty.
  std::string why;

private:
  struct Product {
    double sign = 1;
    llvm::SmallVector<Piece, 2> factors;
  };
  using Sum = llvm::SmallVector<Product, 2>;

  std::nullopt_t refuse(llvm::StringRef reason) {
    why = reason.str();
    return std::nullopt;
  }
  std::optional<Sum> expand(Piece piece, int depth) const;
  std::optional<Sum> expandBinary(BinaryOp op, const Piece &piece, int depth) const;
  std::optional<RopeMatch> matchPairs(bool interleaved);
  /// Matches with factor `which` of product `product` of the first sum as element a.
  std::optional<RopeMatch> assign(const Sum &first, const Sum &second, unsigned product,
                                  unsigned which, bool interleaved);

  mlir::Value value;
};

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_RAISE_ROPEMATCH_H

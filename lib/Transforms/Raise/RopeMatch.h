//===- RopeMatch.h - Find the parts of a rotary embedding -------*- C++ -*-===//
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

/// A value whose last dim is `pairs` pairs, rotated.
struct RopeMatch {
  Piece input; ///< all pairs, in order
  Piece cosine, sine;
  bool interleaved = false;
  bool isInverse = false; ///< by minus the angle
};

/// The value as sums of products of pieces: for each half, or for the even and the odd
/// elements, one with a plus and one with a minus sign.
class RopeMatcher {
public:
  explicit RopeMatcher(mlir::Value value) : value(value) {}
  std::optional<RopeMatch> match();
  /// Why not, where both parts are sums of two products; else empty.
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
  /// With factor `which` of the first sum's product `product` as an element a.
  std::optional<RopeMatch> assign(const Sum &first, const Sum &second, unsigned product,
                                  unsigned which, bool interleaved);

  mlir::Value value;
};

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_RAISE_ROPEMATCH_H

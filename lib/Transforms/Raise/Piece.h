//===- Piece.h - Parts of the last dims, followed through views -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters take halves, quarters and every second element of a head by slices, splits,
// reshapes and concats in every order. A piece says which elements they are.
//
// Internal to lib/Transforms/Raise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_RAISE_PIECE_H
#define KILN_LIB_TRANSFORMS_RAISE_PIECE_H

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>

namespace kiln::graph {

/// Elements start + i * step, i < count, of the last `tail` dims of `base`, which are
/// constants and counted as one dim; all of the dims in front of them.
struct Piece {
  mlir::Value base;
  int64_t tail = 1, start = 0, step = 1, count = 0;

  bool operator==(const Piece &other) const {
    return base == other.base && tail == other.tail && start == other.start &&
           step == other.step && count == other.count;
  }
};

/// The number of elements of the last `tail` dims; nullopt unless they are constants.
std::optional<int64_t> tailOf(mlir::Value value, int64_t tail);
/// The dims in front of the piece's.
Dims leadOf(const Piece &piece);

/// Where the elements come from, through slices, concats, reshapes and repetitions of the
/// last dims; the dims in front of them stay.
Piece resolve(Piece piece);

/// Whether the two are the same elements: also of values that are computed of the same
/// ones, and of constants whose elements are equal.
bool isSamePiece(Piece lhs, Piece rhs);

/// Makes values of pieces: [..., count]. What is computed element by element, or gathered
/// by rows, is computed of a piece of its operands, so a table is as narrow as its piece.
class PieceMaker {
public:
  mlir::Value make(Piece piece);

private:
  mlir::Value cut(const Piece &piece);
  mlir::Value makeThrough(const Piece &piece);
  mlir::Value makeElementwise(mlir::OpBuilder &b, const Piece &piece);

  using Key = std::tuple<void *, int64_t, int64_t, int64_t, int64_t>;
  std::map<Key, mlir::Value> made;
};

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_RAISE_PIECE_H

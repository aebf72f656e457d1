//===- Piece.h - Slices of the last dims ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters extract halves, quarters and every second element of a head with slices,
// splits, reshapes and concats in every order. A Piece describes the resulting elements.
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

/// The elements start + i * step, i < count, of the last `tail` dims of `base`, which are
/// constant and linearized; all indices of the leading dims.
struct Piece {
  mlir::Value base;
  int64_t tail = 1, start = 0, step = 1, count = 0;

  bool operator==(const Piece &other) const {
    return base == other.base && tail == other.tail && start == other.start &&
           step == other.step && count == other.count;
  }
};

/// Returns the number of elements of the last `tail` dims; nullopt unless they are
/// constant.
std::optional<int64_t> tailOf(mlir::Value value, int64_t tail);
/// Returns the leading dims of a slice.
Dims leadOf(const Piece &piece);

/// Returns the slice that the elements come from, through slices, concats, reshapes and
/// repetitions of the last dims that keep the leading dims.
Piece resolve(Piece piece);

/// Whether two slices have equal elements; also looks through equal computations on equal
/// slices and compares constants.
bool isSamePiece(Piece lhs, Piece rhs);

/// Materializes slices as values [..., count]. Elementwise ops and gathers of rows are
/// recomputed on slices of their operands, so that tables have only the columns they
/// need.
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

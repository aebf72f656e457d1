//===- Turned.h - Operands that lie across the result -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbours of the result are apart in a turned operand, and neighbours of the
// operand lie along another loop, the rows of a tile. Internal to
// lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_TURNED_H
#define KILN_CODEGEN_POINTWISE_TURNED_H

#include "../Expression/Contiguity.h"
#include "kiln/Codegen/Pointwise.h"

#include <vector>

namespace kiln::codegen {

/// Where choices select a load, along one loop: from every low to before every high.
struct Selection {
  std::vector<SymbolicExpr> lows, highs;

  bool isAll() const { return lows.empty() && highs.empty(); }
  /// The largest low that is a constant; 0 if none is.
  int64_t low() const;
};

/// Where a choice along other loops than those of a tile selects a load: positions
/// from `low` to before `high`; a missing bound is none.
struct Chosen {
  SymbolicExpr position;
  std::optional<SymbolicExpr> low, high;
};

struct TurnedLoad {
  Node *load = nullptr;
  Selection rows, columns;
  std::vector<Chosen> outside; ///< of the whole tile
};

/// The loads that go through scratch, all with neighbours along one loop.
struct Turned {
  const Loop *rows = nullptr; ///< of program.parallel, not the vector loop
  std::vector<TurnedLoad> loads;
  /// A position along either loop where a tile is to begin: where operands do that
  /// are selected from there on.
  int64_t rowSeam = 0, columnSeam = 0;

  bool contains(const Node *load) const {
    return llvm::any_of(loads, [&](const TurnedLoad &l) { return l.load == load; });
  }

  /// Distance, in the operand, of two neighbours of the result.
  static SymbolicExpr lineStride(const Node *load, const Loop &columns);
};

/// The turned loads of a pointwise program, those along the loop that has most
/// bytes of them; none in a program with passes.
Turned findTurned(const Program &program);

/// An operand that is turned along another loop than those above, if it is
/// worth a copy: a number of an operand of the kernel.
std::optional<unsigned> turnedOtherwise(const Program &program);
/// One of these that is worth a copy.
std::optional<unsigned> largeOperand(const Program &program, const Turned &turned);
/// An operand whose neighbours are apart along the vectors and lie along another loop,
/// but that no tile serves, if it is worth a copy.
std::optional<unsigned> turnedWithoutTile(const Program &program);

/// The same of a program whose vectors run along a reduced dim; none in any other.
Turned findTurnedRows(const Program &program);

/// What rankTransposeConfigs looks at.
TransposeProblem transposeProblemOf(graph::KernelOp kernel, const Program &program,
                                    const Turned &turned);
/// What rankRowTileConfigs looks at.
RowTileProblem rowTileProblemOf(graph::KernelOp kernel, const Program &program,
                                const Turned &turned);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_TURNED_H

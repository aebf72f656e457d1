//===- Staging.h - Operands that go through shared memory -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand that is strided along the result's innermost loop is contiguous along
// other loops. A task copies what it needs of such an operand into scratch, in the
// order of the operand, and computes from there in the order of the result, so that
// both sides are accessed in whole sectors. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_STAGING_H
#define KILN_CODEGEN_POINTWISE_STAGING_H

#include "../Expression/Contiguity.h"
#include "kiln/Codegen/Pointwise.h"

#include <vector>

namespace kiln::codegen {

/// Where choices select a load along one loop: from every low to before every high.
struct Selection {
  std::vector<SymbolicExpr> lows, highs;

  bool isAll() const { return lows.empty() && highs.empty(); }
  /// The largest low that is a constant; 0 if none is.
  int64_t low() const;
};

/// Where a choice along a loop outside the tile selects a load: from `low` to before
/// `high`; a missing bound is none. The tile then loads all of the operand or nothing.
struct OuterSelection {
  SymbolicExpr position;
  std::optional<SymbolicExpr> low, high;
};

struct StagedLoad {
  Node *load = nullptr;
  std::vector<Selection> selections; ///< per loop of the tile
  std::vector<OuterSelection> outer;
};

/// The loads of a program that one tile stages.
struct Staging {
  /// The loops of a tile, the result's innermost one first.
  llvm::SmallVector<const Loop *> loops;
  /// Per loop, a position where a tile is to begin: where operands do that are selected
  /// from there on.
  llvm::SmallVector<int64_t> begins;
  /// The loops that the loads and the result are contiguous along, innermost first, as
  /// numbers of `loops`. All but the last one of either have constant extents.
  llvm::SmallVector<int64_t> line, row;
  std::vector<StagedLoad> loads;
  /// The result's innermost loop is reduced first: a tile has all of it.
  bool hasWholeRows = false;

  bool contains(const Node *load) const {
    return llvm::any_of(loads, [&](const StagedLoad &l) { return l.load == load; });
  }
};

/// The ways to stage loads of a program, the preferred one first: of several short dims
/// at once, then those along one other loop.
std::vector<Staging> findStagings(graph::KernelOp kernel, const Program &program);
/// The first alone; without loads where the operand and the result are contiguous along
/// one loop each, or along long ones.
Staging findRunStaging(graph::KernelOp kernel, const Program &program);

/// An operand that no tile serves and that is worth a transpose of its own before the
/// kernel. `isStaged`: all GPUs have shared memory for the program's tile.
std::optional<unsigned>
operandToTranspose(const Program &program,
                   llvm::function_ref<bool(const Staging &)> isStaged, bool hasGpu);

/// Collects what rankStagingConfigs looks at for one way to stage a program's loads.
StagingProblem stagingProblemOf(graph::KernelOp kernel, const Program &program,
                                const Staging &staging);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_STAGING_H

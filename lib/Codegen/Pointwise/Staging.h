//===- Staging.h - Operands staged through shared memory --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand that is strided along the result's innermost loop may be contiguous along
// other loops. A task copies the tile that it needs of such an operand into scratch, in
// the order of the operand, and computes from there in the order of the result, so that
// both sides access full sectors (coalesced). Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_STAGING_H
#define KILN_CODEGEN_POINTWISE_STAGING_H

#include "../Expression/Contiguity.h"
#include "kiln/Codegen/Pointwise.h"

#include <vector>

namespace kiln::codegen {

/// Range along a loop in which selects choose a load: from the maximum of `lows` to the
/// minimum of `highs`.
struct Selection {
  std::vector<SymbolicExpr> lows, highs;

  bool isAll() const { return lows.empty() && highs.empty(); }
  /// Returns the maximum of the constant lows; 0 if there is none.
  int64_t low() const;
};

/// Range [low, high) of a loop outside the tile in which a select chooses a load;
/// nullopt: unbounded. The tile loads all of the operand or none of it.
struct OuterSelection {
  SymbolicExpr position;
  std::optional<SymbolicExpr> low, high;
};

struct StagedLoad {
  Node *load = nullptr;
  std::vector<Selection> selections; ///< per loop of the tile
  std::vector<OuterSelection> outer;
};

/// Loads of a program that one tile stages.
struct Staging {
  /// The tile's loops, the result's innermost one first.
  llvm::SmallVector<const Loop *> loops;
  /// Per loop, a position at which a tile begins: the first position of operands that are
  /// selected from there on.
  llvm::SmallVector<int64_t> begins;
  /// Loops along which the loads (line) and the result (row) are contiguous, innermost
  /// first, as indices into `loops`. All but the last of each have constant extents.
  llvm::SmallVector<int64_t> line, row;
  std::vector<StagedLoad> loads;
  /// True if the result's innermost loop is also reduced, so that a tile has all of it.
  bool hasWholeRows = false;

  bool contains(const Node *load) const {
    return llvm::any_of(loads, [&](const StagedLoad &l) { return l.load == load; });
  }
};

/// Returns the ways to stage loads of a program, preferred one first: along several short
/// dims at once, then along one other loop.
std::vector<Staging> findStagings(graph::KernelOp kernel, const Program &program);
/// Returns the first of these; without loads if operand and result are contiguous along
/// one loop each, or along long ones.
Staging findRunStaging(graph::KernelOp kernel, const Program &program);

/// Returns an operand that no tile can stage and that is worth a separate transpose
/// before the kernel. `isStaged` returns whether all GPUs have shared memory for the
/// program's tile.
std::optional<unsigned>
operandToTranspose(const Program &program,
                   llvm::function_ref<bool(const Staging &)> isStaged, bool hasGpu);

/// Returns the parameters of rankStagingConfigs for one way to stage a program's loads.
StagingProblem stagingProblemOf(graph::KernelOp kernel, const Program &program,
                                const Staging &staging);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_STAGING_H

//===- Pointwise.h - Row and pointwise kernels ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel without a matmul or an attention: any combination of elementwise
// and movement ops, with at most one softmax, norm or reduction.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_H
#define KILN_CODEGEN_POINTWISE_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::codegen {

/// Accesses to neighbours that one kernel makes of one tensor.
struct NeighbourAccess {
  int64_t bytes = 4;   ///< of an element
  int64_t divisor = 1; ///< power of two, in elements, of where lines begin
};

/// A row op whose vectors run along a dim that stays: what it reduces are columns.
struct ColumnProblem {
  /// Contiguous reads and writes along the columns.
  llvm::SmallVector<NeighbourAccess> accesses;
  /// Positions of the other dims that stay, and reduced ones, if they are constants.
  std::optional<int64_t> rows, depth;
  /// Reduced positions, or the most that the ranges of the symbols allow.
  std::optional<int64_t> mostDepth;
  int64_t sumBytes = 4;   ///< of an element that is being reduced
  int64_t stageBytes = 4; ///< of one that is kept between passes
};

/// Properties of a row or pointwise kernel that its config may depend on.
struct PointwiseProblem {
  /// Bytes of the widest element that is computed.
  int64_t widestBytes = 4;
  /// Instructions per element, roughly.
  int64_t cost = 0;
  /// Instructions per element of what a row op reads, and the number of passes over a
  /// row.
  int64_t prologueCost = 0, walks = 0;
  /// Extent of the loop that vectors run along, if it is a constant.
  std::optional<int64_t> inner;
  /// Its extent, or the most that the ranges of the symbols in it allow.
  std::optional<int64_t> mostInner;
  /// Whether the loop that vectors run along is reduced: a row is then one or more
  /// fragments.
  bool reducesInner = false;
  /// The largest power of two that divides every position of it at which a choice
  /// (a concatenation) goes over from one operand to the next; 0: there is none.
  int64_t seams = 0;
  /// There is a loop around that one whose positions may be reduced side by side, of
  /// this extent if it is a constant.
  bool hasPositions = false;
  /// They have operands in common, such as weights.
  bool sharesOperands = false;
  std::optional<int64_t> positions;
  std::optional<ColumnProblem> columns;
};

/// Configs for a problem, best first; never empty.
llvm::SmallVector<tile::PointwiseConfigAttr>
rankPointwiseConfigs(mlir::MLIRContext *context, const PointwiseProblem &problem,
                     const TargetInfo &target);

/// Accesses and loops that a tile depends on through which strided operands are
/// transposed in scratch.
struct StagingProblem {
  /// Operands that are staged, in the order of their areas of scratch.
  llvm::SmallVector<NeighbourAccess> staged;
  /// The results, and operands that are contiguous as the results are.
  llvm::SmallVector<NeighbourAccess> direct;
  /// Extents of the loops of a tile, if they are constants; the result's innermost loop
  /// is number 0.
  llvm::SmallVector<std::optional<int64_t>> extents;
  /// Loops that the operands and the results are contiguous along, innermost first. All
  /// but the last one of either have constant extents.
  llvm::SmallVector<int64_t> line, row;
  /// Positions along the operands' one loop are rows of the result that follow each other.
  bool rowsAreNext = false;
  /// Problem of computing a row from scratch; set for row kernels, whose tile is whole
  /// rows.
  std::optional<PointwiseProblem> compute;
};

/// Configs for a problem, best first. Of pointwise kernels: fewest bank conflicts, then the
/// widest thread groups; of rows: the ways to compute a row in their order, then lines of
/// 128 bytes, then shorter ones of whole sectors. Empty where a target has no use for a
/// tile, or no shared memory for it.
llvm::SmallVector<tile::StagingConfigAttr>
rankStagingConfigs(mlir::MLIRContext *context, const StagingProblem &problem,
                   const TargetInfo &target);
/// False if rows need a tile in scratch, and there is none.
bool holdsStaging(mlir::MLIRContext *context, const StagingProblem &problem,
                  const TargetInfo &target);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_H

//===- Pointwise.h - Row and pointwise kernels ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel without a matmul, an attention or a scatter: any combination of
// elementwise ops and data movement, with at most one softmax, norm or reduction.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_H
#define KILN_CODEGEN_POINTWISE_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::codegen {

/// Contiguous accesses of one kernel to one tensor.
struct NeighbourAccess {
  int64_t bytes = 4;   ///< size of an element
  int64_t divisor = 1; ///< largest power of two that divides the offset of each line, in
                       ///< elements
};

/// A row op that is vectorized along a dim that is kept: it reduces columns.
struct ColumnProblem {
  /// Accesses that are contiguous along the vectorized dim.
  llvm::SmallVector<NeighbourAccess> accesses;
  /// Extent of the other kept dims and of the reduced dims, if they are constants.
  std::optional<int64_t> rows, depth;
  /// Extent of the reduced dims, or its upper bound over the ranges of the symbols.
  std::optional<int64_t> mostDepth;
  int64_t sumBytes = 4;   ///< size of an element of the accumulator
  int64_t stageBytes = 4; ///< size of an element that is kept between passes
};

/// Properties of a row or pointwise kernel that its config may depend on.
struct PointwiseProblem {
  /// Bytes of the widest element that is computed.
  int64_t widestBytes = 4;
  /// Estimated instructions per element.
  int64_t cost = 0;
  /// Estimated instructions per element to compute the operand of a row op, and the
  /// number of passes over a row.
  int64_t prologueCost = 0, walks = 0;
  /// Extent of the vectorized loop, if it is a constant.
  std::optional<int64_t> inner;
  /// Extent of the vectorized loop, or its upper bound over the ranges of the symbols.
  std::optional<int64_t> mostInner;
  /// Whether the vectorized loop is reduced, so that a row is one or more fragments.
  bool reducesInner = false;
  /// Largest power of two that divides every position along the vectorized loop at which
  /// a concatenation changes from one operand to the next; 0 without concatenations.
  int64_t seams = 0;
  /// Whether an outer loop exists whose rows may be reduced in parallel, with its extent
  /// in `positions` if that is a constant.
  bool hasPositions = false;
  /// Whether such rows read the same operands, such as weights.
  bool sharesOperands = false;
  std::optional<int64_t> positions;
  std::optional<ColumnProblem> columns;
};

/// Returns configs for a problem, best first; never empty.
llvm::SmallVector<tile::PointwiseConfigAttr>
rankPointwiseConfigs(mlir::MLIRContext *context, const PointwiseProblem &problem,
                     const TargetInfo &target);

/// Accesses and loops that determine the tile in scratch through which strided operands
/// are transposed.
struct StagingProblem {
  /// Operands that are staged through scratch, in the order of their areas.
  llvm::SmallVector<NeighbourAccess> staged;
  /// The results, and operands with the same contiguous loops as the results.
  llvm::SmallVector<NeighbourAccess> direct;
  /// Extents of the loops of a tile, if they are constants; loop 0 is the result's
  /// innermost.
  llvm::SmallVector<std::optional<int64_t>> extents;
  /// Loops along which the staged operands (`line`) and the results (`row`) are
  /// contiguous, innermost first. All but the last of each list have constant extents.
  llvm::SmallVector<int64_t> line, row;
  /// Whether consecutive positions along the operands' only loop are consecutive rows of
  /// the result.
  bool rowsAreNext = false;
  /// Problem of computing a row from scratch; set for row kernels, whose tile consists of
  /// entire rows.
  std::optional<PointwiseProblem> compute;
};

/// Returns configs for a problem, best first. Pointwise kernels: fewest bank conflicts,
/// then the widest thread groups. Row kernels: by the rank of the config that computes a
/// row, then lines of 128 bytes, then shorter ones of entire sectors. Empty if the target
/// does not benefit from a tile or lacks the shared memory.
llvm::SmallVector<tile::StagingConfigAttr>
rankStagingConfigs(mlir::MLIRContext *context, const StagingProblem &problem,
                   const TargetInfo &target);
/// False if rows need a tile in scratch and none fits.
bool holdsStaging(mlir::MLIRContext *context, const StagingProblem &problem,
                  const TargetInfo &target);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_H

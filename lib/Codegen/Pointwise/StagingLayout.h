//===- StagingLayout.h - Layout of staged tiles in scratch ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_STAGINGLAYOUT_H
#define KILN_CODEGEN_POINTWISE_STAGINGLAYOUT_H

#include "../Expression/IndexMath.h"
#include "kiln/Codegen/Pointwise.h"

namespace kiln::codegen {

/// Bytes of a line (four sectors), after which the banks repeat; and of a sector.
inline constexpr int64_t kLineBytes = 128, kSectorBytes = 32;

/// Alignment of an operand's area in scratch, in bytes.
inline constexpr int64_t kScratchAlignment = 64;

/// Layout of a tile in scratch: contiguous lines, `pitch` elements apart.
class StagingLayout {
public:
  /// Order of the lines: the operand's (along the loops `line`) or the result's rows.
  enum class Order { Operand, Result };
  StagingLayout(llvm::ArrayRef<int64_t> tile, llvm::ArrayRef<int64_t> line,
                llvm::ArrayRef<int64_t> row, Order order);

  Order order;
  int64_t lineLength = 1, rowLength = 1; ///< elements
  /// Loops of operand lines and of result rows; loops of lines but not of rows, and of
  /// rows but not of lines. Innermost first.
  llvm::SmallVector<int64_t> line, row, acrossRows, acrossLines;

  /// Number of elements per contiguous line, and number of lines.
  int64_t length() const { return order == Order::Operand ? lineLength : rowLength; }
  int64_t lines() const {
    return count(order == Order::Operand ? acrossLines : acrossRows);
  }
  /// Returns the loop of acrossLines that one fragment covers: the outermost one of a
  /// row, else the longest one; nullopt if there is only one line.
  std::optional<int64_t> fragmentLoop() const;
  /// Returns the number of positions of some loops.
  int64_t count(llvm::ArrayRef<int64_t> loops) const;
  /// Returns the elements between positions of a loop.
  int64_t stride(int64_t loop, int64_t pitch) const {
    return inLine[loop] + ofLines[loop] * pitch;
  }
  SymbolicExpr stride(int64_t loop, const SymbolicExpr &pitch) const {
    return SymbolicExpr(inLine[loop]) + SymbolicExpr(ofLines[loop]) * pitch;
  }
  /// Returns the address of a position in some loops, merged.
  int64_t address(llvm::ArrayRef<int64_t> loops, int64_t position, int64_t pitch) const;

private:
  llvm::SmallVector<int64_t> tile;
  /// A loop's stride is inLine + ofLines * pitch; one of the two is 0.
  llvm::SmallVector<int64_t> inLine, ofLines;
};

/// Cost of a padding, compared by bank conflicts, then accesses, then padding.
struct PitchCost {
  int64_t pad = 0, conflicts = 0, accesses = 0;
  bool operator<(const PitchCost &other) const {
    return std::tuple(conflicts, accesses, pad) <
           std::tuple(other.conflicts, other.accesses, other.pad);
  }
};

/// Accesses of a warp: each thread writes `lineVector` contiguous elements of the
/// operand; in groups of `group` threads per row, each reads `rowVector` contiguous
/// elements of the result's row.
struct WarpAccesses {
  int64_t lineVector, rowVector, group;
};

/// Returns the padding of lines of `length` elements of `bytes` each that has the minimum
/// cost.
PitchCost choosePad(const StagingLayout &layout, int64_t length, const WarpAccesses &warp,
                    int64_t bytes, const GpuInfo &gpu);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_STAGINGLAYOUT_H

//===- StagingLayout.h - Where staged elements lie in scratch ---*- C++ -*-===//
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

/// Bytes of four sectors. Lines that are further apart begin in the same banks again.
inline constexpr int64_t kLineBytes = 128, kSectorBytes = 32;

/// Where the area of an operand begins in scratch is a multiple of so many bytes.
inline constexpr int64_t kScratchAlignment = 64;

/// The elements of a tile in scratch: lines that are contiguous, `pitch` elements apart.
class StagingLayout {
public:
  /// Lines are those of the operand (through the loops `line`) or rows of the result.
  enum class Order { Operand, Result };
  StagingLayout(llvm::ArrayRef<int64_t> tile, llvm::ArrayRef<int64_t> line,
                llvm::ArrayRef<int64_t> row, Order order);

  Order order;
  int64_t lineLength = 1, rowLength = 1; ///< elements
  /// The loops of either; those of operand lines but not of rows, and those of rows but
  /// not of lines. Innermost first.
  llvm::SmallVector<int64_t> line, row, acrossRows, acrossLines;

  /// Elements of a contiguous line, and lines.
  int64_t length() const { return order == Order::Operand ? lineLength : rowLength; }
  int64_t lines() const {
    return count(order == Order::Operand ? acrossLines : acrossRows);
  }
  /// The loop of acrossLines that is loaded at once: the outermost one of a row, or the
  /// longest one. nullopt: there is one line.
  std::optional<int64_t> fragmentLoop() const;
  /// The product of the positions of some loops.
  int64_t count(llvm::ArrayRef<int64_t> loops) const;
  /// Elements from one position of a loop to the next.
  int64_t stride(int64_t loop, int64_t pitch) const {
    return inLine[loop] + ofLines[loop] * pitch;
  }
  SymbolicExpr stride(int64_t loop, const SymbolicExpr &pitch) const {
    return SymbolicExpr(inLine[loop]) + SymbolicExpr(ofLines[loop]) * pitch;
  }
  /// Where a position of some loops as one is.
  int64_t address(llvm::ArrayRef<int64_t> loops, int64_t position, int64_t pitch) const;

private:
  llvm::SmallVector<int64_t> tile;
  /// Strides are inLine + ofLines * pitch, one of which is 0.
  llvm::SmallVector<int64_t> inLine, ofLines;
};

/// Cost of a distance of lines: words beyond the first that a bank serves at a time, then
/// accesses.
struct PitchCost {
  int64_t pad = 0, conflicts = 0, accesses = 0;
  bool operator<(const PitchCost &other) const {
    return std::tuple(conflicts, accesses, pad) <
           std::tuple(other.conflicts, other.accesses, other.pad);
  }
};

/// Accesses of a warp to a layout: threads write `lineVector` contiguous elements of the
/// operand each, and in groups of `group` read `rowVector` ones of a row each.
struct WarpAccesses {
  int64_t lineVector, rowVector, group;
};

/// The cheapest distance of lines of `length` elements of `bytes` each.
PitchCost choosePad(const StagingLayout &layout, int64_t length, const WarpAccesses &warp,
                    int64_t bytes, const GpuInfo &gpu);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_STAGINGLAYOUT_H

//===- Wgmma.h - wgmma groups as PTX ----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One wgmma group is a single inline assembly string (fence, wgmma instructions, commit),
// so that nothing can be moved between them. Descriptors as in the PTX ISA, "Asynchronous
// Warpgroup Level Matrix Shared Memory Layout". Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_WGMMA_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_WGMMA_H

#include "dialects/Tile/Tile.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::nvptx {

/// Operand of two-byte elements in shared memory, as #tile.mem_layout describes it: lines
/// of `span` bytes, swizzled in blocks of 8 lines.
struct WgmmaOperand {
  bool isMnMajor = false;  ///< lines run along M or N, one per K index
  int64_t span = 128;      ///< 32, 64 or 128
  int64_t pieceBytes = 0;  ///< from one segment of a line to the next

  /// Describes the tiles of a buffer whose dim `depthDim` is K.
  static WgmmaOperand of(tile::MemType type, unsigned depthDim);
  /// Returns the descriptor of an operand at address 0.
  uint64_t descriptor() const;
  /// Returns the byte offset of K step `step` (16 K indices each).
  int64_t stepOffset(int64_t step) const;
  /// Returns the byte offset of row (A) or column (B) `position`, a multiple of a line's
  /// elements.
  int64_t ownOffset(int64_t position) const;
};

struct WgmmaGroup {
  int64_t columns = 0;  ///< 8 to 256, a multiple of 8
  int64_t depth = 0;    ///< a multiple of 16
  std::string element;  ///< "bf16" or "f16"
  std::optional<WgmmaOperand> left; ///< nullopt: in registers, 4 per step of K = 16
  WgmmaOperand right;
  bool startsAtZero = false; ///< the accumulators need not be initialized

  int64_t steps() const { return depth / 16; }
  /// Returns the accumulators per thread.
  int64_t registers() const { return columns / 2; }
  /// The assembly text and its LLVM constraints. Results are the accumulators; operands
  /// are A's descriptor (64 bits) or registers, B's descriptor, then the previous
  /// accumulators, if there are any.
  std::string text() const;
  std::string constraints() const;

private:
  int64_t leftOperands() const { return left ? 1 : 4 * steps(); }
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_WGMMA_H

//===- Wgmma.h - Products of a warpgroup as PTX -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One group of products is one piece of assembly: fence, products, commit. Nothing can be
// moved between them. Descriptors as in the PTX ISA, "Asynchronous Warpgroup Level Matrix
// Shared Memory Layout". Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_WGMMA_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_WGMMA_H

#include "dialects/Tile/Tile.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::nvptx {

/// An operand of two-byte elements in shared memory, as its layout says
/// (#tile.mem_layout): lines of `span` bytes, swizzled within 8 lines, in blocks of 8.
struct WgmmaOperand {
  bool isMnMajor = false;  ///< lines run along M or N, one per step of K
  int64_t span = 128;      ///< 32, 64 or 128
  int64_t pieceBytes = 0;  ///< from one piece of a line to the next

  /// Describes the tiles of a buffer, the dim `depthDim` of which is K.
  static WgmmaOperand of(tile::MemType type, unsigned depthDim);
  /// The descriptor of an operand at address 0.
  uint64_t descriptor() const;
  /// Bytes from the first step of 16 along K to another.
  int64_t stepOffset(int64_t step) const;
  /// Bytes to the rows or columns from a multiple of a line's elements on.
  int64_t ownOffset(int64_t position) const;
};

struct WgmmaGroup {
  int64_t columns = 0;  ///< 8 to 256, a multiple of 8
  int64_t depth = 0;    ///< a multiple of 16
  std::string element;  ///< "bf16" or "f16"
  std::optional<WgmmaOperand> left; ///< nullopt: in registers, 4 per step of 16
  WgmmaOperand right;
  bool startsAtZero = false; ///< there are no accumulators so far

  int64_t steps() const { return depth / 16; }
  /// Accumulators of one thread.
  int64_t registers() const { return columns / 2; }
  /// The text and its constraints for LLVM: results are the accumulators; operands the
  /// left descriptor (64 bits) or the left registers, the right descriptor, then the
  /// accumulators so far, if there are any.
  std::string text() const;
  std::string constraints() const;

private:
  int64_t leftOperands() const { return left ? 1 : 4 * steps(); }
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_WGMMA_H

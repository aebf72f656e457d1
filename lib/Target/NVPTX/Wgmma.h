//===- Wgmma.h - Products of a warpgroup as PTX -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a pipeline is one piece of assembly: fence, products, commit, wait.
// Nothing can be moved between them, and the sums are read when they are there.
// Descriptors as in the PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory
// Layout". Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_WGMMA_H
#define KILN_LIB_TARGET_NVPTX_WGMMA_H

#include <cstdint>
#include <string>

namespace kiln::nvptx {

/// An operand of two-byte elements in shared memory, as tensor copies leave it:
/// lines of `span` bytes, swizzled within 8 lines, in blocks of 8.
struct WgmmaOperand {
  bool isMnMajor = false; ///< lines run along M or N, one per step of K
  int64_t span = 128;     ///< 32, 64 or 128; 128 where lines run along K
  int64_t leading = 0;    ///< bytes to the lines of the next columns; MN-major only

  /// The descriptor of an operand at address 0.
  uint64_t descriptor() const;
  /// Bytes between the beginnings of two steps of 16 along K.
  int64_t stepBytes() const;
};

struct WgmmaStep {
  int64_t columns = 0; ///< 8 to 256, a multiple of 8
  int64_t depth = 0;   ///< a multiple of 16
  std::string element; ///< "bf16" or "f16"
  WgmmaOperand left, right;

  /// Sums of one thread.
  int64_t registers() const { return columns / 2; }
  /// The text and its constraints for LLVM: results are the sums, operands the two
  /// descriptors (64 bits), then the sums so far.
  std::string text() const;
  std::string constraints() const;
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_WGMMA_H

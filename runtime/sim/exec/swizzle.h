//===- swizzle.h - Swizzles of shared memory --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Swizzles permute 16-byte (or larger) units of 128-byte lines by exclusive-or of address
// bits, so the map is its own inverse. They apply to the shared-memory address, not to
// the offset in the box or matrix.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_SWIZZLE_H
#define KILN_SIM_EXEC_SWIZZLE_H

#include "runtime/sim/memory/tensor_map.h"

namespace kiln::sim::exec {

/// Returns the swizzled offset of unswizzled offset `at`. `lineShift`, the base offset of
/// a wgmma descriptor, is subtracted from the number of the 128-byte line.
inline uint32_t swizzled(TensorMap::Swizzle mode, uint32_t at, uint32_t lineShift = 0) {
  uint32_t line = (at >> 7) - lineShift;
  switch (mode) {
  case TensorMap::Swizzle32:
    return at ^ (line & 1) << 4;
  case TensorMap::Swizzle64:
    return at ^ (line & 3) << 4;
  case TensorMap::Swizzle128:
    return at ^ (line & 7) << 4;
  case TensorMap::Swizzle128Atom32:
    return at ^ (line & 3) << 5;
  case TensorMap::Swizzle128Atom32Flip8:
    return at ^ (line & 3) << 5 ^ (line & 1) << 3;
  case TensorMap::Swizzle128Atom64:
    return at ^ (line & 1) << 6;
  default:
    return at;
  }
}

/// Bytes of a unit that stays contiguous.
inline uint32_t swizzleUnit(TensorMap::Swizzle mode) {
  return mode == TensorMap::Swizzle128Atom32Flip8 ? 8 : 16;
}

/// Bytes after which the permutation repeats: the max inner box dimension.
inline uint32_t swizzleSpan(TensorMap::Swizzle mode) {
  switch (mode) {
  case TensorMap::SwizzleNone:
    return 0;
  case TensorMap::Swizzle32:
    return 32;
  case TensorMap::Swizzle64:
    return 64;
  default:
    return 128;
  }
}

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_SWIZZLE_H

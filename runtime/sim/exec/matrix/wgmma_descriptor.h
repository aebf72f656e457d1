//===- wgmma_descriptor.h - Memory layout of wgmma operands -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix in shared memory is made of 8 rows of 16 bytes each ("core matrices"), laid
// out by a descriptor. K-major: a row runs along k and the next row is the next m or n.
// MN-major: a row runs along m or n and the next row is the next k.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_MATRIX_WGMMA_DESCRIPTOR_H
#define KILN_SIM_EXEC_MATRIX_WGMMA_DESCRIPTOR_H

#include "runtime/sim/exec/swizzle.h"

namespace kiln::sim::exec::matrix {

class WgmmaDescriptor {
public:
  explicit WgmmaDescriptor(uint64_t bits)
      : start(field(bits, 0)), leading(field(bits, 16)), stride(field(bits, 32)),
        lineShift(uint32_t(bits >> 49 & 7)), mode(modeOf(unsigned(bits >> 62))) {}

  /// Returns the offset in shared memory of the 16-byte unit that holds element (mn, k),
  /// for elements of `bytes`. Elements are contiguous within the unit.
  uint32_t unitOf(bool mnMajor, unsigned bytes, unsigned mn, unsigned k) const {
    unsigned perUnit = 16 / bytes;
    unsigned along = (mnMajor ? mn : k) / perUnit, across = mnMajor ? k : mn;
    return swizzled(mode, start + place(mnMajor, along, across), lineShift);
  }

  TensorMap::Swizzle swizzle() const { return mode; }
  uint32_t startAddress() const { return start; }

private:
  static uint32_t field(uint64_t bits, unsigned at) {
    return uint32_t(bits >> at & 0x3fff) << 4;
  }
  static TensorMap::Swizzle modeOf(unsigned code) {
    constexpr TensorMap::Swizzle modes[] = {TensorMap::SwizzleNone, TensorMap::Swizzle128,
                                            TensorMap::Swizzle64, TensorMap::Swizzle32};
    return modes[code];
  }
  /// Returns the unswizzled offset of unit `along` in row `across` of units.
  uint32_t place(bool mnMajor, unsigned along, unsigned across) const {
    if (mode == TensorMap::SwizzleNone)
      return across % 8 * 16 + (mnMajor ? across / 8 * leading + along * stride
                                        : across / 8 * stride + along * leading);
    uint32_t span = swizzleSpan(mode);
    uint32_t result = across % 8 * span + across / 8 * stride;
    if (!mnMajor)
      return result + along * 16;
    unsigned units = span / 16;
    return result + along % units * 16 + along / units * leading;
  }

  uint32_t start, leading, stride, lineShift;
  TensorMap::Swizzle mode;
};

} // namespace kiln::sim::exec::matrix

#endif // KILN_SIM_EXEC_MATRIX_WGMMA_DESCRIPTOR_H

//===- tensor_map.h - Contents of a CUtensorMap ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To a program a tensor map is 128 opaque bytes; this is the simulator's layout. The
// driver layer writes it (cuTensorMapEncodeTiled checks every rule); the interpreter
// reads it in a bulk tensor copy and edits it in tensormap.replace, so that a later copy
// must check the fields it uses again.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_MEMORY_TENSOR_MAP_H
#define KILN_SIM_MEMORY_TENSOR_MAP_H

#include <cstdint>

namespace kiln::sim {

struct TensorMap {
  static constexpr uint32_t Valid = 0x6b544d31; ///< value of `magic` in an encoded map
  static constexpr unsigned MaxRank = 5;

  /// The driver's numbers of CUtensorMapDataType.
  enum Element : uint8_t {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F64,
    BF16,
    F32Ftz,
    TF32,
    TF32Ftz,
    U4x16Align8,
    U4x16Align16,
    U6x16Align16,
    ElementCount
  };
  enum Interleave : uint8_t { InterleaveNone, Interleave16, Interleave32 };
  /// Atom: size of the unit that the swizzle permutes; 16 bytes if not named.
  enum Swizzle : uint8_t {
    SwizzleNone,
    Swizzle32,
    Swizzle64,
    Swizzle128,
    Swizzle128Atom32,
    Swizzle128Atom32Flip8,
    Swizzle128Atom64,
    SwizzleCount
  };
  enum Fill : uint8_t { FillZero, FillNan };
  /// Bits of `missing`. For a field with an ordinal (a dimension), the bit of ordinal 0.
  /// Fields for which zero is valid have no bit.
  enum Field : uint8_t {
    AddressField,
    BoxField,
    ExtentField = BoxField + MaxRank,
    ElementStrideField = ExtentField + MaxRank,
    StrideField = ElementStrideField + MaxRank,
    FieldCount = StrideField + MaxRank - 1
  };

  uint64_t globalAddress;
  uint64_t strides[MaxRank - 1]; ///< bytes, of dimensions 1 and above
  uint32_t extentLess1[MaxRank]; ///< elements minus one: 2^32 is legal
  uint32_t magic;
  /// Fields that tensormap.replace has not set yet in a map that started as zeros.
  uint32_t missing;
  uint16_t box[MaxRank]; ///< elements
  uint8_t elementStrides[MaxRank];
  uint8_t rank;
  Element element;
  Interleave interleave;
  Swizzle swizzle;
  uint8_t l2Promotion;
  Fill fill;
  uint8_t reserved[39];

  uint64_t extent(unsigned dimension) const {
    return uint64_t(extentLess1[dimension]) + 1;
  }
  /// Bits of one element in global memory; 0 for an invalid element type.
  static constexpr uint32_t elementBits(Element element) {
    constexpr uint8_t bits[] = {8,  16, 32, 32, 64, 64, 16, 32,
                                64, 16, 32, 32, 32, 4,  4,  6};
    return element < ElementCount ? bits[element] : 0;
  }
};

static_assert(sizeof(TensorMap) == 128);

} // namespace kiln::sim

#endif // KILN_SIM_MEMORY_TENSOR_MAP_H

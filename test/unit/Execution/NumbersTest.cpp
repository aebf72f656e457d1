//===- NumbersTest.cpp - Elements as doubles ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Numbers.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace kiln::execution;

namespace {
/// Writes a value as the given type between other elements and reads it back.
double stored(kiln_dtype dtype, double value) {
  std::vector<unsigned char> memory(3 * 8, 0x5a);
  writeElement(dtype, memory.data(), 1, value);
  size_t size = kiln_dtype_size(dtype);
  for (size_t i = 0; i < memory.size(); ++i)
    if (i / size != 1)
      EXPECT_EQ(memory[i], 0x5a) << "wrote outside of its element";
  return readElement(dtype, memory.data(), 1);
}

/// Returns the value of these bits.
template <typename Bits> double valueOfBits(kiln_dtype dtype, Bits bits) {
  return readElement(dtype, &bits, 0);
}

TEST(Numbers, SaysWhichTypesAreFloats) {
  for (kiln_dtype dtype :
       {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16, KILN_DTYPE_F64,
        KILN_DTYPE_F8E4M3FN, KILN_DTYPE_F8E5M2, KILN_DTYPE_F4E2M1FN})
    EXPECT_TRUE(isFloat(dtype)) << kiln_dtype_name(dtype);
  for (kiln_dtype dtype : {KILN_DTYPE_I8, KILN_DTYPE_I64, KILN_DTYPE_U8, KILN_DTYPE_U32,
                           KILN_DTYPE_BOOL, KILN_DTYPE_I4, KILN_DTYPE_U2})
    EXPECT_FALSE(isFloat(dtype)) << kiln_dtype_name(dtype);
}

TEST(Numbers, SmallWholeNumbersAreExactInEveryType) {
  for (int i = 0; i < KILN_DTYPE_COUNT; ++i) {
    auto dtype = static_cast<kiln_dtype>(i);
    if (kiln_dtype_size(dtype) == 0)
      continue;
    for (double value : {0.0, 1.0})
      if (dtype != KILN_DTYPE_F8E8M0FNU || value > 0) // F8E8M0 has only powers of two
        EXPECT_EQ(stored(dtype, value), value) << kiln_dtype_name(dtype);
  }
}

TEST(Numbers, IntegersKeepTheirRange) {
  EXPECT_EQ(stored(KILN_DTYPE_I8, -128), -128);
  EXPECT_EQ(stored(KILN_DTYPE_U8, 255), 255);
  EXPECT_EQ(stored(KILN_DTYPE_I16, -32768), -32768);
  EXPECT_EQ(stored(KILN_DTYPE_U16, 65535), 65535);
  EXPECT_EQ(stored(KILN_DTYPE_I32, -2147483648.0), -2147483648.0);
  EXPECT_EQ(stored(KILN_DTYPE_U32, 4294967295.0), 4294967295.0);
  EXPECT_EQ(stored(KILN_DTYPE_I64, -0x1p53), -0x1p53);
  EXPECT_EQ(stored(KILN_DTYPE_U64, 0x1p53), 0x1p53);
}

TEST(Numbers, LargeIntegersAreRoundedWhenRead) {
  EXPECT_EQ(valueOfBits(KILN_DTYPE_I64, (int64_t(1) << 53) + 1), 0x1p53);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_U64, ~uint64_t(0)), 0x1p64);
}

/// A byte holds one 4-bit or 2-bit value; its other bits are ignored.
TEST(Numbers, NarrowIntegersAreTheLowBitsOfAByte) {
  EXPECT_EQ(valueOfBits(KILN_DTYPE_I4, uint8_t(0xf8)), -8);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_I4, uint8_t(0x37)), 7);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_U4, uint8_t(0xaf)), 15);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_I2, uint8_t(0x0e)), -2);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_U2, uint8_t(0xff)), 3);
  EXPECT_EQ(stored(KILN_DTYPE_I4, -3), -3);
  EXPECT_EQ(stored(KILN_DTYPE_I2, -1), -1);
}

TEST(Numbers, HalvesRoundToEven) {
  EXPECT_EQ(stored(KILN_DTYPE_F16, 2049), 2048) << "between 2048 and 2050";
  EXPECT_EQ(stored(KILN_DTYPE_F16, 2051), 2052);
  EXPECT_EQ(stored(KILN_DTYPE_F16, 0x1p-24), 0x1p-24) << "the smallest one";
  EXPECT_EQ(stored(KILN_DTYPE_F16, 0x1p-26), 0);
  EXPECT_EQ(stored(KILN_DTYPE_F16, 65504), 65504);
  EXPECT_TRUE(std::isinf(stored(KILN_DTYPE_F16, 65520)));
  EXPECT_EQ(stored(KILN_DTYPE_BF16, 257), 256) << "between 256 and 258";
  EXPECT_EQ(stored(KILN_DTYPE_BF16, 259), 260);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_BF16, uint16_t(0x3f80)), 1);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_F16, uint16_t(0xc000)), -2);
}

TEST(Numbers, NotNumbersStayWhatTheyAre) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (kiln_dtype dtype :
       {KILN_DTYPE_F16, KILN_DTYPE_BF16, KILN_DTYPE_F32, KILN_DTYPE_F64}) {
    EXPECT_TRUE(std::isnan(stored(dtype, nan))) << kiln_dtype_name(dtype);
    EXPECT_EQ(stored(dtype, INFINITY), INFINITY) << kiln_dtype_name(dtype);
    EXPECT_EQ(stored(dtype, -INFINITY), -INFINITY) << kiln_dtype_name(dtype);
    EXPECT_TRUE(std::signbit(stored(dtype, -0.0))) << kiln_dtype_name(dtype);
  }
}

TEST(Numbers, DoublesKeepAllDigits) {
  EXPECT_EQ(stored(KILN_DTYPE_F64, 0.1), 0.1);
  EXPECT_EQ(stored(KILN_DTYPE_F32, 0.1), double(0.1f));
}

TEST(Numbers, FloatsOfEightBits) {
  EXPECT_EQ(valueOfBits(KILN_DTYPE_F8E4M3FN, uint8_t(0x38)), 1);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_F8E4M3FN, uint8_t(0x7e)), 448);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_F8E4M3FN, uint8_t(0x01)), 0x1p-9);
  EXPECT_TRUE(std::isnan(valueOfBits(KILN_DTYPE_F8E4M3FN, uint8_t(0x7f))));
  EXPECT_EQ(valueOfBits(KILN_DTYPE_F8E5M2, uint8_t(0x7b)), 57344);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_F8E5M2, uint8_t(0xfc)), -INFINITY);
  EXPECT_EQ(stored(KILN_DTYPE_F8E4M3FN, 17), 16) << "between 16 and 18";
  EXPECT_EQ(stored(KILN_DTYPE_F8E5M2, -0.1875), -0.1875);
}

TEST(Numbers, FloatsOfSixAndFourBits) {
  EXPECT_EQ(stored(KILN_DTYPE_F6E2M3FN, 7.5), 7.5) << "the largest one";
  EXPECT_EQ(stored(KILN_DTYPE_F6E3M2FN, 28), 28) << "the largest one";
  EXPECT_EQ(stored(KILN_DTYPE_F4E2M1FN, 6), 6) << "the largest one";
  for (double value : {0.5, 1.0, 1.5, 2.0, 3.0, 4.0})
    EXPECT_EQ(stored(KILN_DTYPE_F4E2M1FN, -value), -value);
}

TEST(Numbers, ScalesArePowersOfTwo) {
  EXPECT_EQ(valueOfBits(KILN_DTYPE_F8E8M0FNU, uint8_t(127)), 1);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_F8E8M0FNU, uint8_t(0)), 0x1p-127);
  EXPECT_EQ(stored(KILN_DTYPE_F8E8M0FNU, 8), 8);
  EXPECT_EQ(stored(KILN_DTYPE_F8E8M0FNU, 9), 8);
}

TEST(Numbers, BoolsAreBytes) {
  EXPECT_EQ(stored(KILN_DTYPE_BOOL, 1), 1);
  EXPECT_EQ(valueOfBits(KILN_DTYPE_BOOL, uint8_t(0)), 0);
}
} // namespace

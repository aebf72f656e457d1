//===- FloatFormatTest.cpp - Small floats from first principles -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares decode() with values of the formats' specifications and, for every pattern,
// with LLVM's APFloat; encode() with the definition of rounding: the nearest value, the
// even one of two.
//
//===----------------------------------------------------------------------===//

#include "dialects/Types/FloatFormat.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>
#include <vector>

using namespace kiln;

namespace {
struct Case {
  const char *name;
  FloatFormat format;
  const llvm::fltSemantics &(*semantics)();
  double largest, smallest; ///< according to the specification
};

const Case kCases[] = {
    {"f8E4M3FN", kF8E4M3FN, llvm::APFloat::Float8E4M3FN, 448, 0x1p-9},
    {"f8E5M2", kF8E5M2, llvm::APFloat::Float8E5M2, 57344, 0x1p-16},
    {"f8E4M3FNUZ", kF8E4M3FNUZ, llvm::APFloat::Float8E4M3FNUZ, 240, 0x1p-10},
    {"f8E5M2FNUZ", kF8E5M2FNUZ, llvm::APFloat::Float8E5M2FNUZ, 57344, 0x1p-17},
    {"f6E2M3FN", kF6E2M3FN, llvm::APFloat::Float6E2M3FN, 7.5, 0.125},
    {"f6E3M2FN", kF6E3M2FN, llvm::APFloat::Float6E3M2FN, 28, 0.0625},
    {"f4E2M1FN", kF4E2M1FN, llvm::APFloat::Float4E2M1FN, 6, 0.5},
    {"f16", kF16, llvm::APFloat::IEEEhalf, 65504, 0x1p-24},
    {"bf16", kBF16, llvm::APFloat::BFloat, 0x1.fep127, 0x1p-133},
};

class FloatFormats : public testing::TestWithParam<Case> {
protected:
  const FloatFormat &format = GetParam().format;
  uint32_t patterns() const { return 1u << format.width(); }
  /// Returns the positive values by their bit pattern, which orders them.
  std::vector<double> numbers() const {
    std::vector<double> result;
    for (uint32_t bits = 0; bits <= format.maxFinite(); ++bits)
      result.push_back(decode(bits, format));
    return result;
  }
};

double byLLVM(uint32_t bits, const Case &c) {
  llvm::APFloat value(c.semantics(), llvm::APInt(c.format.width(), bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}
} // namespace

TEST_P(FloatFormats, EveryPatternIsTheNumberOfTheSpecification) {
  for (uint32_t bits = 0; bits < patterns(); ++bits) {
    double found = decode(bits, format), expected = byLLVM(bits, GetParam());
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(found)) << bits;
    else
      ASSERT_TRUE(found == expected && std::signbit(found) == std::signbit(expected))
          << bits << ": " << found << ", not " << expected;
  }
  EXPECT_EQ(decode(format.maxFinite(), format), GetParam().largest);
  EXPECT_EQ(decode(1, format), GetParam().smallest);
}

TEST_P(FloatFormats, EveryNumberIsItsOwnRounding) {
  for (uint32_t bits = 0; bits < patterns(); ++bits) {
    double value = decode(bits, format);
    if (!std::isnan(value))
      ASSERT_EQ(encode(value, format), bits) << value;
  }
}

/// Midpoints of adjacent values, and the next f64 on either side.
TEST_P(FloatFormats, HalvesGoToTheEvenPattern) {
  std::vector<double> all = numbers();
  for (size_t bits = 0; bits + 1 < all.size(); ++bits) {
    double half = (all[bits] + all[bits + 1]) / 2;
    for (double sign : {1.0, -1.0}) {
      uint32_t minus = sign < 0 ? format.signBit() : 0;
      auto signedBits = [&](uint32_t pattern) {
        bool isZero = pattern == 0 && format.specials == FloatSpecials::MinusZeroIsNaN;
        return isZero ? 0 : pattern | minus;
      };
      ASSERT_EQ(encode(sign * half, format), signedBits(bits + (bits & 1)));
      ASSERT_EQ(encode(sign * std::nextafter(half, 0), format), signedBits(bits));
      ASSERT_EQ(encode(sign * std::nextafter(half, INFINITY), format),
                signedBits(bits + 1));
    }
  }
}

/// Checks f16 and bf16 values, which models cast, by searching the nearest value.
TEST_P(FloatFormats, EveryHalfIsRoundedToTheNearest) {
  std::vector<double> all = numbers();
  for (const FloatFormat &from : {kF16, kBF16})
    for (uint32_t bits = 0; bits < from.maxFinite(); ++bits) {
      double value = decode(bits, from);
      if (value > all.back())
        break;
      auto above = std::lower_bound(all.begin(), all.end(), value);
      size_t upper = above - all.begin(), lower = upper ? upper - 1 : 0;
      double up = all[upper] - value, down = value - all[lower];
      size_t nearest = up < down || (up == down && upper % 2 == 0) ? upper : lower;
      ASSERT_EQ(encode(value, format), nearest) << value;
    }
}

TEST_P(FloatFormats, WhatIsTooLargeSaturatesOrOverflows) {
  std::vector<double> all = numbers();
  double step = all.back() - all[all.size() - 2], half = all.back() + step / 2;
  uint32_t most = format.maxFinite(), beyond = format.overflow();
  // A midpoint above the largest value rounds to a pattern that would be even.
  uint32_t atHalf = most % 2 == 0 ? most : beyond;
  EXPECT_EQ(encode(half, format), atHalf);
  EXPECT_EQ(encode(std::nextafter(half, 0), format), most);
  for (double value :
       {std::nextafter(half, INFINITY), 2 * half, 0x1p1023, double(INFINITY)}) {
    EXPECT_EQ(encode(value, format), beyond) << value;
    EXPECT_EQ(encode(value, format, /*saturates=*/true), most) << value;
    EXPECT_EQ(encode(-value, format, /*saturates=*/true), most | format.signBit());
  }
}

TEST_P(FloatFormats, NaNStaysNaNWhereThereIsOne) {
  for (bool saturates : {false, true}) {
    double value = decode(encode(NAN, format, saturates), format);
    if (format.specials == FloatSpecials::None)
      EXPECT_EQ(value, 0);
    else
      EXPECT_TRUE(std::isnan(value));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, FloatFormats, testing::ValuesIn(kCases),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(ScaleFormat, IsAPowerOfTwo) {
  EXPECT_EQ(decodeScale(0), 0x1p-127);
  EXPECT_EQ(decodeScale(127), 1);
  EXPECT_EQ(decodeScale(254), 0x1p127);
  EXPECT_TRUE(std::isnan(decodeScale(255)));
  for (int byte = 0; byte < 255; ++byte)
    for (auto rounding : {ScaleRounding::Up, ScaleRounding::Down, ScaleRounding::Nearest})
      EXPECT_EQ(encodeScale(decodeScale(byte), rounding, false), byte);
}

TEST(ScaleFormat, RoundsUpDownOrToTheNearest) {
  for (int byte = 0; byte < 254; ++byte) {
    double low = decodeScale(byte), justAbove = std::nextafter(low, INFINITY);
    double half = 1.5 * low, belowHalf = std::nextafter(half, 0);
    EXPECT_EQ(encodeScale(justAbove, ScaleRounding::Up, true), byte + 1);
    EXPECT_EQ(encodeScale(std::nextafter(2 * low, 0), ScaleRounding::Down, true), byte);
    EXPECT_EQ(encodeScale(belowHalf, ScaleRounding::Nearest, true), byte);
    EXPECT_EQ(encodeScale(half, ScaleRounding::Nearest, true), byte + 1);
    EXPECT_EQ(encodeScale(-half, ScaleRounding::Nearest, true), byte + 1);
  }
}

TEST(ScaleFormat, EndsAsTheTableOfONNXSays) {
  auto saturating = [](double x) { return encodeScale(x, ScaleRounding::Up, true); };
  auto strict = [](double x) { return encodeScale(x, ScaleRounding::Nearest, false); };
  EXPECT_EQ(saturating(0), 0);
  EXPECT_EQ(saturating(0x1p-200), 0);
  EXPECT_EQ(saturating(INFINITY), 254);
  EXPECT_EQ(saturating(0x1.8p127), 254);
  EXPECT_EQ(saturating(NAN), 255);
  for (double x : {0.0, 0x1p-200, double(INFINITY), 0x1.8p127, 0x1p300, double(NAN)})
    EXPECT_EQ(strict(x), 255) << x;
  EXPECT_EQ(strict(0x1.4p127), 254);
}

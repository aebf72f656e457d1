//===- convert_test.cpp - Conversions of PTX's cvt -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/convert.h"
#include "runtime/sim/arith/half.h"
#include "test/sim/arith/oracle.h"

#include <gtest/gtest.h>

#include <random>

using namespace kiln::sim::arith;
using oracle::Mode;

namespace {

struct Pair {
  const char *name;
  const Format *format;
  const oracle::Small *oracle;
};
const Pair smalls[] = {
    {"f16", &F16, &oracle::f16},    {"bf16", &BF16, &oracle::bf16},
    {"e5m2", &E5M2, &oracle::e5m2}, {"e4m3", &E4M3, &oracle::e4m3},
    {"e2m3", &E2M3, &oracle::e2m3}, {"e3m2", &E3M2, &oracle::e3m2},
    {"e2m1", &E2M1, &oracle::e2m1},
};

const std::pair<Rounding, Mode> modes[] = {{Rounding::Rn, Mode::Even},
                                           {Rounding::Rna, Mode::Away},
                                           {Rounding::Rz, Mode::Zero},
                                           {Rounding::Rm, Mode::Down},
                                           {Rounding::Rp, Mode::Up}};

/// Visits f32 values around every value of a small format and every midpoint.
template <typename Visit> void forInterestingF32(const Format &format, Visit visit) {
  std::mt19937 random(3);
  uint64_t all = (uint64_t(1) << format.bits) - 1;
  for (uint64_t bits = 0; bits <= all; ++bits) {
    uint32_t value = static_cast<uint32_t>(convertFloat(F32, format, bits, {}));
    // The floats next to the value and next to the midpoint above it.
    uint32_t half = 1u << (22 - format.fractionBits);
    for (uint32_t base : {value, value + half, value - half})
      for (uint32_t step : {0u, 1u, ~0u})
        visit(base + step);
    visit(static_cast<uint32_t>(random()));
  }
}

TEST(Convert, EverySmallValueWidensExactly) {
  for (const Pair &pair : smalls)
    for (uint32_t bits = 0; bits < 1u << pair.format->bits; ++bits) {
      double expected = pair.oracle->decode(bits);
      uint64_t wide = convertFloat(F64, *pair.format, bits, {});
      uint32_t single = static_cast<uint32_t>(convertFloat(F32, *pair.format, bits, {}));
      if (std::isnan(expected)) {
        EXPECT_TRUE(isNanF64(wide)) << pair.name << " " << bits;
        EXPECT_EQ(single, 0x7fffffffu) << pair.name << " " << bits;
      } else {
        EXPECT_EQ(wide, bitsOf(expected)) << pair.name << " " << bits;
        EXPECT_EQ(single, bitsOf(static_cast<float>(expected)))
            << pair.name << " " << bits;
      }
    }
}

TEST(Convert, NarrowingRoundsAsTheOracle) {
  for (const Pair &pair : smalls)
    for (auto [rounding, mode] : modes)
      for (bool satfinite : {false, true}) {
        long wrong = 0;
        forInterestingF32(*pair.format, [&](uint32_t bits) {
          RoundTo how = {.mode = rounding, .satfinite = satfinite};
          uint64_t got = convertFloat(*pair.format, F32, bits, how);
          unsigned expected = pair.oracle->encode(f32(bits), mode, satfinite);
          if (got != expected && ++wrong < 4)
            ADD_FAILURE() << pair.name << " mode " << int(rounding) << " satfinite "
                          << satfinite << ": " << std::hex << bits << " gives " << got
                          << ", not " << expected;
        });
        EXPECT_EQ(wrong, 0);
      }
}

TEST(Convert, BetweenSmallFormats) {
  for (const Pair &from : smalls)
    for (const Pair &to : smalls)
      for (uint32_t bits = 0; bits < 1u << from.format->bits; ++bits) {
        uint64_t got = convertFloat(*to.format, *from.format, bits, {.satfinite = true});
        unsigned expected =
            to.oracle->encode(from.oracle->decode(bits), Mode::Even, true);
        ASSERT_EQ(got, expected) << from.name << " to " << to.name << " " << bits;
      }
}

TEST(Convert, FastFormsGiveTheSameBits) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    ASSERT_EQ(f16ToF32(bits), convertFloat(F32, F16, bits, {})) << bits;
    ASSERT_EQ(bf16ToF32(bits), convertFloat(F32, BF16, bits, {})) << bits;
  }
  forInterestingF32(F16, [](uint32_t bits) {
    ASSERT_EQ(f32ToF16(bits), convertFloat(F16, F32, bits, {})) << bits;
    ASSERT_EQ(f64ToHalf<false>(f32(bits)), convertFloat(F16, F32, bits, {})) << bits;
  });
  forInterestingF32(BF16, [](uint32_t bits) {
    ASSERT_EQ(f32ToBf16(bits), convertFloat(BF16, F32, bits, {})) << bits;
    ASSERT_EQ(f64ToHalf<true>(f32(bits)), convertFloat(BF16, F32, bits, {})) << bits;
  });
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000000; ++i) {
    // Exponents around those of f16 and bf16, where rounding is hard.
    uint64_t bits = random();
    uint64_t field = 1023 - 160 + random() % 320;
    bits = (bits & 0x800fffffffffffff) | field << 52;
    ASSERT_EQ(f64ToHalf<false>(f64(bits)), convertFloat(F16, F64, bits, {})) << bits;
    ASSERT_EQ(f64ToHalf<true>(f64(bits)), convertFloat(BF16, F64, bits, {})) << bits;
  }
}

TEST(Convert, Tf32) {
  auto tf32 = [](uint32_t bits, Rounding mode, bool satfinite = false,
                 bool relu = false) {
    return convertFloat(TF32, F32, bits,
                        {.mode = mode, .relu = relu, .satfinite = satfinite});
  };
  EXPECT_EQ(tf32(0x3f801000, Rounding::Rna), 0x3f802000u);
  EXPECT_EQ(tf32(0x3f801000, Rounding::Rn), 0x3f800000u);
  EXPECT_EQ(tf32(0x3f803000, Rounding::Rn), 0x3f804000u);
  EXPECT_EQ(tf32(0x3f801fff, Rounding::Rz), 0x3f800000u);
  EXPECT_EQ(tf32(0x7f7fffff, Rounding::Rna), 0x7f800000u);
  EXPECT_EQ(tf32(0x7f7fffff, Rounding::Rna, true), 0x7f7fe000u);
  EXPECT_EQ(tf32(0xbf800000, Rounding::Rn, false, true), 0u);
  EXPECT_EQ(tf32(0xffc00000, Rounding::Rn, false, true), 0x7fffffffu);
  // The last kept bit of subnormals is 2^-136.
  EXPECT_EQ(tf32(0x00003000, Rounding::Rn), 0x00004000u);
}

TEST(Convert, FlushSaturateAndClamp) {
  auto to = [](const Format &format, uint32_t bits, RoundTo how) {
    return convertFloat(format, F32, bits, how);
  };
  EXPECT_EQ(to(F32, 0x80000001, {.ftz = true}), 0x80000000u);
  EXPECT_EQ(to(F64, 0x80000001, {.ftz = true}), 0x8000000000000000u);
  EXPECT_EQ(to(F16, bitsOf(0x1p-20f), {.ftz = true}), 0x0010u); // the f16 result is not
                                                                // flushed
  EXPECT_EQ(to(F16, bitsOf(1.5f), {.sat = true}), 0x3c00u);
  EXPECT_EQ(to(F16, bitsOf(-1.5f), {.sat = true}), 0u);
  EXPECT_EQ(to(F32, 0x7fc00000, {.sat = true}), 0u);
  EXPECT_EQ(to(F16, bitsOf(-1.5f), {.relu = true}), 0u);
  EXPECT_EQ(to(F16, 0x80000000, {.relu = true}), 0u);
  EXPECT_EQ(to(F16, 0x7fc00000, {.relu = true}), 0x7fffu);
  EXPECT_EQ(to(E2M1, 0xffc00000, {.satfinite = true}), 7u);
  EXPECT_EQ(convertFloat(F64, F32, 0xffc12345, {}), 0xfff82468a0000000u);
  EXPECT_EQ(convertFloat(F32, F64, 0x7ff0000000000001, {}), 0x7fffffffu);
}

TEST(Convert, StochasticRoundingCarriesFromRandomBits) {
  auto bf16 = [](uint32_t bits, uint32_t random) {
    return convertFloat(BF16, F32, bits,
                        {.mode = Rounding::Rs, .random = random, .randomBits = 16});
  };
  EXPECT_EQ(bf16(0x3f804000, 0xbfff), 0x3f80u);
  EXPECT_EQ(bf16(0x3f804000, 0xc000), 0x3f81u);
  EXPECT_EQ(bf16(0xbf804000, 0xc000), 0xbf81u);
  EXPECT_EQ(bf16(0x3f800000, 0xffff), 0x3f80u);
  auto e4m3 = [](uint32_t bits, uint32_t random) {
    return convertFloat(
        E4M3, F32, bits,
        {.mode = Rounding::Rs, .satfinite = true, .random = random, .randomBits = 16});
  };
  EXPECT_EQ(e4m3(0x3f880000, 0x7fff), 0x38u); // a tie
  EXPECT_EQ(e4m3(0x3f880000, 0x8000), 0x39u);
}

TEST(Convert, ToIntegers) {
  constexpr IntType s32 = {32, true}, u32 = {32, false}, s64 = {64, true},
                    u64 = {64, false}, s8 = {8, true}, u8 = {8, false};
  auto from = [](float value, IntType type, Rounding mode) {
    return static_cast<int64_t>(convertToInt(type, F32, bitsOf(value), mode, false));
  };
  EXPECT_EQ(from(2.5f, s32, Rounding::Rn), 2);
  EXPECT_EQ(from(3.5f, s32, Rounding::Rn), 4);
  EXPECT_EQ(from(-2.5f, s32, Rounding::Rn), -2);
  EXPECT_EQ(from(-2.5f, s32, Rounding::Rm), -3);
  EXPECT_EQ(from(-2.5f, s32, Rounding::Rp), -2);
  EXPECT_EQ(from(2.1f, s32, Rounding::Rp), 3);
  EXPECT_EQ(from(-2.9f, s32, Rounding::Rz), -2);
  EXPECT_EQ(from(1e-40f, s32, Rounding::Rp), 1);
  EXPECT_EQ(convertToInt(s32, F32, bitsOf(1e-40f), Rounding::Rp, true), 0u);
  EXPECT_EQ(from(3e9f, s32, Rounding::Rz), INT32_MAX);
  EXPECT_EQ(from(-3e9f, s32, Rounding::Rz), INT32_MIN);
  EXPECT_EQ(from(-1.0f, u32, Rounding::Rz), 0);
  EXPECT_EQ(from(300.0f, u8, Rounding::Rz), 255);
  EXPECT_EQ(from(-300.0f, s8, Rounding::Rz), -128);
  EXPECT_EQ(from(__builtin_inff(), u64, Rounding::Rz), -1);
  EXPECT_EQ(from(-__builtin_inff(), s64, Rounding::Rz), INT64_MIN);
  EXPECT_EQ(from(__builtin_nanf(""), s32, Rounding::Rz), 0);
  EXPECT_EQ(from(__builtin_nanf(""), s64, Rounding::Rz), INT64_MIN);
  EXPECT_EQ(convertToInt(s32, F64, 0x7ff8000000000000, Rounding::Rz, false),
            static_cast<uint64_t>(int64_t(INT32_MIN)));
  EXPECT_EQ(convertToInt(u32, F64, 0x7ff8000000000000, Rounding::Rz, false), 0x80000000u);
  EXPECT_EQ(convertToInt(u64, F64, bitsOf(0x1.8p63), Rounding::Rz, false),
            0xc000000000000000u);
  for (uint32_t bits = 0; bits < 0xffff0000; bits += 0x8001) {
    ASSERT_EQ(f32ToInt32<true>(bits),
              static_cast<uint32_t>(convertToInt(s32, F32, bits, Rounding::Rz, false)));
    ASSERT_EQ(f32ToInt32<false>(bits),
              static_cast<uint32_t>(convertToInt(u32, F32, bits, Rounding::Rz, false)));
  }
}

TEST(Convert, EveryF16ToIntegers) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    double value = oracle::f16.decode(bits);
    if (std::isnan(value))
      continue;
    auto expect = [&](Rounding mode, double rounded) {
      double clamped = std::clamp(rounded, -32768.0, 32767.0);
      ASSERT_EQ(static_cast<int64_t>(convertToInt({16, true}, F16, bits, mode, false)),
                static_cast<int64_t>(clamped))
          << bits;
    };
    expect(Rounding::Rn, std::isinf(value) ? value : std::nearbyint(value));
    expect(Rounding::Rz, std::trunc(value));
    expect(Rounding::Rm, std::floor(value));
    expect(Rounding::Rp, std::ceil(value));
  }
}

TEST(Convert, FromIntegers) {
  constexpr IntType s32 = {32, true}, u32 = {32, false}, s64 = {64, true},
                    u64 = {64, false};
  std::mt19937_64 random(9);
  for (int i = 0; i < 200000; ++i) {
    uint64_t value = random() >> random() % 64;
    ASSERT_EQ(convertFromInt(F32, s32, value, {}),
              bitsOf(static_cast<float>(static_cast<int32_t>(value))));
    ASSERT_EQ(convertFromInt(F32, u32, value, {}),
              bitsOf(static_cast<float>(static_cast<uint32_t>(value))));
    ASSERT_EQ(convertFromInt(F32, s64, value, {}),
              bitsOf(static_cast<float>(static_cast<int64_t>(value))));
    ASSERT_EQ(convertFromInt(F64, u64, value, {}), bitsOf(static_cast<double>(value)));
    ASSERT_EQ(convertFromInt(F16, {16, true}, value, {}),
              oracle::f16.encode(static_cast<int16_t>(value), Mode::Even, false));
    ASSERT_EQ(convertFromInt(BF16, {16, false}, value, {.mode = Rounding::Rp}),
              oracle::bf16.encode(static_cast<uint16_t>(value), Mode::Up, false));
  }
  EXPECT_EQ(convertFromInt(F16, u32, 70000, {}), 0x7c00u);
}

TEST(Convert, IntegersToIntegers) {
  EXPECT_EQ(convertInt({8, true}, {32, true}, 0x180, false), uint64_t(-128));
  EXPECT_EQ(convertInt({8, true}, {32, true}, 0x180, true), 127u);
  EXPECT_EQ(convertInt({8, false}, {32, true}, uint64_t(-5), true), 0u);
  EXPECT_EQ(convertInt({8, true}, {32, false}, 0xffffffff, true), 127u);
  EXPECT_EQ(convertInt({64, false}, {32, true}, 0xffffffff, false), ~uint64_t(0));
  EXPECT_EQ(convertInt({32, true}, {64, false}, ~uint64_t(0), true), 0x7fffffffu);
}

TEST(Convert, RoundsToIntegralValues) {
  auto round = [](float value, Rounding mode) {
    return f32(static_cast<uint32_t>(roundToIntegral(F32, bitsOf(value), mode, {})));
  };
  EXPECT_EQ(round(2.5f, Rounding::Rn), 2.0f);
  EXPECT_EQ(bitsOf(round(-0.4f, Rounding::Rn)), 0x80000000u);
  EXPECT_EQ(round(-0.4f, Rounding::Rm), -1.0f);
  EXPECT_EQ(round(0x1.fffffep22f, Rounding::Rp), 0x1p23f);
  EXPECT_EQ(round(0x1p100f, Rounding::Rz), 0x1p100f);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    double value = oracle::f16.decode(bits);
    if (std::isnan(value))
      continue;
    ASSERT_EQ(roundToIntegral(F16, bits, Rounding::Rn, {}),
              oracle::f16.encode(std::nearbyint(value), Mode::Even, false))
        << bits;
  }
}

TEST(Convert, ScalesAreExponents) {
  EXPECT_EQ(convertToUe8m0(F32, bitsOf(1.0f), Rounding::Rz, true), 127);
  EXPECT_EQ(convertToUe8m0(F32, bitsOf(1.5f), Rounding::Rz, true), 127);
  EXPECT_EQ(convertToUe8m0(F32, bitsOf(1.5f), Rounding::Rp, true), 128);
  EXPECT_EQ(convertToUe8m0(F32, bitsOf(-4.0f), Rounding::Rp, true), 129);
  EXPECT_EQ(convertToUe8m0(F32, 0x7f7fffff, Rounding::Rp, true), 0xfe);
  EXPECT_EQ(convertToUe8m0(F32, 0x7fc00000, Rounding::Rp, true), 0xff);
  for (int scale = 0; scale < 255; ++scale)
    EXPECT_EQ(oracle::bf16.decode(ue8m0ToBf16(static_cast<uint8_t>(scale))),
              std::ldexp(1.0, scale - 127));
}

} // namespace

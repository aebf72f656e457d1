//===- approx_test.cpp - The approximate functions of PTX ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle is the C library in long double (64 bits of significand). Operands whose
// long double result is too near a rounding boundary are counted, not compared.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/approx.h"
#include "runtime/sim/arith/fast.h"
#include "test/sim/arith/oracle.h"

#include <gtest/gtest.h>

#include <random>

using namespace kiln::sim::arith;

namespace {

using Long = long double;

Long host(Approx function, Long x) {
  switch (function) {
  case Approx::Ex2:
    return std::exp2(x);
  case Approx::Lg2:
    return std::log2(x);
  case Approx::Rcp:
    return 1 / x;
  case Approx::Sqrt:
    return std::sqrt(x);
  case Approx::Rsqrt:
    return 1 / std::sqrt(x);
  case Approx::Tanh:
    return std::tanh(x);
  case Approx::Sin:
    return std::sin(x);
  default:
    return std::cos(x);
  }
}

constexpr Approx unary[] = {Approx::Ex2,   Approx::Lg2,  Approx::Rcp, Approx::Sqrt,
                            Approx::Rsqrt, Approx::Tanh, Approx::Sin, Approx::Cos};

template <typename Visit> void forOperands(Visit visit) {
  std::mt19937 random(21);
  for (uint32_t exponent = 0; exponent < 256; ++exponent)
    for (int i = 0; i < 400; ++i)
      visit((random() & 0x807fffff) | exponent << 23);
  for (int i = 0; i < 200000; ++i) {
    // Operands from 2^-14 to 2^9, where the functions are neither constant nor infinite.
    uint32_t field = 113 + random() % 23;
    visit((random() & 0x807fffff) | field << 23);
  }
  // Operands with exact results, and the floats next to them.
  for (int i = -200; i <= 200; ++i)
    for (uint32_t step : {0u, 1u, ~0u}) {
      visit(bitsOf(static_cast<float>(i)) + step);
      visit(bitsOf(std::ldexp(1.0f, i)) + step);
      visit(bitsOf(static_cast<float>(i) * 0.5f) + step);
    }
}

TEST(Approx, CorrectModeRoundsCorrectly) {
  for (Approx function : unary) {
    long wrong = 0, unsure = 0;
    forOperands([&](uint32_t a) {
      Long y = host(function, f32(a));
      uint32_t got = approxF32(function, a, 0, false, {});
      if (std::isnan(y)) {
        EXPECT_EQ(got, 0x7fffffffu);
        return;
      }
      if (std::isinf(y)) {
        EXPECT_EQ(got, bitsOf(static_cast<float>(y)));
        return;
      }
      float low = static_cast<float>(y - std::fabs(y) * 0x1p-62L);
      float high = static_cast<float>(y + std::fabs(y) * 0x1p-62L);
      if (bitsOf(low) != bitsOf(high)) {
        ++unsure;
        EXPECT_TRUE(got == bitsOf(low) || got == bitsOf(high));
      } else if (got != bitsOf(low) && ++wrong < 4) {
        ADD_FAILURE() << int(function) << std::hex << ": " << a << " gives " << got
                      << ", not " << bitsOf(low);
      }
    });
    EXPECT_EQ(wrong, 0) << int(function);
    EXPECT_LT(unsure, 200) << int(function);
  }
}

TEST(Approx, HardCasesAreDecidedExactly) {
  // Ties and exact values, which the f64 path cannot tell apart.
  EXPECT_EQ(approxF32(Approx::Ex2, bitsOf(-150.0f), 0, false, {}), 0u);
  EXPECT_EQ(approxF32(Approx::Ex2, bitsOf(-150.0f) - 1, 0, false, {}), 1u);
  EXPECT_EQ(approxF32(Approx::Ex2, bitsOf(-149.0f), 0, false, {}), 1u);
  EXPECT_EQ(approxF32(Approx::Lg2, bitsOf(0x1p-140f), 0, false, {}), bitsOf(-140.0f));
  EXPECT_EQ(approxF32(Approx::Rsqrt, bitsOf(0x1p-140f), 0, false, {}), bitsOf(0x1p70f));
}

TEST(Approx, SpecialValuesFollowTheTables) {
  constexpr uint32_t inf = 0x7f800000, minus = 0x80000000, nan = 0x7fffffff;
  struct Row {
    Approx function;
    uint32_t a, expected;
  };
  const Row rows[] = {
      {Approx::Ex2, minus | inf, 0},
      {Approx::Ex2, inf, inf},
      {Approx::Ex2, minus, 0x3f800000},
      {Approx::Lg2, 0, minus | inf},
      {Approx::Lg2, minus, minus | inf},
      {Approx::Lg2, bitsOf(-1.0f), nan},
      {Approx::Lg2, inf, inf},
      {Approx::Rcp, minus, minus | inf},
      {Approx::Rcp, inf, 0},
      {Approx::Sqrt, minus, minus},
      {Approx::Sqrt, bitsOf(-1.0f), nan},
      {Approx::Rsqrt, minus, minus | inf},
      {Approx::Rsqrt, inf, 0},
      {Approx::Rsqrt, bitsOf(-1.0f), nan},
      {Approx::Tanh, inf, 0x3f800000},
      {Approx::Tanh, minus | inf, 0xbf800000},
      {Approx::Tanh, minus, minus},
      {Approx::Sin, minus, minus},
      {Approx::Sin, inf, nan},
      {Approx::Cos, minus, 0x3f800000},
      {Approx::Cos, minus | inf, nan},
  };
  for (ApproxMode mode : {ApproxMode{}, ApproxMode{.worst = true, .seed = 4}})
    for (const Row &row : rows) {
      EXPECT_EQ(approxF32(row.function, row.a, 0, false, mode), row.expected)
          << int(row.function) << " of " << std::hex << row.a;
      EXPECT_EQ(approxF32(row.function, 0xffc12345, 0, false, mode), nan);
    }
  EXPECT_EQ(approxF32(Approx::Div, bitsOf(1.0f), bitsOf(-0x1.8p126f), false, {}), minus);
  EXPECT_EQ(approxF32(Approx::Div, inf, bitsOf(0x1.8p126f), false, {}), nan);
  EXPECT_EQ(approxF32(Approx::DivFull, bitsOf(0x1p126f), bitsOf(0x1p127f), false, {}),
            bitsOf(0.5f));
  EXPECT_EQ(approxF32(Approx::Rsqrt, 1, 0, true, {}), inf);
  EXPECT_EQ(approxF32(Approx::Ex2, bitsOf(-130.0f), 0, true, {}), 0u);
  EXPECT_EQ(approxF32(Approx::Rcp, 0x807fffff, 0, true, {}), minus | inf);
}

TEST(Approx, WorstModeStaysWithinTheBoundAndUsesIt) {
  ApproxMode worst = {.worst = true, .seed = 7};
  for (Approx function : unary) {
    long moved = 0, all = 0;
    forOperands([&](uint32_t a) {
      float x = f32(a);
      Long y = host(function, x);
      uint32_t correct = approxF32(function, a, 0, false, {});
      uint32_t got = approxF32(function, a, 0, false, worst);
      EXPECT_EQ(got, approxF32(function, a, 0, false, worst));
      if (!std::isfinite(f32(correct)) || f32(correct) == 0)
        return;
      ++all;
      moved += got != correct;
      Long error = std::fabs(f32(got) - y), bound, size = std::fabs(y);
      int exponent = std::max(std::ilogb(f32(correct)), -126);
      switch (function) {
      case Approx::Ex2:
        bound = 2.0L * std::ldexp(1.0L, exponent - 23);
        break;
      case Approx::Lg2:
        bound = x > 0.5f && x < 2.0f ? 0x1p-22L : size * 0x1p-22L;
        break;
      case Approx::Rcp:
        bound = std::ldexp(1.0L, exponent - 23);
        break;
      case Approx::Sqrt:
        bound = size * 0x1p-23L;
        break;
      case Approx::Rsqrt:
        bound = size * std::exp2(-22.9L);
        break;
      case Approx::Tanh:
        bound = size * 0x1p-11L;
        break;
      default:
        bound = std::fabs(x) <= 6.2831853f ? std::exp2(-20.5L) : std::exp2(-14.7L);
      }
      EXPECT_LE(error, bound * 1.0000001L) << int(function) << " of " << x;
    });
    EXPECT_GT(moved, all / 4) << int(function);
  }
}

TEST(Approx, WorstQuotientsStayWithinTwoPlaces) {
  ApproxMode worst = {.worst = true, .seed = 5};
  std::mt19937 random(22);
  for (Approx function : {Approx::Div, Approx::DivFull}) {
    long moved = 0, all = 0;
    for (int i = 0; i < 300000; ++i) {
      uint32_t a = static_cast<uint32_t>(random()), b = static_cast<uint32_t>(random());
      uint32_t field = b >> 23 & 0xff;
      if (field < 1 || field > 252) // PTX bounds the error only for 2^-126 to 2^126
        continue;
      Long y = Long(f32(a)) / Long(f32(b));
      uint32_t correct = approxF32(function, a, b, false, {});
      uint32_t got = approxF32(function, a, b, false, worst);
      if (!std::isfinite(f32(correct)) || f32(correct) == 0) {
        EXPECT_EQ(got, correct);
        continue;
      }
      ++all;
      moved += got != correct;
      Long place = std::ldexp(1.0L, std::max(std::ilogb(y), -126) - 23);
      EXPECT_LE(std::fabs(f32(got) - y), 2 * place * 1.0000001L)
          << f32(a) << " / " << f32(b);
    }
    EXPECT_GT(moved, all / 4);
  }
}

TEST(Approx, DoublesAreTheSameInBothModes) {
  std::mt19937_64 random(23);
  for (int i = 0; i < 100000; ++i) {
    uint64_t a = random();
    for (Approx function : {Approx::Rcp, Approx::Rsqrt}) {
      uint64_t correct = approxF64(function, a, true, {});
      EXPECT_EQ(correct, approxF64(function, a, true, {.worst = true, .seed = random()}));
      double x = f64(a & 0xffffffff00000000);
      double y = function == Approx::Rcp ? 1 / x : 1 / std::sqrt(x);
      // With an error of half a place of 20 bits, one Newton step reaches 2^-40.
      if (std::isnormal(y) && std::isnormal(x))
        EXPECT_LE(std::fabs(f64(correct) - y), std::fabs(y) * 0x1p-20) << x;
    }
  }
}

TEST(Approx, LanesGiveTheSameBits) {
  std::mt19937 random(31);
  for (bool ftz : {false, true})
    for (ApproxMode mode : {ApproxMode{}, ApproxMode{.worst = true}})
      for (Approx function : {Approx::Ex2, Approx::Lg2, Approx::Div})
        for (int round = 0; round < 500; ++round) {
          uint32_t a[32], b[32], out[32];
          for (int i = 0; i < 32; ++i) {
            a[i] = round & 1 ? static_cast<uint32_t>(random())
                             : bitsOf(static_cast<float>(random() % 40000) * 0.01f - 200);
            b[i] = static_cast<uint32_t>(random());
          }
          a[round % 32] = bitsOf(-150.0f);
          approxLanes(function, a, b, out, 32, ftz, mode);
          for (int i = 0; i < 32; ++i)
            ASSERT_EQ(out[i], approxF32(function, a[i], b[i], ftz, mode)) << a[i];
          approxLanes(function, a, b, a, 32, ftz, mode);
          for (int i = 0; i < 32; ++i)
            ASSERT_EQ(out[i], a[i]);
        }
}

TEST(Approx, EveryHalf) {
  for (bool bf : {false, true})
    for (Approx function : {Approx::Ex2, Approx::Tanh})
      for (uint32_t a = 0; a < 65536; ++a) {
        const oracle::Small &format = bf ? oracle::bf16 : oracle::f16;
        Long y = host(function, format.decode(a));
        uint32_t got = approxHalf(function, bf, a, false, {});
        if (std::isnan(y)) {
          ASSERT_EQ(got, 0x7fffu);
          continue;
        }
        // Rounding to f64 first is correct unless it lands on a boundary of the exact
        // value.
        double near = static_cast<double>(y);
        if (near != y && (bitsOf(near) & 1) == 0)
          near = std::nextafter(near, near < y ? HUGE_VAL : -HUGE_VAL);
        ASSERT_EQ(got, format.encode(near, oracle::Mode::Even, false))
            << bf << " " << int(function) << " of " << format.decode(a);
        double worst = format.decode(approxHalf(function, bf, a, false, {.worst = true}));
        Long bound = function == Approx::Tanh ? std::exp2(bf ? -8.0L : -10.987L)
                                              : y * std::exp2(bf ? -7.0L : -9.9L);
        // The correctly rounded result is always legal, even outside the bound.
        if (std::isfinite(worst) && worst != format.decode(got))
          ASSERT_LE(std::fabs(worst - y), bound * 1.0000001L);
      }
}

TEST(Approx, DoublesKeepTheHighWord) {
  auto rcp = [](double x) { return approxF64(Approx::Rcp, bitsOf(x), true, {}); };
  EXPECT_EQ(rcp(2.0), bitsOf(0.5));
  EXPECT_EQ(rcp(-0.0), 0xfff0000000000000u);
  EXPECT_EQ(rcp(1e-310), 0x7ff0000000000000u);
  EXPECT_EQ(rcp(__builtin_nan("")), 0x7fffffff00000000u);
  EXPECT_EQ(rcp(3.0) & 0xffffffff, 0u);
  EXPECT_NEAR(f64(rcp(3.0)), 1.0 / 3, 1e-6);
  EXPECT_EQ(approxF64(Approx::Rsqrt, bitsOf(16.0), true, {}), bitsOf(0.25));
  EXPECT_EQ(approxF64(Approx::Rsqrt, bitsOf(-1.0), true, {}), 0x7fffffff00000000u);
  EXPECT_EQ(approxF64(Approx::Rsqrt, bitsOf(2.0), false, {}), bitsOf(1 / std::sqrt(2.0)));
}

} // namespace

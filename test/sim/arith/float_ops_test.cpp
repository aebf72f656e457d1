//===- float_ops_test.cpp - f32, f64, f16 and bf16 arithmetic --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle is the host's floating-point unit in its own rounding modes.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/float_ops.h"
#include "runtime/sim/arith/half.h"
#include "test/sim/arith/oracle.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <random>

using namespace kiln::sim::arith;

namespace {

constexpr FloatOp ops[] = {FloatOp::Add, FloatOp::Sub,  FloatOp::Mul, FloatOp::Fma,
                           FloatOp::Div, FloatOp::Sqrt, FloatOp::Rcp};
const std::pair<Rounding, int> modes[] = {{Rounding::Rn, FE_TONEAREST},
                                          {Rounding::Rz, FE_TOWARDZERO},
                                          {Rounding::Rm, FE_DOWNWARD},
                                          {Rounding::Rp, FE_UPWARD}};

/// Computes on the host; `volatile` keeps the operation between the changes of rounding
/// mode.
template <typename T> T hostOp(FloatOp op, T a, T b, T c, int mode) {
  volatile T x = a, y = b, z = c, result;
  std::fesetround(mode);
  switch (op) {
  case FloatOp::Add:
    result = x + y;
    break;
  case FloatOp::Sub:
    result = x - y;
    break;
  case FloatOp::Mul:
    result = x * y;
    break;
  case FloatOp::Fma:
    result = std::fma(T(x), T(y), T(z));
    break;
  case FloatOp::Div:
    result = x / y;
    break;
  case FloatOp::Sqrt:
    result = std::sqrt(T(x));
    break;
  case FloatOp::Rcp:
    result = T(1) / x;
    break;
  }
  std::fesetround(FE_TONEAREST);
  return result;
}

uint32_t edgesF32[] = {0,          1,          2,          0x7fffff,   0x800000,
                       0x800001,   0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fffffff,
                       0x40000000, 0x4b7fffff, 0x7e7fffff, 0x7f000000, 0x7f7fffff,
                       0x7f800000, 0x7f800001, 0x7fc00000, 0x34000000, 0x33800000,
                       0x00400000, 0x20000000, 0x1fffffff, 0x5f000000};

template <typename Visit> void forOperandsF32(Visit visit) {
  for (uint32_t a : edgesF32)
    for (uint32_t b : edgesF32)
      for (uint32_t c : {0u, 1u, 0x3f800000u, 0x7f7fffffu, 0x7f800000u, 0x00800000u})
        for (uint32_t sign = 0; sign < 8; ++sign)
          visit(a | (sign & 1) << 31, b | (sign & 2) << 30, c | (sign & 4) << 29);
  std::mt19937 random(11);
  for (int i = 0; i < 100000; ++i) {
    uint32_t a = static_cast<uint32_t>(random()), b = static_cast<uint32_t>(random());
    uint32_t c = static_cast<uint32_t>(random());
    visit(a, b, c);
    // Exponents near each other, for cancellation and carries.
    visit(a, (a & 0xff000000) | (b & 0xffffff), c);
    uint32_t product = bitsOf(f32(a) * f32(b));
    visit(a, b, (product ^ 0x80000000) + (c & 7) - 3);
  }
}

TEST(FloatOps, IntegerPathAgreesWithTheHostF32) {
  for (FloatOp op : ops)
    for (auto [mode, host] : modes) {
      long wrong = 0;
      forOperandsF32([&](uint32_t a, uint32_t b, uint32_t c) {
        float expected = hostOp<float>(op, f32(a), f32(b), f32(c), host);
        uint32_t bits = std::isnan(expected) ? 0x7fffffff : bitsOf(expected);
        uint32_t got = slowF32(op, a, b, c, mode, false, false);
        if (got != bits && ++wrong < 4)
          ADD_FAILURE() << std::hex << int(op) << " mode " << int(mode) << ": " << a
                        << ", " << b << ", " << c << " gives " << got << ", not " << bits;
      });
      EXPECT_EQ(wrong, 0);
    }
}

TEST(FloatOps, IntegerPathAgreesWithTheHostF64) {
  std::mt19937_64 random(12);
  std::vector<std::array<uint64_t, 3>> operands;
  const uint64_t edges[] = {0,
                            1,
                            0xfffffffffffff,
                            0x10000000000000,
                            0x3ff0000000000000,
                            0x3ff0000000000001,
                            0x3fefffffffffffff,
                            0x7fefffffffffffff,
                            0x7ff0000000000000,
                            0x3c90000000000000,
                            0x0008000000000000,
                            0x1ff0000000000000,
                            0x5ff0000000000000};
  for (uint64_t a : edges)
    for (uint64_t b : edges)
      for (uint64_t c : edges)
        for (uint64_t sign = 0; sign < 8; ++sign)
          operands.push_back(
              {a | (sign & 1) << 63, b | (sign & 2) << 62, c | (sign & 4) << 61});
  for (int i = 0; i < 100000; ++i) {
    uint64_t a = random(), b = random(), c = random();
    operands.push_back({a, b, c});
    operands.push_back({a, (a & 0xfff0000000000000) | (b >> 12), c});
    uint64_t product = bitsOf(f64(a) * f64(b));
    operands.push_back({a, b, (product ^ uint64_t(1) << 63) + (c & 7) - 3});
  }
  for (FloatOp op : ops)
    for (auto [mode, host] : modes) {
      long wrong = 0;
      for (auto [a, b, c] : operands) {
        double expected = hostOp<double>(op, f64(a), f64(b), f64(c), host);
        uint64_t got = slowF64(op, a, b, c, mode);
        bool right = std::isnan(expected) ? isNanF64(got) : got == bitsOf(expected);
        if (!right && ++wrong < 4)
          ADD_FAILURE() << std::hex << int(op) << " mode " << int(mode) << ": " << a
                        << ", " << b << ", " << c << " gives " << got << ", not "
                        << bitsOf(expected);
      }
      EXPECT_EQ(wrong, 0);
    }
}

template <FloatOp Op> void compareFast() {
  long wrong = 0;
  forOperandsF32([&](uint32_t a, uint32_t b, uint32_t c) {
    constexpr Rounding rn = Rounding::Rn;
    wrong +=
        opF32<Op, rn, false, false>(a, b, c) != slowF32(Op, a, b, c, rn, false, false);
    wrong += opF32<Op, rn, false, true>(a, b, c) != slowF32(Op, a, b, c, rn, false, true);
    wrong += opF32<Op, rn, true, false>(a, b, c) != slowF32(Op, a, b, c, rn, true, false);
    wrong += opF32<Op, rn, true, true>(a, b, c) != slowF32(Op, a, b, c, rn, true, true);
    uint64_t x = uint64_t(a) << 32 | b, y = uint64_t(b) << 32 | c,
             z = uint64_t(c) << 32 | a;
    wrong += opF64<Op, rn>(x, y, z) != slowF64(Op, x, y, z, rn);
  });
  EXPECT_EQ(wrong, 0) << int(Op);
}

TEST(FloatOps, FastPathAgreesWithTheIntegerPath) {
  compareFast<FloatOp::Add>();
  compareFast<FloatOp::Sub>();
  compareFast<FloatOp::Mul>();
  compareFast<FloatOp::Fma>();
  compareFast<FloatOp::Div>();
  compareFast<FloatOp::Sqrt>();
  compareFast<FloatOp::Rcp>();
}

TEST(FloatOps, NanPayloadsOfF64) {
  uint64_t first = 0x7ff0000000000005, second = 0xfff8000000000007;
  constexpr Rounding rn = Rounding::Rn;
  EXPECT_EQ((opF64<FloatOp::Add, rn>(first, second)), 0x7ff8000000000005u);
  EXPECT_EQ((opF64<FloatOp::Add, rn>(bitsOf(1.0), second)), second);
  EXPECT_EQ((opF64<FloatOp::Mul, rn>(0, 0x7ff0000000000000)), 0xfff8000000000000u);
}

TEST(FloatOps, MinimumAndMaximum) {
  constexpr uint32_t nan = 0x7fc00000, one = 0x3f800000, minus0 = 0x80000000;
  EXPECT_EQ((minMaxF32<false, false, false>(minus0, 0)), minus0);
  EXPECT_EQ((minMaxF32<false, false, false>(0, minus0)), minus0);
  EXPECT_EQ((minMaxF32<true, false, false>(minus0, 0)), 0u);
  EXPECT_EQ((minMaxF32<true, false, false>(nan, one)), one);
  EXPECT_EQ((minMaxF32<true, false, false>(one, nan)), one);
  EXPECT_EQ((minMaxF32<true, false, false>(nan, nan)), 0x7fffffffu);
  EXPECT_EQ((minMaxF32<true, false, true>(one, nan)), 0x7fffffffu);
  EXPECT_EQ((minMaxF32<true, true, false>(1, minus0)), 0u);
  EXPECT_EQ((minMaxF32<false, false, false>(bitsOf(-2.0f), bitsOf(-1.0f))),
            bitsOf(-2.0f));
  EXPECT_EQ((minMaxF64<true>(bitsOf(-2.0), bitsOf(-1.0))), bitsOf(-1.0));
  EXPECT_EQ((minMaxF64<false>(0x7ff8000000000000, bitsOf(-1.0))), bitsOf(-1.0));
}

const uint16_t halves[] = {0,      1,      2,      0x3ff,  0x400,  0x401,  0x3bff,
                           0x3c00, 0x3c01, 0x3555, 0x7bff, 0x7c00, 0x7c01, 0x7e00,
                           0x0200, 0x1400, 0x2401, 0x3f80, 0x3f81, 0x0080, 0x007f,
                           0x7f7f, 0x7f80, 0x4248, 0x5640, 0x6bff, 0x00ff, 0x4c00};

/// Compares a op b, or a * b + c, with the exact result in quad precision.
template <bool Bf> void compareHalf(uint32_t a, uint32_t b, uint32_t c, long &wrong) {
  const oracle::Small &format = Bf ? oracle::bf16 : oracle::f16;
  double x = format.decode(a), y = format.decode(b), z = format.decode(c);
  auto check = [&](uint32_t got, double value) {
    uint32_t expected = format.encode(value, oracle::Mode::Even, false);
    if (got != expected && ++wrong < 4)
      ADD_FAILURE() << std::hex << (Bf ? "bf16 " : "f16 ") << a << ", " << b << ", " << c
                    << " gives " << got << ", not " << expected;
  };
  // If f64 rounds the sum, move the result off a rounding boundary toward the exact
  // value.
  auto nudged = [](double p, double q) {
    double sum = p + q;
    if (!std::isfinite(sum))
      return sum;
    // The larger operand minus the sum is exact.
    __float128 large = std::fabs(p) > std::fabs(q) ? p : q;
    __float128 small = std::fabs(p) > std::fabs(q) ? q : p;
    __float128 rest = (large - sum) + small;
    // A sum with an odd last bit is on no boundary, as boundaries have short
    // significands.
    return rest == 0 || (bitsOf(sum) & 1)
               ? sum
               : std::nextafter(sum, rest > 0 ? HUGE_VAL : -HUGE_VAL);
  };
  check(opHalf<FloatOp::Add, Bf, false, false, false>(a, b), nudged(x, y));
  check(opHalf<FloatOp::Sub, Bf, false, false, false>(a, b), nudged(x, -y));
  check(opHalf<FloatOp::Mul, Bf, false, false, false>(a, b), x * y);
  check(opHalf<FloatOp::Fma, Bf, false, false, false>(a, b, c), nudged(x * y, z));
}

template <bool Bf> void compareHalves() {
  long wrong = 0;
  for (uint32_t a : halves)
    for (uint32_t b : halves)
      for (uint32_t c : halves)
        for (uint32_t sign = 0; sign < 8; ++sign)
          compareHalf<Bf>(a | (sign & 1) << 15, b | (sign & 2) << 14,
                          c | (sign & 4) << 13, wrong);
  std::mt19937 random(13);
  for (uint32_t a = 0; a < 65536; ++a)
    for (int i = 0; i < 8; ++i) {
      uint32_t b = random() & 0xffff, c = random() & 0xffff;
      compareHalf<Bf>(a, b, c, wrong);
      compareHalf<Bf>(a, (a & 0x7800) | (b & 0x87ff), (a & 0x7800) | (c & 0x87ff), wrong);
    }
  EXPECT_EQ(wrong, 0);
}

TEST(HalfOps, F16RoundsOnce) { compareHalves<false>(); }
TEST(HalfOps, Bf16RoundsOnce) { compareHalves<true>(); }

TEST(HalfOps, Modifiers) {
  constexpr uint32_t one = 0x3c00, two = 0x4000, minus = 0xbc00, nan = 0x7e00;
  EXPECT_EQ((opHalf<FloatOp::Add, false, false, true, false>(one, one)), one);
  EXPECT_EQ((opHalf<FloatOp::Add, false, false, true, false>(minus, minus)), 0u);
  EXPECT_EQ((opHalf<FloatOp::Add, false, false, true, false>(nan, one)), 0u);
  EXPECT_EQ((opHalf<FloatOp::Fma, false, false, false, true>(one, minus, 0)), 0u);
  EXPECT_EQ((opHalf<FloatOp::Fma, false, false, false, true>(nan, minus, 0)), 0x7fffu);
  EXPECT_EQ((opHalf<FloatOp::Mul, false, true, false, false>(1, two)), 0u);
  EXPECT_EQ((opHalf<FloatOp::Mul, false, true, false, false>(0x8001, two)), 0x8000u);
  EXPECT_EQ((minMaxHalf<true, false, false, false>(0x8000, 0)), 0u);
  EXPECT_EQ((minMaxHalf<false, false, false, false>(0, 0x8000)), 0x8000u);
  EXPECT_EQ((minMaxHalf<true, true, false, false>(0x7fc0, 0x3f80)), 0x3f80u);
  EXPECT_EQ((minMaxHalf<true, true, false, true>(0x7fc0, 0x3f80)), 0x7fffu);
  EXPECT_EQ((minMaxHalf<true, false, false, false, true>(0xc000, one)), 0xc000u);
  EXPECT_EQ((absHalf<false, false>(minus)), one);
  EXPECT_EQ((negHalf<false, true>(1)), 0x8000u);
}

} // namespace

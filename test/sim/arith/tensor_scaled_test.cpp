//===- tensor_scaled_test.cpp - MMA with block scales ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the two rules in doubles, which represent every product, truncated term and sum
// exactly, with the formats of test/sim/cuda/host/formats.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/tensor_scaled.h"
#include "test/sim/cuda/host/formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

using namespace kiln::sim::arith;
namespace host = kiln::sim::programs;

namespace {

constexpr uint32_t Nan = 0x7fffffff, PlusInfinity = 0x7f800000,
                   MinusInfinity = 0xff800000;

struct Narrow {
  const char *name;
  Format format;
  host::Format values;
};
const Narrow narrow[] = {{"e4m3", E4M3, host::E4m3},
                         {"e5m2", E5M2, host::E5m2},
                         {"e3m2", E3M2, host::E3m2},
                         {"e2m3", E2M3, host::E2m3},
                         {"e2m1", E2M1, host::E2m1}};
const Narrow &E2m1 = narrow[4];

/// A sum of terms, each with the exponent that the tensor core assigns to it.
struct Sum {
  struct Term {
    double value;
    int exponent;
  };
  std::vector<Term> terms;
  bool nan = false, plus = false, minus = false;

  void add(double value, int exponent) {
    nan |= std::isnan(value);
    plus |= value > 0 && std::isinf(value);
    minus |= value < 0 && std::isinf(value);
    terms.push_back({value, exponent});
  }
  uint32_t bits(int cut) const {
    if (nan || (plus && minus))
      return Nan;
    if (plus || minus)
      return plus ? PlusInfinity : MinusInfinity;
    if (terms.empty())
      return 0;
    int top = terms[0].exponent;
    for (const Term &term : terms)
      top = std::max(top, term.exponent);
    double sum = 0;
    for (const Term &term : terms)
      sum += std::trunc(std::ldexp(term.value, cut - top));
    return toSingle(sum, top - cut);
  }
  /// Returns sum * 2^exponent as f32 bits, truncated toward zero.
  static uint32_t toSingle(double sum, int exponent) {
    if (sum == 0)
      return 0;
    int high = std::ilogb(sum) + exponent, low = std::max(high, -126) - 23;
    if (high > 127)
      return sum > 0 ? PlusInfinity : MinusInfinity;
    double steps = std::trunc(std::ldexp(sum, exponent - low));
    uint32_t bits = std::bit_cast<uint32_t>(float(std::ldexp(steps, low)));
    return bits == 0x80000000 ? 0 : bits;
  }
};

/// Returns the exponent in a value's exponent field; subnormals have the smallest one.
int fieldExponent(double value, int smallest) {
  return std::max(std::ilogb(value), smallest);
}

void addAccumulator(Sum &sum, uint32_t c) {
  float value = std::bit_cast<float>(c);
  if (value != 0)
    sum.add(value, std::isfinite(value) ? fieldExponent(value, -126) : 0);
}

double scaleOf(ScaleType type, uint8_t code) {
  if (type == ScaleType::UE8M0)
    return code == 0xff ? std::nan("") : std::ldexp(1.0, code - 127);
  return host::E4m3.decode(code & 0x7f);
}

struct Problem {
  Narrow a, b;
  ScaledUnit unit;
  ScaleType type;
  int k, blocks, m = 3, n = 2;
  std::vector<uint32_t> codesA = {}, codesB = {}, c = {};
  std::vector<uint8_t> scaleA = {}, scaleB = {};

  std::vector<uint32_t> run() const {
    std::vector<uint32_t> d = c;
    multiplyScaled({{&a.format, &b.format, m, n, k, codesA.data(), codesB.data(),
                     d.data(), d.data()},
                    unit,
                    type,
                    blocks,
                    scaleA.data(),
                    scaleB.data()});
    return d;
  }

  double valueA(int i, int t) const { return a.values.decode(codesA[i * k + t]); }
  double valueB(int t, int j) const { return b.values.decode(codesB[t * n + j]); }

  uint32_t expected(int i, int j) const {
    return unit == ScaledUnit::Mxf4 ? groups(i, j) : products(i, j);
  }
  uint32_t products(int i, int j) const {
    Sum sum;
    addAccumulator(sum, c[i * n + j]);
    double scale = scaleOf(type, scaleA[i]) * scaleOf(type, scaleB[j]);
    sum.nan |= std::isnan(scale);
    for (int t = 0; t < k; ++t) {
      double x = valueA(i, t), y = valueB(t, j);
      if (!std::isfinite(x * y)) {
        sum.add(x * y, 0);
      } else if (x * y != 0) {
        int exponent =
            fieldExponent(x, 1 - a.values.bias()) + fieldExponent(y, 1 - b.values.bias());
        sum.add(x * y * scale, exponent + (std::isnan(scale) ? 0 : std::ilogb(scale)));
      }
    }
    return sum.bits(25);
  }
  uint32_t groups(int i, int j) const {
    Sum sum;
    addAccumulator(sum, c[i * n + j]);
    for (int start = 0; start < k; start += 16) {
      int block = start * blocks / k;
      double x = scaleOf(type, scaleA[i * blocks + block]),
             y = scaleOf(type, scaleB[j * blocks + block]), dot = 0;
      for (int t = start; t < start + 16; ++t)
        dot += valueA(i, t) * valueB(t, j);
      if (std::isnan(x * y)) {
        sum.nan = true;
      } else if (x * y != 0) {
        int smallest = type == ScaleType::UE8M0 ? -127 : -6;
        sum.add(dot * x * y, fieldExponent(x, smallest) + fieldExponent(y, smallest));
      }
    }
    return sum.bits(35);
  }

  void fill(std::mt19937 &random, int kind) {
    auto codes = [&](const Narrow &format, size_t count) {
      std::vector<uint32_t> result(count);
      for (uint32_t &code : result) {
        code = random() & ((1u << format.values.bits()) - 1);
        // Some elements are finite values, some have any bits.
        while (kind < 2 && !std::isfinite(format.values.decode(code)))
          code = random() & ((1u << format.values.bits()) - 1);
      }
      return result;
    };
    auto scales = [&](size_t count) {
      std::vector<uint8_t> result(count);
      for (uint8_t &code : result)
        code = kind == 2                  ? random()
               : type == ScaleType::UE4M3 ? random() % 127
               : kind == 0                ? 120 + random() % 14
                                          : 60 + random() % 134;
      return result;
    };
    codesA = codes(a, size_t(m) * k);
    codesB = codes(b, size_t(k) * n);
    scaleA = scales(size_t(m) * blocks);
    scaleB = scales(size_t(n) * blocks);
    c.resize(size_t(m) * n);
    for (uint32_t &bits : c) {
      uint32_t exponent = kind == 0 ? 120 + random() % 20 : random() % 255;
      bits = (random() & 0x807fffff) | exponent << 23;
      if (random() % 4 == 0)
        bits = random() % 2 ? 0 : kind == 2 ? random() : 0x80000000;
    }
  }
};

void checkRandom(Problem problem, const char *what) {
  std::mt19937 random(7);
  for (int kind = 0; kind < 3; ++kind)
    for (int round = 0; round < 200; ++round) {
      problem.fill(random, kind);
      std::vector<uint32_t> d = problem.run();
      for (int i = 0; i < problem.m; ++i)
        for (int j = 0; j < problem.n; ++j)
          ASSERT_EQ(d[i * problem.n + j], problem.expected(i, j))
              << what << ", kind " << kind << ", round " << round << ", row " << i
              << ", column " << j;
    }
}

TEST(TensorScaled, RandomProductsFollowTheRule) {
  for (const Narrow &a : narrow)
    for (const Narrow &b : narrow)
      checkRandom({a, b, ScaledUnit::Mxf8f6f4, ScaleType::UE8M0, 32, 1}, a.name);
  checkRandom({E2m1, E2m1, ScaledUnit::Mxf4, ScaleType::UE8M0, 64, 2}, "2X");
  checkRandom({E2m1, E2m1, ScaledUnit::Mxf4, ScaleType::UE4M3, 64, 4}, "4X");
}

/// Checks the f32 value of a single nonzero product for all encodings of both formats.
TEST(TensorScaled, ProductsOfAllCodes) {
  for (const Narrow &a : narrow)
    for (const Narrow &b : narrow) {
      int codes = 1 << b.values.bits();
      for (uint32_t x = 0; x < 1u << a.values.bits(); ++x) {
        Problem p{a, b, ScaledUnit::Mxf8f6f4, ScaleType::UE8M0, 1, 1, 1, codes};
        p.codesA = {x};
        for (int y = 0; y < codes; ++y)
          p.codesB.push_back(uint32_t(y));
        p.c.assign(size_t(codes), 0);
        p.scaleA = {130};
        p.scaleB.assign(size_t(codes), 125);
        std::vector<uint32_t> d = p.run();
        for (int y = 0; y < codes; ++y) {
          double value = 2 * a.values.decode(x) * b.values.decode(uint32_t(y));
          uint32_t bits = std::isnan(value) ? Nan
                          : value == 0      ? 0
                                            : std::bit_cast<uint32_t>(float(value));
          ASSERT_EQ(d[size_t(y)], bits)
              << a.name << " " << x << ", " << b.name << " " << y;
        }
      }
    }
}

/// Checks all pairs of scales for a single product of ones.
TEST(TensorScaled, ScalesOfAllCodes) {
  for (ScaleType type : {ScaleType::UE8M0, ScaleType::UE4M3})
    for (ScaledUnit unit : {ScaledUnit::Mxf8f6f4, ScaledUnit::Mxf4})
      for (int x = 0; x < 256; ++x) {
        if (type == ScaleType::UE4M3 && unit == ScaledUnit::Mxf8f6f4)
          continue; // there is no such instruction
        Problem p{E2m1, E2m1, unit, type, 16, 1, 1, 256};
        constexpr uint32_t one = 2;
        p.codesA.assign(16, 0);
        p.codesA[5] = one;
        p.codesB.assign(16 * 256, 0);
        std::fill_n(p.codesB.begin() + 5 * 256, 256, one);
        p.c.assign(256, 0);
        p.scaleA = {uint8_t(x)};
        for (int y = 0; y < 256; ++y)
          p.scaleB.push_back(uint8_t(y));
        std::vector<uint32_t> d = p.run();
        for (int y = 0; y < 256; ++y) {
          double value = scaleOf(type, uint8_t(x)) * scaleOf(type, uint8_t(y));
          uint32_t bits = std::isnan(value) ? Nan
                          : value == 0      ? 0
                                            : Sum::toSingle(value, 0);
          ASSERT_EQ(d[size_t(y)], bits) << x << " " << y;
        }
      }
}

Problem oneElement(ScaledUnit unit, ScaleType type, int k, int blocks) {
  Problem p{E2m1, E2m1, unit, type, k, blocks, 1, 1};
  p.codesA.assign(size_t(k), 0);
  p.codesB.assign(size_t(k), 0);
  p.c = {0};
  uint8_t one = type == ScaleType::UE8M0 ? 127 : 0x38;
  p.scaleA.assign(size_t(blocks), one);
  p.scaleB.assign(size_t(blocks), one);
  return p;
}

TEST(TensorScaled, GroupsAreAddedExactlyBeforeTheCut) {
  constexpr uint32_t one = 2, half = 1, minusOne = 10;
  Problem p = oneElement(ScaledUnit::Mxf4, ScaleType::UE8M0, 64, 2);
  // Terms 1 and 2^-34 times a half in separate blocks, and -1 in c.
  p.codesA[0] = one, p.codesB[0] = one;
  p.codesA[40] = half, p.codesB[40] = one;
  p.scaleA[1] = 127 - 34;
  p.c = {std::bit_cast<uint32_t>(-1.0f)};
  EXPECT_EQ(p.run()[0], std::bit_cast<uint32_t>(0x1p-35f));
  p.scaleA[1] = 127 - 35; // below the last bit that is kept
  EXPECT_EQ(p.run()[0], 0u);
  // Two such terms in one group are added before truncation; in two groups they are not.
  p.codesA[41] = half, p.codesB[41] = one;
  EXPECT_EQ(p.run()[0], std::bit_cast<uint32_t>(0x1p-35f));
  std::swap(p.codesA[41], p.codesA[50]);
  std::swap(p.codesB[41], p.codesB[50]);
  EXPECT_EQ(p.run()[0], 0u);
  // A group whose sum cancels still has an exponent: terms 2^36 below it are lost.
  p = oneElement(ScaledUnit::Mxf4, ScaleType::UE8M0, 64, 2);
  p.codesA[0] = one, p.codesB[0] = one;
  p.codesA[1] = minusOne, p.codesB[1] = one;
  p.codesA[40] = one, p.codesB[40] = one;
  p.scaleA[1] = 127 - 35;
  EXPECT_EQ(p.run()[0], std::bit_cast<uint32_t>(0x1p-35f));
  p.scaleA[1] = 127 - 36;
  EXPECT_EQ(p.run()[0], 0u);
}

TEST(TensorScaled, SpecialValues) {
  for (ScaledUnit unit : {ScaledUnit::Mxf8f6f4, ScaledUnit::Mxf4}) {
    int k = unit == ScaledUnit::Mxf4 ? 64 : 32, blocks = k / 32;
    Problem p = oneElement(unit, ScaleType::UE8M0, k, blocks);
    p.c = {PlusInfinity};
    EXPECT_EQ(p.run()[0], PlusInfinity);
    p.c = {0x80000000}; // zeros give +0
    EXPECT_EQ(p.run()[0], 0u);
    p.c = {0x7fc00001};
    EXPECT_EQ(p.run()[0], Nan);
    p.c = {0x3f800000};
    p.scaleB[size_t(blocks) - 1] = 0xff; // NaN scale, although all elements are zero
    EXPECT_EQ(p.run()[0], Nan);
    p.scaleA.assign(size_t(blocks), 254);
    p.scaleB.assign(size_t(blocks), 254);
    p.codesA[0] = 7, p.codesB[0] = 15;
    EXPECT_EQ(p.run()[0], MinusInfinity) << "overflow";
  }
  // The sign of a UE4M3 is ignored; zero is a valid scale.
  Problem p = oneElement(ScaledUnit::Mxf4, ScaleType::UE4M3, 64, 4);
  p.codesA[20] = 2, p.codesB[20] = 2;
  p.scaleA[1] = 0xb8;
  EXPECT_EQ(p.run()[0], 0x3f800000u);
  p.scaleA[1] = 0x80;
  EXPECT_EQ(p.run()[0], 0u);
}

} // namespace

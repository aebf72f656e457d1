//===- tensor_test.cpp - Arithmetic of the tensor cores --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/fast.h"
#include "runtime/sim/arith/tensor.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace kiln::sim::arith;

namespace {

struct Case {
  const char *name;
  TensorArch arch;
  TensorUnit unit;
  const Format *a, *b;
  int m, n, k;
  bool f16Result;
};

const Case cases[] = {
    {"hopper bf16", TensorArch::Hopper, TensorUnit::Wgmma, &BF16, &BF16, 64, 40, 16,
     false},
    {"hopper f16", TensorArch::Hopper, TensorUnit::Mma, &F16, &F16, 16, 8, 16, false},
    {"hopper f16 to f16", TensorArch::Hopper, TensorUnit::Mma, &F16, &F16, 16, 8, 16,
     true},
    {"hopper tf32", TensorArch::Hopper, TensorUnit::Wgmma, &TF32, &TF32, 64, 24, 8,
     false},
    {"hopper e4m3", TensorArch::Hopper, TensorUnit::Wgmma, &E4M3, &E5M2, 64, 16, 32,
     false},
    {"hopper e5m2 to f16", TensorArch::Hopper, TensorUnit::Wgmma, &E5M2, &E5M2, 64, 8, 32,
     true},
    {"hopper mma e4m3", TensorArch::Hopper, TensorUnit::Mma, &E4M3, &E4M3, 16, 8, 32,
     false},
    {"ampere bf16", TensorArch::Ampere, TensorUnit::Mma, &BF16, &BF16, 16, 8, 16, false},
    {"ampere f16 to f16", TensorArch::Ampere, TensorUnit::Mma, &F16, &F16, 16, 8, 16,
     true},
    {"ampere tf32", TensorArch::Ampere, TensorUnit::Mma, &TF32, &TF32, 16, 8, 8, false},
    {"ada e4m3", TensorArch::Ada, TensorUnit::Mma, &E4M3, &E4M3, 16, 8, 32, false},
    {"blackwell e5m2", TensorArch::Blackwell, TensorUnit::Mma, &E5M2, &E4M3, 16, 8, 32,
     false},
    {"blackwell e2m1", TensorArch::Blackwell, TensorUnit::Mma, &E2M1, &E3M2, 16, 8, 32,
     false},
    {"odd width", TensorArch::Hopper, TensorUnit::Mma, &BF16, &BF16, 3, 13, 20, false},
};

/// Returns an element of one of three kinds: near 1, of any exponent, of any bits (NaN
/// and so on).
uint32_t element(const Format &format, std::mt19937_64 &random, int kind) {
  uint64_t bits = random();
  uint64_t all = format.bits == 64 ? bits : bits & ((uint64_t(1) << format.bits) - 1);
  int span = format.exponentBits < 4 || kind == 2 ? 0 : kind == 0 ? 4 : 60;
  if (span == 0)
    return static_cast<uint32_t>(
        kind == 2 || !format.hasInfinity ? all : all & ~format.infinity());
  span = std::min(span, (1 << format.exponentBits) - 6);
  int point = format.fractionBits + format.low;
  uint64_t field =
      static_cast<uint64_t>(format.bias - span / 2 + static_cast<int>(random() % span));
  uint64_t fraction = all & ((uint64_t(1) << point) - 1);
  if (random() % 16 == 0)
    field = fraction = 0;
  return static_cast<uint32_t>((all & format.sign()) | field << point | fraction);
}

std::vector<Isa> isas() {
  std::vector<Isa> all = {Isa::Portable};
  if (bestIsa() >= Isa::Avx2)
    all.push_back(Isa::Avx2);
  if (bestIsa() >= Isa::Avx512)
    all.push_back(Isa::Avx512);
  return all;
}

TEST(Tensor, FastBuildsAgreeWithTheRule) {
  for (const Case &c : cases) {
    DotRule rule = dotRule(c.arch, c.unit, *c.a, c.k, c.f16Result);
    const Format &accumulator = c.f16Result ? F16 : F32;
    for (int kind = 0; kind < 3; ++kind)
      for (int round = 0; round < 6; ++round) {
        std::mt19937_64 random(kind * 100 + round);
        std::vector<uint32_t> a(c.m * c.k), b(c.k * c.n), first(c.m * c.n);
        for (uint32_t &x : a)
          x = element(*c.a, random, kind);
        for (uint32_t &x : b)
          x = element(*c.b, random, kind);
        for (uint32_t &x : first)
          x = element(accumulator, random, kind);
        std::vector<uint32_t> expected = first;
        // Accumulates several steps in place.
        for (int step = 0; step < 5; ++step)
          multiplyReference(rule, {c.a, c.b, c.m, c.n, c.k, a.data(), b.data(),
                                   expected.data(), expected.data()});
        for (Isa isa : isas()) {
          std::vector<uint32_t> got = first;
          for (int step = 0; step < 5; ++step)
            multiply(
                rule,
                {c.a, c.b, c.m, c.n, c.k, a.data(), b.data(), got.data(), got.data()},
                isa);
          EXPECT_EQ(got, expected) << c.name << ", " << isaName(isa) << ", kind " << kind
                                   << ", round " << round;
        }
      }
  }
}

uint32_t dot(DotRule rule, std::vector<float> a, std::vector<float> b, float c) {
  std::vector<uint32_t> x, y;
  for (float value : a)
    x.push_back(f32ToBf16(bitsOf(value)));
  for (float value : b)
    y.push_back(f32ToBf16(bitsOf(value)));
  uint32_t sum = bitsOf(c);
  multiplyReference(rule, {&BF16, &BF16, 1, 1, static_cast<int>(a.size()), x.data(),
                           y.data(), &sum, &sum});
  return sum;
}

constexpr DotRule hopper = {25, 16, 23, false};
constexpr DotRule ampere = {24, 8, 23, false};

TEST(Tensor, TermsAreCutBelowTheLargest) {
  // Next to 1, 2^-25 is the last bit that is kept; smaller terms are lost one by one.
  EXPECT_EQ(dot(hopper, {1, 0x1p-25f, 0x1p-26f, 0x1p-26f}, {1, 1, 1, 1}, -1.0f),
            bitsOf(0x1p-25f));
  EXPECT_EQ(dot(ampere, {1, 0x1p-24f, 0x1p-25f, 0x1p-25f}, {1, 1, 1, 1}, -1.0f),
            bitsOf(0x1p-24f));
  // Terms are truncated toward zero, not rounded down: a small negative term vanishes.
  EXPECT_EQ(dot(hopper, {1, -0x1p-26f}, {1, 1}, 0.0f), bitsOf(1.0f));
}

TEST(Tensor, ProductsAreNotNormalised) {
  // 1.5 * 1.5 = 2.25 counts with exponent 0, so 2^-25 is still kept.
  EXPECT_EQ(dot(hopper, {1.5f, -1.5f, 0x1p-25f}, {1.5f, 1.5f, 1}, 0.0f),
            bitsOf(0x1p-25f));
  // An accumulator of the same size has exponent 1, so 2^-25 is lost.
  EXPECT_EQ(dot(hopper, {1.5f, 0x1p-25f}, {1.5f, 1}, -2.25f), 0u);
}

TEST(Tensor, ResultsAreCutTowardZero) {
  EXPECT_EQ(dot(hopper, {1, 0x1p-24f}, {1, 1}, 0.0f), bitsOf(1.0f));
  EXPECT_EQ(dot(hopper, {1, 0x1p-24f, 0x1p-25f}, {1, 1, 1}, 0.0f), bitsOf(1.0f));
  EXPECT_EQ(dot(hopper, {-1, -0x1.8p-24f}, {1, 1}, 0.0f), bitsOf(-1.0f));
}

TEST(Tensor, HalvesOfALongSumOnAmpereAreSteps) {
  // In one step 2^-24 would be lost twice next to 1; the second step starts from a sum.
  std::vector<float> a(16, 0.0f), b(16, 1.0f);
  a[0] = 0x1p-24f;
  a[1] = 0x1p-24f;
  a[8] = 1.0f;
  EXPECT_EQ(dot({24, 8, 23, false}, a, b, 0.0f), bitsOf(1.0f + 0x1p-23f));
  a[0] = a[1] = 0x1p-25f;
  EXPECT_EQ(dot({24, 16, 23, false}, a, b, 0.0f), bitsOf(1.0f));
  EXPECT_EQ(dot({24, 8, 23, false}, a, b, 0.0f), bitsOf(1.0f));
}

TEST(Tensor, SpecialValues) {
  float infinity = __builtin_inff();
  EXPECT_EQ(dot(hopper, {infinity, 1}, {1, 1}, 0.0f), 0x7f800000u);
  EXPECT_EQ(dot(hopper, {infinity, -infinity}, {1, 1}, 0.0f), 0x7fffffffu);
  EXPECT_EQ(dot(hopper, {infinity, 1}, {0, 1}, 0.0f), 0x7fffffffu);
  EXPECT_EQ(dot(hopper, {1, 1}, {1, 1}, -infinity), 0xff800000u);
  // Overflow gives infinity, although results are truncated.
  EXPECT_EQ(dot(hopper, {0x1p127f, 0x1p127f}, {1, 1}, 0.0f), 0x7f800000u);
  EXPECT_EQ(dot(hopper, {-0x1p127f, -0x1p127f}, {1, 1}, 0.0f), 0xff800000u);
  // Zeros sum to +0, whatever their signs.
  EXPECT_EQ(dot(hopper, {-0.0f, 1}, {1, -0.0f}, -0.0f), 0u);
  EXPECT_EQ(dot(hopper, {1, -1}, {1, 1}, -0.0f), 0u);
  // Subnormals are not flushed.
  EXPECT_EQ(dot(hopper, {0x1p-130f}, {0.5f}, 0.0f), bitsOf(0x1p-131f));
  EXPECT_EQ(dot(hopper, {0x1p-130f}, {0x1p-20f}, 0.0f), 0u);
}

TEST(Tensor, RulesByArchitecture) {
  auto rule = [](uint32_t sm, TensorUnit unit, const Format &format, int k) {
    return dotRule(tensorArch(sm), unit, format, k, false);
  };
  EXPECT_EQ(rule(80, TensorUnit::Mma, BF16, 16).step, 8);
  EXPECT_EQ(rule(86, TensorUnit::Mma, TF32, 8).step, 4);
  EXPECT_EQ(rule(80, TensorUnit::Mma, TF32, 4).step, 4);
  EXPECT_EQ(rule(89, TensorUnit::Mma, E4M3, 32).step, 16);
  EXPECT_EQ(rule(89, TensorUnit::Mma, E4M3, 32).alignBits, 13);
  EXPECT_EQ(rule(89, TensorUnit::Mma, F16, 16).alignBits, 24);
  EXPECT_EQ(rule(90, TensorUnit::Wgmma, F16, 16).step, 16);
  EXPECT_EQ(rule(90, TensorUnit::Wgmma, F16, 16).alignBits, 25);
  EXPECT_EQ(rule(90, TensorUnit::Wgmma, E4M3, 32).alignBits, 13);
  EXPECT_EQ(rule(90, TensorUnit::Wgmma, E4M3, 32).fractionBits, 13);
  EXPECT_EQ(rule(100, TensorUnit::Mma, E4M3, 32).alignBits, 25);
  EXPECT_EQ(rule(120, TensorUnit::Mma, E4M3, 32).fractionBits, 23);
}

TEST(Tensor, IntegersWrapOrClamp) {
  int32_t a[] = {127, 127}, b[] = {127, 127}, c = INT32_MAX, d;
  multiplyInt({1, 1, 2, a, b, &c, &d, false});
  EXPECT_EQ(d, INT32_MIN + 2 * 127 * 127 - 1);
  multiplyInt({1, 1, 2, a, b, &c, &d, true});
  EXPECT_EQ(d, INT32_MAX);
  int32_t negative[] = {-128, -128};
  c = INT32_MIN;
  multiplyInt({1, 1, 2, negative, b, &c, &d, true});
  EXPECT_EQ(d, INT32_MIN);
}

TEST(Tensor, DoublesAreAFusedChain) {
  uint64_t a[] = {bitsOf(1.0 + 0x1p-52), bitsOf(1.0)};
  uint64_t b[] = {bitsOf(1.0 - 0x1p-53), bitsOf(-1.0)};
  uint64_t c = bitsOf(-1.0), d;
  multiplyF64(1, 1, 2, a, b, &c, &d, Rounding::Rn);
  EXPECT_EQ(f64(d),
            __builtin_fma(1.0, -1.0, __builtin_fma(1.0 + 0x1p-52, 1.0 - 0x1p-53, -1.0)));
}

} // namespace

//===- tensor.cpp - The tensor cores' arithmetic ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/tensor.h"
#include "runtime/sim/arith/exact.h"
#include "runtime/sim/arith/float_ops.h"
#include "runtime/sim/arith/lanes.h"
#include "runtime/sim/arith/tensor_terms.h"
#include "runtime/sim/arith/tensor_tile.h"

#include <algorithm>
#include <vector>

using namespace kiln::sim;
using namespace kiln::sim::arith;

TensorArch arith::tensorArch(uint32_t computeCapability) {
  if (computeCapability >= 100)
    return TensorArch::Blackwell;
  if (computeCapability >= 90)
    return TensorArch::Hopper;
  return computeCapability == 89 ? TensorArch::Ada : TensorArch::Ampere;
}

DotRule arith::dotRule(TensorArch arch, TensorUnit unit, const Format &a, int k,
                       bool f16Result) {
  bool fp8 = a.bits == 8;
  DotRule rule = {.alignBits = 25,
                  .step = std::min(k, MaxTerms),
                  .fractionBits = 23,
                  .f16Result = f16Result};
  if (arch == TensorArch::Ampere || arch == TensorArch::Ada) {
    rule.alignBits = 24;
    // A hardware step takes half of the longest instruction's K: 4 tf32, 8 f16/bf16, 16
    // bytes.
    rule.step = std::min(k, 128 / a.bits);
  }
  // Hopper's mma.sync has no fp8 unit: it converts to f16 and adds 16 terms per step.
  if (arch == TensorArch::Hopper && fp8 && unit == TensorUnit::Mma)
    rule.step = std::min(k, 16);
  else if (fp8 && (arch == TensorArch::Ada || arch == TensorArch::Hopper))
    rule.alignBits = rule.fractionBits = 13;
  return rule;
}

Term arith::termOf(const Format &format, uint64_t bits) {
  Exact value = decode(format, bits);
  return {static_cast<uint64_t>(value.significand), value.exponent + format.fractionBits,
          format.fractionBits, value.negative};
}

Term arith::productOf(const Term &a, const Term &b) {
  return {a.significand * b.significand, a.exponent + b.exponent, a.fraction + b.fraction,
          a.negative != b.negative};
}

/// Returns the term in units of 2^(top - bits), truncated toward zero.
static int64_t cut(const Term &term, int top, int bits) {
  int shift = bits - term.fraction - (top - term.exponent);
  uint64_t size = shift >= 0     ? term.significand << shift
                  : shift <= -64 ? 0
                                 : term.significand >> -shift;
  return term.negative ? -static_cast<int64_t>(size) : static_cast<int64_t>(size);
}

static uint32_t finish(const DotRule &rule, int64_t sum, int exponent) {
  Exact value =
      Exact::finite(sum < 0, sum < 0 ? 0 - static_cast<uint64_t>(sum) : sum, exponent);
  if (rule.f16Result) {
    uint32_t bits = static_cast<uint32_t>(encode(F16, value, {}));
    return bits == 0x8000 ? 0 : bits;
  }
  uint8_t fraction = static_cast<uint8_t>(rule.fractionBits);
  uint8_t low = static_cast<uint8_t>(23 - fraction);
  Format result = {32, 8, fraction, low, 127, true, true, 0x7fffffff, 0x7f7fffff};
  result.maxFinite &= result.significantMask();
  uint32_t bits = static_cast<uint32_t>(encode(result, value, {.mode = Rounding::Rz}));
  // Truncating never gives infinity, but a value that is too large does.
  if (!value.isZero() && exponent > -64) {
    int length = 64 - __builtin_clzll(static_cast<uint64_t>(value.significand));
    if (length + exponent > 128)
      bits = 0x7f800000 | (sum < 0 ? 0x80000000 : 0);
  }
  return bits == 0x80000000 ? 0 : bits;
}

void Specials::add(const Exact &value) {
  nan |= value.isNan();
  plus |= value.isInfinite() && !value.negative;
  minus |= value.isInfinite() && value.negative;
}

uint32_t Specials::result(bool f16Result) const {
  if (nan || (plus && minus))
    return f16Result ? 0x7fff : 0x7fffffff;
  const Format &format = f16Result ? F16 : F32;
  return static_cast<uint32_t>(format.infinity() | (minus ? format.sign() : 0));
}

std::optional<int> arith::largestExponent(std::span<const Term> terms) {
  std::optional<int> top;
  for (const Term &term : terms)
    if (term.significand != 0)
      top = top ? std::max(*top, term.exponent) : term.exponent;
  return top;
}

uint32_t arith::sumTerms(const DotRule &rule, std::span<const Term> terms, int top) {
  int64_t sum = 0;
  for (const Term &term : terms)
    if (term.significand != 0)
      sum += cut(term, top, rule.alignBits);
  return finish(rule, sum, top - rule.alignBits);
}

uint32_t arith::stepElement(const TensorTile &tile, int row, int column, uint32_t c) {
  const Format &formatC = tile.rule.f16Result ? F16 : F32;
  Term terms[MaxTerms + 1] = {termOf(formatC, c)};
  Specials specials;
  specials.add(decode(formatC, c));
  for (int t = 0; t < tile.terms; ++t) {
    uint32_t a = tile.a[row * tile.strideA + t], b = tile.b[t * tile.strideB + column];
    specials.add(multiply(decode(tile.formatA, a), decode(tile.formatB, b)));
    terms[t + 1] = productOf(termOf(tile.formatA, a), termOf(tile.formatB, b));
  }
  if (specials.any())
    return specials.result(tile.rule.f16Result);
  std::span<const Term> all(terms, size_t(tile.terms) + 1);
  return sumTerms(tile.rule, all, largestExponent(all).value_or(0));
}

/// Calls `step` for each hardware step; the first accumulates onto c, the others onto d.
template <typename Step>
static void forEachStep(const DotRule &rule, const Product &p, Step step) {
  for (int t = 0; t < p.k; t += rule.step)
    step(TensorTile{rule, *p.formatA, *p.formatB, p.m, p.n, std::min(rule.step, p.k - t),
                    p.a + t, p.b + t * p.n, p.k, p.n, t ? p.d : p.c, p.d, p.n});
}

void arith::multiplyReference(const DotRule &rule, const Product &product) {
  forEachStep(rule, product, [](const TensorTile &tile) {
    for (int i = 0; i < tile.m; ++i)
      for (int j = 0; j < tile.n; ++j)
        tile.d[i * tile.strideC + j] =
            stepElement(tile, i, j, tile.c[i * tile.strideC + j]);
  });
}

void arith::multiply(const DotRule &rule, const Product &product, Isa isa) {
  const LaneFunctions &lanes = laneFunctions(isa);
  forEachStep(rule, product, [&](const TensorTile &tile) { lanes.tensorStep(tile); });
}

void arith::multiplyF64(int m, int n, int k, const uint64_t *a, const uint64_t *b,
                        const uint64_t *c, uint64_t *d, Rounding mode) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      uint64_t sum = c[i * n + j];
      for (int t = 0; t < k; ++t)
        sum = mode == Rounding::Rn
                  ? opF64<FloatOp::Fma, Rounding::Rn>(a[i * k + t], b[t * n + j], sum)
                  : slowF64(FloatOp::Fma, a[i * k + t], b[t * n + j], sum, mode);
      d[i * n + j] = sum;
    }
}

void arith::multiplyInt(const IntProduct &p) {
  // Elements have at most 8 bits and k is small, so the sums fit in 32 bits.
  std::vector<int32_t> sums(p.n);
  for (int i = 0; i < p.m; ++i) {
    std::fill(sums.begin(), sums.end(), 0);
    for (int t = 0; t < p.k; ++t) {
      int32_t a = p.a[i * p.k + t];
      const int32_t *b = p.b + t * p.n;
      for (int j = 0; j < p.n; ++j)
        sums[j] += a * b[j];
    }
    for (int j = 0; j < p.n; ++j) {
      int64_t sum = int64_t(p.c[i * p.n + j]) + sums[j];
      if (p.satfinite)
        sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      p.d[i * p.n + j] = static_cast<int32_t>(sum);
    }
  }
}

//===- tensor_scaled.cpp - MMA with block scales --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/tensor_scaled.h"
#include "runtime/sim/arith/tensor_terms.h"

#include <algorithm>
#include <vector>

using namespace kiln::sim;
using namespace kiln::sim::arith;

namespace {

constexpr int MaxK = 64, MaxBlocks = 4, GroupTerms = 16;
constexpr DotRule TermRule = {25, 32, 23, false}, GroupRule = {35, MaxK, 23, false};
/// Exponent of a zero: a term with a zero factor never has the largest exponent.
constexpr int ZeroExponent = -1'000'000, MinExponent = ZeroExponent / 2;

/// A row of A or a column of B, unpacked once for all elements of the result that use it.
struct Line {
  Exact values[MaxK];
  /// An element is significands[t] * 2^(exponents[t] - its format's fraction bits).
  int significands[MaxK], exponents[MaxK];
  int halves[MaxK]; ///< for E2M1: twice the value
  Term scales[MaxBlocks];
  bool infinite = false, nan = false; ///< some element is infinite; some element or scale
                                      ///< is NaN
};

void takeScales(Line &line, ScaleType type, const uint8_t *scales, int blocks) {
  for (int i = 0; i < blocks; ++i) {
    uint8_t code = scales[i];
    if (type == ScaleType::UE8M0) {
      line.nan |= code == 0xff;
      line.scales[i] = {1, int(code) - 127, 0, false};
      continue;
    }
    code &= 0x7f;
    line.nan |= code == 0x7f;
    line.scales[i] = termOf(E4M3, code);
  }
}

Line takeApart(const Format &format, const uint32_t *elements, int stride, int k) {
  Line line;
  for (int t = 0; t < k; ++t) {
    uint32_t bits = elements[t * stride];
    Exact &value = line.values[t] = decode(format, bits);
    line.infinite |= value.isInfinite();
    line.nan |= value.isNan();
    Term term = termOf(format, bits);
    int size = int(term.significand);
    line.significands[t] = term.negative ? -size : size;
    line.exponents[t] = size ? term.exponent : ZeroExponent;
    line.halves[t] = format.bits == E2M1.bits ? line.significands[t] << term.exponent : 0;
  }
  return line;
}

/// Sums c and the terms where one is special (infinity or NaN); nothing is truncated.
uint32_t addSpecials(const Line &a, const Line &b, int k, uint32_t c) {
  Specials specials;
  specials.add(decode(F32, c));
  for (int t = 0; t < k; ++t)
    specials.add(multiply(a.values[t], b.values[t]));
  return specials.result(false);
}

/// `fraction`: fraction bits of the product of two elements.
uint32_t addProducts(const Line &a, const Line &b, int k, int fraction, uint32_t c) {
  if (a.infinite || b.infinite)
    return addSpecials(a, b, k, c);
  int largest = ZeroExponent;
  for (int t = 0; t < k; ++t)
    largest = std::max(largest, a.exponents[t] + b.exponents[t]);
  Term terms[2] = {termOf(F32, c)};
  std::optional<int> top = largestExponent(std::span(terms, 1));
  int scale = a.scales[0].exponent + b.scales[0].exponent;
  if (largest > MinExponent)
    top = std::max(top.value_or(largest + scale), largest + scale);
  int64_t sum = 0;
  for (int t = 0; t < k; ++t) {
    int product = a.significands[t] * b.significands[t];
    int up = TermRule.alignBits - fraction,
        lost = top.value_or(0) - scale - a.exponents[t] - b.exponents[t];
    // A product of two elements has at most 8 bits: shifted 31 bits below `up` it is
    // zero.
    int size = std::abs(product) << up >> std::min(lost, 31);
    sum += product < 0 ? -size : size;
  }
  // The sum is already truncated and in the rule's units.
  terms[1] = {uint64_t(std::abs(sum)), top.value_or(0), TermRule.alignBits, sum < 0};
  return sumTerms(TermRule, terms, top.value_or(0));
}

uint32_t addGroups(const Line &a, const Line &b, int k, int blocks, uint32_t c) {
  constexpr int halfBits = 2; // of the product of two half-units
  Term terms[MaxK / GroupTerms + 1] = {termOf(F32, c)};
  std::optional<int> top = largestExponent(std::span(terms, 1));
  int count = 1;
  for (int start = 0; start < k; start += GroupTerms) {
    int sum = 0;
    for (int t = start; t < std::min(start + GroupTerms, k); ++t)
      sum += a.halves[t] * b.halves[t];
    int block = start / (k / blocks);
    Term scale = productOf(a.scales[block], b.scales[block]);
    if (scale.significand == 0)
      continue;
    top = std::max(top.value_or(scale.exponent), scale.exponent);
    terms[count++] = {uint64_t(std::abs(sum)) * scale.significand, scale.exponent,
                      scale.fraction + halfBits, sum < 0};
  }
  return sumTerms(GroupRule, std::span<const Term>(terms, size_t(count)),
                  top.value_or(0));
}

uint32_t element(const ScaledProduct &s, const Line &a, const Line &b, uint32_t c) {
  Specials specials;
  specials.add(decode(F32, c));
  specials.nan |= a.nan || b.nan;
  if (specials.nan || (specials.any() && !a.infinite && !b.infinite))
    return specials.result(false);
  int fraction = s.product.formatA->fractionBits + s.product.formatB->fractionBits;
  return s.unit == ScaledUnit::Mxf4 ? addGroups(a, b, s.product.k, s.blocks, c)
                                    : addProducts(a, b, s.product.k, fraction, c);
}

} // namespace

void arith::multiplyScaled(const ScaledProduct &s) {
  const Product &p = s.product;
  std::vector<Line> columns;
  for (int j = 0; j < p.n; ++j) {
    columns.push_back(takeApart(*p.formatB, p.b + j, p.n, p.k));
    takeScales(columns.back(), s.type, s.scaleB + j * s.blocks, s.blocks);
  }
  for (int i = 0; i < p.m; ++i) {
    Line row = takeApart(*p.formatA, p.a + i * p.k, 1, p.k);
    takeScales(row, s.type, s.scaleA + i * s.blocks, s.blocks);
    for (int j = 0; j < p.n; ++j)
      p.d[i * p.n + j] = element(s, row, columns[j], p.c[i * p.n + j]);
  }
}

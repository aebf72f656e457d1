//===- operands.cpp - Operands that find differences ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/operands.h"
#include <algorithm>
#include <bit>

using namespace kiln::gpucheck;

uint64_t Random::next() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

namespace {
uint32_t mask(int bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }
int bias(const Format &f) { return (1 << (f.exponentBits - 1)) - 1; }
uint32_t signBit(const Format &f) { return 1u << (f.bits - 1); }
/// Returns the largest exponent field of finite numbers; e4m3 also uses the largest one
/// for them.
int lastExponent(const Format &f) {
  return int(mask(f.exponentBits)) - (f.hasInfinity ? 1 : 0);
}

/// Packs sign, exponent field and fraction; the unused bits of tf32 are zero.
uint32_t pack(const Format &f, bool negative, int exponent, uint32_t fraction) {
  uint32_t value =
      uint32_t(exponent) << f.fractionBits | (fraction & mask(f.fractionBits));
  return value << f.unusedBits | (negative ? signBit(f) : 0);
}
uint32_t largest(const Format &f, bool negative) {
  if (f.isInteger())
    return !f.isSigned ? mask(f.bits) : negative ? signBit(f) : signBit(f) - 1;
  uint32_t fraction = mask(f.fractionBits) - (f.hasInfinity ? 0 : 1);
  return pack(f, negative, lastExponent(f), fraction);
}
uint32_t anyBits(const Format &f, Random &random) {
  return uint32_t(random.next()) & mask(f.bits);
}
/// Returns a random finite number whose exponent field is in [low, high].
uint32_t withExponent(const Format &f, Random &random, int low, int high) {
  if (f.isInteger())
    return anyBits(f, random);
  low = std::clamp(low, 0, lastExponent(f));
  high = std::clamp(high, low, lastExponent(f));
  int exponent = low + int(random.below(uint32_t(high - low + 1)));
  uint32_t fraction = uint32_t(random.next());
  // All ones would be the only NaN with e4m3's largest exponent.
  if (!f.hasInfinity && exponent == lastExponent(f))
    fraction &= mask(f.fractionBits) - 1;
  return pack(f, random.next() & 1, exponent, fraction);
}
uint32_t nearOne(const Format &f, Random &random) {
  return f.isInteger() ? anyBits(f, random)
                       : withExponent(f, random, bias(f) - 3, bias(f) + 1);
}
uint32_t subnormal(const Format &f, Random &random) {
  return f.isInteger() ? random.below(2) : withExponent(f, random, 0, 0);
}
uint32_t zero(const Format &f, Random &random) {
  return !f.isInteger() && random.next() & 1 ? signBit(f) : 0;
}
uint32_t infinity(const Format &f, Random &random) {
  if (!f.hasInfinity)
    return largest(f, random.next() & 1);
  return pack(f, random.next() & 1, int(mask(f.exponentBits)), 0);
}
uint32_t notANumber(const Format &f, Random &random) {
  if (f.isInteger())
    return largest(f, random.next() & 1);
  uint32_t fraction =
      f.hasInfinity ? 1 + random.below(mask(f.fractionBits)) : mask(f.fractionBits);
  return pack(f, random.next() & 1, int(mask(f.exponentBits)), fraction);
}

/// Encodes a small integer, exact in every format that has it.
uint32_t encodeWhole(const Format &f, int value) {
  if (f.isInteger())
    return uint32_t(value) & mask(f.bits);
  if (!value)
    return 0;
  uint32_t magnitude = uint32_t(std::abs(value));
  int top = 31 - std::countl_zero(magnitude);
  uint32_t fraction = top <= f.fractionBits ? magnitude << (f.fractionBits - top)
                                            : magnitude >> (top - f.fractionBits);
  return pack(f, value < 0, bias(f) + top, fraction);
}
int decodeWhole(const Format &f, uint32_t bits) {
  if (f.isInteger())
    return f.isSigned && f.bits < 32 && bits & signBit(f) ? int(bits) - (1 << f.bits)
                                                          : int(bits);
  uint32_t value = (bits & ~signBit(f)) >> f.unusedBits;
  if (!value)
    return 0;
  int exponent = int(value >> f.fractionBits) - bias(f);
  uint32_t significand = (value & mask(f.fractionBits)) | 1u << f.fractionBits;
  int magnitude = exponent >= f.fractionBits
                      ? int(significand << (exponent - f.fractionBits))
                      : int(significand >> (f.fractionBits - exponent));
  return bits & signBit(f) ? -magnitude : magnitude;
}

using Choose = uint32_t (*)(const Format &, Random &);

/// Chooses every element independently.
template <Choose choose, Choose chooseSum = choose>
Operands each(const Product &p, Random &random) {
  Operands out;
  for (int i = 0; i < p.m * p.k; ++i)
    out.a.push_back(choose(p.a, random));
  for (int i = 0; i < p.n * p.k; ++i)
    out.b.push_back(choose(p.b, random));
  for (int i = 0; i < p.m * p.n; ++i)
    out.c.push_back(chooseSum(p.sum, random));
  return out;
}

/// Chooses elements near one, and one in eight with `special`.
template <Choose special> uint32_t sometimes(const Format &f, Random &random) {
  return random.below(8) ? nearOne(f, random) : special(f, random);
}
uint32_t finite(const Format &f, Random &random) {
  return f.isInteger() ? anyBits(f, random) : withExponent(f, random, 0, lastExponent(f));
}
uint32_t extreme(const Format &f, Random &random) {
  return random.below(3) ? largest(f, random.next() & 1) : nearOne(f, random);
}
uint32_t tiny(const Format &f, Random &random) {
  return f.isInteger() ? random.below(2) : withExponent(f, random, 0, 3);
}
uint32_t huge(const Format &f, Random &random) {
  return f.isInteger() ? largest(f, random.next() & 1)
                       : withExponent(f, random, bias(f) + 8, bias(f) + 24);
}
/// Exponents of a range about as wide as the accumulators have bits.
uint32_t spread(const Format &f, Random &random) {
  return f.isInteger() ? anyBits(f, random)
                       : withExponent(f, random, bias(f) - 14, bias(f) + 14);
}
/// Powers of two and adjacent numbers: rounding ties, and truncation of the last bit.
uint32_t power(const Format &f, Random &random) {
  if (f.isInteger())
    return 1u << random.below(uint32_t(f.bits) - 1);
  int exponent = std::clamp(bias(f) - 12 + int(random.below(24)), 1, lastExponent(f) - 1);
  uint32_t kind = random.below(3);
  return pack(f, random.next() & 1, exponent, kind == 0 ? 0 : kind == 1 ? 1 : ~0u);
}
uint32_t wholeElement(const Format &f, Random &random) {
  int value = int(random.below(5)) - 2;
  return encodeWhole(f, f.isSigned ? value : std::abs(value));
}

/// Adjacent elements along k cancel, sometimes up to one flipped last bit, so the
/// remainder is far below the terms; C is small as well.
Operands cancellation(const Product &p, Random &random) {
  Operands out = each<spread, tiny>(p, random);
  for (size_t i = 0; i + 1 < out.b.size(); i += 2)
    out.b[i + 1] = out.b[i];
  for (size_t i = 0; i + 1 < out.a.size(); i += 2) {
    uint32_t opposite =
        p.a.isInteger() ? (0u - out.a[i]) & mask(p.a.bits) : out.a[i] ^ signBit(p.a);
    bool exact = random.below(4) != 0;
    out.a[i + 1] = exact ? opposite : opposite ^ 1u << p.a.unusedBits;
  }
  return out;
}

/// Terms along k alternate in sign and have similar magnitudes.
Operands alternating(const Product &p, Random &random) {
  Operands out = each<nearOne>(p, random);
  if (p.a.isInteger())
    return out;
  for (size_t i = 0; i < out.a.size(); ++i)
    out.a[i] = i % 2 ? out.a[i] | signBit(p.a) : out.a[i] & ~signBit(p.a);
  for (uint32_t &value : out.b)
    value &= ~signBit(p.b);
  return out;
}

/// One large term, first or last, and many small ones: the lost bits depend on the order
/// of additions.
Operands oneLarge(const Product &p, Random &random) {
  Operands out = each<nearOne>(p, random);
  size_t k = size_t(p.k);
  for (size_t i = 0; i < out.a.size(); ++i)
    if (i % k == (i / k % 2 ? k - 1 : 0))
      out.a[i] = huge(p.a, random);
  return out;
}
} // namespace

const std::vector<Pattern> &kiln::gpucheck::patterns() {
  static const std::vector<Pattern> all = {
      {"whole", "small whole numbers, also checked against exact sums",
       each<wholeElement>},
      {"normal", "near one", each<nearOne>},
      {"bits", "any bits", each<anyBits>},
      {"finite", "any finite numbers", each<finite>},
      {"zeros", "zeros of both signs", each<zero>},
      {"some_zeros", "near one, some zeros", each<sometimes<zero>>},
      {"subnormals", "subnormals only", each<subnormal>},
      {"some_subnormals", "near one, some subnormals", each<sometimes<subnormal>>},
      {"tiny", "around the smallest normal number", each<tiny>},
      {"infinities", "near one, some infinities", each<sometimes<infinity>>},
      {"nans", "near one, some NaN", each<sometimes<notANumber>>},
      {"largest", "largest numbers", each<extreme>},
      {"spread", "exponents 28 apart", each<spread>},
      {"powers", "powers of two and their neighbours", each<power>},
      {"cancellation", "neighbours cancel", cancellation},
      {"alternating", "alternating signs", alternating},
      {"one_large", "one term of each row large", oneLarge},
      {"large_sum", "near one, C large", each<nearOne, huge>},
      {"small_sum", "near one, C tiny", each<nearOne, tiny>},
      {"any_sum", "near one, C of any bits", each<nearOne, anyBits>},
  };
  return all;
}

std::vector<uint32_t> kiln::gpucheck::exactSums(const Product &p,
                                                const Operands &operands) {
  std::vector<uint32_t> out;
  for (int i = 0; i < p.m; ++i)
    for (int j = 0; j < p.n; ++j) {
      int sum = decodeWhole(p.sum, operands.c[size_t(i * p.n + j)]);
      for (int x = 0; x < p.k; ++x)
        sum += decodeWhole(p.a, operands.a[size_t(i * p.k + x)]) *
               decodeWhole(p.b, operands.b[size_t(j * p.k + x)]);
      out.push_back(encodeWhole(p.sum, sum));
    }
  return out;
}

void kiln::gpucheck::appendPacked(std::vector<uint8_t> &bytes, const Format &format,
                                  const std::vector<uint32_t> &elements) {
  for (uint32_t element : elements)
    for (int shift = 0; shift < format.bits; shift += 8)
      bytes.push_back(uint8_t(element >> shift));
}

std::vector<uint32_t> kiln::gpucheck::unpack(const uint8_t *bytes, const Format &format,
                                             size_t count) {
  std::vector<uint32_t> out(count);
  for (uint32_t &element : out)
    for (int shift = 0; shift < format.bits; shift += 8)
      element |= uint32_t(*bytes++) << shift;
  return out;
}

//===- approx.cpp - The approximate functions of PTX -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/approx.h"
#include "runtime/sim/arith/approx_double.h"
#include "runtime/sim/arith/approx_quad.h"
#include "runtime/sim/arith/exact.h"
#include "runtime/sim/arith/fast.h"
#include "runtime/sim/arith/lanes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace kiln::sim;
using namespace kiln::sim::arith;

static constexpr uint32_t NanF32 = 0x7fffffff, InfinityF32 = 0x7f800000;

bool arith::parseApproxMode(const std::string &text, ApproxMode &mode) {
  const std::string worst = "worst:";
  mode = {.worst = text.starts_with("worst")};
  if (text == "correct" || text == "worst")
    return true;
  if (!text.starts_with(worst) || text.size() == worst.size())
    return false;
  char *end = nullptr;
  mode.seed = std::strtoull(text.c_str() + worst.size(), &end, 0);
  return *end == 0;
}

static ApproxMode readMode() {
  const char *text = std::getenv("KILN_SIM_APPROX");
  ApproxMode mode;
  return text && parseApproxMode(text, mode) ? mode : ApproxMode();
}

const ApproxMode &arith::chosenApproxMode() {
  static const ApproxMode mode = readMode();
  return mode;
}

/// Hashes the operands and the seed; the hash selects which edge of the error bound a
/// result takes.
static uint64_t mixed(const ApproxMode &mode, Approx function, uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15 ^ (b + mode.seed) * 0xc2b2ae3d27d4eb4f ^
               static_cast<uint64_t>(function) << 56;
  x ^= x >> 31;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  return x;
}

/// Computes the function in f64 with an error below DoubleError; x is no special value.
static double inDouble(Approx function, float x) {
  switch (function) {
  case Approx::Ex2:
    return exp2Double(x);
  case Approx::Lg2:
    return log2Double(x);
  case Approx::Rsqrt:
    return 1.0 / __builtin_sqrt(double(x));
  case Approx::Tanh:
    return tanhDouble(x);
  case Approx::Sin:
    return sineDouble(x, false);
  default:
    return sineDouble(x, true);
  }
}

/// Computes a result that is correct after rounding: if rounding (`round`: f64 to the
/// result's bits) both ends of the f64 error interval gives different bits, approx_quad.h
/// decides.
template <typename Round> static uint32_t settled(Approx function, float x, Round round) {
  double y = inDouble(function, x);
  uint32_t low = round(y - y * DoubleError), high = round(y + y * DoubleError);
  return low == high ? low : round(approxQuad(function, x));
}

/// Returns results that PTX's tables fix, or that are exact; false if the operand is no
/// such case.
static bool special(Approx function, uint32_t a, uint32_t &result) {
  bool negative = a >> 31;
  uint32_t magnitude = a & 0x7fffffff;
  if (magnitude > InfinityF32) {
    result = NanF32;
    return true;
  }
  bool zero = magnitude == 0, infinite = magnitude == InfinityF32;
  float x = f32(a);
  switch (function) {
  case Approx::Ex2:
    if (zero || x >= 128 || x < -160)
      result = zero ? 0x3f800000 : negative ? 0 : InfinityF32;
    return zero || x >= 128 || x < -160;
  case Approx::Lg2:
    result = zero ? 0xff800000 : negative ? NanF32 : InfinityF32;
    return zero || negative || infinite;
  case Approx::Rsqrt:
    result = zero ? a | InfinityF32 : negative ? NanF32 : 0;
    return zero || negative || infinite;
  case Approx::Tanh:
    // Below 2^-13 the result is the operand, rounded; subnormals pass through.
    if (zero || infinite || magnitude < 0x00800000)
      result = infinite ? 0x3f800000 | (a & 0x80000000) : a;
    return zero || infinite || magnitude < 0x00800000;
  default: // Sin, Cos
    if (zero || infinite)
      result = infinite ? NanF32 : function == Approx::Cos ? 0x3f800000 : a;
    return zero || infinite;
  }
}

/// Returns an end of [y - bound, y + bound] in f32, or a value within, selected by
/// `pick`.
static uint32_t atEdge(double y, double bound, uint64_t pick) {
  int side = static_cast<int>(pick % 5) - 2;
  double target = side < 0 ? y - bound : side > 0 ? y + bound : y;
  if (target == 0 || (target < 0) != (y < 0)) // the interval contains zero
    return y < 0 ? 0x80000000 : 0;
  float result = static_cast<float>(target);
  double error = static_cast<double>(result) - y;
  if (error > bound || error < -bound) // rounding to f32 left the interval
    result = std::nextafter(result, static_cast<float>(y));
  return bitsOf(result);
}

/// Applies an error bound in units in the last place (ulp) of the result.
static uint32_t withinPlaces(double y, double places, uint64_t pick) {
  constexpr int fractionBits = 23, smallest = -126;
  int exponent = std::max(std::ilogb(y), smallest);
  return atEdge(y, std::ldexp(places, exponent - fractionBits), pick);
}

/// Keeps exact results exact: the library's f64 functions rely on ex2 of integers being
/// exact, and hardware computes them so.
static uint32_t worstLegal(Approx function, float x, uint32_t correct, uint64_t pick) {
  if (inDouble(function, x) == double(f32(correct)))
    return correct;
  if (function == Approx::Ex2)
    return withinPlaces(inDouble(function, x), 2, pick);
  double y = inDouble(function, x), size = y < 0 ? -y : y, bound;
  if (function == Approx::Lg2)
    bound = x > 0.5f && x < 2.0f ? 0x1p-22 : 0x1p-22 * size;
  else if (function == Approx::Rsqrt)
    bound = 0x1.125fbee250668p-23 * size; // 2^-22.9
  else if (function == Approx::Tanh)
    bound = 0x1p-11 * size;
  else
    bound = x >= -6.2831853f && x <= 6.2831853f ? 0x1.6a09e667f3bcdp-21  // 2^-20.5
                                                : 0x1.3b2c47bff832bp-15; // 2^-14.7
  return atEdge(y, bound, pick);
}

/// Implements div.approx, div.full and their relatives as plain operations, corrected as
/// PTX's notes say.
static uint32_t divideF32(Approx function, uint32_t a, uint32_t b) {
  constexpr uint32_t big = 0x7e800000; // 2^126
  uint32_t size = b & 0x7fffffff;
  if (function == Approx::Div && size > big && size < InfinityF32) {
    uint32_t sizeA = a & 0x7fffffff;
    return sizeA >= InfinityF32 ? NanF32 : (a ^ b) & 0x80000000;
  }
  return finishF32<false, false>(f32(a) / f32(b));
}

static bool isPlain(Approx function) {
  return function == Approx::Rcp || function == Approx::Sqrt || function >= Approx::Div;
}

static uint32_t plainF32(Approx function, uint32_t a, uint32_t b,
                         const ApproxMode &mode) {
  uint32_t correct;
  if (function == Approx::Rcp)
    correct = finishF32<false, false>(1.0f / f32(a));
  else if (function == Approx::Sqrt)
    correct = finishF32<false, false>(__builtin_sqrtf(f32(a)));
  else
    correct = divideF32(function, a, b);
  if (!mode.worst)
    return correct;
  uint32_t size = correct & 0x7fffffff, sizeA = a & 0x7fffffff;
  if (size == 0 || size >= InfinityF32 || sizeA >= InfinityF32)
    return correct;
  bool power = (sizeA & 0x7fffff) == 0 && (function < Approx::Div || (b & 0x7fffff) == 0);
  if (power && function != Approx::Sqrt)
    return correct; // powers of two are exact
  uint64_t pick = mixed(mode, function, a, b);
  double x = f32(a);
  if (function >= Approx::Div)
    return withinPlaces(x / double(f32(b)), 2, pick);
  if (function == Approx::Sqrt) {
    double y = __builtin_sqrt(x);
    return atEdge(y, y * 0x1p-23, pick);
  }
  return withinPlaces(1.0 / x, 1, pick);
}

uint32_t arith::approxF32(Approx function, uint32_t a, uint32_t b, bool ftz,
                          const ApproxMode &mode) {
  if (ftz) {
    a = flush<true>(a);
    b = flush<true>(b);
  }
  uint32_t result;
  if (isPlain(function)) {
    result = plainF32(function, a, b, mode);
  } else if (!special(function, a, result)) {
    auto toF32 = [](double y) { return bitsOf(static_cast<float>(y)); };
    result = settled(function, f32(a), toF32);
    if (mode.worst)
      result = worstLegal(function, f32(a), result, mixed(mode, function, a, 0));
  }
  return ftz ? flush<true>(result) : result;
}

void arith::approxLanes(Approx function, const uint32_t *a, const uint32_t *b,
                        uint32_t *out, int count, bool ftz, const ApproxMode &mode) {
  if (function == Approx::Ex2 && !mode.worst && count <= 32) {
    uint32_t unsure = laneFunctions(chosenIsa()).exp2(a, out, count, ftz);
    for (; unsure; unsure &= unsure - 1) {
      int lane = __builtin_ctz(unsure);
      out[lane] = approxF32(function, a[lane], 0, ftz, mode);
    }
    return;
  }
  for (int i = 0; i < count; ++i)
    out[i] = approxF32(function, a[i], b ? b[i] : 0, ftz, mode);
}

uint32_t arith::approxHalf(Approx function, bool bf16, uint32_t a, bool ftz,
                           const ApproxMode &mode) {
  uint32_t sign = a & 0x8000, infinity = bf16 ? 0x7f80 : 0x7c00;
  if (ftz && (a & infinity) == 0)
    a = sign;
  uint32_t wide = bf16 ? bf16ToF32(a) : f16ToF32(a), fixed;
  auto round = [&](double y) { return bf16 ? f64ToHalf<true>(y) : f64ToHalf<false>(y); };
  uint32_t result;
  if (special(function, wide, fixed)) {
    result = round(f32(fixed));
  } else {
    result = settled(function, f32(wide), round);
    if (mode.worst) {
      double y = inDouble(function, f32(wide));
      double bound = function == Approx::Tanh ? (bf16 ? 0x1p-8 : 0x1.0251353756991p-11)
                     : bf16                   ? 0x1p-7 * y
                                              : 0x1.125fbee250662p-10 * y;
      uint64_t pick = mixed(mode, function, a, bf16);
      uint32_t edge = round(pick % 3 == 0 ? y - bound : pick % 3 == 1 ? y + bound : y);
      double error = (bf16 ? f32(bf16ToF32(edge)) : f32(f16ToF32(edge))) - y;
      if (error <= bound && error >= -bound)
        result = edge;
    }
  }
  if (ftz && (result & infinity) == 0)
    result &= 0x8000;
  return result;
}

/// f64 format of which only the high 32 bits are stored.
static constexpr Format HighWord = {
    64, 11, 20, 32, 1023, true, true, 0x7fffffff00000000, 0x7fefffff00000000};

uint64_t arith::approxF64(Approx function, uint64_t a, bool ftz, const ApproxMode &mode) {
  if (function == Approx::Rsqrt && !ftz)
    return finishF64(1.0 / __builtin_sqrt(f64(a)), a, 0, 0);
  if (isNanF64(a))
    return HighWord.nan;
  uint64_t high = a & 0xffffffff00000000;
  if ((high & 0x7ff0000000000000) == 0)
    high &= uint64_t(1) << 63;
  double y = function == Approx::Rcp ? 1.0 / f64(high) : 1.0 / __builtin_sqrt(f64(high));
  return encode(HighWord, decode(F64, bitsOf(y)), {.ftz = true});
}

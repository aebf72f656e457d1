//===- half_arithmetic.cpp - 16-bit floating-point arithmetic
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

/// Returns random encodings, including special ones.
std::vector<uint16_t> codes(Test &test, size_t count) {
  auto out = test.integers<uint16_t>(count, 0, 0xffff);
  const uint16_t special[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00,
                              0x7e00, 1,      0x7bff, 0x7f80, 0xff80, 0x3f80};
  for (size_t i = 0; i < count; i += 3)
    out[i] = special[test.random() % std::size(special)];
  return out;
}

/// Rounds a double result once: sums and products of two 16-bit values are exact in
/// double or far from a tie; fma needs care only where exponents are 40 apart.
uint16_t rounded(const Format &format, double value) {
  return uint16_t(format.encode(value, false));
}

double exactFma(double a, double b, double c) {
  // Rounded to odd, so that the second rounding is correct.
  long double product = (long double)a * b, sum = product + c;
  long double error = std::fabs(product) > std::fabs((long double)c)
                          ? c - (sum - product)
                          : product - (sum - c);
  double narrow = double(sum);
  long double lost = (sum - narrow) + error;
  if (lost == 0 || std::isnan(lost) || std::isinf(narrow))
    return narrow;
  int64_t bits;
  std::memcpy(&bits, &narrow, sizeof bits);
  if (bits & 1)
    return narrow;
  bits += (lost > 0) == (narrow > 0) ? 1 : -1;
  std::memcpy(&narrow, &bits, sizeof bits);
  return narrow;
}

double smaller(double a, double b) {
  return std::isnan(a)                          ? b
         : std::isnan(b)                        ? a
         : a < b || (a == b && std::signbit(a)) ? a
                                                : b;
}
double larger(double a, double b) {
  return std::isnan(a)                          ? b
         : std::isnan(b)                        ? a
         : a > b || (a == b && std::signbit(b)) ? a
                                                : b;
}

void sameCodes(Test &test, const Format &format, const std::vector<uint16_t> &got,
               const std::vector<uint16_t> &want, const char *what) {
  for (size_t i = 0; i < want.size(); ++i)
    test.check(got[i] == want[i] || (std::isnan(format.decode(got[i])) &&
                                     std::isnan(format.decode(want[i]))),
               "%s[%zu] is %04x, expected %04x", what, i, got[i], want[i]);
}

void runBinary(Test &test, const Format &format, const char *name) {
  constexpr int N = 1000;
  auto a = codes(test, N), b = codes(test, N), c = codes(test, N);
  Buffer<uint16_t> deviceA(a), deviceB(b), deviceC(c), out(N * 8);
  test.kernel(name)({.grid = {divideUp(N, 128)}, .block = {128}}, deviceA, deviceB,
                    deviceC, out, N);
  std::vector<uint16_t> want;
  for (int i = 0; i < N; ++i) {
    double x = format.decode(a[i]), y = format.decode(b[i]), z = format.decode(c[i]);
    double fused = exactFma(x, y, z);
    for (double value : {exactFma(x, 1, y), exactFma(x, 1, -y), x * y, fused,
                         smaller(x, y), larger(x, y)})
      want.push_back(rounded(format, value));
    want.push_back(a[i] | 0x8000);
    // Relu: negative values become +0, NaN stays NaN.
    want.push_back(std::isnan(fused)         ? uint16_t(format.nan())
                   : fused < 0 || fused == 0 ? 0
                                             : rounded(format, fused));
  }
  sameCodes(test, format, out.download(), want, name);
}

void runHalfPairs(Test &test) {
  constexpr int N = 300;
  auto a = codes(test, 2 * N), b = codes(test, 2 * N), c = codes(test, 2 * N);
  Buffer<uint16_t> deviceA(a), deviceB(b), deviceC(c), out(N * 8);
  Buffer<uint32_t> compared(N);
  test.kernel("half_pairs")({.grid = {divideUp(N, 64)}, .block = {64}}, deviceA, deviceB,
                            deviceC, out, compared, N);
  std::vector<uint16_t> want(8 * N);
  std::vector<uint32_t> wantCompared(N);
  for (int i = 0; i < 2 * N; ++i) {
    double x = Half.decode(a[i]), y = Half.decode(b[i]), z = Half.decode(c[i]),
           sum = x + y;
    uint16_t *mine = &want[i / 2 * 8 + i % 2];
    mine[0] = rounded(Half, exactFma(x, y, z));
    mine[2] = std::isnan(sum) ? 0 : rounded(Half, std::fmax(0, std::fmin(1, sum)));
    mine[4] = std::isnan(x) || std::isnan(y) ? uint16_t(Half.nan())
                                             : rounded(Half, smaller(x, y));
    mine[6] = rounded(Half, x * y);
    uint32_t mask = (x > y ? 0x00ff : 0) | (x <= y ? 0xff00 : 0);
    wantCompared[i / 2] |= mask << 16 * (i % 2);
  }
  sameCodes(test, Half, out.download(), want, "half_pairs");
  test.equal(compared.download(), wantCompared, "comparisons");
}

void runBfloatPairs(Test &test) {
  constexpr int N = 300;
  auto a = codes(test, 2 * N), b = codes(test, 2 * N), c = codes(test, 2 * N);
  Buffer<uint16_t> deviceA(a), deviceB(b), deviceC(c), out(N * 4);
  test.kernel("bfloat_pairs")({.grid = {divideUp(N, 64)}, .block = {64}}, deviceA,
                              deviceB, deviceC, out, N);
  std::vector<uint16_t> want(4 * N);
  for (int i = 0; i < 2 * N; ++i) {
    double x = Bfloat16.decode(a[i]), y = Bfloat16.decode(b[i]),
           z = Bfloat16.decode(c[i]);
    want[i / 2 * 4 + i % 2] = rounded(Bfloat16, exactFma(x, y, z));
    want[i / 2 * 4 + 2 + i % 2] = rounded(Bfloat16, larger(x, y));
  }
  sameCodes(test, Bfloat16, out.download(), want, "bfloat_pairs");
}

void runFunctions(Test &test) {
  constexpr int N = 65536;
  Buffer<float> roots(N), exponentials(N), logarithms(N), floors(N);
  test.kernel("half_functions")({.grid = {N / 256}, .block = {256}}, roots, exponentials,
                                logarithms, floors);
  std::vector<double> wantRoots, wantExponentials, wantLogarithms, wantFloors;
  for (int i = 0; i < N; ++i) {
    double x = Half.decode(i);
    auto half = [](double value) { return Half.decode(Half.encode(value, false)); };
    wantRoots.push_back(half(std::sqrt(x)));
    wantExponentials.push_back(half(std::exp2(x)));
    wantLogarithms.push_back(half(std::log2(x)));
    wantFloors.push_back(half(std::floor(x) + std::nearbyint(x)));
  }
  // 2 ulps: half a unit of f16 more than the nearest.
  test.near(roots.download(), wantRoots, 0x1p-24, 0x1p-10, "hsqrt");
  test.near(exponentials.download(), wantExponentials, 0x1p-24, 0x1p-10, "hexp2");
  test.near(logarithms.download(), wantLogarithms, 0x1p-12, 0x1p-10, "hlog2");
  test.near(floors.download(), wantFloors, 0, 0, "hfloor + hrint");
}

} // namespace

void run_half_arithmetic(Test &test) {
  runBinary(test, Half, "half_binary");
  runBinary(test, Bfloat16, "bfloat_binary");
  runHalfPairs(test);
  runBfloatPairs(test);
  runFunctions(test);
}

} // namespace kiln::sim::programs

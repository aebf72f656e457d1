//===- convert_numbers.cpp - Conversions between integers and floating point
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <cfenv>

#pragma STDC FENV_ACCESS ON

namespace kiln::sim::programs {
namespace {

constexpr int Nearest = FE_TONEAREST, Zero = FE_TOWARDZERO, Down = FE_DOWNWARD,
              Up = FE_UPWARD;

/// Returns the CPU's result in the rounding mode.
template <typename T, typename Work> T inMode(int mode, Work work) {
  std::fesetround(mode);
  volatile T result = work();
  std::fesetround(Nearest);
  return result;
}

template <typename To, typename From> To toInteger(From value, int mode) {
  if (std::isnan(value))
    return sizeof(From) < 8 && sizeof(To) < 8 ? To(0)
                                              : To(uint64_t(1) << (sizeof(To) * 8 - 1));
  double whole = inMode<double>(mode, [&] { return std::nearbyint(double(value)); });
  if (whole < double(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  return whole >= double(std::numeric_limits<To>::max()) ? std::numeric_limits<To>::max()
                                                         : To(whole);
}

template <typename T> std::vector<T> inputs(Test &test) {
  std::vector<T> out = {0,
                        T(-0.0),
                        T(0.5),
                        T(-0.5),
                        T(1.5),
                        T(2.5),
                        T(-2.5),
                        T(1e9),
                        T(2147483648.0),
                        T(-2147483648.0),
                        T(4294967296.0),
                        T(9.3e18),
                        T(-9.3e18),
                        T(1.9e19),
                        T(INFINITY),
                        T(-INFINITY),
                        T(NAN),
                        T(1e-42),
                        T(3.3e38)};
  for (double scale : {1.0, 1e3, 1e10, 1e20})
    for (T value : test.reals<T>(60, -scale, scale))
      out.push_back(value);
  return out;
}

void runFloat(Test &test) {
  auto in = inputs<float>(test);
  int n = int(in.size());
  Buffer<float> deviceIn(in), rounded(4 * n);
  Buffer<int> ints(4 * n);
  Buffer<uint32_t> unsigneds(n);
  Buffer<int64_t> longs(n);
  Buffer<uint64_t> ulongs(n);
  test.kernel("from_float")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceIn, ints,
                            unsigneds, longs, ulongs, rounded, n);
  std::vector<int> wantInts;
  std::vector<uint32_t> wantUnsigneds;
  std::vector<int64_t> wantLongs;
  std::vector<uint64_t> wantUlongs;
  std::vector<float> wantRounded;
  for (float x : in) {
    for (int mode : {Nearest, Zero, Down, Up}) {
      wantInts.push_back(toInteger<int>(x, mode));
      wantRounded.push_back(inMode<float>(mode, [&] { return std::nearbyint(x); }));
    }
    wantUnsigneds.push_back(toInteger<uint32_t>(x, Nearest));
    wantLongs.push_back(toInteger<int64_t>(x, Down));
    wantUlongs.push_back(toInteger<uint64_t>(x, Up));
  }
  test.equal(ints.download(), wantInts, "f32 to s32");
  test.equal(unsigneds.download(), wantUnsigneds, "f32 to u32");
  test.equal(longs.download(), wantLongs, "f32 to s64");
  test.equal(ulongs.download(), wantUlongs, "f32 to u64");
  test.sameNumbers(rounded.download(), wantRounded, "f32 to whole numbers");
}

void runNumberDouble(Test &test) {
  auto in = inputs<double>(test);
  int n = int(in.size());
  Buffer<double> deviceIn(in), rounded(n);
  Buffer<int> ints(n);
  Buffer<int64_t> longs(n);
  Buffer<float> floats(4 * n);
  test.kernel("from_double")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceIn, ints,
                             longs, floats, rounded, n);
  std::vector<int> wantInts;
  std::vector<int64_t> wantLongs;
  std::vector<float> wantFloats;
  std::vector<double> wantRounded;
  for (double x : in) {
    wantInts.push_back(toInteger<int>(x, Nearest));
    wantLongs.push_back(toInteger<int64_t>(x, Zero));
    for (int mode : {Nearest, Zero, Down, Up})
      wantFloats.push_back(
          inMode<float>(mode, [&] { return float(*const_cast<volatile double *>(&x)); }));
    wantRounded.push_back(std::nearbyint(x) + std::floor(x));
  }
  test.equal(ints.download(), wantInts, "f64 to s32");
  test.equal(longs.download(), wantLongs, "f64 to s64");
  test.sameNumbers(floats.download(), wantFloats, "f64 to f32");
  test.sameNumbers(rounded.download(), wantRounded, "f64 to whole numbers");
}

void runNumberIntegers(Test &test) {
  auto in = test.integers<int64_t>(200, INT64_MIN / 2, INT64_MAX / 2);
  in.insert(in.end(), {0, 1, -1, INT64_MAX, INT64_MIN, 16777217, -16777217, 0x7fffffff,
                       (1ll << 53) + 1});
  int n = int(in.size());
  Buffer<int64_t> deviceIn(in);
  Buffer<float> floats(6 * n);
  Buffer<double> doubles(3 * n);
  test.kernel("from_integers")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceIn,
                               floats, doubles, n);
  std::vector<float> want;
  std::vector<double> wantDoubles;
  for (volatile int64_t value : in) {
    want.push_back(inMode<float>(Nearest, [&] { return float(value); }));
    want.push_back(inMode<float>(Zero, [&] { return float(value); }));
    want.push_back(inMode<float>(Up, [&] { return float(uint64_t(value)); }));
    want.push_back(inMode<float>(Down, [&] { return float(int32_t(value)); }));
    want.push_back(inMode<float>(Nearest, [&] { return float(uint32_t(value)); }));
    want.push_back(float(int16_t(value)) + float(uint8_t(value)) * 65536.0f);
    wantDoubles.push_back(inMode<double>(Nearest, [&] { return double(value); }));
    wantDoubles.push_back(inMode<double>(Zero, [&] { return double(uint64_t(value)); }));
    wantDoubles.push_back(double(int32_t(value)));
  }
  test.equal(floats.download(), want, "integers to f32");
  test.equal(doubles.download(), wantDoubles, "integers to f64");
}

void runDirected(Test &test) {
  auto a = inputs<float>(test), b = test.reals<float>(a.size(), -3, 3);
  int n = int(a.size());
  Buffer<float> deviceA(a), deviceB(b), out(10 * n);
  Buffer<double> wide(4 * n);
  test.kernel("directed")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceA, deviceB,
                          out, wide, n);
  std::vector<float> want;
  std::vector<double> wantWide;
  for (int i = 0; i < n; ++i) {
    volatile float x = a[i], y = b[i];
    volatile double p = double(x) * (1 + 0x1p-30), q = double(y) * (1 + 0x1p-28),
                    small = double(y) * 0x1p-30;
    want.push_back(inMode<float>(Zero, [&] { return x + y; }));
    want.push_back(inMode<float>(Up, [&] { return x + y; }));
    want.push_back(inMode<float>(Down, [&] { return x * y; }));
    want.push_back(inMode<float>(Zero, [&] { return x * y; }));
    want.push_back(x / y);
    want.push_back(inMode<float>(Down, [&] { return x / y; }));
    want.push_back(inMode<float>(Up, [&] { return 1 / y; }));
    want.push_back(std::sqrt(std::fabs(x)));
    want.push_back(
        inMode<float>(Zero, [&] { return std::fma(float(x), float(y), float(x)); }));
    want.push_back(std::isnan(x) ? 0 : std::fmax(0.0f, std::fmin(1.0f, x)) + 0.0f);
    wantWide.push_back(inMode<double>(Down, [&] { return x + small; }));
    wantWide.push_back(inMode<double>(Up, [&] { return double(x) / double(y); }));
    wantWide.push_back(
        inMode<double>(Zero, [&] { return std::sqrt(std::fabs(double(x))); }));
    wantWide.push_back(inMode<double>(Up, [&] { return p * q; }));
  }
  test.sameNumbers(out.download(), want, "f32 in all roundings");
  test.sameNumbers(wide.download(), wantWide, "f64 in all roundings");
}

} // namespace

void run_convert_numbers(Test &test) {
  runFloat(test);
  runNumberDouble(test);
  runNumberIntegers(test);
  runDirected(test);
}

} // namespace kiln::sim::programs

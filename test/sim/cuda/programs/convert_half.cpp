//===- convert_half.cpp - Conversions of 16-bit floating point
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

/// Appends every finite value of the format, the midpoint to its neighbour, and the
/// floats next to both.
void appendAround(std::vector<float> &out, const Format &format, uint32_t step) {
  for (uint32_t code = 0; code < format.infinity(); code += step)
    for (double sign : {1.0, -1.0}) {
      float value = float(sign * format.decode(code));
      float middle = float(sign * (format.decode(code) + format.decode(code + 1)) / 2);
      for (float base : {value, middle})
        if (std::isfinite(base))
          out.insert(out.end(), {base, std::nextafterf(base, INFINITY),
                                 std::nextafterf(base, -INFINITY)});
    }
  out.insert(out.end(), {INFINITY, -INFINITY, NAN, std::numeric_limits<float>::max(),
                         65520, -65519.996f});
}

std::vector<uint16_t> roundings(const Format &format, float value) {
  return {uint16_t(format.encode(value, false)), uint16_t(format.encodeTowardZero(value)),
          uint16_t(format.encodeDown(value)), uint16_t(format.encodeUp(value))};
}

void runHalfDecode(Test &test) {
  constexpr int N = 65536;
  Buffer<float> halves(N), bfloats(N);
  test.kernel("decode")({.grid = {N / 256}, .block = {256}}, halves, bfloats);
  std::vector<float> wantHalves, wantBfloats;
  for (int i = 0; i < N; ++i) {
    wantHalves.push_back(float(Half.decode(i)));
    wantBfloats.push_back(float(Bfloat16.decode(i)));
  }
  test.sameNumbers(halves.download(), wantHalves, "f16 to f32");
  test.sameNumbers(bfloats.download(), wantBfloats, "bf16 to f32");
}

void runHalfEncode(Test &test, const std::vector<float> &in) {
  int n = int(in.size());
  Buffer<float> deviceIn(in);
  Buffer<uint16_t> halves(4 * n), bfloats(4 * n);
  test.kernel("encode")({.grid = {divideUp(n, 256)}, .block = {256}}, deviceIn, halves,
                        bfloats, n);
  std::vector<uint16_t> wantHalves, wantBfloats;
  for (float value : in) {
    auto half = roundings(Half, value), bfloat = roundings(Bfloat16, value);
    wantHalves.insert(wantHalves.end(), half.begin(), half.end());
    wantBfloats.insert(wantBfloats.end(), bfloat.begin(), bfloat.end());
  }
  test.equal(halves.download(), wantHalves, "f32 to f16");
  test.equal(bfloats.download(), wantBfloats, "f32 to bf16");
}

void runHalfPairs(Test &test, const std::vector<float> &in) {
  int n = int(in.size() / 2);
  Buffer<float> deviceIn(in);
  Buffer<uint32_t> halves(n), bfloats(n);
  Buffer<uint16_t> fromDouble(n);
  test.kernel("encode_pairs")({.grid = {divideUp(n, 256)}, .block = {256}}, deviceIn,
                              halves, bfloats, fromDouble, n);
  std::vector<uint32_t> wantHalves, wantBfloats;
  std::vector<uint16_t> wantFromDouble;
  for (int i = 0; i < n; ++i) {
    float x = in[2 * i], y = in[2 * i + 1];
    wantHalves.push_back(Half.encode(x, false) | Half.encode(y, false) << 16);
    wantBfloats.push_back(Bfloat16.encode(x, false) | Bfloat16.encode(y, false) << 16);
    wantFromDouble.push_back(uint16_t(Half.encode(double(x) * (1 + 0x1p-40), false)));
  }
  test.equal(halves.download(), wantHalves, "f32x2 to f16x2");
  test.equal(bfloats.download(), wantBfloats, "f32x2 to bf16x2");
  test.equal(fromDouble.download(), wantFromDouble, "f64 to f16");
}

void runHalfIntegers(Test &test) {
  constexpr int N = 65536;
  Buffer<int> fromHalf(4 * N);
  Buffer<int64_t> wide(N);
  Buffer<uint16_t> fromInteger(N);
  test.kernel("to_integers")({.grid = {N / 256}, .block = {256}}, fromHalf, wide,
                             fromInteger);
  std::vector<int> want;
  std::vector<int64_t> wantWide;
  std::vector<uint16_t> wantFromInteger;
  for (int i = 0; i < N; ++i) {
    double x = Half.decode(i);
    auto clamped = [](double value) {
      return std::isnan(value) ? 0
                               : int(std::fmax(INT32_MIN, std::fmin(INT32_MAX, value)));
    };
    for (double value : {std::nearbyint(x), std::trunc(x), std::floor(x), std::ceil(x)})
      want.push_back(clamped(value));
    wantWide.push_back(std::isinf(x) && x > 0           ? INT64_MAX
                       : std::isinf(x) || std::isnan(x) ? INT64_MIN
                                                        : int64_t(std::nearbyint(x)));
    wantFromInteger.push_back(uint16_t(Half.encode(i * 3 - 98304, false)));
  }
  test.equal(fromHalf.download(), want, "f16 to s32");
  test.equal(wide.download(), wantWide, "f16 to s64");
  test.equal(fromInteger.download(), wantFromInteger, "s32 to f16");
}

} // namespace

void run_convert_half(Test &test) {
  std::vector<float> in;
  appendAround(in, Half, 3);
  appendAround(in, Bfloat16, 5);
  for (uint32_t bits : test.integers<uint32_t>(4000, 0, UINT32_MAX)) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    in.push_back(value);
  }
  runHalfDecode(test);
  runHalfEncode(test, in);
  runHalfPairs(test, in);
  runHalfIntegers(test);
}

} // namespace kiln::sim::programs

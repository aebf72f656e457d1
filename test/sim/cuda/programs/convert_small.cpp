//===- convert_small.cpp - 8-, 6- and 4-bit floating point
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

/// Appends every value of the format, the midpoints, the floats next to them, and values
/// beyond the largest.
void appendAround(std::vector<float> &out, const Format &format) {
  for (uint32_t code = 0; code <= format.largest(); ++code)
    for (double sign : {1.0, -1.0}) {
      double value = format.decode(code),
             next = code < format.largest() ? format.decode(code + 1) : value * 1.25;
      for (double base : {value, (value + next) / 2}) {
        float near = float(sign * base);
        out.insert(out.end(), {near, std::nextafterf(near, INFINITY),
                               std::nextafterf(near, -INFINITY)});
      }
    }
}

std::vector<float> numbers(Test &test) {
  std::vector<float> out = {INFINITY, -INFINITY, NAN,   1e30f, -1e30f, 464,
                            465,      479.9f,    57344, 61440, 65535,  0x1p-149f};
  for (const Format &format : {E4m3, E5m2, E3m2, E2m3, E2m1})
    appendAround(out, format);
  for (uint32_t bits : test.integers<uint32_t>(2000, 0, UINT32_MAX)) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    out.push_back(value);
  }
  return out;
}

/// The 4- and 6-bit formats have no NaN: it becomes the largest value.
uint8_t encode(const Format &format, double value, bool saturate) {
  if (std::isnan(value) && format.top == Format::Finite)
    return uint8_t(format.largest());
  return uint8_t(format.encode(value, saturate));
}

void runDecode(Test &test) {
  const Format formats[] = {E4m3, E5m2, E3m2, E2m3, E2m1};
  std::vector<Buffer<float>> out;
  for (int i = 0; i < 5; ++i)
    out.emplace_back(256);
  test.kernel("decode")({.block = {256}}, out[0], out[1], out[2], out[3], out[4]);
  for (int f = 0; f < 5; ++f) {
    std::vector<float> want;
    for (uint32_t code = 0; code < 256; ++code)
      want.push_back(float(formats[f].decode(code % (1u << formats[f].bits()))));
    test.sameNumbers(out[f].download(), want, "decode");
  }
}

void runEncode(Test &test, const std::vector<float> &in) {
  int n = int(in.size());
  Buffer<float> deviceIn(in);
  Buffer<uint8_t> out(7 * n);
  test.kernel("encode")({.grid = {divideUp(n, 128)}, .block = {128}}, deviceIn, out, n);
  std::vector<uint8_t> want;
  for (float value : in) {
    want.push_back(encode(E4m3, value, true));
    want.push_back(encode(E5m2, value, true));
    want.push_back(encode(E4m3, value, false));
    want.push_back(encode(E5m2, value, false));
    for (const Format &format : {E3m2, E2m3, E2m1})
      want.push_back(encode(format, value, true));
  }
  test.equal(out.download(), want, "f32 to 8, 6 and 4 bits");
}

void runPairs(Test &test, const std::vector<float> &in) {
  int n = int(in.size() / 2);
  Buffer<float> deviceIn(in);
  Buffer<uint16_t> out(2 * n), fromHalves(2 * 65536);
  test.kernel("encode_pairs")({.grid = {divideUp(n, 128)}, .block = {128}}, deviceIn, out,
                              n);
  auto pair = [](const Format &format, double low, double high) {
    return uint16_t(encode(format, low, true) | encode(format, high, true) << 8);
  };
  std::vector<uint16_t> want, wantHalves;
  for (int i = 0; i < n; ++i)
    for (const Format &format : {E4m3, E5m2})
      want.push_back(pair(format, in[2 * i], in[2 * i + 1]));
  test.equal(out.download(), want, "f32x2 to fp8x2");

  test.kernel("encode_halves")({.grid = {256}, .block = {256}}, fromHalves);
  for (uint32_t i = 0; i < 65536; ++i)
    for (const Format &format : {E4m3, E5m2})
      wantHalves.push_back(pair(format, Half.decode(i), Half.decode(i ^ 0x8001)));
  test.equal(fromHalves.download(), wantHalves, "f16x2 to fp8x2");
}

} // namespace

void run_convert_small(Test &test) {
  auto in = numbers(test);
  runDecode(test);
  runEncode(test, in);
  runPairs(test, in);
}

} // namespace kiln::sim::programs

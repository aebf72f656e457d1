//===- bit_tricks.cpp - Bits, bytes and carries
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {
namespace {

uint8_t byteOf(uint32_t word, int i) { return uint8_t(word >> 8 * i); }

template <typename T, typename Combine>
uint32_t eachPart(uint32_t x, uint32_t y, Combine combine) {
  constexpr int Bits = sizeof(T) * 8;
  uint32_t out = 0;
  for (int at = 0; at < 32; at += Bits)
    out |= uint32_t(std::make_unsigned_t<T>(combine(T(x >> at), T(y >> at)))) << at;
  return out;
}

template <typename T> T reversed(T value) {
  T out = 0;
  for (size_t i = 0; i < sizeof(T) * 8; ++i)
    out |= (value >> i & 1) << (sizeof(T) * 8 - 1 - i);
  return out;
}

uint32_t permuted(uint32_t x, uint32_t y, uint32_t selector) {
  uint64_t bytes = uint64_t(y) << 32 | x;
  uint32_t out = 0;
  for (int i = 0; i < 4; ++i)
    out |= uint32_t(uint8_t(bytes >> 8 * (selector >> 4 * i & 7))) << 8 * i;
  return out;
}

int leadingZeros(uint64_t value) { return value ? __builtin_clzll(value) : 64; }

void appendBits(std::vector<uint32_t> &out, uint32_t x, uint32_t y) {
  uint64_t wide = uint64_t(x) << 32 | y, pair = uint64_t(y) << 32 | x;
  int32_t sx = int32_t(x), sy = int32_t(y);
  int32_t signedDot = -3,
          halfDot = 1 + int16_t(x) * int8_t(y) + int16_t(x >> 16) * int8_t(y >> 8);
  uint32_t unsignedDot = 9;
  for (int i = 0; i < 4; ++i) {
    signedDot += int8_t(byteOf(x, i)) * int8_t(byteOf(y, i));
    unsignedDot += byteOf(x, i) * byteOf(y, i);
  }
  uint32_t clamped = std::min(y % 40, 32u);
  auto average = [](int64_t sum) { return uint32_t(sum >> 1); };
  auto middle = [](uint8_t a, uint8_t b) { return uint8_t((a + b + 1) / 2); };
  out.insert(
      out.end(),
      {uint32_t(__builtin_popcount(x)),
       uint32_t(leadingZeros(x) - 32),
       reversed(x),
       uint32_t(__builtin_ffs(sx)),
       uint32_t(__builtin_popcountll(wide)),
       uint32_t(leadingZeros(wide >> y % 40)),
       uint32_t(__builtin_ffsll(int64_t(wide & ~0ull << y % 50))),
       uint32_t(reversed(wide) >> 16),
       permuted(x, y, y),
       uint32_t(pair << y % 32 >> 32),
       uint32_t(pair >> x % 32),
       uint32_t(pair << clamped >> 32),
       uint32_t(pair >> clamped),
       uint32_t(std::abs(int64_t(sx) - sy)) + 5,
       (x > y ? x - y : y - x) + 7,
       uint32_t(signedDot),
       unsignedDot,
       uint32_t(halfDot),
       average(int64_t(sx) + sy) ^ average(int64_t(sx) + sy + 1),
       x << y % 32 | uint32_t(sy >> x % 32),
       eachPart<uint8_t>(x, y, [](uint8_t a, uint8_t b) { return uint8_t(a + b); }) ^
           eachPart<uint8_t>(x, y, middle),
       eachPart<int16_t>(x, y, [](int16_t a, int16_t b) { return std::max(a, b); }) ^
           eachPart<uint8_t>(
               x, y, [](uint8_t a, uint8_t b) { return uint8_t(a > b ? 255 : 0); }),
       average(int64_t(x) + y),
       (x & y) ^ (x | ~y) ^ (y & 0xff00ff)});
}

void runBits(Test &test) {
  auto x = test.integers<uint32_t>(400, 0, UINT32_MAX),
       y = test.integers<uint32_t>(400, 0, UINT32_MAX);
  x[0] = y[1] = 0;
  x[2] = y[3] = ~0u;
  int n = int(x.size());
  Buffer<uint32_t> deviceX(x), deviceY(y), out(24 * n);
  test.kernel("bits")({.grid = {divideUp(n, 128)}, .block = {128}}, deviceX, deviceY, out,
                      n);
  std::vector<uint32_t> want;
  for (int i = 0; i < n; ++i)
    appendBits(want, x[i], y[i]);
  test.equal(out.download(), want, "bits");
}

void appendFields(std::vector<uint32_t> &out, uint32_t x, uint32_t place,
                  uint32_t width) {
  uint32_t sign = width ? x >> std::min(place + width - 1, 31u) & 1 : 0, field = 0,
           extended = 0;
  uint32_t merged = 0x12345678; // the base into which x is inserted
  for (uint32_t i = 0; i < 32; ++i) {
    bool inside = i < width && place + i < 32;
    field |= (inside ? x >> (place + i) & 1 : 0) << i;
    extended |= (inside ? x >> (place + i) & 1 : sign) << i;
    if (inside)
      merged = (merged & ~(1u << (place + i))) | (x >> i & 1) << (place + i);
  }
  uint32_t positive = int32_t(x) < 0 ? ~x : x;
  out.insert(out.end(), {field, extended, merged,
                         positive ? uint32_t(31 - __builtin_clz(positive)) : ~0u});
}

void runFields(Test &test) {
  auto x = test.integers<uint32_t>(300, 0, UINT32_MAX);
  auto places = test.integers<uint32_t>(300, 0, 40),
       widths = test.integers<uint32_t>(300, 0, 40);
  x[0] = 0;
  x[1] = ~0u;
  int n = int(x.size());
  Buffer<uint32_t> deviceX(x), devicePlaces(places), deviceWidths(widths), out(4 * n);
  test.kernel("fields")({.grid = {divideUp(n, 128)}, .block = {128}}, deviceX,
                        devicePlaces, deviceWidths, out, n);
  std::vector<uint32_t> want;
  for (int i = 0; i < n; ++i)
    appendFields(want, x[i], places[i], widths[i]);
  test.equal(out.download(), want, "fields");
}

void runCarries(Test &test) {
  constexpr int Threads = 64;
  auto a = test.integers<uint64_t>(4 * Threads, 0, 3), b = a;
  for (uint64_t &value : a)
    value = value > 1 ? ~0ull : test.random();
  for (uint64_t &value : b)
    value = value > 2 ? 1 : value == 0 ? ~0ull : test.random();
  Buffer<uint64_t> deviceA(a), deviceB(b), out(a.size());
  test.kernel("add_256")({.block = {Threads}}, deviceA, deviceB, out);
  std::vector<uint64_t> want;
  unsigned __int128 sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    sum = (i % 4 ? sum >> 64 : 0) + a[i] + b[i];
    want.push_back(uint64_t(sum));
  }
  test.equal(out.download(), want, "add_256");
}

} // namespace

void run_bit_tricks(Test &test) {
  runBits(test);
  runFields(test);
  runCarries(test);
}

} // namespace kiln::sim::programs

//===- integer_division.cpp - Division and wide multiplication
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

using Wide = unsigned __int128;

/// Returns random numbers of all lengths; no zeros if `divisor`.
template <typename T> std::vector<T> numbers(Test &test, size_t count, bool divisor) {
  auto out = test.integers<uint64_t>(count, 0, INT64_MAX - 1);
  std::vector<T> result;
  for (uint64_t value : out) {
    T narrow = T(T(value * 2 + value % 2) >> test.random() % (sizeof(T) * 8));
    result.push_back(divisor && narrow == 0 ? T(1) : narrow);
  }
  return result;
}

template <typename T> void runDivide(Test &test, const char *name) {
  constexpr int N = 500;
  auto a = numbers<T>(test, N, false), b = numbers<T>(test, N, true);
  a[0] = std::numeric_limits<T>::max();
  a[1] = std::numeric_limits<T>::min();
  for (int i = 0; i < N; ++i)
    if (a[i] == std::numeric_limits<T>::min() && b[i] == T(-1))
      b[i] = 3; // the quotient would overflow
  Buffer<T> deviceA(a), deviceB(b), out(4 * N);
  test.kernel(name)({.grid = {divideUp(N, 128)}, .block = {128}}, deviceA, deviceB, out,
                    N);
  std::vector<T> want;
  for (int i = 0; i < N; ++i)
    want.insert(want.end(),
                {T(a[i] / b[i]), T(a[i] % b[i]), T(a[i] / T(10)), T(a[i] % T(7))});
  test.equal(out.download(), want, name);
}

int64_t low24(int32_t value) { return int32_t(uint32_t(value) << 8) >> 8; }

void runProducts(Test &test) {
  constexpr int N = 300;
  auto a = numbers<int64_t>(test, N, false), b = numbers<int64_t>(test, N, false);
  Buffer<int64_t> deviceA(a), deviceB(b);
  Buffer<uint64_t> out(8 * N);
  test.kernel("products")({.grid = {divideUp(N, 128)}, .block = {128}}, deviceA, deviceB,
                          out, N);
  std::vector<uint64_t> want;
  for (int i = 0; i < N; ++i) {
    int32_t x = int32_t(a[i]), y = int32_t(b[i]);
    uint64_t u = uint32_t(x), v = uint32_t(y);
    want.push_back(uint64_t(int64_t(int32_t(int64_t(x) * y >> 32))));
    want.push_back(u * v >> 32);
    want.push_back(uint64_t(__int128(a[i]) * b[i] >> 64));
    want.push_back(uint64_t(Wide(uint64_t(a[i])) * uint64_t(b[i]) >> 64));
    want.push_back(uint64_t(a[i]) * uint64_t(b[i]));
    want.push_back(uint64_t(int64_t(x) * y) + uint64_t(a[i]));
    want.push_back(uint64_t(int64_t(int32_t(low24(x) * low24(y)))));
    want.push_back(uint32_t((u & 0xffffff) * (v & 0xffffff)));
  }
  test.equal(out.download(), want, "products");
}

std::vector<Wide> wideNumbers(Test &test, size_t count, bool divisor) {
  std::vector<Wide> out;
  for (size_t i = 0; i < count; ++i) {
    Wide value = (Wide(test.random()) << 64 | test.random()) >> test.random() % 128;
    out.push_back(divisor && value == 0 ? 1 : value);
  }
  return out;
}

void runWide(Test &test) {
  constexpr int N = 200;
  auto a = wideNumbers(test, N, false), b = wideNumbers(test, N, true);
  Buffer<Wide> deviceA(a), deviceB(b), out(5 * N);
  test.kernel("wide")({.grid = {divideUp(N, 64)}, .block = {64}}, deviceA, deviceB, out,
                      N);
  std::vector<Wide> want;
  for (int i = 0; i < N; ++i)
    want.insert(want.end(),
                {a[i] / b[i], a[i] % b[i], a[i] * b[i], (a[i] + b[i]) >> i % 64,
                 Wide(__int128(a[i]) / 1000003) - b[i]});
  test.equal(out.download(), want, "128 bits");
}

} // namespace

void run_integer_division(Test &test) {
  runDivide<int32_t>(test, "divide_int");
  runDivide<uint32_t>(test, "divide_unsigned");
  runDivide<int64_t>(test, "divide_long");
  runDivide<uint64_t>(test, "divide_ulong");
  runDivide<int16_t>(test, "divide_short");
  runProducts(test);
  runWide(test);
}

} // namespace kiln::sim::programs

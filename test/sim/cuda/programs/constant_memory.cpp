//===- constant_memory.cpp - Constants and device variables
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_constant_memory(Test &test) {
  for (int degree : {0, 3, 7}) {
    auto coefficients = test.reals<float>(8, -2, 2), in = test.reals<float>(100, -1, 1);
    test.setGlobal("coefficients", coefficients.data(), 8 * sizeof(float));
    Buffer<float> deviceIn(in), out(100);
    test.kernel("polynomial")({.grid = {2}, .block = {64}}, deviceIn, out, degree, 100);
    std::vector<float> want;
    for (float x : in) {
      float sum = coefficients[degree];
      for (int d = degree - 1; d >= 0; --d)
        sum = std::fma(sum, x, coefficients[d]);
      want.push_back(sum);
    }
    test.equal(out.download(), want, "polynomial");
  }
  const int primes[] = {2, 3, 5, 7, 11, 13};
  Buffer<int> looked(32), counter(1);
  test.kernel("look_up")({.block = {32}}, looked, 4);
  std::vector<int> want;
  for (int i = 0; i < 32; ++i)
    want.push_back(primes[(i + 4) % 6]);
  test.equal(looked.download(), want, "look_up");
  test.kernel("read_counter")({}, counter);
  test.equal(counter.download(), {40 + 32}, "counter");
  int start = -3;
  test.setGlobal("counter", &start, sizeof start);
  test.kernel("read_counter")({}, counter);
  test.equal(counter.download(), {start}, "counter set by the host");

  Buffer<char> text(9 * 8);
  test.kernel("spell")({.block = {9}}, text);
  auto got = text.download();
  for (int i = 0; i < 9; ++i) {
    const char *expected = i % 3 == 0 ? "alpha" : i % 3 == 1 ? "beta" : "gamma";
    test.check(!std::strcmp(&got[i * 8], expected), "word %d is %.8s, expected %s", i,
               &got[i * 8], expected);
  }
}

} // namespace kiln::sim::programs

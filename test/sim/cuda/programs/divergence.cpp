//===- divergence.cpp - Divergent lanes
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {
namespace {

void runEscape(Test &test, int width, int height) {
  constexpr int Limit = 60;
  Buffer<int> out(width * height);
  Shape shape = {.grid = {divideUp(width, 16), divideUp(height, 4)}, .block = {16, 4}};
  test.kernel("escape_times")(shape, out, width, height, Limit);
  std::vector<int> want;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int64_t cr = int64_t(x) * 12288 / width - 8192,
              ci = int64_t(y) * 8192 / height - 4096, zr = 0, zi = 0;
      int count = 0;
      for (; count < Limit && zr * zr + zi * zi < 4ll << 24; ++count) {
        int64_t next = ((zr * zr - zi * zi) >> 12) + cr;
        zi = ((2 * zr * zi) >> 12) + ci;
        zr = next;
      }
      want.push_back(count);
    }
  test.equal(out.download(), want, "escape_times");
}

void runCollatz(Test &test, int n) {
  auto in = test.integers<uint32_t>(n, 1, 5000);
  Buffer<uint32_t> deviceIn(in), steps(n), highest(n);
  test.kernel("collatz")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceIn, steps,
                         highest, n);
  std::vector<uint32_t> wantSteps, wantHighest;
  for (uint64_t value : in) {
    uint64_t top = value;
    uint32_t count = 0;
    for (; value != 1; ++count) {
      value = value & 1 ? 3 * value + 1 : value / 2;
      top = std::max(top, value);
    }
    wantSteps.push_back(count);
    wantHighest.push_back(uint32_t(top));
  }
  test.equal(steps.download(), wantSteps, "collatz");
  test.equal(highest.download(), wantHighest, "collatz's highest");
}

int interpret(const uint8_t *code, int start) {
  // Unsigned, as the programs may overflow.
  uint32_t x = uint32_t(start), y = 0;
  for (;; ++code)
    switch (*code) {
    case 0:
      return int(x);
    case 1:
      x += 3;
      break;
    case 2:
      x *= 5;
      break;
    case 3:
      y = x;
      break;
    case 4:
      x -= y;
      break;
    case 5:
      code += x & 1;
      break;
    case 6:
      x ^= 0x55;
      break;
    case 7:
      x = 0 - x;
      break;
    default:
      return -1;
    }
}

void runPrograms(Test &test) {
  constexpr int Programs = 96;
  std::vector<uint8_t> code;
  std::vector<int> starts, in = test.integers<int>(Programs, -100, 100), want;
  for (int i = 0; i < Programs; ++i) {
    starts.push_back(int(code.size()));
    for (uint64_t length = test.random() % 20; length--;)
      code.push_back(uint8_t(1 + test.random() % 8));
    // Two end instructions, as a skip may jump over the first.
    code.insert(code.end(), {0, 0});
  }
  for (int i = 0; i < Programs; ++i)
    want.push_back(interpret(&code[starts[i]], in[i]));
  Buffer<uint8_t> deviceCode(code);
  Buffer<int> deviceStarts(starts), deviceIn(in), out(Programs);
  test.kernel("run_programs")({.block = {Programs}}, deviceCode, deviceStarts, deviceIn,
                              out);
  test.equal(out.download(), want, "run_programs");
}

} // namespace

void run_divergence(Test &test) {
  runEscape(test, 40, 21);
  runCollatz(test, 150);
  runPrograms(test);
}

} // namespace kiln::sim::programs

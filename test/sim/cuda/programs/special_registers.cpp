//===- special_registers.cpp - Special registers
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

uint32_t pack(Dim d) { return d.x | d.y << 8 | d.z << 16; }

void runPlaces(Test &test, const Shape &shape) {
  Dim block = shape.block, grid = shape.grid;
  uint32_t threads = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  Buffer<uint32_t> out(threads * blocks * 15);
  test.kernel("places")(shape, out);
  std::vector<uint32_t> want;
  for (uint32_t b = 0; b < blocks; ++b)
    for (uint32_t t = 0; t < threads; ++t) {
      uint32_t lane = t % 32, bit = 1u << lane;
      want.insert(want.end(),
                  {pack({t % block.x, t / block.x % block.y, t / block.x / block.y}),
                   pack({b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y}),
                   pack(block), pack(grid), lane, bit, bit - 1, bit | (bit - 1),
                   ~(bit | (bit - 1)), ~(bit - 1), 1, 1, shape.shared, 1, 32});
    }
  test.equal(out.download(), want, "places");
}

} // namespace

void run_special_registers(Test &test) {
  runPlaces(test, {.block = {1}});
  runPlaces(test, {.grid = {2, 3}, .block = {64}, .shared = 512});
  runPlaces(test, {.grid = {3, 2, 2}, .block = {5, 3, 7}, .shared = 16});
  Buffer<uint32_t> times(64);
  test.kernel("times")({.block = {64}}, times);
  test.equal(times.download(), std::vector<uint32_t>(64, 7), "times");
}

} // namespace kiln::sim::programs

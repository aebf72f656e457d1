//===- bulk_copy.cpp - One-dimensional bulk copies
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_bulk_copy(Test &test) {
  for (int chunks : {1, 2, 3, 9}) {
    auto values = test.reals<float>(chunks * 256, -1, 1);
    Buffer<float> in(values), out(values.size());
    test.kernel("double_all")({.block = {96}}, in, out, chunks);
    for (float &value : values)
      value *= 2;
    test.equal(out.download(), values, "double_all");
  }
  for (int count : {4, 32, 128}) {
    constexpr int Blocks = 6;
    Shape shape = {.grid = {Blocks}, .block = {64}};
    auto floats = Buffer<float>::zeroed(count);
    auto longs = Buffer<uint64_t>::zeroed(count);
    auto ints = Buffer<int>::zeroed(count);
    test.kernel("add_float")(shape, floats, count);
    test.kernel("add_ulong")(shape, longs, count);
    test.kernel("max_int")(shape, ints, count);
    std::vector<float> wantFloats;
    std::vector<uint64_t> wantLongs;
    std::vector<int> wantInts;
    for (int i = 0; i < count; ++i) {
      wantLongs.push_back(Blocks * i + Blocks * (Blocks - 1) / 2);
      wantFloats.push_back(float(wantLongs.back()));
      wantInts.push_back(Blocks - 1 + i);
    }
    test.equal(floats.download(), wantFloats, "add_float");
    test.equal(longs.download(), wantLongs, "add_ulong");
    test.equal(ints.download(), wantInts, "max_int");
  }
  for (uint32_t blocks : {1u, 2u, 4u}) {
    Buffer<int> out(3 * blocks * 64);
    test.kernel("send_on")({.grid = {3 * blocks}, .block = {64}, .cluster = {blocks}},
                           out);
    std::vector<int> want;
    for (uint32_t i = 0; i < 3 * blocks; ++i)
      for (int t = 0; t < 64; ++t)
        want.push_back(int(i / blocks * blocks + (i + blocks - 1) % blocks) * 1000 + t);
    test.equal(out.download(), want, "send_on");
  }
}

} // namespace kiln::sim::programs

//===- device_malloc.cpp - malloc in device code
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_device_malloc(Test &test) {
  for (int length : {0, 1, 10}) {
    Buffer<int> out(96);
    test.kernel("lists")({.block = {96}}, out, length);
    std::vector<int> want;
    for (int t = 0; t < 96; ++t)
      want.push_back(t * 100 * length + length * (length - 1) / 2);
    test.equal(out.download(), want, "lists");
  }
  Buffer<int> out(64);
  test.kernel("shared_buffer")({.block = {64}}, out);
  std::vector<int> want;
  for (int t = 63; t >= 0; --t)
    want.push_back(t * t);
  test.equal(out.download(), want, "shared_buffer");
}

} // namespace kiln::sim::programs

//===- lookback_scan.cpp - A prefix sum in one pass
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_lookback_scan(Test &test) {
  for (int n : {1, 64, 65, 1500}) {
    uint32_t blocks = divideUp(n, 64);
    auto in = test.integers<uint32_t>(n, 0, 1000);
    Buffer<uint32_t> deviceIn(in), out(n);
    auto status = Buffer<uint64_t>::zeroed(blocks);
    auto ticket = Buffer<uint32_t>::zeroed(1);
    test.kernel("scan")({.grid = {blocks}, .block = {64}}, deviceIn, out, status, ticket,
                        n);
    uint32_t sum = 0;
    for (uint32_t &value : in)
      value = sum += value;
    test.equal(out.download(), in, "scan");
  }
}

} // namespace kiln::sim::programs

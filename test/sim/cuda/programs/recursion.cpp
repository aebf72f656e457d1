//===- recursion.cpp - Recursive functions
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <algorithm>

namespace kiln::sim::programs {
namespace {
int ackermann(int m, int n) {
  return m == 0   ? n + 1
         : n == 0 ? ackermann(m - 1, 1)
                  : ackermann(m - 1, ackermann(m, n - 1));
}
} // namespace

void run_recursion(Test &test) {
  constexpr int Threads = 40;
  Buffer<int> ackermanns(Threads), parities(Threads);
  test.kernel("recurse")({.block = {Threads}}, ackermanns, parities);
  std::vector<int> wantAckermanns, wantParities;
  for (int i = 0; i < Threads; ++i) {
    wantAckermanns.push_back(ackermann(i % 3, i % 5));
    wantParities.push_back(i % 2 == 0);
  }
  test.equal(ackermanns.download(), wantAckermanns, "ackermann");
  test.equal(parities.download(), wantParities, "parity");

  for (int n : {1, 2, 9, 24}) {
    auto values = test.integers<int>(Threads * n, -50, 50);
    Buffer<int> in(values), out(values.size());
    test.kernel("sort_rows")({.block = {Threads}}, in, out, n);
    for (int t = 0; t < Threads; ++t)
      std::sort(values.begin() + t * n, values.begin() + (t + 1) * n);
    test.equal(out.download(), values, "sort_rows");
  }
}

} // namespace kiln::sim::programs

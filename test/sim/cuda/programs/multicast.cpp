//===- multicast.cpp - TMA loads multicast to a cluster
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"
#include "test/sim/cuda/host/tensor.h"

namespace kiln::sim::programs {

void run_multicast(Test &test) {
  constexpr int PartRows = 4, Words = 32;
  for (uint32_t blocks : {1u, 2u, 4u})
    for (int rounds : {1, 3, 4}) {
      Tensor tensor = {.sizes = {Words, uint64_t(PartRows) * blocks * rounds},
                       .box = {Words, PartRows}};
      auto values = test.integers<uint32_t>(tensor.totalBytes() / 4, 0, UINT32_MAX);
      Buffer<uint32_t> in(values), out(values.size() * blocks);
      Shape shape = {.grid = {blocks},
                     .block = {64},
                     .shared = blocks * tensor.boxBytes() + 1024,
                     .cluster = {blocks}};
      test.kernel("multicast")(shape, tensor.map(in.address()), out, rounds,
                               tensor.boxBytes());
      std::vector<uint32_t> want;
      for (uint32_t b = 0; b < blocks; ++b)
        want.insert(want.end(), values.begin(), values.end());
      test.equal(out.download(), want, "multicast");
    }
}

} // namespace kiln::sim::programs

//===- tma_replace.cpp - A tensor map that the kernel changes
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"
#include "test/sim/cuda/host/tensor.h"

namespace kiln::sim::programs {

void run_tma_replace(Test &test) {
  Tensor from = {.sizes = {32, 8}, .box = {32, 4}};
  Tensor target = {.sizes = {20, 8}, .box = {32, 4}};
  auto values = test.integers<uint32_t>(target.totalBytes() / 4, 1, 1 << 30);
  auto unused = Buffer<uint32_t>::zeroed(from.totalBytes() / 4);
  Buffer<uint32_t> in(values), raw(from.boxBytes() / 4);
  Buffer<TensorMap> made(1);
  Shape shape = {.block = {32}, .shared = from.boxBytes() + 1024};
  test.kernel("copy_replaced")(shape, from.map(unused.address()), made, in,
                               uint32_t(target.sizes[0]), target.stride(1), raw,
                               from.boxBytes());
  std::vector<uint32_t> want(raw.size());
  target.eachElement({0, 0}, [&](uint32_t inBox, int64_t inTensor) {
    if (inTensor >= 0)
      want[inBox / 4] = values[inTensor / 4];
  });
  test.equal(raw.download(), want, "copy_replaced");
}

} // namespace kiln::sim::programs

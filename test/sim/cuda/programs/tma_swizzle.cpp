//===- tma_swizzle.cpp - TMA boxes with every swizzle
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"
#include "test/sim/cuda/host/tensor.h"

namespace kiln::sim::programs {
namespace {

constexpr uint32_t SharedSlack = 1024; ///< the kernels align their box themselves

void runCopy(Test &test, const Tensor &tensor, int x, int y) {
  auto values = test.integers<uint8_t>(tensor.totalBytes(), 0, 255);
  Buffer<uint8_t> in(values), raw(tensor.boxBytes());
  auto out = Buffer<uint8_t>::zeroed(values.size());
  Shape shape = {.block = {64}, .shared = tensor.boxBytes() + SharedSlack};
  test.kernel("copy_box")(shape, tensor.map(in.address()), tensor.map(out.address()), raw,
                          x, y, tensor.boxBytes());
  std::vector<uint8_t> wantRaw(tensor.boxBytes()), wantOut(values.size());
  tensor.eachElement({x, y}, [&](uint32_t inBox, int64_t inTensor) {
    if (inTensor < 0)
      return;
    std::memcpy(&wantRaw[tensor.swizzled(inBox)], &values[inTensor], tensor.bytes);
    std::memcpy(&wantOut[inTensor], &values[inTensor], tensor.bytes);
  });
  test.equal(raw.download(), wantRaw, "shared memory");
  test.equal(out.download(), wantOut, "copied");
}

void runStore(Test &test, const Tensor &tensor, int x, int y) {
  auto out = Buffer<uint8_t>::zeroed(tensor.totalBytes());
  uint32_t rowBytes = tensor.box[0] * tensor.bytes;
  uint32_t mask = (1u << int(tensor.swizzle)) - 1;
  Shape shape = {.block = {96}, .shared = tensor.boxBytes() + SharedSlack};
  test.kernel("store_box")(shape, tensor.map(out.address()), x, y, int(rowBytes),
                           int(tensor.box[1]), mask);
  std::vector<uint8_t> want(tensor.totalBytes());
  tensor.eachElement({x, y}, [&](uint32_t inBox, int64_t inTensor) {
    uint32_t value = inBox / 4 * 2654435761u;
    if (inTensor >= 0)
      std::memcpy(&want[inTensor], &value, 4);
  });
  test.equal(out.download(), want, "stored");
}

} // namespace

void run_tma_swizzle(Test &test) {
  for (auto mode : {SwizzleMode::None, SwizzleMode::Bytes32, SwizzleMode::Bytes64,
                    SwizzleMode::Bytes128}) {
    uint32_t span = mode == SwizzleMode::None ? 256 : 16u << int(mode);
    for (uint32_t rowBytes : {span, span / 2}) {
      Tensor tensor = {.sizes = {84, 30}, .box = {rowBytes / 4, 17}, .swizzle = mode};
      for (auto [x, y] : {std::pair{0, 0}, {4, 3}, {-2, -5}, {80, 25}}) {
        runCopy(test, tensor, x, y);
        runStore(test, tensor, x, y);
      }
    }
    Tensor halves = {.element = Element::Bf16,
                     .bytes = 2,
                     .sizes = {200, 20},
                     .box = {span / 2, 8},
                     .swizzle = mode};
    runCopy(test, halves, 8, 16);
  }
}

} // namespace kiln::sim::programs

//===- tma_ranks.cpp - TMA boxes of one to five dimensions
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"
#include "test/sim/cuda/host/tensor.h"

namespace kiln::sim::programs {
namespace {

constexpr uint32_t RankSlack = 1024;

void runBox(Test &test, const Tensor &tensor, std::vector<int> at) {
  auto values = test.integers<uint8_t>(tensor.totalBytes(), 0, 127);
  Buffer<uint8_t> in(values), raw(tensor.boxBytes());
  auto out = Buffer<uint8_t>::zeroed(values.size());
  std::vector<uint8_t> wantRaw(tensor.boxBytes()), wantOut(values.size());
  tensor.eachElement(at, [&](uint32_t inBox, int64_t inTensor) {
    if (inTensor < 0)
      return;
    std::memcpy(&wantRaw[inBox], &values[inTensor], tensor.bytes);
    std::memcpy(&wantOut[inTensor], &values[inTensor], tensor.bytes);
  });
  std::string name = "copy_" + std::to_string(tensor.sizes.size()) + "d";
  at.resize(5);
  Shape shape = {.block = {64}, .shared = tensor.boxBytes() + RankSlack};
  test.kernel(name.c_str())(shape, tensor.map(in.address()), tensor.map(out.address()),
                            raw, tensor.boxBytes(), at[0], at[1], at[2], at[3], at[4]);
  test.equal(raw.download(), wantRaw, (name + " loaded").c_str());
  test.equal(out.download(), wantOut, (name + " stored").c_str());
}

/// Out-of-bounds elements are NaN, in the format of the elements.
void runNanFill(Test &test) {
  Tensor tensor = {.element = Element::F32,
                   .bytes = 4,
                   .sizes = {10, 5},
                   .box = {8, 4},
                   .fill = Fill::Nan};
  auto values = test.reals<float>(tensor.totalBytes() / 4, -1, 1);
  Buffer<float> in(values), raw(tensor.boxBytes() / 4);
  auto out = Buffer<float>::zeroed(values.size());
  Shape shape = {.block = {64}, .shared = tensor.boxBytes() + RankSlack};
  test.kernel("copy_2d")(shape, tensor.map(in.address()), tensor.map(out.address()), raw,
                         tensor.boxBytes(), 6, 3, 0, 0, 0);
  auto got = raw.download();
  tensor.eachElement({6, 3}, [&](uint32_t inBox, int64_t inTensor) {
    float value = got[inBox / 4];
    test.check(inTensor < 0 ? std::isnan(value) : value == values[inTensor / 4],
               "NaN fill at %u is %g", inBox / 4, value);
  });
}

void runSums(Test &test, int x, int y) {
  constexpr uint32_t Blocks = 5;
  Tensor tensor = {.sizes = {30, 9}, .box = {12, 6}};
  auto out = Buffer<uint32_t>::zeroed(tensor.totalBytes() / 4);
  Shape shape = {
      .grid = {Blocks}, .block = {32}, .shared = tensor.boxBytes() + RankSlack};
  test.kernel("add_box")(shape, tensor.map(out.address()), x, y,
                         int(tensor.boxBytes() / 4));
  std::vector<uint32_t> want(out.size());
  tensor.eachElement({x, y}, [&](uint32_t inBox, int64_t inTensor) {
    if (inTensor >= 0)
      want[inTensor / 4] = Blocks * (inBox / 4) + Blocks * (Blocks - 1) / 2;
  });
  test.equal(out.download(), want, "add_box");
}

} // namespace

void run_tma_ranks(Test &test) {
  Tensor one = {.element = Element::S32, .sizes = {100}, .box = {32}};
  Tensor two = {.element = Element::U8, .bytes = 1, .sizes = {50, 7}, .box = {16, 5}};
  Tensor three = {
      .element = Element::F16, .bytes = 2, .sizes = {24, 5, 6}, .box = {16, 3, 2}};
  Tensor four = {.element = Element::F32, .sizes = {9, 4, 3, 5}, .box = {4, 2, 3, 2}};
  Tensor five = {.element = Element::U64,
                 .bytes = 8,
                 .sizes = {4, 3, 4, 3, 2},
                 .box = {2, 2, 3, 2, 2}};
  for (int shift : {0, 1, -1, 3}) {
    runBox(test, one, {shift * 24});
    runBox(test, two, {shift * 15, shift});
    runBox(test, three, {shift * 7, shift, shift + 1});
    runBox(test, four, {shift, shift, -shift, shift + 1});
    runBox(test, five, {shift, shift, shift, -shift, 1});
  }
  Tensor strided = {.sizes = {16, 20}, .box = {8, 9}, .steps = {1, 2}};
  for (int y : {0, 3, 15})
    runBox(test, strided, {4, y});
  runNanFill(test);
  for (auto [x, y] : {std::pair{0, 0}, {-3, 5}, {25, -2}})
    runSums(test, x, y);
}

} // namespace kiln::sim::programs

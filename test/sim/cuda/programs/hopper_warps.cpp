//===- hopper_warps.cpp - Matrix stores, transposes and an elected lane
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {
namespace {

/// A lane's word of matrix i holds columns 2 * (lane % 4) and the next of row lane / 4.
uint16_t element(const std::vector<uint32_t> &words, int matrix, int row, int column) {
  return uint16_t(words[matrix * 32 + row * 4 + column / 2] >> 16 * (column % 2));
}

void runStores(Test &test) {
  auto in = test.integers<uint32_t>(128, 0, UINT32_MAX);
  Buffer<uint32_t> deviceIn(in), plain(128), transposed(128);
  test.kernel("store_matrices")({.block = {32}}, deviceIn, plain, transposed);
  std::vector<uint32_t> want(128), wantTransposed(128);
  for (int matrix = 0; matrix < 4; ++matrix)
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column) {
        int word = (matrix * 8 + row) * 4 + column / 2, shift = 16 * (column % 2);
        want[word] |= uint32_t(element(in, matrix, row, column)) << shift;
        wantTransposed[word] |= uint32_t(element(in, matrix, column, row)) << shift;
      }
  test.equal(plain.download(), want, "stmatrix");
  test.equal(transposed.download(), wantTransposed, "stmatrix.trans");
}

void runMove(Test &test) {
  auto in = test.integers<uint32_t>(32, 0, UINT32_MAX);
  Buffer<uint32_t> deviceIn(in), out(32);
  test.kernel("move_matrix")({.block = {32}}, deviceIn, out);
  std::vector<uint32_t> want(32);
  for (int lane = 0; lane < 32; ++lane)
    for (int half = 0; half < 2; ++half)
      want[lane] |= uint32_t(element(in, 0, lane % 4 * 2 + half, lane / 4)) << 16 * half;
  test.equal(out.download(), want, "movmatrix");
}

/// Elects one lane of the mask, which PTX leaves open; all lanes learn which.
void runElect(Test &test) {
  Buffer<uint32_t> out(64);
  test.kernel("elect")({.block = {64}}, out);
  auto got = out.download();
  for (int warp = 0; warp < 2; ++warp) {
    int elected = 0;
    for (int lane = 0; lane < 32; ++lane)
      if (uint32_t value = got[warp * 32 + lane]) {
        ++elected;
        test.check(lane >= 5 && value == 100u + uint32_t(lane), "lane %d was told %u",
                   lane, value);
      }
    test.check(elected == 1, "%d lanes were elected", elected);
  }
}

} // namespace

void run_hopper_warps(Test &test) {
  runStores(test);
  runMove(test);
  runElect(test);
}

} // namespace kiln::sim::programs

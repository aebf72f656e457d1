//===- lane_locks.cpp - Locks between lanes of a warp
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <numeric>

namespace kiln::sim::programs {

void run_lane_locks(Test &test) {
  for (uint32_t threads : {1u, 32u, 70u}) {
    auto mutex = Buffer<int>::zeroed(1), value = Buffer<int>::zeroed(1);
    constexpr int Rounds = 3;
    test.kernel("add_locked")({.grid = {2}, .block = {threads}}, mutex, value, Rounds);
    test.equal(value.download(), {int(2 * threads * Rounds)}, "add_locked");

    Buffer<int> out(threads);
    test.kernel("relay")({.block = {threads}}, out);
    std::vector<uint32_t> want(threads);
    for (uint32_t i = 0; i < threads; ++i)
      want[i] = (i ? want[i - 1] : 0) * 3 + i;
    auto got = out.download();
    test.equal(std::vector<uint32_t>(got.begin(), got.end()), want, "relay");
  }
  constexpr int Accounts = 10, Moves = 90;
  auto moves = test.integers<int>(2 * Moves, 0, Accounts - 1);
  std::vector<int> want(Accounts, 100);
  Buffer<int> deviceMoves(moves), accounts(want);
  auto mutexes = Buffer<int>::zeroed(Accounts);
  test.kernel("transfer")({.grid = {2}, .block = {64}}, mutexes, accounts, deviceMoves,
                          Moves);
  for (int i = 0; i < Moves; ++i) {
    --want[moves[2 * i]];
    ++want[moves[2 * i + 1]];
  }
  test.equal(accounts.download(), want, "transfer");
}

} // namespace kiln::sim::programs

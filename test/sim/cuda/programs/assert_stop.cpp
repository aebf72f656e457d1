//===- assert_stop.cpp - An assertion that fails
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_assert_stop(Test &test) {
  constexpr Result AssertFailed = 710;
  constexpr int N = 50;
  auto values = test.integers<int>(N, 1, 9);
  Buffer<int> good(values);
  values[37] = 0;
  Buffer<int> bad(values);
  Shape shape = {.block = {64}};
  Kernel kernel = test.kernel("check_positive");
  kernel(shape, good, N);
  Result launched = kernel.tryLaunch(shape, bad, N), waited = driver().cuCtxSynchronize();
  test.check(launched == 0 || launched == AssertFailed, "the launch gave %s",
             errorName(launched).c_str());
  test.check(waited == AssertFailed, "waiting gave %s", errorName(waited).c_str());
  // The error is sticky: every later call in this context fails.
  DevicePointer pointer = 0;
  Result after = driver().cuMemAlloc(&pointer, 16);
  test.check(after == AssertFailed, "an allocation behind it gave %s",
             errorName(after).c_str());
}

} // namespace kiln::sim::programs

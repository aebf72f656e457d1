// An assertion that fails stops the launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cassert>

extern "C" __global__ void check_positive(const int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i >= n || values[i] > 0);
}

// Steps of a grid that wait for one another, by cooperative groups.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Jacobi steps of a 1-D heat equation with fixed ends; the result is in `a` after an even
// count.
extern "C" __global__ void heat(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      b[i] = i == 0 || i == n - 1 ? a[i] : 0.5f * a[i] + 0.25f * (a[i - 1] + a[i + 1]);
    grid.sync();
    float *swap = a;
    a = b;
    b = swap;
  }
}

// In each round every block adds to its neighbour's value.
extern "C" __global__ void ring(int *values, int rounds) {
  cg::grid_group grid = cg::this_grid();
  for (int r = 0; r < rounds; ++r) {
    int got = threadIdx.x == 0 ? values[(blockIdx.x + 1) % gridDim.x] : 0;
    grid.sync();
    if (threadIdx.x == 0)
      values[blockIdx.x] += got;
    grid.sync();
  }
}

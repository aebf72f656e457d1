// printf of every kind of argument, by one thread after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdio>

extern "C" __global__ void print(int rounds) {
  for (int i = 0; i < rounds; ++i)
    if (threadIdx.x == i)
      printf("thread %d: %5u|%-6d|%06x|%c|%s|%.3f|%e|%lld|%llu|%p|%%\n", threadIdx.x,
             i * 7u, -i, 0xbeef + i, 'a' + i, i % 2 ? "odd" : "even", i / 8.0, 1.5e10 * i,
             -(1ll << 40) - i, ~0ull - i, (void *)(0x1000ull + i));
}

extern "C" __global__ void print_counted(int *counts) {
  counts[0] = printf("no arguments\n");
  counts[1] = printf("%d %d\n", 1, 2);
}

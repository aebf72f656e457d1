// Barriers of the block that count and vote, named barriers, and barriers of diverged
// lanes. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __global__ void count_votes(const int *in, int *out) {
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  int *mine = out + (blockIdx.x * blockDim.x + threadIdx.x) * 3;
  mine[0] = __syncthreads_count(value > 0);
  mine[1] = __syncthreads_and(value > -90);
  mine[2] = __syncthreads_or(value > 90);
}

// Warps 0 and 1 write what warps 2 and 3 read, with two named barriers.
extern "C" __global__ void producers(int *out, int rounds) {
  __shared__ int slots[64];
  int sum = 0;
  if (threadIdx.x < 64) {
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync 1, 128;" ::: "memory"); // empty
      slots[threadIdx.x] = threadIdx.x * 10 + r;
      asm volatile("bar.arrive 2, 128;" ::: "memory"); // full
    }
  } else {
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.arrive 1, 128;" ::: "memory");
      asm volatile("bar.sync 2, 128;" ::: "memory");
      sum += slots[threadIdx.x - 64];
      asm volatile("bar.sync 3, 64;" ::: "memory");
    }
    out[threadIdx.x - 64] = sum;
  }
}

// The lanes of a warp reach one barrier on two paths.
extern "C" __global__ void diverged(const int *in, int *out) {
  __shared__ int values[64];
  int value = in[threadIdx.x];
  if (value & 1) {
    values[threadIdx.x] = value * 3;
    asm volatile("barrier.sync 4, 64;" ::: "memory");
  } else {
    values[threadIdx.x] = value / 2;
    asm volatile("barrier.sync 4, 64;" ::: "memory");
  }
  out[threadIdx.x] = values[63 - threadIdx.x];
}

// Exited threads no longer count at barriers.
extern "C" __global__ void early_exit(int *out) {
  if (threadIdx.x >= 40)
    return;
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  asm volatile("barrier.sync 0;" ::: "memory");
  atomicAdd(&sum, threadIdx.x);
  asm volatile("barrier.sync 0;" ::: "memory");
  out[threadIdx.x] = sum;
}

// Votes, matches, reductions and shuffles of every form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __global__ void votes(const int *in, unsigned *out) {
  int value = in[threadIdx.x];
  unsigned *mine = out + threadIdx.x * 8;
  mine[0] = __ballot_sync(~0u, value > 0);
  mine[1] = __any_sync(~0u, value == 7) * 2 + __all_sync(~0u, value < 100);
  mine[2] = __match_any_sync(~0u, value);
  int same;
  mine[3] = __match_all_sync(~0u, value / 1000, &same) ^ same;
  mine[4] = value > 0 ? __activemask() : 0;
  // Collectives of half of the lanes.
  mine[5] = threadIdx.x % 2 ? __ballot_sync(0xaaaaaaaa, value > 2)
                            : __ballot_sync(0x55555555, value > 2);
  mine[6] = __match_any_sync(~0u, (long long)value << 33);
  mine[7] = __popc(mine[0]) + __ffs(mine[2]);
}

extern "C" __global__ void reductions(const int *in, unsigned *out) {
  int value = in[threadIdx.x];
  unsigned *mine = out + threadIdx.x * 8;
  mine[0] = __reduce_add_sync(~0u, value);
  mine[1] = __reduce_min_sync(~0u, value);
  mine[2] = __reduce_max_sync(~0u, value);
  mine[3] = __reduce_min_sync(~0u, unsigned(value));
  mine[4] = __reduce_max_sync(~0u, unsigned(value));
  mine[5] = __reduce_and_sync(~0u, unsigned(value));
  mine[6] = __reduce_or_sync(~0u, unsigned(value));
  mine[7] = __reduce_xor_sync(~0u, unsigned(value));
}

template <int Width> __device__ void shuffle(int value, int *mine) {
  mine[0] = __shfl_sync(~0u, value, 3, Width);
  mine[1] = __shfl_sync(~0u, value, threadIdx.x * 5, Width);
  mine[2] = __shfl_up_sync(~0u, value, 2, Width);
  mine[3] = __shfl_down_sync(~0u, value, 3, Width);
  mine[4] = __shfl_xor_sync(~0u, value, 5, Width);
}

extern "C" __global__ void shuffles(const int *in, int *out) {
  shuffle<32>(in[threadIdx.x], out + threadIdx.x * 15);
  shuffle<8>(in[threadIdx.x], out + threadIdx.x * 15 + 5);
  shuffle<2>(in[threadIdx.x], out + threadIdx.x * 15 + 10);
}

extern "C" __global__ void wide_shuffles(const double *in, double *out) {
  out[threadIdx.x] =
      __shfl_xor_sync(~0u, in[threadIdx.x], 31) + __shfl_sync(~0u, in[threadIdx.x], 0);
}

// Lanes write, the warp synchronizes, lanes read: no block barrier.
extern "C" __global__ void warp_exchange(const int *in, int *out) {
  __shared__ int values[128];
  values[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  int got = values[threadIdx.x ^ 9];
  __syncwarp();
  if (threadIdx.x % 32 < 16) {
    values[threadIdx.x] = got * 2;
    __syncwarp(0xffff);
    got = values[threadIdx.x ^ 1];
  }
  out[threadIdx.x] = got;
}

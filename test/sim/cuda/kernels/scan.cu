// Prefix sums: inside a warp by shuffles, inside a block, and over a grid with a second
// pass. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

template <typename T> __device__ T warpInclusive(T value) {
  for (int offset = 1; offset < 32; offset *= 2) {
    T other = __shfl_up_sync(~0u, value, offset);
    if (threadIdx.x % 32 >= offset)
      value += other;
  }
  return value;
}

template <typename T> __device__ T blockInclusive(T value, T *partial) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  value = warpInclusive(value);
  if (lane == 31)
    partial[warp] = value;
  __syncthreads();
  if (warp == 0) {
    T own = lane < blockDim.x / 32 ? partial[lane] : T(0);
    partial[lane] = warpInclusive(own);
  }
  __syncthreads();
  return warp ? value + partial[warp - 1] : value;
}

// Each block scans its slice and stores its total; the second kernel adds the blocks'
// offsets.
extern "C" __global__ void scan_blocks(const int *in, int *out, int *totals, int n) {
  __shared__ int partial[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = blockInclusive(i < n ? in[i] : 0, partial);
  if (i < n)
    out[i] = sum;
  if (threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = sum;
}

extern "C" __global__ void scan_totals(int *totals, int n) {
  __shared__ int partial[32];
  int sum = blockInclusive(threadIdx.x < n ? totals[threadIdx.x] : 0, partial);
  if (threadIdx.x < n)
    totals[threadIdx.x] = sum;
}

extern "C" __global__ void add_offsets(int *out, const int *totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blockIdx.x)
    out[i] += totals[blockIdx.x - 1];
}

// 64-bit values, shuffled as two halves.
extern "C" __global__ void scan_long(const long long *in, long long *out) {
  __shared__ long long partial[32];
  out[threadIdx.x] = blockInclusive(in[threadIdx.x], partial);
}

// Segmented scan: a flag starts a new sum.
extern "C" __global__ void scan_segments(const int *values, const unsigned char *starts,
                                         int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = values[i];
  unsigned heads = __ballot_sync(~0u, starts[i] || lane == 0);
  int first = 31 - __clz(heads & (~0u >> (31 - lane)));
  for (int offset = 1; offset < 32; offset *= 2) {
    int other = __shfl_up_sync(~0u, value, offset);
    if (lane - offset >= first)
      value += other;
  }
  out[i] = value;
}

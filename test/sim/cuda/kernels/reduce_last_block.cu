// A sum over the grid: the block that finishes last adds the partial sums.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__device__ unsigned finished;

template <typename T> __device__ T blockSum(T value, T *partial) {
  for (int offset = 16; offset; offset /= 2)
    value += __shfl_down_sync(~0u, value, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  T sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : T(0);
  if (threadIdx.x < 32)
    for (int offset = 16; offset; offset /= 2)
      sum += __shfl_down_sync(~0u, sum, offset);
  return sum;
}

template <typename T> __device__ void reduce(const T *in, T *partials, T *out, int n) {
  __shared__ T partial[32];
  __shared__ bool last;
  T sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = blockSum(sum, partial);
  if (threadIdx.x == 0) {
    *(volatile T *)&partials[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last)
    return;
  sum = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    sum += *(volatile T *)&partials[i];
  sum = blockSum(sum, partial);
  if (threadIdx.x == 0)
    *out = sum;
}

extern "C" __global__ void reduce_int(const int *in, int *partials, int *out, int n) {
  reduce(in, partials, out, n);
}
extern "C" __global__ void reduce_double(const double *in, double *partials, double *out,
                                         int n) {
  reduce(in, partials, out, n);
}

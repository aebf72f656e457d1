// Softmax of each row by one warp: shuffles, one pass in registers and one over long
// rows. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__device__ float warpMax(float value) {
  for (int offset = 16; offset; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(~0u, value, offset));
  return value;
}

__device__ float warpSum(float value) {
  for (int offset = 16; offset; offset /= 2)
    value += __shfl_xor_sync(~0u, value, offset);
  return value;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  in += row * columns;
  out += row * columns;
  float top = -INFINITY, sum = 0;
  for (int i = lane; i < columns; i += 32)
    top = fmaxf(top, in[i]);
  top = warpMax(top);
  for (int i = lane; i < columns; i += 32)
    sum += expf(in[i] - top);
  float scale = 1 / warpSum(sum);
  for (int i = lane; i < columns; i += 32)
    out[i] = expf(in[i] - top) * scale;
}

// Online softmax in one pass over the row; a block per row; fast exponentials.
extern "C" __global__ void softmax_online(const float *in, float *out, int columns) {
  __shared__ float tops[32], sums[32];
  in += blockIdx.x * columns;
  out += blockIdx.x * columns;
  float top = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float value = in[i], next = fmaxf(top, value);
    sum = sum * __expf(top - next) + __expf(value - next);
    top = next;
  }
  for (int offset = 16; offset; offset /= 2) {
    float otherTop = __shfl_down_sync(~0u, top, offset),
          otherSum = __shfl_down_sync(~0u, sum, offset);
    float next = fmaxf(top, otherTop);
    if (next > -INFINITY)
      sum = sum * __expf(top - next) + otherSum * __expf(otherTop - next);
    top = next;
  }
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  if (lane == 0) {
    tops[warp] = top;
    sums[warp] = sum;
  }
  __syncthreads();
  top = lane < warps ? tops[lane] : -INFINITY;
  sum = lane < warps ? sums[lane] : 0;
  float all = warpMax(top);
  float total = warpSum(top > -INFINITY ? sum * __expf(top - all) : 0);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[i] = __fdividef(__expf(in[i] - all), total);
}

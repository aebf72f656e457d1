// Normalisation of rows held in registers, f16 in and out, eight values to a load.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_fp16.h>

__device__ float blockSum(float value, float *partial) {
  for (int offset = 16; offset; offset /= 2)
    value += __shfl_xor_sync(~0u, value, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < blockDim.x / 32; ++i)
    sum += partial[i];
  return sum;
}

// `columns` is a multiple of 8 and at most 16 times the block's threads.
extern "C" __global__ void layer_norm(const __half *in, const float *gain,
                                      const float *shift, __half *out, int columns,
                                      float epsilon) {
  __shared__ float partial[32];
  float values[2][8];
  const uint4 *row = reinterpret_cast<const uint4 *>(in + blockIdx.x * columns);
  float sum = 0;
  for (int j = 0; j < 2; ++j) {
    int at = j * blockDim.x + threadIdx.x;
    uint4 word = at < columns / 8 ? row[at] : make_uint4(0, 0, 0, 0);
    const __half2 *pairs = reinterpret_cast<const __half2 *>(&word);
    for (int i = 0; i < 4; ++i) {
      float2 pair = __half22float2(pairs[i]);
      values[j][2 * i] = pair.x;
      values[j][2 * i + 1] = pair.y;
      sum += pair.x + pair.y;
    }
  }
  float mean = blockSum(sum, partial) / columns, squares = 0;
  for (int j = 0; j < 2; ++j)
    if (j * blockDim.x + threadIdx.x < columns / 8)
      for (float value : values[j])
        squares += (value - mean) * (value - mean);
  float scale = rsqrtf(blockSum(squares, partial) / columns + epsilon);
  for (int j = 0; j < 2; ++j) {
    int at = j * blockDim.x + threadIdx.x;
    if (at >= columns / 8)
      continue;
    uint4 word;
    __half2 *pairs = reinterpret_cast<__half2 *>(&word);
    for (int i = 0; i < 4; ++i) {
      int c = at * 8 + 2 * i;
      pairs[i] = __floats2half2_rn((values[j][2 * i] - mean) * scale * gain[c] + shift[c],
                                   (values[j][2 * i + 1] - mean) * scale * gain[c + 1] +
                                       shift[c + 1]);
    }
    reinterpret_cast<uint4 *>(out + blockIdx.x * columns)[at] = word;
  }
}

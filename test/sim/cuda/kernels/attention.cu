// Attention of one head as on sm_80: two products by mma, softmax in registers between
// them. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mma.h"
#include <cuda_fp16.h>

constexpr int Dim = 32, Keys = 32;

__device__ unsigned packHalves(float low, float high) {
  __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<unsigned *>(&pair);
}

// 16 queries per warp; the last tile may extend beyond the `length` keys.
extern "C" __global__ void __launch_bounds__(32)
    attend(const __half *q, const __half *k, const __half *v, float *out, int queries,
           int length, float scale) {
  __shared__ __align__(16) __half keys[Keys][Dim + 8], values[Keys][Dim + 8];
  int lane = threadIdx.x, group = lane / 4, member = lane % 4, first = blockIdx.x * 16;
  unsigned query[2][4];
  for (int s = 0; s < 2; ++s)
    for (int part = 0; part < 4; ++part) {
      int row = first + group + part % 2 * 8, column = s * 16 + part / 2 * 8 + member * 2;
      query[s][part] =
          row < queries ? *reinterpret_cast<const unsigned *>(q + row * Dim + column) : 0;
    }
  float sums[4][4] = {}, top[2] = {-INFINITY, -INFINITY}, total[2] = {};
  for (int base = 0; base < length; base += Keys) {
    __syncwarp();
    for (int i = lane; i < Keys * Dim; i += 32) {
      bool inside = base + i / Dim < length;
      keys[i / Dim][i % Dim] = inside ? k[base * Dim + i] : __half(0);
      values[i / Dim][i % Dim] = inside ? v[base * Dim + i] : __half(0);
    }
    __syncwarp();
    float scores[4][4] = {};
    for (int j = 0; j < 4; ++j)
      for (int s = 0; s < 2; ++s) {
        unsigned key[2];
        ldmatrix2(key, sharedAddress(&keys[j * 8 + lane % 8][s * 16 + lane / 8 % 2 * 8]));
        mmaF16(scores[j], query[s], key);
      }
    for (int half = 0; half < 2; ++half) {
      float high = top[half];
      for (int j = 0; j < 4; ++j)
        for (int c = 0; c < 2; ++c) {
          float &score = scores[j][half * 2 + c];
          score = base + j * 8 + member * 2 + c < length ? score * scale : -INFINITY;
          high = fmaxf(high, score);
        }
      high = fmaxf(high, __shfl_xor_sync(~0u, high, 1));
      high = fmaxf(high, __shfl_xor_sync(~0u, high, 2));
      float shrink = __expf(top[half] - high);
      top[half] = high;
      total[half] *= shrink;
      for (int j = 0; j < 4; ++j)
        for (int c = 0; c < 2; ++c) {
          sums[j][half * 2 + c] *= shrink;
          scores[j][half * 2 + c] = __expf(scores[j][half * 2 + c] - high);
          total[half] += scores[j][half * 2 + c];
        }
    }
    // The accumulators of the first MMA are operand A of the second one, in the same
    // registers.
    for (int s = 0; s < 2; ++s) {
      unsigned weights[4] = {packHalves(scores[2 * s][0], scores[2 * s][1]),
                             packHalves(scores[2 * s][2], scores[2 * s][3]),
                             packHalves(scores[2 * s + 1][0], scores[2 * s + 1][1]),
                             packHalves(scores[2 * s + 1][2], scores[2 * s + 1][3])};
      for (int j = 0; j < 4; ++j) {
        unsigned value[2];
        ldmatrix2Transposed(value, sharedAddress(&values[s * 16 + lane % 16][j * 8]));
        mmaF16(sums[j], weights, value);
      }
    }
  }
  for (int half = 0; half < 2; ++half) {
    total[half] += __shfl_xor_sync(~0u, total[half], 1);
    total[half] += __shfl_xor_sync(~0u, total[half], 2);
    int row = first + group + half * 8;
    for (int j = 0; j < 4; ++j)
      for (int c = 0; c < 2; ++c)
        if (row < queries)
          out[row * Dim + j * 8 + member * 2 + c] = sums[j][half * 2 + c] / total[half];
  }
}

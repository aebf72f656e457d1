// bf16 matrix product as on sm_80: cp.async stages, ldmatrix, mma; ragged edges are
// filled with zeros. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mma.h"
#include <cuda_bf16.h>

constexpr int BlockM = 64, BlockN = 64, BlockK = 32, Stages = 3, Pitch = BlockK + 8;

struct Stage {
  __nv_bfloat16 a[BlockM][Pitch], b[BlockN][Pitch];
};

// Copies 16 bytes; those beyond `bytes` are not read but zero-filled.
__device__ void copyAsync(void *target, const void *source, int bytes) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(target)),
      "l"(source), "r"(bytes));
}

// A is m x k, B is n x k (row n is column n of the product); k is a multiple of 8.
__device__ void loadStage(Stage &stage, const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                          int m, int n, int k, int base) {
  for (int i = threadIdx.x; i < BlockM * BlockK / 8; i += blockDim.x) {
    int row = i / (BlockK / 8), column = i % (BlockK / 8) * 8;
    int rowA = blockIdx.y * BlockM + row, rowB = blockIdx.x * BlockN + row,
        at = base + column;
    bool inA = rowA < m && at < k, inB = rowB < n && at < k;
    copyAsync(&stage.a[row][column], inA ? a + rowA * k + at : a, inA ? 16 : 0);
    copyAsync(&stage.b[row][column], inB ? b + rowB * k + at : b, inB ? 16 : 0);
  }
}

extern "C" __global__ void __launch_bounds__(128)
    gemm_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int m, int n,
              int k) {
  extern __shared__ __align__(16) unsigned char memory[];
  Stage *stages = reinterpret_cast<Stage *>(memory);
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sums[8][4] = {};
  int steps = (k + BlockK - 1) / BlockK;
  for (int s = 0; s < Stages - 1; ++s) {
    if (s < steps)
      loadStage(stages[s], a, b, m, n, k, s * BlockK);
    asm volatile("cp.async.commit_group;");
  }
  for (int s = 0; s < steps; ++s) {
    asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2));
    __syncthreads();
    int next = s + Stages - 1;
    if (next < steps)
      loadStage(stages[next % Stages], a, b, m, n, k, next * BlockK);
    asm volatile("cp.async.commit_group;");
    Stage &stage = stages[s % Stages];
    for (int inner = 0; inner < BlockK; inner += 16) {
      unsigned fragmentA[4];
      ldmatrix4(fragmentA,
                sharedAddress(&stage.a[warp * 16 + lane % 16][inner + lane / 16 * 8]));
      for (int j = 0; j < 8; ++j) {
        unsigned fragmentB[2];
        ldmatrix2(fragmentB,
                  sharedAddress(&stage.b[j * 8 + lane % 8][inner + lane / 8 % 2 * 8]));
        mmaBf16(sums[j], fragmentA, fragmentB);
      }
    }
  }
  for (int j = 0; j < 8; ++j)
    for (int part = 0; part < 4; ++part) {
      int row = blockIdx.y * BlockM + warp * 16 + lane / 4 + part / 2 * 8;
      int column = blockIdx.x * BlockN + j * 8 + lane % 4 * 2 + part % 2;
      if (row < m && column < n)
        c[row * n + column] = sums[j][part];
    }
}

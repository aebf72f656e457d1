// bf16 product with one producer and two consumer warpgroups around a ring of barriers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

constexpr int BlockM = 128, BlockN = 64, BlockK = 64, Stages = 3;
constexpr int BytesA = BlockM * BlockK * 2, BytesB = BlockN * BlockK * 2,
              BytesStage = BytesA + BytesB;

#define R(i) "+f"(d[i])
#define R8(i) R(i), R(i + 1), R(i + 2), R(i + 3), R(i + 4), R(i + 5), R(i + 6), R(i + 7)

__device__ void product64x64(float (&d)[32], unsigned long long a, unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
               "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%"
               "20,%21,%22,%23,%24,%25,%26,%27,"
               "%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, 0;"
               : R8(0), R8(8), R8(16), R8(24)
               : "l"(a), "l"(b));
}

struct Ring {
  unsigned long long full[Stages], empty[Stages];
};

__device__ void produce(Ring &ring, unsigned char *stages, const TensorMap *a,
                        const TensorMap *b, int tilesM, int tiles, int steps) {
  int at = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    for (int s = 0; s < steps; ++s, ++at) {
      int slot = at % Stages;
      unsigned char *stage = stages + slot * BytesStage;
      barrierWait(&ring.empty[slot], (at / Stages + 1) % 2);
      barrierExpect(&ring.full[slot], BytesStage);
      tensorLoad(stage, a, s * BlockK, tile % tilesM * BlockM, &ring.full[slot]);
      tensorLoad(stage + BytesA, b, s * BlockK, tile / tilesM * BlockN, &ring.full[slot]);
    }
}

__device__ void consume(Ring &ring, unsigned char *stages, float *c, int m, int n,
                        int tilesM, int tiles, int steps) {
  int group = threadIdx.x / 128 - 1, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32,
      at = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float sums[32] = {};
    for (int s = 0; s < steps; ++s, ++at) {
      int slot = at % Stages;
      unsigned char *stage = stages + slot * BytesStage;
      barrierWait(&ring.full[slot], at / Stages % 2);
      productFence();
      for (int k = 0; k < BlockK * 2; k += 32)
        product64x64(
            sums,
            operand(stage + group * 64 * BlockK * 2 + k, 16, 1024, Swizzle::Bytes128),
            operand(stage + BytesA + k, 16, 1024, Swizzle::Bytes128));
      productCommit();
      productWait<0>();
      if (threadIdx.x % 128 == 0)
        barrierArrive(&ring.empty[slot]);
    }
    int row = tile % tilesM * BlockM + group * 64 + warp * 16 + lane / 4,
        column = tile / tilesM * BlockN + lane % 4 * 2;
    for (int i = 0; i < 32; ++i) {
      int r = row + i / 2 % 2 * 8, col = column + i / 4 * 8 + i % 2;
      if (r < m && col < n)
        c[r * n + col] = sums[i];
    }
  }
}

// A is m x k, B is n x k; out-of-bounds elements of the maps are zeros. Persistent: works
// with any grid size.
extern "C" __global__ void __launch_bounds__(384)
    wgmma_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
               float *c, int m, int n, int k) {
  extern __shared__ unsigned char memory[];
  __shared__ Ring ring;
  unsigned char *stages = alignedShared(memory);
  if (threadIdx.x == 0) {
    for (int i = 0; i < Stages; ++i) {
      barrierInit(&ring.full[i], 1);
      barrierInit(&ring.empty[i], 2);
    }
    fenceBarrierInit();
    fenceAsync();
  }
  __syncthreads();
  int tilesM = (m + BlockM - 1) / BlockM, tiles = tilesM * ((n + BlockN - 1) / BlockN),
      steps = (k + BlockK - 1) / BlockK;
  if (threadIdx.x / 128 == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      produce(ring, stages, &a, &b, tilesM, tiles, steps);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume(ring, stages, c, m, n, tilesM, tiles, steps);
  }
}

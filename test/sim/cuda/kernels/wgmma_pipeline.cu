// bf16 GEMM of full 128 x 256 tiles, as in inference kernels: one producer warpgroup, two
// consumer warpgroups of 64 rows each, a four-stage multistage buffer, and always one
// wgmma in flight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

constexpr int BlockM = 128, BlockN = 256, BlockK = 64, Stages = 4;
constexpr int BytesA = BlockM * BlockK * 2, BytesB = BlockN * BlockK * 2,
              BytesStage = BytesA + BytesB;

#define R(i) "+f"(d[i])
#define R8(i) R(i), R(i + 1), R(i + 2), R(i + 3), R(i + 4), R(i + 5), R(i + 6), R(i + 7)
#define R64(i)                                                                           \
  R8(i), R8(i + 8), R8(i + 16), R8(i + 24), R8(i + 32), R8(i + 40), R8(i + 48), R8(i + 56)

__device__ void product64x256(float (&d)[128], unsigned long long a, unsigned long long b,
                              bool accumulate) {
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %130, 0;\n\t"
               "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
               "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
               "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
               "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
               "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
               "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
               "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
               "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
               "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, p, 1, 1, 0, 0;\n\t}"
               : R64(0), R64(64)
               : "l"(a), "l"(b), "r"(int(accumulate)));
}

struct Ring {
  unsigned long long full[Stages], empty[Stages];
};

__device__ void produce(Ring &ring, unsigned char *stages, const TensorMap *a,
                        const TensorMap *b, int steps) {
  for (int s = 0; s < steps; ++s) {
    int slot = s % Stages;
    unsigned char *stage = stages + slot * BytesStage;
    barrierWait(&ring.empty[slot], (s / Stages + 1) % 2);
    barrierExpect(&ring.full[slot], BytesStage);
    tensorLoad(stage, a, s * BlockK, blockIdx.y * BlockM, &ring.full[slot]);
    tensorLoad(stage + BytesA, b, s * BlockK, blockIdx.x * BlockN, &ring.full[slot]);
  }
}

__device__ void consume(Ring &ring, unsigned char *stages, float *c, int n, int steps) {
  int group = threadIdx.x / 128 - 1, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  float sums[128];
  for (int s = 0; s < steps; ++s) {
    int slot = s % Stages;
    unsigned char *stage = stages + slot * BytesStage;
    barrierWait(&ring.full[slot], s / Stages % 2);
    productFence();
    for (int k = 0; k < BlockK * 2; k += 32)
      product64x256(
          sums, operand(stage + group * 64 * BlockK * 2 + k, 16, 1024, Swizzle::Bytes128),
          operand(stage + BytesA + k, 16, 1024, Swizzle::Bytes128), s || k);
    productCommit();
    // The previous step is complete: its stage may be filled again.
    productWait<1>();
    if (s && threadIdx.x % 128 == 0)
      barrierArrive(&ring.empty[(s - 1) % Stages]);
  }
  productWait<0>();
  long long row = blockIdx.y * BlockM + group * 64 + warp * 16 + lane / 4;
  float *to = c + row * n + blockIdx.x * BlockN + lane % 4 * 2;
  for (int i = 0; i < 32; ++i) {
    *reinterpret_cast<float2 *>(to + i * 8) = {sums[4 * i], sums[4 * i + 1]};
    *reinterpret_cast<float2 *>(to + 8 * n + i * 8) = {sums[4 * i + 2], sums[4 * i + 3]};
  }
}

// A is m x k, B is n x k; m, n and k are multiples of the tile's.
extern "C" __global__ void __launch_bounds__(384, 1)
    wgmma_pipeline(const __grid_constant__ TensorMap a,
                   const __grid_constant__ TensorMap b, float *c, int n, int k) {
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
  if (threadIdx.x / 128 == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      produce(ring, stages, &a, &b, k / BlockK);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume(ring, stages, c, n, k / BlockK);
  }
}

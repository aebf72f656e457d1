// Each block of a cluster loads its part of a box for all of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

extern "C" __global__ void multicast(const __grid_constant__ TensorMap in, unsigned *out,
                                     int rounds, unsigned partBytes) {
  extern __shared__ unsigned char memory[];
  __shared__ unsigned long long full, empty;
  unsigned char *box = alignedShared(memory);
  unsigned rank = clusterRank(), blocks;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  if (threadIdx.x == 0) {
    barrierInit(&full, 1);
    barrierInit(&empty, blocks);
    fenceBarrierInit();
    fenceAsync();
  }
  clusterArrive();
  clusterWait();
  unsigned bytes = partBytes * blocks;
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0) {
      // Wait until no block still reads the data of the last round.
      if (r) {
        unsigned done;
        do
          asm volatile("{\n\t.reg .pred done;\n\t"
                       "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, "
                       "[%1], %2;\n\t"
                       "selp.u32 %0, 1, 0, done;\n\t}"
                       : "=r"(done)
                       : "r"(sharedAddress(&empty)), "r"((r - 1) % 2)
                       : "memory");
        while (!done);
      }
      barrierExpect(&full, bytes);
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes."
          "multicast::cluster "
          "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(sharedAddress(box + rank * partBytes)),
          "l"(&in), "r"(0), "r"(int(r * blocks + rank) * 4), "r"(sharedAddress(&full)),
          "h"((unsigned short)((1 << blocks) - 1))
          : "memory");
    }
    barrierWait(&full, r % 2);
    for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x)
      out[(blockIdx.x * rounds + r) * (bytes / 4) + i] =
          reinterpret_cast<unsigned *>(box)[i];
    __syncthreads();
    if (threadIdx.x < blocks)
      barrierArriveRemote(&empty, threadIdx.x);
  }
  clusterArrive();
  clusterWait();
}

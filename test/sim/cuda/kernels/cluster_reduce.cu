// Blocks of a cluster that read and write one another's shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// The block of rank 0 sums the slices of all blocks of the cluster, from their shared
// memory.
extern "C" __global__ void cluster_sum(const int *in, int *out, int perBlock) {
  __shared__ int partial;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    partial = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < perBlock; i += blockDim.x)
    atomicAdd_block(&partial, in[blockIdx.x * perBlock + i]);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (int r = 0; r < cluster.num_blocks(); ++r)
      sum += *cluster.map_shared_rank(&partial, r);
    out[blockIdx.x / cluster.num_blocks()] = sum;
  }
  cluster.sync();
}

// A histogram distributed over the cluster's shared memory, updated by remote atomics.
extern "C" __global__ void cluster_histogram(const unsigned char *in, unsigned *bins,
                                             int n) {
  __shared__ unsigned own[64];
  cg::cluster_group cluster = cg::this_cluster();
  own[threadIdx.x % 64] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads())
    atomicAdd(cluster.map_shared_rank(&own[in[i] % 64], in[i] / 64), 1);
  cluster.sync();
  if (threadIdx.x < 64)
    bins[cluster.block_rank() * 64 + threadIdx.x] = own[threadIdx.x];
}

// Every block stores its value with st.async into every peer, which waits for all the
// bytes.
extern "C" __global__ void exchange(int *out) {
  __shared__ int got[8];
  __shared__ unsigned long long barrier;
  unsigned rank = clusterRank(), blocks = gridDim.x;
  if (threadIdx.x == 0) {
    barrierInit(&barrier, 1);
    fenceBarrierInit();
    barrierExpect(&barrier, blocks * 4);
  }
  clusterArrive();
  clusterWait();
  if (threadIdx.x < blocks)
    asm volatile(
        "{\n\t.reg .b32 target, remote;\n\tmapa.shared::cluster.u32 target, %0, %2;\n\t"
        "mapa.shared::cluster.u32 remote, %1, %2;\n\t"
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [target], %3, "
        "[remote];\n\t}" ::"r"(sharedAddress(&got[rank])),
        "r"(sharedAddress(&barrier)), "r"(threadIdx.x), "r"(rank * 10 + threadIdx.x)
        : "memory");
  barrierWait(&barrier, 0);
  if (threadIdx.x < blocks)
    out[rank * blocks + threadIdx.x] = got[threadIdx.x];
  clusterArrive();
  clusterWait();
}

// All blocks arrive at block 0's mbarrier, which sees their additions after its wait.
extern "C" __global__ void remote_arrive(int *out) {
  __shared__ int total;
  __shared__ unsigned long long barrier;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    total = 0;
    barrierInit(&barrier, cluster.num_blocks());
    fenceBarrierInit();
  }
  cluster.sync();
  if (threadIdx.x == 0) {
    atomicAdd(cluster.map_shared_rank(&total, 0), int(cluster.block_rank()) + 1);
    barrierArriveRemote(&barrier, 0);
    if (cluster.block_rank() == 0) {
      unsigned done;
      do
        asm volatile(
            "{\n\t.reg .pred done;\n\t"
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], 0;\n\t"
            "selp.u32 %0, 1, 0, done;\n\t}"
            : "=r"(done)
            : "r"(sharedAddress(&barrier))
            : "memory");
      while (!done);
      out[blockIdx.x / cluster.num_blocks()] = *(volatile int *)&total;
    }
  }
  cluster.sync();
}

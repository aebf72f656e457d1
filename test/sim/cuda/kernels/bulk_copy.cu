// One-dimensional copies by the copy engine, in both directions, with sums, and between
// blocks. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

// Double buffering: while one buffer is processed, the next one arrives.
extern "C" __global__ void double_all(const float *in, float *out, int chunks) {
  constexpr int Count = 256;
  __shared__ alignas(128) float buffer[2][Count];
  __shared__ unsigned long long full[2];
  if (threadIdx.x == 0) {
    barrierInit(&full[0], 1);
    barrierInit(&full[1], 1);
    fenceAsync();
    for (int i = 0; i < 2 && i < chunks; ++i) {
      barrierExpect(&full[i], sizeof buffer[0]);
      bulkLoad(buffer[i], in + i * Count, sizeof buffer[0], &full[i]);
    }
  }
  __syncthreads();
  for (int c = 0; c < chunks; ++c) {
    float *mine = buffer[c % 2];
    barrierWait(&full[c % 2], c / 2 % 2);
    for (int i = threadIdx.x; i < Count; i += blockDim.x)
      mine[i] *= 2;
    fenceAsync();
    __syncthreads();
    if (threadIdx.x == 0) {
      bulkStore(out + c * Count, mine, sizeof buffer[0]);
      bulkCommit();
      bulkWaitRead<0>();
      if (c + 2 < chunks) {
        barrierExpect(&full[c % 2], sizeof buffer[0]);
        bulkLoad(mine, in + (c + 2) * Count, sizeof buffer[0], &full[c % 2]);
      }
    }
  }
  if (threadIdx.x == 0)
    bulkWait<0>();
}

template <typename T> __device__ void addAll(T *out, int count) {
  __shared__ alignas(16) T values[128];
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    values[i] = T(int(blockIdx.x) + i);
  fenceAsync();
  __syncthreads();
  if (threadIdx.x)
    return;
  unsigned bytes = count * sizeof(T), source = sharedAddress(values);
  if (sizeof(T) == 8)
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%0], [%1], %2;" ::
            "l"(out),
        "r"(source), "r"(bytes)
        : "memory");
  else if (T(0.5) != T(0))
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::
            "l"(out),
        "r"(source), "r"(bytes)
        : "memory");
  else
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], %2;" ::
            "l"(out),
        "r"(source), "r"(bytes)
        : "memory");
  bulkCommit();
  bulkWaitRead<0>();
}

extern "C" __global__ void add_float(float *out, int count) { addAll(out, count); }
extern "C" __global__ void add_ulong(unsigned long long *out, int count) {
  addAll(out, count);
}
extern "C" __global__ void max_int(int *out, int count) { addAll(out, count); }

// Each block of the cluster sends its data to the next one.
extern "C" __global__ void send_on(int *out) {
  __shared__ alignas(16) int own[64], got[64];
  __shared__ unsigned long long barrier;
  unsigned rank = clusterRank(), blocks;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  own[threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  if (threadIdx.x == 0) {
    barrierInit(&barrier, 1);
    fenceBarrierInit();
    barrierExpect(&barrier, sizeof got);
  }
  fenceAsync();
  __syncthreads();
  clusterArrive();
  clusterWait();
  if (threadIdx.x == 0)
    asm volatile(
        "{\n\t.reg .b32 target, remote;\n\tmapa.shared::cluster.u32 target, %0, %3;\n\t"
        "mapa.shared::cluster.u32 remote, %2, %3;\n\t"
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
        "[target], [%1], %4, "
        "[remote];\n\t}" ::"r"(sharedAddress(got)),
        "r"(sharedAddress(own)), "r"(sharedAddress(&barrier)), "r"((rank + 1) % blocks),
        "n"(sizeof got)
        : "memory");
  barrierWait(&barrier, 0);
  out[blockIdx.x * 64 + threadIdx.x] = got[threadIdx.x];
  // No block may exit while a peer may still access its memory.
  clusterArrive();
  clusterWait();
}

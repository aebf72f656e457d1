// Barriers, copies by the copy engine and warpgroup products of sm_90a, as functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

struct alignas(64) TensorMap {
  unsigned long long words[16];
};

__device__ inline unsigned sharedAddress(const void *pointer) {
  return unsigned(__cvta_generic_to_shared(pointer));
}

// Returns the dynamic shared memory from its next multiple of 1024, the period of the
// widest swizzle.
__device__ inline unsigned char *alignedShared(unsigned char *memory) {
  return memory + (1024 - sharedAddress(memory) % 1024) % 1024;
}

__device__ inline void barrierInit(unsigned long long *barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)),
               "r"(count)
               : "memory");
}

__device__ inline void fenceBarrierInit() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Orders this thread's writes to shared memory before later bulk copies and wgmma that
// read them.
__device__ inline void fenceAsync() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void barrierArrive(unsigned long long *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier))
               : "memory");
}

__device__ inline void barrierExpect(unsigned long long *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
}

// Arrives at the mbarrier at the same offset in another block of the cluster.
__device__ inline void barrierArriveRemote(unsigned long long *barrier, unsigned rank) {
  asm volatile(
      "{\n\t.reg .b32 remote;\n\tmapa.shared::cluster.u32 remote, %0, %1;\n\t"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n\t}" ::"r"(
          sharedAddress(barrier)),
      "r"(rank)
      : "memory");
}

__device__ inline bool barrierTry(unsigned long long *barrier, unsigned parity) {
  unsigned done;
  asm volatile("{\n\t.reg .pred done;\n\tmbarrier.try_wait.parity.shared::cta.b64 done, "
               "[%1], %2;\n\t"
               "selp.u32 %0, 1, 0, done;\n\t}"
               : "=r"(done)
               : "r"(sharedAddress(barrier)), "r"(parity)
               : "memory");
  return done;
}

__device__ inline void barrierWait(unsigned long long *barrier, unsigned parity) {
  while (!barrierTry(barrier, parity))
    ;
}

__device__ inline void tensorLoad(void *target, const TensorMap *map, int x, int y,
                                  unsigned long long *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_"
               "tx::bytes [%0], [%1, {%2, %3}], "
               "[%4];" ::"r"(sharedAddress(target)),
               "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier))
               : "memory");
}

__device__ inline void tensorStore(const TensorMap *map, int x, int y,
                                   const void *source) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, "
               "%2}], [%3];" ::"l"(map),
               "r"(x), "r"(y), "r"(sharedAddress(source))
               : "memory");
}

__device__ inline void bulkLoad(void *target, const void *source, unsigned bytes,
                                unsigned long long *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
               "[%1], %2, [%3];" ::"r"(sharedAddress(target)),
               "l"(source), "r"(bytes), "r"(sharedAddress(barrier))
               : "memory");
}

__device__ inline void bulkStore(void *target, const void *source, unsigned bytes) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(target),
      "r"(sharedAddress(source)), "r"(bytes)
      : "memory");
}

__device__ inline void bulkCommit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int Pending> __device__ inline void bulkWait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}
template <int Pending> __device__ inline void bulkWaitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

__device__ inline void clusterArrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ inline void clusterWait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline unsigned clusterRank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ inline void productFence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void productCommit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int Pending> __device__ inline void productWait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

enum class Swizzle : unsigned { None = 0, Bytes128 = 1, Bytes64 = 2, Bytes32 = 3 };

// Returns the wgmma descriptor of an operand in shared memory.
__device__ inline unsigned long long operand(const void *pointer, unsigned leadingBytes,
                                             unsigned strideBytes, Swizzle swizzle) {
  auto field = [](unsigned bytes) {
    return (unsigned long long)((bytes & 0x3ffff) >> 4);
  };
  return field(sharedAddress(pointer)) | field(leadingBytes) << 16 |
         field(strideBytes) << 32 | (unsigned long long)swizzle << 62;
}

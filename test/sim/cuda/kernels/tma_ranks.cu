// Boxes of one to five dimensions, over the edges; sums into global memory; prefetches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

#define LOAD(coordinates, dimensions)                                                    \
  asm volatile(                                                                          \
      "cp.async.bulk.tensor." dimensions                                                 \
      ".shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" coordinates    \
      "}], [%7];" ::"r"(sharedAddress(box)),                                             \
      "l"(&in), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4),                             \
      "r"(sharedAddress(&barrier))                                                       \
      : "memory")
#define STORE(coordinates, dimensions)                                                   \
  asm volatile("cp.async.bulk.tensor." dimensions                                        \
               ".global.shared::cta.bulk_group [%1, {" coordinates                       \
               "}], [%0];" ::"r"(sharedAddress(box)),                                    \
               "l"(&out), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)                    \
               : "memory")
#define PREFETCH(coordinates, dimensions)                                                \
  asm volatile("cp.async.bulk.prefetch.tensor." dimensions                               \
               ".L2.global.tile [%0, {" coordinates "}];" ::"l"(&in),                    \
               "r"(0), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)                       \
               : "memory")
#define KERNEL(name, dimensions, loads, prefetches)                                      \
  extern "C" __global__ void name(                                                       \
      const __grid_constant__ TensorMap in, const __grid_constant__ TensorMap out,       \
      unsigned *raw, unsigned bytes, int c0, int c1, int c2, int c3, int c4) {           \
    extern __shared__ unsigned char memory[];                                            \
    __shared__ unsigned long long barrier;                                               \
    unsigned char *box = alignedShared(memory);                                          \
    if (threadIdx.x == 0) {                                                              \
      asm volatile("prefetch.tensormap [%0];" ::"l"(&in) : "memory");                    \
      PREFETCH(prefetches, dimensions);                                                  \
      barrierInit(&barrier, 1);                                                          \
      fenceAsync();                                                                      \
      barrierExpect(&barrier, bytes);                                                    \
      LOAD(loads, dimensions);                                                           \
    }                                                                                    \
    __syncthreads();                                                                     \
    barrierWait(&barrier, 0);                                                            \
    for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x)                            \
      raw[i] = reinterpret_cast<unsigned *>(box)[i];                                     \
    __syncthreads();                                                                     \
    if (threadIdx.x == 0) {                                                              \
      STORE(loads, dimensions);                                                          \
      bulkCommit();                                                                      \
      bulkWait<0>();                                                                     \
    }                                                                                    \
  }
KERNEL(copy_1d, "1d", "%2", "%2")
KERNEL(copy_2d, "2d", "%2, %3", "%2, %3")
KERNEL(copy_3d, "3d", "%2, %3, %4", "%2, %3, %4")
KERNEL(copy_4d, "4d", "%2, %3, %4, %5", "%2, %3, %4, %5")
KERNEL(copy_5d, "5d", "%2, %3, %4, %5, %6", "%2, %3, %4, %5, %6")

// Every block adds the same box at the same position.
extern "C" __global__ void add_box(const __grid_constant__ TensorMap out, int x, int y,
                                   int words) {
  extern __shared__ unsigned char memory[];
  unsigned char *box = alignedShared(memory);
  for (int i = threadIdx.x; i < words; i += blockDim.x)
    reinterpret_cast<unsigned *>(box)[i] = i + blockIdx.x;
  fenceAsync();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(&out),
                 "r"(x), "r"(y), "r"(sharedAddress(box))
                 : "memory");
    bulkCommit();
    bulkWaitRead<0>();
  }
}

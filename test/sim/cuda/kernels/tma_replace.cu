// A tensor map that the kernel itself changes, then uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

// Makes `made` (global memory) a copy of `from` with another address, width and stride.
extern "C" __global__ void copy_replaced(const __grid_constant__ TensorMap from,
                                         TensorMap *made, const void *address,
                                         unsigned width, unsigned long long stride,
                                         unsigned *raw, unsigned bytes) {
  extern __shared__ unsigned char memory[];
  __shared__ alignas(128) TensorMap map;
  __shared__ unsigned long long barrier;
  unsigned char *box = alignedShared(memory);
  if (threadIdx.x < 16)
    map.words[threadIdx.x] = from.words[threadIdx.x];
  __syncwarp();
  if (threadIdx.x == 0) {
    unsigned at = sharedAddress(&map);
    asm volatile(
        "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at),
        "l"(address)
        : "memory");
    asm volatile(
        "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at),
        "r"(width)
        : "memory");
    asm volatile(
        "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(
            at),
        "l"(stride)
        : "memory");
    barrierInit(&barrier, 1);
    fenceAsync();
  }
  __syncwarp();
  if (threadIdx.x < 32)
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release."
                 "gpu.sync.aligned [%0], [%1], "
                 "128;" ::"l"(made),
                 "r"(sharedAddress(&map))
                 : "memory");
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(made)
                 : "memory");
    barrierExpect(&barrier, bytes);
    tensorLoad(box, made, 0, 0, &barrier);
  }
  __syncthreads();
  barrierWait(&barrier, 0);
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x)
    raw[i] = reinterpret_cast<unsigned *>(box)[i];
}

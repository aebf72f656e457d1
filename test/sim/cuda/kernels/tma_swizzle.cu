// A box of a matrix through the copy engine: how it lies in shared memory, and back
// again. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

// `raw` receives the bytes of shared memory in their order there.
extern "C" __global__ void copy_box(const __grid_constant__ TensorMap in,
                                    const __grid_constant__ TensorMap out, unsigned *raw,
                                    int x, int y, unsigned bytes) {
  extern __shared__ unsigned char memory[];
  __shared__ unsigned long long barrier;
  unsigned char *box = alignedShared(memory);
  if (threadIdx.x == 0) {
    barrierInit(&barrier, 1);
    fenceBarrierInit();
    fenceAsync();
    barrierExpect(&barrier, bytes);
    tensorLoad(box, &in, x, y, &barrier);
  }
  __syncthreads();
  barrierWait(&barrier, 0);
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x)
    raw[i] = reinterpret_cast<unsigned *>(box)[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    tensorStore(&out, x, y, box);
    bulkCommit();
    bulkWait<0>();
  }
}

// Threads write the box at the swizzled offsets, then it is stored.
extern "C" __global__ void store_box(const __grid_constant__ TensorMap out, int x, int y,
                                     int rowBytes, int rows, unsigned mask) {
  extern __shared__ unsigned char memory[];
  unsigned char *box = alignedShared(memory);
  for (int i = threadIdx.x; i < rowBytes * rows / 4; i += blockDim.x) {
    unsigned at = i * 4;
    at ^= (at >> 7 & mask) << 4;
    *reinterpret_cast<unsigned *>(box + at) = i * 2654435761u;
  }
  fenceAsync();
  __syncthreads();
  if (threadIdx.x == 0) {
    tensorStore(&out, x, y, box);
    bulkCommit();
    bulkWait<0>();
  }
}

// What a thread knows of itself and of the machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define READ32(name)                                                                     \
  ({                                                                                     \
    unsigned value;                                                                      \
    asm volatile("mov.u32 %0, %%" name ";" : "=r"(value));                               \
    value;                                                                               \
  })
#define READ64(name)                                                                     \
  ({                                                                                     \
    unsigned long long value;                                                            \
    asm volatile("mov.u64 %0, %%" name ";" : "=l"(value));                               \
    value;                                                                               \
  })

// Fifteen words for each thread.
extern "C" __global__ void places(unsigned *out) {
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned *mine = out + (block * blockDim.x * blockDim.y * blockDim.z + thread) * 15;
  mine[0] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16;
  mine[1] = blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16;
  mine[2] = blockDim.x | blockDim.y << 8 | blockDim.z << 16;
  mine[3] = gridDim.x | gridDim.y << 8 | gridDim.z << 16;
  mine[4] = READ32("laneid");
  mine[5] = READ32("lanemask_eq");
  mine[6] = READ32("lanemask_lt");
  mine[7] = READ32("lanemask_le");
  mine[8] = READ32("lanemask_gt");
  mine[9] = READ32("lanemask_ge");
  mine[10] = READ32("warpid") < READ32("nwarpid");
  mine[11] = READ32("smid") < READ32("nsmid");
  mine[12] = READ32("dynamic_smem_size");
  mine[13] = READ32("total_smem_size") >= READ32("dynamic_smem_size");
  mine[14] = warpSize;
}

// Clocks never run backwards, also across a sleep.
extern "C" __global__ void times(unsigned *out) {
  unsigned long long start = clock64(), begin = READ64("globaltimer");
  unsigned early = READ32("clock");
  __nanosleep(200);
  unsigned long long end = clock64(), finish = READ64("globaltimer");
  unsigned late = READ32("clock");
  out[threadIdx.x] =
      (end >= start) + 2 * (finish >= begin) + 4 * (late - early < 0x80000000u);
}

// A prefix sum in one pass: blocks read their predecessors' sums as they appear.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda/atomic>

using Status = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
constexpr unsigned long long Partial = 1ull << 62, Final = 2ull << 62,
                             Mask = (1ull << 62) - 1;

extern "C" __global__ void scan(const unsigned *in, unsigned *out,
                                unsigned long long *status, unsigned *ticket, int n) {
  __shared__ unsigned sums[256], block, before;
  if (threadIdx.x == 0)
    block = atomicAdd(ticket, 1);
  __syncthreads();
  int i = block * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    __syncthreads();
    unsigned add = threadIdx.x >= offset ? sums[threadIdx.x - offset] : 0;
    __syncthreads();
    sums[threadIdx.x] += add;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned total = sums[blockDim.x - 1], prefix = 0;
    Status(status[block])
        .store((block ? Partial : Final) | total, cuda::memory_order_release);
    for (int j = int(block) - 1; j >= 0;) {
      unsigned long long seen = Status(status[j]).load(cuda::memory_order_acquire);
      if (!(seen & ~Mask))
        continue;
      prefix += unsigned(seen & Mask);
      if (seen & Final)
        break;
      --j;
    }
    if (block)
      Status(status[block])
          .store(Final | (prefix + total) & 0xffffffffull, cuda::memory_order_release);
    before = prefix;
  }
  __syncthreads();
  if (i < n)
    out[i] = before + sums[threadIdx.x];
}

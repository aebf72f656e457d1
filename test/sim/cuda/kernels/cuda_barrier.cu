// The library's barriers, atomics and asynchronous copies in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Arrive, do other work, wait: reads the neighbour's value of the round before.
extern "C" __global__ void split_wait(int *out, int rounds) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ int values[2][256];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    values[r % 2][threadIdx.x] = threadIdx.x * (r + 1);
    Barrier::arrival_token token = barrier.arrive();
    int own = r * 3;
    barrier.wait(std::move(token));
    sum += values[r % 2][(threadIdx.x + 1) % blockDim.x] + own;
  }
  out[threadIdx.x] = sum;
}

// Threads drop out of the barrier one after the other.
extern "C" __global__ void drop_out(int *out) {
  __shared__ Barrier barrier;
  __shared__ int left;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    left = 0;
  }
  __syncthreads();
  for (int r = 0; r < threadIdx.x; ++r)
    barrier.arrive_and_wait();
  atomicAdd_block(&left, 1);
  barrier.arrive_and_drop();
  if (threadIdx.x == blockDim.x - 1)
    out[0] = atomicAdd_block(&left, 0);
}

extern "C" __global__ void copy_async(const int *in, int *out, int n) {
  __shared__ Barrier barrier;
  __shared__ alignas(16) int staged[512];
  cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, staged, in, cuda::aligned_size_t<16>(n * sizeof(int)),
                     barrier);
  barrier.arrive_and_wait();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = staged[n - 1 - i];
}

// A two-stage pipeline.
extern "C" __global__ void staged_sums(const int *in, int *out, int batches) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int staged[2][128];
  cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int fetch = 0, batch = 0; batch < batches; ++batch) {
    for (; fetch < batches && fetch < batch + 2; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, staged[fetch % 2], in + fetch * 128, sizeof(int) * 128,
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += staged[batch % 2][127 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Messages between blocks, with release and acquire on flags.
extern "C" __global__ void hand_over(int *data, int *flags, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[blockIdx.x]);
  if (blockIdx.x) {
    cuda::atomic_ref<int, cuda::thread_scope_device> before(flags[blockIdx.x - 1]);
    while (before.load(cuda::memory_order_acquire) == 0)
      ;
    data[blockIdx.x] = data[blockIdx.x - 1] + blockIdx.x;
  } else {
    data[0] = 100;
  }
  mine.store(1, cuda::memory_order_release);
  if (blockIdx.x == gridDim.x - 1)
    *out = data[blockIdx.x];
}

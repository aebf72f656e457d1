// Locks that the lanes of one warp take from one another: each lane must make progress by
// itself. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__device__ void lock(int *mutex) {
  while (atomicCAS(mutex, 0, 1))
    ;
  __threadfence();
}

__device__ void unlock(int *mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}

extern "C" __global__ void add_locked(int *mutex, volatile int *value, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    lock(mutex);
    *value = *value + 1;
    unlock(mutex);
  }
}

// Lanes pass a token along the warp, each waiting for its predecessor.
extern "C" __global__ void relay(int *out) {
  __shared__ int turn, sum;
  if (threadIdx.x == 0) {
    turn = 0;
    sum = 0;
  }
  __syncthreads();
  int me = blockDim.x - 1 - threadIdx.x, seen;
  do {
    asm volatile("ld.acquire.cta.shared.u32 %0, [%1];"
                 : "=r"(seen)
                 : "r"(unsigned(__cvta_generic_to_shared(&turn)))
                 : "memory");
  } while (seen != me);
  sum = sum * 3 + me;
  out[me] = sum;
  asm volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"(
                   unsigned(__cvta_generic_to_shared(&turn))),
               "r"(me + 1)
               : "memory");
}

// Several accounts with a lock each, locked in the order of their indices.
extern "C" __global__ void transfer(int *mutexes, volatile int *accounts,
                                    const int2 *moves, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int from = moves[i].x, to = moves[i].y;
  if (from == to)
    return;
  lock(&mutexes[min(from, to)]);
  lock(&mutexes[max(from, to)]);
  accounts[from] = accounts[from] - 1;
  accounts[to] = accounts[to] + 1;
  unlock(&mutexes[max(from, to)]);
  unlock(&mutexes[min(from, to)]);
}

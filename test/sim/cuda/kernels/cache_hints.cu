// Loads and stores with every hint to the caches; prefetches; what kind of address a
// pointer is. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__device__ int variable;

extern "C" __global__ void hinted(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
  asm volatile("prefetch.global.L1 [%0];" ::"l"(in + i));
  int sum = __ldg(in + i) + __ldca(in + i) * 2 + __ldcg(in + i) * 4 + __ldcs(in + i) * 8 +
            __ldlu(in + i) * 16 + __ldcv(in + i) * 32;
  int *mine = out + i * 4;
  __stwb(mine, sum);
  __stcg(mine + 1, sum + 1);
  __stcs(mine + 2, sum + 2);
  __stwt(mine + 3, sum + 3);
}

// 16-byte accesses with an L2 cache policy.
extern "C" __global__ void with_policy(const uint4 *in, uint4 *out) {
  unsigned long long policy;
  uint4 v;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile(
      "ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0,%1,%2,%3}, [%4], %5;"
      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
      : "l"(in + threadIdx.x), "l"(policy));
  v.x += 1;
  asm volatile(
      "st.global.L2::cache_hint.v4.u32 [%0], {%1,%2,%3,%4}, %5;" ::"l"(out + threadIdx.x),
      "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(policy)
      : "memory");
}

extern "C" __global__ void kinds(const int *global, unsigned *out) {
  __shared__ int shared;
  int local[4];
  local[threadIdx.x % 4] = threadIdx.x;
  const void *pointers[] = {global, &variable, &shared, &local[threadIdx.x % 3]};
  unsigned bits = 0;
  for (int i = 0; i < 4; ++i)
    bits |= (__isGlobal(pointers[i]) + 2 * __isShared(pointers[i]) +
             4 * __isLocal(pointers[i]))
            << 4 * i;
  out[threadIdx.x] = bits;
}

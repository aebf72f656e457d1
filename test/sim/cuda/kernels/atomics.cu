// Atomic operations of every kind and type, on global and shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T> __device__ void integers(T *out, const T *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T value = in[i];
  atomicAdd(&out[0], value);
  atomicMin(&out[1], value);
  atomicMax(&out[2], value);
  atomicAnd(&out[3], value);
  atomicOr(&out[4], value);
  atomicXor(&out[5], value);
}

extern "C" __global__ void atomic_int(int *out, const int *in, int n) {
  integers(out, in, n);
}
extern "C" __global__ void atomic_unsigned(unsigned *out, const unsigned *in, int n) {
  integers(out, in, n);
}
extern "C" __global__ void atomic_ulong(unsigned long long *out,
                                        const unsigned long long *in, int n) {
  integers(out, in, n);
}
extern "C" __global__ void atomic_long(long long *out, const long long *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicMin(&out[0], in[i]);
  atomicMax(&out[1], in[i]);
}

// Values are small integers, so that sums are exact in any order.
extern "C" __global__ void atomic_floats(float *f, double *d, __half2 *h,
                                         __nv_bfloat162 *b, float *pairs, const int *in,
                                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(f, float(in[i]));
  atomicAdd(d, double(in[i]) * 0x1p-20);
  atomicAdd(h, __floats2half2_rn(in[i], -in[i]));
  atomicAdd(b, __floats2bfloat162_rn(in[i] & 1, 1));
#if __CUDA_ARCH__ >= 900
  atomicAdd(reinterpret_cast<float2 *>(pairs), make_float2(in[i], 1));
  atomicAdd(reinterpret_cast<float4 *>(pairs + 4), make_float4(in[i], 1, -in[i], 2));
#else
  atomicAdd(pairs, float(in[i]));
  atomicAdd(pairs + 1, 1.0f);
  for (int j = 0; j < 4; ++j)
    atomicAdd(pairs + 4 + j, j == 0   ? float(in[i])
                             : j == 2 ? float(-in[i])
                                      : float(j + 1) / 2);
#endif
}

// Every thread takes a unique number from each counter.
extern "C" __global__ void atomic_tickets(unsigned *counters, unsigned *seen, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&seen[atomicInc(&counters[0], n - 1)], 1);
  atomicAdd(&seen[n + atomicDec(&counters[1], n - 1)], 1);
  atomicAdd(&seen[2 * n + atomicSub(&counters[2], 1) - 1], 1);
}

// Maximum by compare-and-swap (16, 32 and 64 bits), and chained exchanges.
extern "C" __global__ void atomic_cas(unsigned short *h, unsigned *w,
                                      unsigned long long *d, int *chain, int *links,
                                      const unsigned *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned short value = in[i];
  for (unsigned short old = *(volatile unsigned short *)h, seen; old < value; old = seen)
    if ((seen = atomicCAS(h, old, value)) == old)
      break;
  for (unsigned old = *(volatile unsigned *)w, seen; old < in[i]; old = seen)
    if ((seen = atomicCAS(w, old, in[i])) == old)
      break;
  unsigned long long wide = (unsigned long long)in[i] << 20;
  for (unsigned long long old = *(volatile unsigned long long *)d, seen; old < wide;
       old = seen)
    if ((seen = atomicCAS(d, old, wide)) == old)
      break;
  links[i] = atomicExch(chain, i + 1);
}

// Counts in shared memory, then adds to the grid's histogram.
extern "C" __global__ void histogram(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned own[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd_block(&own[in[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (own[i])
      atomicAdd(&bins[i], own[i]);
}

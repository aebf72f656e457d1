// f16 and bf16 arithmetic, alone and in pairs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__device__ void binary(const T *a, const T *b, const T *c, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T *mine = out + i * 8;
  mine[0] = __hadd(a[i], b[i]);
  mine[1] = __hsub(a[i], b[i]);
  mine[2] = __hmul(a[i], b[i]);
  mine[3] = __hfma(a[i], b[i], c[i]);
  mine[4] = __hmin(a[i], b[i]);
  mine[5] = __hmax(a[i], b[i]);
  mine[6] = __hneg(__habs(a[i]));
  mine[7] = __hfma_relu(a[i], b[i], c[i]);
}

extern "C" __global__ void half_binary(const __half *a, const __half *b, const __half *c,
                                       __half *out, int n) {
  binary(a, b, c, out, n);
}
extern "C" __global__ void bfloat_binary(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                                         const __nv_bfloat16 *c, __nv_bfloat16 *out,
                                         int n) {
  binary(a, b, c, out, n);
}

extern "C" __global__ void half_pairs(const __half2 *a, const __half2 *b,
                                      const __half2 *c, __half2 *out, unsigned *compared,
                                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i * 4] = __hfma2(a[i], b[i], c[i]);
  out[i * 4 + 1] = __hadd2_sat(a[i], b[i]);
  out[i * 4 + 2] = __hmin2_nan(a[i], b[i]);
  out[i * 4 + 3] = __hmul2_rn(a[i], b[i]);
  compared[i] =
      __hgt2_mask(a[i], b[i]) & 0x00ff00ff | __hle2_mask(a[i], b[i]) & 0xff00ff00;
}

extern "C" __global__ void bfloat_pairs(const __nv_bfloat162 *a, const __nv_bfloat162 *b,
                                        const __nv_bfloat162 *c, __nv_bfloat162 *out,
                                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i * 2] = __hfma2(a[i], b[i], c[i]);
  out[i * 2 + 1] = __hmax2(a[i], b[i]);
}

// Applies the functions of one argument to all 65536 values.
extern "C" __global__ void half_functions(float *roots, float *exponentials,
                                          float *logarithms, float *floors) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half x = __ushort_as_half(i);
  roots[i] = __half2float(hsqrt(x));
  exponentials[i] = __half2float(hexp2(x));
  logarithms[i] = __half2float(hlog2(x));
  floors[i] = __half2float(__hadd(hfloor(x), hrint(x)));
}

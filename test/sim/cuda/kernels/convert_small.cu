// 8-, 6- and 4-bit floating point to and from f32 and f16, all bit patterns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

__device__ float fromHalf(__half_raw raw) { return __half2float(__half(raw)); }

extern "C" __global__ void decode(float *e4m3, float *e5m2, float *e3m2, float *e2m3,
                                  float *e2m1) {
  int i = threadIdx.x;
  e4m3[i] = fromHalf(__nv_cvt_fp8_to_halfraw(i, __NV_E4M3));
  e5m2[i] = fromHalf(__nv_cvt_fp8_to_halfraw(i, __NV_E5M2));
  e3m2[i] = fromHalf(__nv_cvt_fp6_to_halfraw(i % 64, __NV_E3M2));
  e2m3[i] = fromHalf(__nv_cvt_fp6_to_halfraw(i % 64, __NV_E2M3));
  e2m1[i] = fromHalf(__nv_cvt_fp4_to_halfraw(i % 16, __NV_E2M1));
}

extern "C" __global__ void encode(const float *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned char *mine = out + i * 7;
  mine[0] = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3);
  mine[1] = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E5M2);
  mine[2] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E4M3);
  mine[3] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E5M2);
  mine[4] = __nv_cvt_float_to_fp6(in[i], __NV_E3M2, cudaRoundNearest);
  mine[5] = __nv_cvt_float_to_fp6(in[i], __NV_E2M3, cudaRoundNearest);
  mine[6] = __nv_cvt_float_to_fp4(in[i], __NV_E2M1, cudaRoundNearest);
}

// Converts pairs, from f32 and from all f16 values.
extern "C" __global__ void encode_pairs(const float2 *in, unsigned short *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i * 2] = __nv_cvt_float2_to_fp8x2(in[i], __NV_SATFINITE, __NV_E4M3);
  out[i * 2 + 1] = __nv_cvt_float2_to_fp8x2(in[i], __NV_SATFINITE, __NV_E5M2);
}

extern "C" __global__ void encode_halves(unsigned short *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2_raw pair;
  pair.x = i;
  pair.y = i ^ 0x8001;
  out[i * 2] = __nv_cvt_halfraw2_to_fp8x2(pair, __NV_SATFINITE, __NV_E4M3);
  out[i * 2 + 1] = __nv_cvt_halfraw2_to_fp8x2(pair, __NV_SATFINITE, __NV_E5M2);
}

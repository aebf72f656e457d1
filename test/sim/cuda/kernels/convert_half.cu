// f16 and bf16 to and from f32, all bit patterns and all roundings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void decode(float *halves, float *bfloats) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  halves[i] = __half2float(__ushort_as_half(i));
  bfloats[i] = __bfloat162float(__ushort_as_bfloat16(i));
}

extern "C" __global__ void encode(const float *in, unsigned short *halves,
                                  unsigned short *bfloats, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  halves[i * 4] = __half_as_ushort(__float2half_rn(in[i]));
  halves[i * 4 + 1] = __half_as_ushort(__float2half_rz(in[i]));
  halves[i * 4 + 2] = __half_as_ushort(__float2half_rd(in[i]));
  halves[i * 4 + 3] = __half_as_ushort(__float2half_ru(in[i]));
  bfloats[i * 4] = __bfloat16_as_ushort(__float2bfloat16_rn(in[i]));
  bfloats[i * 4 + 1] = __bfloat16_as_ushort(__float2bfloat16_rz(in[i]));
  bfloats[i * 4 + 2] = __bfloat16_as_ushort(__float2bfloat16_rd(in[i]));
  bfloats[i * 4 + 3] = __bfloat16_as_ushort(__float2bfloat16_ru(in[i]));
}

// Converts pairs, and from f64.
extern "C" __global__ void encode_pairs(const float2 *in, unsigned *halves,
                                        unsigned *bfloats, unsigned short *fromDouble,
                                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half2 h = __float22half2_rn(in[i]);
  __nv_bfloat162 b = __float22bfloat162_rn(in[i]);
  halves[i] = *reinterpret_cast<unsigned *>(&h);
  bfloats[i] = *reinterpret_cast<unsigned *>(&b);
  fromDouble[i] = __half_as_ushort(__double2half(double(in[i].x) * (1 + 0x1p-40)));
}

extern "C" __global__ void to_integers(int *fromHalf, long long *wide,
                                       unsigned short *fromInteger) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half x = __ushort_as_half(i);
  fromHalf[i * 4] = __half2int_rn(x);
  fromHalf[i * 4 + 1] = __half2int_rz(x);
  fromHalf[i * 4 + 2] = __half2int_rd(x);
  fromHalf[i * 4 + 3] = __half2int_ru(x);
  wide[i] = __half2ll_rn(x);
  fromInteger[i] = __half_as_ushort(__int2half_rn(i * 3 - 98304));
}

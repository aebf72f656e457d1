// Integers and floating point of all widths to one another, in all roundings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __global__ void from_float(const float *in, int *ints, unsigned *unsigneds,
                                      long long *longs, unsigned long long *ulongs,
                                      float *rounded, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  ints[i * 4] = __float2int_rn(x);
  ints[i * 4 + 1] = __float2int_rz(x);
  ints[i * 4 + 2] = __float2int_rd(x);
  ints[i * 4 + 3] = __float2int_ru(x);
  unsigneds[i] = __float2uint_rn(x);
  longs[i] = __float2ll_rd(x);
  ulongs[i] = __float2ull_ru(x);
  rounded[i * 4] = rintf(x);
  rounded[i * 4 + 1] = truncf(x);
  rounded[i * 4 + 2] = floorf(x);
  rounded[i * 4 + 3] = ceilf(x);
}

extern "C" __global__ void from_double(const double *in, int *ints, long long *longs,
                                       float *floats, double *rounded, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i];
  ints[i] = __double2int_rn(x);
  longs[i] = __double2ll_rz(x);
  floats[i * 4] = __double2float_rn(x);
  floats[i * 4 + 1] = __double2float_rz(x);
  floats[i * 4 + 2] = __double2float_rd(x);
  floats[i * 4 + 3] = __double2float_ru(x);
  rounded[i] = rint(x) + floor(x);
}

extern "C" __global__ void from_integers(const long long *in, float *floats,
                                         double *doubles, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  floats[i * 6] = __ll2float_rn(in[i]);
  floats[i * 6 + 1] = __ll2float_rz(in[i]);
  floats[i * 6 + 2] = __ull2float_ru(in[i]);
  floats[i * 6 + 3] = __int2float_rd(int(in[i]));
  floats[i * 6 + 4] = __uint2float_rn(unsigned(in[i]));
  floats[i * 6 + 5] = float(short(in[i])) + float((unsigned char)in[i]) * 65536.0f;
  doubles[i * 3] = __ll2double_rn(in[i]);
  doubles[i * 3 + 1] = __ull2double_rz(in[i]);
  doubles[i * 3 + 2] = __int2double_rn(int(in[i]));
}

// Directed roundings of f32 and f64 arithmetic.
extern "C" __global__ void directed(const float *a, const float *b, float *out,
                                    double *wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = a[i], y = b[i];
  float *mine = out + i * 10;
  mine[0] = __fadd_rz(x, y);
  mine[1] = __fadd_ru(x, y);
  mine[2] = __fmul_rd(x, y);
  mine[3] = __fmul_rz(x, y);
  mine[4] = __fdiv_rn(x, y);
  mine[5] = __fdiv_rd(x, y);
  mine[6] = __frcp_ru(y);
  mine[7] = __fsqrt_rn(fabsf(x));
  mine[8] = __fmaf_rz(x, y, x);
  mine[9] = __saturatef(x);
  wide[i * 4] = __dadd_rd(x, double(y) * 0x1p-30);
  wide[i * 4 + 1] = __ddiv_ru(x, y);
  wide[i * 4 + 2] = __dsqrt_rz(fabs(double(x)));
  wide[i * 4 + 3] = __dmul_ru(double(x) * (1 + 0x1p-30), double(y) * (1 + 0x1p-28));
}

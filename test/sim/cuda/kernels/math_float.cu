// The f32 functions of the mathematics library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int Functions = 29;

extern "C" __global__ void functions(const float *in, const float *other, float *out,
                                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], y = other[i];
  float *mine = out + i * Functions;
  mine[0] = expf(x);
  mine[1] = exp2f(x);
  mine[2] = expm1f(x);
  mine[3] = logf(x);
  mine[4] = log2f(x);
  mine[5] = log1pf(x);
  mine[6] = sinf(x);
  mine[7] = cosf(x);
  mine[8] = tanf(x);
  mine[9] = asinf(x);
  mine[10] = acosf(x);
  mine[11] = atanf(x);
  mine[12] = sinhf(x);
  mine[13] = coshf(x);
  mine[14] = tanhf(x);
  mine[15] = erff(x);
  mine[16] = erfcf(x);
  mine[17] = lgammaf(x);
  mine[18] = tgammaf(x);
  mine[19] = cbrtf(x);
  mine[20] = rsqrtf(x);
  mine[21] = sqrtf(x);
  mine[22] = powf(x, y);
  mine[23] = atan2f(x, y);
  mine[24] = fmodf(x, y);
  mine[25] = hypotf(x, y);
  mine[26] = remainderf(x, y);
  mine[27] = x / y;
  mine[28] = log10f(x);
}

// The fast forms, one instruction each.
extern "C" __global__ void fast_functions(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  float *mine = out + i * 6;
  mine[0] = __expf(x);
  mine[1] = __logf(x);
  mine[2] = __sinf(x);
  mine[3] = __cosf(x);
  mine[4] = __frsqrt_rn(x);
  mine[5] = __fdividef(1, x);
}

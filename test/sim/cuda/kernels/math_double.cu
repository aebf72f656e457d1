// The f64 functions of the mathematics library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int Functions = 20;

extern "C" __global__ void functions(const double *in, const double *other, double *out,
                                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i], y = other[i];
  double *mine = out + i * Functions;
  mine[0] = exp(x);
  mine[1] = log(x);
  mine[2] = sin(x);
  mine[3] = cos(x);
  mine[4] = tan(x);
  mine[5] = asin(x);
  mine[6] = atan(x);
  mine[7] = sinh(x);
  mine[8] = tanh(x);
  mine[9] = erf(x);
  mine[10] = erfc(x);
  mine[11] = lgamma(x);
  mine[12] = cbrt(x);
  mine[13] = sqrt(x);
  mine[14] = rsqrt(x);
  mine[15] = pow(x, y);
  mine[16] = atan2(x, y);
  mine[17] = fmod(x, y);
  mine[18] = x / y;
  mine[19] = expm1(x);
}

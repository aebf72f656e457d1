// Division, remainders and wide products of integers of all widths.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

template <typename T> __device__ void divide(const T *a, const T *b, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i * 4] = a[i] / b[i];
  out[i * 4 + 1] = a[i] % b[i];
  out[i * 4 + 2] = a[i] / T(10);
  out[i * 4 + 3] = a[i] % T(7);
}

extern "C" __global__ void divide_int(const int *a, const int *b, int *out, int n) {
  divide(a, b, out, n);
}
extern "C" __global__ void divide_unsigned(const unsigned *a, const unsigned *b,
                                           unsigned *out, int n) {
  divide(a, b, out, n);
}
extern "C" __global__ void divide_long(const long long *a, const long long *b,
                                       long long *out, int n) {
  divide(a, b, out, n);
}
extern "C" __global__ void divide_ulong(const unsigned long long *a,
                                        const unsigned long long *b,
                                        unsigned long long *out, int n) {
  divide(a, b, out, n);
}
extern "C" __global__ void divide_short(const short *a, const short *b, short *out,
                                        int n) {
  divide(a, b, out, n);
}

extern "C" __global__ void products(const long long *a, const long long *b,
                                    unsigned long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long *mine = out + i * 8;
  int x = int(a[i]), y = int(b[i]);
  mine[0] = __mulhi(x, y);
  mine[1] = __umulhi(x, y);
  mine[2] = __mul64hi(a[i], b[i]);
  mine[3] = __umul64hi(a[i], b[i]);
  mine[4] = a[i] * b[i];
  mine[5] = (long long)x * y + a[i];
  mine[6] = __mul24(x, y);
  mine[7] = __umul24(x, y);
}

// 128 bits: quotient, remainder, product and a shift.
extern "C" __global__ void wide(const unsigned __int128 *a, const unsigned __int128 *b,
                                unsigned __int128 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned __int128 *mine = out + i * 5;
  mine[0] = a[i] / b[i];
  mine[1] = a[i] % b[i];
  mine[2] = a[i] * b[i];
  mine[3] = (a[i] + b[i]) >> (threadIdx.x % 128);
  mine[4] = (unsigned __int128)(__int128(a[i]) / 1000003) - b[i];
}

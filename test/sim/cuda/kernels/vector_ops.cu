// Element-wise kernels with vector loads and stores, and tails that fill no vector.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
  int vectors = n / 4;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors;
       i += gridDim.x * blockDim.x) {
    float4 u = reinterpret_cast<const float4 *>(x)[i],
           v = reinterpret_cast<float4 *>(y)[i];
    v.x = fmaf(a, u.x, v.x);
    v.y = fmaf(a, u.y, v.y);
    v.z = fmaf(a, u.z, v.z);
    v.w = fmaf(a, u.w, v.w);
    reinterpret_cast<float4 *>(y)[i] = v;
  }
  int tail = vectors * 4 + blockIdx.x * blockDim.x + threadIdx.x;
  if (tail < n)
    y[tail] = fmaf(a, x[tail], y[tail]);
}

extern "C" __global__ void swap_bytes(const uchar4 *in, uchar4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = make_uchar4(in[i].w, in[i].z, in[i].y, in[i].x);
}

extern "C" __global__ void widen(const short2 *in, longlong2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = make_longlong2(in[i].x, (long long)in[i].y << 20);
}

extern "C" __global__ void dot_double2(const double2 *a, const double2 *b, double *out,
                                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __fma_rn(a[i].x, b[i].x, __dmul_rn(a[i].y, b[i].y));
}

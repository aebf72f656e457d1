// Arrays of one thread, structures as arguments, and arguments read by index.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

struct Weights {
  int count;
  short offsets[5];
  double scale;
  float values[16];
};

extern "C" __global__ void weigh(const __grid_constant__ Weights weights,
                                 const int *which, double *out) {
  double sum = 0;
  for (int i = 0; i < weights.count; ++i)
    sum += weights.values[(which[threadIdx.x] + i) % 16] *
           weights.offsets[(i + threadIdx.x) % 5];
  out[threadIdx.x] = sum * weights.scale;
}

__device__ __noinline__ Weights turned(Weights w, int by) {
  Weights out = w;
  for (int i = 0; i < 16; ++i)
    out.values[i] = w.values[(i + by) % 16];
  return out;
}

extern "C" __global__ void turn(Weights weights, float *out) {
  Weights t = turned(weights, threadIdx.x);
  for (int i = 0; i < 16; ++i)
    out[threadIdx.x * 16 + i] = t.values[i] + t.offsets[i % 5];
}

// Counts digits in a local table indexed by data.
extern "C" __global__ void digits(const unsigned *in, unsigned char *out) {
  unsigned char counts[10] = {};
  for (unsigned value = in [threadIdx.x]; value; value /= 10)
    ++counts[value % 10];
  for (int i = 0; i < 10; ++i)
    out[threadIdx.x * 10 + i] = counts[i];
}

// Constants that the host sets, initialised tables, and device variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

__constant__ float coefficients[8];
__constant__ int primes[6] = {2, 3, 5, 7, 11, 13};
__device__ int counter = 40;
__device__ const char *words[] = {"alpha", "beta", "gamma"};

extern "C" __global__ void polynomial(const float *in, float *out, int degree, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = coefficients[degree];
  for (int d = degree - 1; d >= 0; --d)
    sum = fmaf(sum, in[i], coefficients[d]);
  out[i] = sum;
}

// Every lane reads another constant, through a generic pointer.
extern "C" __global__ void look_up(int *out, int shift) {
  const int *table = primes;
  out[threadIdx.x] = table[(threadIdx.x + shift) % 6] + atomicAdd(&counter, 1) * 0;
}

extern "C" __global__ void spell(char *out) {
  const char *word = words[threadIdx.x % 3];
  char *target = out + threadIdx.x * 8;
  int i = 0;
  for (; word[i]; ++i)
    target[i] = word[i];
  for (; i < 8; ++i)
    target[i] = 0;
}

extern "C" __global__ void read_counter(int *out) { *out = counter; }

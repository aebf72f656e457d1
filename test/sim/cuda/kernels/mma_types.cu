// One warp multiplies a 16-row A by an 8-column B (stored by columns), in every element
// type. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mma.h"

// Reads fragments from global memory with the layouts of the PTX manual: a row of A and a
// column of B are `k` consecutive elements in `words` 32-bit words.
template <typename Sum, typename Step>
__device__ void product(const unsigned *a, const unsigned *b, Sum *c, int steps,
                        Step step) {
  int lane = threadIdx.x, group = lane / 4, member = lane % 4, words = steps * 8;
  Sum d[4] = {};
  for (int i = 0; i < steps; ++i) {
    unsigned fragmentA[4], fragmentB[2];
    for (int part = 0; part < 4; ++part)
      fragmentA[part] = a[(group + part % 2 * 8) * words + i * 8 + part / 2 * 4 + member];
    for (int part = 0; part < 2; ++part)
      fragmentB[part] = b[group * words + i * 8 + part * 4 + member];
    step(d, fragmentA, fragmentB);
  }
  for (int part = 0; part < 4; ++part)
    c[(group + part / 2 * 8) * 8 + member * 2 + part % 2] = d[part];
}

#define KERNEL(name, Sum, function)                                                      \
  extern "C" __global__ void name(const unsigned *a, const unsigned *b, Sum *c,          \
                                  int steps) {                                           \
    product(a, b, c, steps, [](auto &d, auto &x, auto &y) { function(d, x, y); });       \
  }
KERNEL(mma_f16, float, mmaF16)
KERNEL(mma_bf16, float, mmaBf16)
KERNEL(mma_tf32, float, mmaTf32)
KERNEL(mma_s8, int, mmaS8)
KERNEL(mma_u8, int, mmaU8)
KERNEL(mma_u8s8, int, mmaU8S8)
#if __CUDA_ARCH__ >= 890
KERNEL(mma_e4m3, float, mmaE4m3)
KERNEL(mma_e5m2, float, mmaE5m2)
#endif

// f16 accumulators, two per register, and m16n8k8.
extern "C" __global__ void mma_f16_f16(const unsigned *a, const unsigned *b,
                                       unsigned *c) {
  int lane = threadIdx.x, group = lane / 4, member = lane % 4;
  unsigned d0 = 0, d1 = 0;
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
      : "+r"(d0), "+r"(d1)
      : "r"(a[group * 4 + member]), "r"(a[(group + 8) * 4 + member]),
        "r"(b[group * 4 + member]));
  c[group * 4 + member] = d0;
  c[(group + 8) * 4 + member] = d1;
}

// f64: 8x8 += 8x4 * 4x8.
extern "C" __global__ void mma_f64(const double *a, const double *b, double *c) {
  int lane = threadIdx.x, group = lane / 4, member = lane % 4;
  double d0 = 0, d1 = 0;
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
      : "+d"(d0), "+d"(d1)
      : "d"(a[group * 4 + member]), "d"(b[group * 4 + member]));
  c[group * 8 + member * 2] = d0;
  c[group * 8 + member * 2 + 1] = d1;
}

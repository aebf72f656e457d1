// Warpgroup products of every element type; A from registers, B transposed, signs and
// scales. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

constexpr int RowsA = 64;

extern __shared__ __align__(128) unsigned char memory[];

// Core matrices of 8 rows by 16 bytes, contiguous along a row of `rowBytes`, then the
// next 8 rows.
__device__ void stageRows(unsigned char *target, const unsigned char *source, int rows,
                          int rowBytes) {
  for (int i = threadIdx.x; i < rows * rowBytes; i += blockDim.x) {
    int row = i / rowBytes, column = i % rowBytes;
    target[(row / 8 * (rowBytes / 16) + column / 16) * 128 + row % 8 * 16 + column % 16] =
        source[i];
  }
}

// Stores 64 x N accumulators: 4 per lane for each 8 columns, as in the manual's layout.
template <int N, typename Sum> __device__ void storeSums(Sum *c, const Sum (&d)[N / 2]) {
  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
  for (int i = 0; i < N / 2; ++i)
    c[(row + i / 2 % 2 * 8) * N + column + i / 4 * 8 + i % 2] = d[i];
}

// `run` issues one wgmma for 32 bytes of k.
template <int N, typename Sum, typename Run>
__device__ void product(const unsigned char *a, const unsigned char *b, Sum *c, int steps,
                        Run run) {
  int rowBytes = steps * 32;
  unsigned char *sharedB = memory + RowsA * rowBytes;
  stageRows(memory, a, RowsA, rowBytes);
  stageRows(sharedB, b, N, rowBytes);
  fenceAsync();
  __syncthreads();
  Sum d[N / 2];
  for (int i = 0; i < N / 2; ++i)
    d[i] = Sum(-1); // ignored: the first wgmma does not accumulate
  for (int s = 0; s < steps; ++s) {
    // The compiler may move accumulators to other registers between rounds.
    productFence();
    run(d, operand(memory + s * 256, 128, rowBytes * 8, Swizzle::None),
        operand(sharedB + s * 256, 128, rowBytes * 8, Swizzle::None), s > 0);
    productCommit();
    productWait<0>();
  }
  storeSums<N>(c, d);
}

#define REGISTERS8(c) c(d[0]), c(d[1]), c(d[2]), c(d[3])
#define REGISTERS16(c) REGISTERS8(c), c(d[4]), c(d[5]), c(d[6]), c(d[7])
#define LIST8 "{%0,%1,%2,%3}, %4, %5, add"
#define LIST16 "{%0,%1,%2,%3,%4,%5,%6,%7}, %8, %9, add"
#define FLAG8 ".reg .pred add;\n\tsetp.ne.b32 add, %6, 0;\n\t"
#define FLAG16 ".reg .pred add;\n\tsetp.ne.b32 add, %10, 0;\n\t"
#define KERNEL(name, n, Sum, constraint, instruction, rest)                              \
  extern "C" __global__ void name(const unsigned char *a, const unsigned char *b,        \
                                  Sum *c, int steps) {                                   \
    product<n>(a, b, c, steps,                                                           \
               [](Sum(&d)[n / 2], unsigned long long x, unsigned long long y, int add) { \
                 asm volatile("{\n\t" FLAG##n                                            \
                              "wgmma.mma_async.sync.aligned." instruction                \
                              " " LIST##n rest ";\n\t}"                                  \
                              : REGISTERS##n(constraint)                                 \
                              : "l"(x), "l"(y), "r"(add));                               \
               });                                                                       \
  }
KERNEL(wgmma_f16, 16, float, "+f", "m64n16k16.f32.f16.f16", ", 1, 1, 0, 0")
KERNEL(wgmma_bf16_negated, 16, float, "+f", "m64n16k16.f32.bf16.bf16", ", -1, 1, 0, 0")
KERNEL(wgmma_tf32, 8, float, "+f", "m64n8k8.f32.tf32.tf32", ", 1, 1")
KERNEL(wgmma_s8, 16, int, "+r", "m64n16k32.s32.s8.s8", "")
KERNEL(wgmma_u8s8, 8, int, "+r", "m64n8k32.s32.u8.s8", "")
KERNEL(wgmma_e4m3, 8, float, "+f", "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
KERNEL(wgmma_e5m2, 16, float, "+f", "m64n16k32.f32.e5m2.e5m2", ", 1, -1")

// A is in registers; B has k rows of 64 columns with a 128-byte swizzle, and wgmma
// transposes it.
extern "C" __global__ void wgmma_registers(const unsigned *a, const unsigned char *b,
                                           float *c, int steps) {
  unsigned char *rows = alignedShared(memory);
  for (int i = threadIdx.x; i < steps * 16 * 128; i += blockDim.x)
    rows[i ^ (i >> 7 & 7) << 4] = b[i];
  fenceAsync();
  __syncthreads();
  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, words = steps * 8;
  float d[32] = {};
  for (int s = 0; s < steps; ++s) {
    unsigned x[4];
    for (int part = 0; part < 4; ++part)
      x[part] = a[(row + part % 2 * 8) * words + s * 8 + part / 2 * 4 + threadIdx.x % 4];
    productFence();
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"
                 "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,"
                 "%30,%31}, {%32,%33,%34,%35}, %36, 1, 1, 1, 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                   "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
                   "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                   "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
                   "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
                   "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
                   "+f"(d[31])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]),
                   "l"(operand(rows + s * 2048, 8192, 1024, Swizzle::Bytes128)));
    productCommit();
    productWait<0>();
  }
  storeSums<64>(c, d);
}

// Warp-wide matrix instructions of sm_80 and newer, as functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

__device__ inline unsigned sharedAddress(const void *pointer) {
  return unsigned(__cvta_generic_to_shared(pointer));
}

__device__ inline void ldmatrix4(unsigned (&r)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

__device__ inline void ldmatrix2(unsigned (&r)[2], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(address));
}

__device__ inline void ldmatrix2Transposed(unsigned (&r)[2], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(address));
}

#define DEFINE_MMA_F32(name, shape, type, words)                                         \
  __device__ inline void name(float (&d)[4], const unsigned (&a)[2 * words],             \
                              const unsigned (&b)[words]) {                              \
    asm volatile("mma.sync.aligned." shape ".row.col.f32." type "." type                 \
                 ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"            \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                        \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));    \
  }
DEFINE_MMA_F32(mmaF16, "m16n8k16", "f16", 2)
DEFINE_MMA_F32(mmaBf16, "m16n8k16", "bf16", 2)
DEFINE_MMA_F32(mmaTf32, "m16n8k8", "tf32", 2)
#if __CUDA_ARCH__ >= 890
DEFINE_MMA_F32(mmaE4m3, "m16n8k32", "e4m3", 2)
DEFINE_MMA_F32(mmaE5m2, "m16n8k32", "e5m2", 2)
#endif
#undef DEFINE_MMA_F32

#define DEFINE_MMA_S32(name, types)                                                      \
  __device__ inline void name(int (&d)[4], const unsigned (&a)[4],                       \
                              const unsigned (&b)[2]) {                                  \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." types                          \
                 ".s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"            \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                        \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));    \
  }
DEFINE_MMA_S32(mmaS8, "s8.s8")
DEFINE_MMA_S32(mmaU8, "u8.u8")
DEFINE_MMA_S32(mmaU8S8, "u8.s8")
#undef DEFINE_MMA_S32

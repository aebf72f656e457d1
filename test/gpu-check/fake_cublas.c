/*===- fake_cublas.c - cuBLAS's interface without cuBLAS ----------*- C -*-===//
 *
 * Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Five functions with the parameters and the meaning of the cuBLAS reference, for bf16:
 * a plain kernel, one thread per element of the result, launched in the stream that was
 * set. So a test sees whether sizes, strides and transpositions are passed rightly.
 * FAKE_CUDA_DRIVER names the driver; with FAKE_CUBLAS_WRONG every result is 1 too large.
 *
 *===----------------------------------------------------------------------===*/
#include "fake_library.h"
#include <stdlib.h>

static const char *const ptx =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry gemm(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 "
    "pm,\n"
    "  .param .u64 pk, .param .u64 rowa, .param .u64 cola, .param .u64 rowb,\n"
    "  .param .u64 colb, .param .u64 ldc, .param .u64 wrong)\n{\n"
    "  .reg .b64 %a, %b, %c, %m, %k, %ra, %ca, %rb, %cb, %ldc, %w, %i, %j, %at;\n"
    "  .reg .b32 %x, %ua, %ub;\n  .reg .b16 %ha, %hb;\n  .reg .f32 %sum, %fa, %fb;\n"
    "  .reg .pred %p;\n"
    "  ld.param.u64 %a, [pa];\n  ld.param.u64 %b, [pb];\n  ld.param.u64 %c, [pc];\n"
    "  ld.param.u64 %m, [pm];\n  ld.param.u64 %k, [pk];\n  ld.param.u64 %ra, [rowa];\n"
    "  ld.param.u64 %ca, [cola];\n  ld.param.u64 %rb, [rowb];\n"
    "  ld.param.u64 %cb, [colb];\n  ld.param.u64 %ldc, [ldc];\n"
    "  ld.param.u64 %w, [wrong];\n  cvt.rn.f32.u64 %sum, %w;\n"
    "  mov.u32 %x, %ctaid.x;\n  cvt.u64.u32 %j, %x;\n  mov.u32 %x, %tid.x;\n"
    "  cvt.u64.u32 %i, %x;\n"
    /* c + (i + j ldc), a + i rowa, b + j colb, in elements of two bytes */
    "outer:\n  setp.ge.u64 %p, %i, %m;\n  @%p bra end;\n"
    "  cvt.rn.f32.u64 %sum, %w;\n"
    "  ld.param.u64 %a, [pa];\n  mul.lo.u64 %at, %i, %ra;\n  shl.b64 %at, %at, 1;\n"
    "  add.u64 %a, %a, %at;\n"
    "  ld.param.u64 %b, [pb];\n  mul.lo.u64 %at, %j, %cb;\n  shl.b64 %at, %at, 1;\n"
    "  add.u64 %b, %b, %at;\n"
    "  ld.param.u64 %k, [pk];\n"
    "loop:\n"
    "  ld.global.b16 %ha, [%a];\n  ld.global.b16 %hb, [%b];\n"
    "  cvt.u32.u16 %ua, %ha;\n  shl.b32 %ua, %ua, 16;\n  mov.b32 %fa, %ua;\n"
    "  cvt.u32.u16 %ub, %hb;\n  shl.b32 %ub, %ub, 16;\n  mov.b32 %fb, %ub;\n"
    "  fma.rn.f32 %sum, %fa, %fb, %sum;\n"
    "  shl.b64 %at, %ca, 1;\n  add.u64 %a, %a, %at;\n"
    "  shl.b64 %at, %rb, 1;\n  add.u64 %b, %b, %at;\n"
    "  sub.u64 %k, %k, 1;\n  setp.ne.u64 %p, %k, 0;\n  @%p bra loop;\n"
    "  cvt.rn.bf16.f32 %ha, %sum;\n"
    "  mul.lo.u64 %at, %j, %ldc;\n  add.u64 %at, %at, %i;\n  shl.b64 %at, %at, 1;\n"
    "  add.u64 %at, %at, %c;\n  st.global.b16 [%at], %ha;\n"
    "  mov.u32 %x, %ntid.x;\n  cvt.u64.u32 %at, %x;\n  add.u64 %i, %i, %at;\n"
    "  bra outer;\nend:\n  ret;\n}\n";

typedef unsigned long long Word;

EXPORT int cublasCreate_v2(void **handle) {
  *handle = &kernel;
  return openKernel(ptx, "gemm");
}
EXPORT int cublasDestroy_v2(void *handle) { return handle != &kernel; }
EXPORT int cublasSetWorkspace_v2(void *handle, void *memory, size_t bytes) {
  return handle != &kernel || !memory || !bytes;
}
EXPORT int cublasSetStream_v2(void *handle, void *chosen) {
  stream = chosen;
  return handle != &kernel;
}

/* Column by column: C[i + j ldc] = sum over l of op(A)[i, l] op(B)[l, j]. */
EXPORT int cublasGemmEx(void *handle, int opA, int opB, int m, int n, int k,
                        const void *alpha, const void *a, int typeA, int lda,
                        const void *b, int typeB, int ldb, const void *beta, void *c,
                        int typeC, int ldc, int computeType, int algorithm) {
  const int bf16 = 14, compute32F = 68;
  if (handle != &kernel || typeA != bf16 || typeB != bf16 || typeC != bf16 ||
      computeType != compute32F || algorithm != -1 || *(const float *)alpha != 1 ||
      *(const float *)beta != 0 || lda < (opA ? k : m) || ldb < (opB ? n : k) || ldc < m)
    return 7;
  Word values[] = {(Word)a,
                   (Word)b,
                   (Word)c,
                   (Word)m,
                   (Word)k,
                   opA ? (Word)lda : 1,
                   opA ? 1 : (Word)lda,
                   opB ? (Word)ldb : 1,
                   opB ? 1 : (Word)ldb,
                   (Word)ldc,
                   getenv("FAKE_CUBLAS_WRONG") ? 1 : 0};
  void *parameters[11];
  for (int i = 0; i < 11; ++i)
    parameters[i] = &values[i];
  return launch(kernel, (unsigned)n, 1, 1, 64, 1, 1, 0, stream, parameters, NULL);
}

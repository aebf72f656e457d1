//===- TestKernels.c - A hand-made host image -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled without builtins, vectorization and sanitizers: the code must not refer to
// anything outside its section, not even a constant.
//
//===----------------------------------------------------------------------===//
#include "TestKernels.h"

#define KERNEL(name)                                                                     \
  __attribute__((section("kiln_test_kernels"), used)) KILN_TEST_KERNEL(name)

KERNEL(kiln_test_scale) {
  const float *x = buffers[0], *w = buffers[1];
  float *y = buffers[2];
  for (int64_t i = begin * symbols[0]; i < end * symbols[0]; ++i)
    y[i] = x[i] * w[0] + w[1];
}

KERNEL(kiln_test_row_sum) {
  const float *x = buffers[0];
  float *sums = buffers[1], *copy = scratch;
  for (int64_t t = begin; t < end; ++t) {
    for (int64_t i = 0; i < symbols[0]; ++i)
      copy[i] = x[t * symbols[0] + i];
    float sum = copy[0];
    for (int64_t i = 1; i < symbols[0]; ++i)
      sum += copy[i];
    sums[t] = sum;
  }
}

KERNEL(kiln_test_accumulate) {
  const float *x = buffers[0];
  float *state = buffers[2], *out = buffers[3];
  for (int64_t t = begin; t < end; ++t) {
    state[0] += x[0];
    out[0] = state[0];
  }
}

KERNEL(kiln_test_wait) {
  const volatile int32_t *flag = buffers[0];
  int32_t *out = buffers[1];
  while (!flag[0])
    ;
  for (int64_t t = begin; t < end; ++t)
    out[t] = flag[0];
}

KERNEL(kiln_test_spin) {
  const float *x = buffers[0];
  float *y = buffers[1];
  for (int64_t t = begin; t < end; ++t) {
    for (volatile int64_t i = 0; i < 1000000; ++i)
      ;
    y[t] = x[t] + x[t];
  }
}

//===- TestKernels.h - A hand-made host image -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels written in C, compiled into a section of the test program whose bytes are the
// flat image of a package.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_TESTKERNELS_H
#define KILN_TEST_RUNTIME_TESTKERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KILN_TEST_KERNEL(name)                                                           \
  void name(void *const *buffers, const int64_t *symbols, int64_t begin, int64_t end,    \
            void *scratch)

/// y[t][i] = x[t][i] * w[0] + w[1]; buffers x, w, y; symbols: seq.
KILN_TEST_KERNEL(kiln_test_scale);
/// s[t] = sum of x[t][i], using seq floats of scratch; buffers x, s.
KILN_TEST_KERNEL(kiln_test_row_sum);
/// state[0] += x[0]; out[0] = state[0]; buffers x, state, state, out.
KILN_TEST_KERNEL(kiln_test_accumulate);
/// Spins until buffers[0][0] is not zero, then copies it to buffers[1][0].
KILN_TEST_KERNEL(kiln_test_wait);
/// y[t] = 2 * x[t], after a loop of a million steps; buffers x, y.
KILN_TEST_KERNEL(kiln_test_spin);

/// Start and end of the kernels' section.
extern const char kilnTestImageBegin[] __asm__("__start_kiln_test_kernels");
extern const char kilnTestImageEnd[] __asm__("__stop_kiln_test_kernels");

#ifdef __cplusplus
}
#endif

#endif // KILN_TEST_RUNTIME_TESTKERNELS_H

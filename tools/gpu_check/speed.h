//===- speed.h - Kiln's kernels beside others -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_SPEED_H
#define KILN_GPU_CHECK_SPEED_H

#include "tools/gpu_check/options.h"
#include "tools/gpu_check/report.h"

namespace kiln::gpucheck {

/// Measures every line of the archive's speed.txt for this kind of device:
///
///   KIND NAME PACKAGE WHERE [key=value ...]
///
/// KIND: gemm, gemv, rows, attention or model. WHERE: gpu, sim or both. Keys: dims of
/// the package's symbols; m, n, k of a GEMM, and layout=nt if B is n x k; batch, heads,
/// length and size of an attention; scale of random numbers. Inputs are normally
/// distributed and generated here; there are so many sets that they fill three times the
/// L2 cache, each with its own session. The runtime's graphs and captured graphs of
/// cuBLAS, of cuDNN and of a copy are launched alternately on one stream.
void measureSpeed(const Gpu &gpu, const Options &options, Report &report);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_SPEED_H

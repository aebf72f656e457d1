//===- bits.h - Tensor cores against the simulator --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_BITS_H
#define KILN_GPU_CHECK_BITS_H

#include "tools/gpu_check/gpu.h"
#include "tools/gpu_check/options.h"
#include "tools/gpu_check/report.h"

namespace kiln::gpucheck {

/// Runs each MMA instruction of products.def on both GPUs with operands of every pattern
/// and compares the results bit by bit, NaN included. Vectors that differ (at most 4 per
/// pattern) are written to options.out/vectors/<instruction>.txt; with --freeze, vectors
/// that agree to options.out/frozen/<instruction>.<capability>.txt.
void checkBits(const Gpu &gpu, const Gpu &reference, const Options &options,
               Report &report);

/// Recomputes the vectors of options.files on options.device or, if none was given, on
/// the simulator of the GPU that they come from.
void replayVectors(const Options &options, Report &report);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_BITS_H

//===- SplitModel.h - Cost of split-K ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common to the models that rank configs. Cycles are those of one multiprocessor of the
// target, whose figures are in lib/Target/GpuModels.cpp. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_CONFIG_SPLITMODEL_H
#define KILN_LIB_CODEGEN_GEMM_CONFIG_SPLITMODEL_H

#include "kiln/Codegen/Gemm.h"

namespace kiln::codegen {

/// Returns the splits of K to try where `blocks` tiles of `steps` steps do not fill
/// `multiprocessors`, ascending from 1, without those that leave a split empty. Only 1 if
/// an extent has no bound before run time, since the workspace depends on it.
llvm::SmallVector<int64_t> splitCandidates(const GemmProblem &problem, int64_t blocks,
                                           int64_t steps, int64_t multiprocessors);

/// Returns the steps of the longest split.
inline int64_t partSteps(int64_t steps, int64_t split) {
  return (steps + split - 1) / split;
}

/// Cycles for a task to store `sumBytes` of accumulators and to count its arrival
/// (leave), and for the `threads` of the last task to load those of all (fetch). Both are
/// 0 without split-K.
int64_t leaveCycles(const GpuModel &machine, int64_t split, int64_t sumBytes);
int64_t fetchCycles(const GpuModel &machine, int64_t split, int64_t sumBytes,
                    int64_t threads);

/// Registers per thread for loads of other splits' accumulators in flight.
inline constexpr int64_t kFetchRegisters = 64;

/// Returns the cycles of memory traffic for operands and result, which do not depend on
/// the split.
int64_t memoryCycles(const GemmProblem &problem, const GpuModel &machine);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_CONFIG_SPLITMODEL_H

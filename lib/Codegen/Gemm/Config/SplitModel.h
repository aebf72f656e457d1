//===- SplitModel.h - What split-K costs ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the models that rank configs. Cycles are of one multiprocessor of the
// target; its figures are in lib/Target/GpuModels.cpp. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_CONFIG_SPLITMODEL_H
#define KILN_LIB_CODEGEN_GEMM_CONFIG_SPLITMODEL_H

#include "kiln/Codegen/Gemm.h"

namespace kiln::codegen {

/// Splits of K that are worth a try where `blocks` tiles of `steps` steps do not fill
/// `multiprocessors`: 1 first, then such as leave no split empty, ascending. Only 1
/// where the problem has an extent that nothing bounds before run time, on which the
/// workspace would depend.
llvm::SmallVector<int64_t> splitCandidates(const GemmProblem &problem, int64_t blocks,
                                           int64_t steps, int64_t multiprocessors);

/// Steps of the longest split.
inline int64_t partSteps(int64_t steps, int64_t split) {
  return (steps + split - 1) / split;
}

/// Cycles that a task needs to store `sumBytes` of accumulators and to count its arrival,
/// and that the `threads` of the last task need to fetch those of all. 0 without split-K.
int64_t leaveCycles(const GpuModel &machine, int64_t split, int64_t sumBytes);
int64_t fetchCycles(const GpuModel &machine, int64_t split, int64_t sumBytes,
                    int64_t threads);

/// Registers of a thread that accumulators of other splits are under way to.
inline constexpr int64_t kFetchRegisters = 64;

/// Cycles that memory needs for operands and result, however the work is cut.
int64_t memoryCycles(const GemmProblem &problem, const GpuModel &machine);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_CONFIG_SPLITMODEL_H

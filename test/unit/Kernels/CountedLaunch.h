//===- CountedLaunch.h - A launch and its counters --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_COUNTEDLAUNCH_H
#define KILN_TEST_UNIT_KERNELS_COUNTEDLAUNCH_H

#include "LaunchConfig.h"
#include "kiln/Execution/Inputs.h"
#include "kiln/Execution/SessionSettings.h"

namespace kiln::test {

/// Bytes of a sector, the granularity of global memory accesses.
inline constexpr uint64_t kSectorBytes = 32;

/// Counters of the simulated GPU that table rows check.
struct LaunchCounters {
  std::string kernel;
  uint64_t blocks = 0;  ///< along x
  uint64_t threads = 0; ///< of all blocks
  uint64_t warpInstructions = 0;
  uint64_t tensorFlops = 0, f32Flops = 0;
  uint64_t bytes = 0, sectors = 0, distinctSectors = 0; ///< of global memory
  uint64_t localBytes = 0;
  uint64_t sharedBytes = 0, sharedAccesses = 0, bankConflicts = 0;
  /// Lines of the PTX, counted from 1, with their numbers of bank conflicts.
  std::vector<std::pair<size_t, uint64_t>> conflictLines;
  uint64_t atomics = 0;
  uint64_t bulkGlobalBytes = 0, bulkSharedBytes = 0; ///< of bulk copies (TMA)
};

/// One launch of a run.
struct CountedLaunch {
  LaunchCounters counters;
  std::string hero, node; ///< of the plan's step: "attention", and its first ONNX node
  LaunchConfig config;
  std::string ptx;
};

/// Runs a package with code for one GPU once and returns its launches, in order.
std::vector<CountedLaunch> countRun(kiln_model *model,
                                    const execution::SessionSettings &settings,
                                    const execution::InputSet &inputs);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_COUNTEDLAUNCH_H

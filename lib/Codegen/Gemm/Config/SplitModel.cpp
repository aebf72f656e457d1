//===- SplitModel.cpp - Cost of split-K -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitModel.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Maximum number of splits; more would only lengthen the final addition.
static constexpr int64_t kMaxGemmSplits = 32;
/// Maximum number of waves for which another split may fill the last wave better.
static constexpr int64_t kFewWaves = 2;

SmallVector<int64_t> kiln::codegen::splitCandidates(const GemmProblem &problem,
                                                    int64_t blocks, int64_t steps,
                                                    int64_t multiprocessors) {
  SmallVector<int64_t> splits{1};
  bool isKnown =
      problem.m && problem.allowSplitK && problem.n && problem.k && problem.isBatchKnown;
  if (!isKnown || blocks >= kFewWaves * multiprocessors)
    return splits;
  for (int64_t split = 2; split <= std::min(kMaxGemmSplits, steps); ++split)
    if (partSteps(steps, partSteps(steps, split)) == split)
      splits.push_back(split);
  return splits;
}

int64_t kiln::codegen::leaveCycles(const GpuModel &machine, int64_t split,
                                   int64_t sumBytes) {
  // A fence waits for the stores, then the arrival counter in L2 responds: two round
  // trips.
  return split == 1 ? 0 : sumBytes / machine.l2Bytes + 2 * machine.l2Latency;
}

int64_t kiln::codegen::fetchCycles(const GpuModel &machine, int64_t split,
                                   int64_t sumBytes, int64_t threads) {
  if (split == 1)
    return 0;
  int64_t bytes = split * sumBytes, underWay = threads * kFetchRegisters * 4;
  return std::max(bytes / machine.l2Bytes,
                  (bytes + underWay - 1) / underWay * machine.l2Latency);
}

int64_t kiln::codegen::memoryCycles(const GemmProblem &problem, const GpuModel &machine) {
  if (!problem.m || !problem.n || !problem.k)
    return 0;
  int64_t bytes = *problem.m * *problem.k * problem.operandBytes +
                  *problem.k * *problem.n * problem.rhsBytes;
  return problem.batch * bytes / machine.memoryBytes;
}

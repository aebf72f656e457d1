//===- Config.cpp - Configs of scatter kernels ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result is divided into parts, each of which reads all indices of its batch. Parts
// must be large enough to amortize that, and small enough to be copied quickly.
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Scatter.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Threads per block.
static constexpr int64_t kScatterBlockThreads = 128;
/// Rows per thread group.
static constexpr int64_t kTeamRows = 16;
/// Accesses per thread for a part in registers.
static constexpr int64_t kHeldAccesses = 4;
/// Elements that a task of a host copies, and registers per fragment.
static constexpr int64_t kHostGrain = 16384;
static constexpr int64_t kHostRegisters = 4;
static constexpr int64_t kHostChunk = 32;

/// Returns the lanes of a fragment, which is not longer than a row.
static int64_t fitLanes(int64_t limit, std::optional<int64_t> columns) {
  return std::min<int64_t>(
      limit, llvm::PowerOf2Ceil(std::max<int64_t>(columns.value_or(limit), 1)));
}

static tile::ScatterConfigAttr
chooseForGpu(MLIRContext *context, const ScatterProblem &problem, const GpuInfo &gpu) {
  int64_t width = gpu.accessBytes / problem.elementBytes, warp = gpu.warpThreads;
  if (problem.columns == 1) {
    // Types narrower than f32 are computed in f32 and take as many registers.
    int64_t lanes = warp * kHeldAccesses *
                    (gpu.accessBytes / std::max<int64_t>(problem.elementBytes, 4));
    return tile::ScatterConfigAttr::get(context, lanes, lanes, 2 * warp, /*held=*/true,
                                        kScatterBlockThreads, warp);
  }
  int64_t lanes = fitLanes(warp * width, problem.columns);
  int64_t team = std::clamp<int64_t>(lanes / width, 1, warp);
  int64_t chunk = std::max<int64_t>(2 * team, 8);
  return tile::ScatterConfigAttr::get(context, kTeamRows, lanes, chunk, /*held=*/false,
                                      kScatterBlockThreads, team);
}

SmallVector<tile::ScatterConfigAttr>
kiln::codegen::rankScatterConfigs(MLIRContext *context, const ScatterProblem &problem,
                                  const TargetInfo &target) {
  if (target.gpu)
    return {chooseForGpu(context, problem, *target.gpu)};
  int64_t limit = target.lanes(problem.elementBytes) * kHostRegisters;
  bool isColumn = problem.columns == 1;
  int64_t lanes = isColumn ? limit : fitLanes(limit, problem.columns);
  int64_t rows = isColumn ? kHostGrain : std::max<int64_t>(kHostGrain / lanes, 1);
  return {tile::ScatterConfigAttr::get(context, rows, lanes, kHostChunk, /*held=*/false,
                                       /*threads=*/0, /*team=*/0)};
}

//===- ScaledConfig.cpp - GPU configs for quantized operands --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models the busiest multiprocessor: the instructions of its warps, the time that each
// waits for the quantized weights of a loop step, and the bytes of the weights. A GEMV is
// bound by bytes; with many rows, scaling the accumulators takes most instructions.
//
//===----------------------------------------------------------------------===//

#include "ScaledConfig.h"
#include "TensorConfig.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Extents that the model assumes for dims known at run time only.
static constexpr int64_t kScaledTypicalRows = 512, kScaledTypicalColumns = 512,
                         kTypicalSteps = 1024;
/// Limits of the rows per warp: half the rows of an MMA tile (m16), and four MMA tiles.
static constexpr int64_t kMinScaledRows = 8, kMaxScaledRows = 64, kMaxPanels = 8;
/// Maximum blocks of K per loop step, for tiles of up to kSkinnyRows rows.
static constexpr int64_t kMaxTogether = 4, kSkinnyRows = 16;

bool kiln::codegen::hasTileRegisters(const GemmProblem &problem,
                                     const TargetInfo &target) {
  return target.has("amx-int8") && problem.multipliesCodes && problem.scaleBlock > 0 &&
         problem.scaleBlock % 32 == 0;
}

/// Splits of K within a block: maximum warps per block, and minimum loop steps of each.
static constexpr int64_t kMaxScaledWarps = 8, kMinStepsOfWarp = 2;

int64_t kiln::codegen::scaledSplit(tile::BlockGemmConfigAttr config) {
  return std::max<int64_t>(config.getThreads() / (config.getPanels() * kScaledWarp), 1);
}

int64_t kiln::codegen::scaledEpiloguePadding(int64_t panels) {
  return panels % 2 ? 0 : 16;
}

/// Returns the blocks of K per loop step, a divisor of all blocks. A GEMV has more of
/// them, to have more weights in flight.
static int64_t blocksTogether(const GemmProblem &problem, int64_t rows) {
  int64_t blocks = problem.k.value_or(kTypicalSteps) / problem.scaleBlock;
  int64_t together =
      std::max<int64_t>(kMaxTogether * kSkinnyRows / std::max(rows, kSkinnyRows), 1);
  while (blocks % together)
    --together;
  return together;
}

BlockResources kiln::codegen::scaledGemmResources(const GemmProblem &problem,
                                                  tile::BlockGemmConfigAttr config) {
  constexpr int64_t kOtherRegisters = 72, kAccumulators = 4, kOfRow = 6;
  int64_t rows = config.getRows(), panels = config.getPanels();
  int64_t pitch = panels * problem.width + scaledEpiloguePadding(panels);
  // Accumulators of f32 and of i32; scales, row sums and quantized values of the rows.
  return {config.getThreads(),
          scaledSplit(config) * rows * pitch * problem.accumulatorBytes,
          kOtherRegisters + rows / kMinScaledRows * (2 * kAccumulators + kOfRow)};
}

int64_t kiln::codegen::scaledGemmCycles(const GemmProblem &problem,
                                        const TargetInfo &target,
                                        tile::BlockGemmConfigAttr config) {
  // Instructions of a warp per block of K: to read, unpack and scale the weights; and,
  // per 8 rows, to read and multiply their quantized values and scale the accumulators.
  constexpr int64_t kOfPanel = 32, kOfRows = 32;
  const GpuModel &machine = target.gpu->model;
  int64_t m = problem.m.value_or(kScaledTypicalRows),
          n = problem.n.value_or(kScaledTypicalColumns),
          k = problem.k.value_or(kTypicalSteps);
  int64_t panels = config.getPanels(), rowTiles = config.getRows() / kMinScaledRows;
  int64_t split = scaledSplit(config), warps = panels * split;
  int64_t tasks = llvm::divideCeil(m, config.getRows()) *
                  llvm::divideCeil(n, panels * problem.width) * problem.batch;
  int64_t ofFullest = llvm::divideCeil(tasks, machine.multiprocessors);
  int64_t resident = std::min<int64_t>(
      machine.residentThreads / config.getThreads(),
      target.gpu->registersPerMultiprocessor /
          (config.getThreads() * scaledGemmResources(problem, config).registers));
  int64_t together = std::clamp<int64_t>(resident, 1, ofFullest);
  int64_t blocks = k / problem.scaleBlock,
          steps = llvm::divideCeil(k, config.getBlockK() * split);
  int64_t issue = ofFullest * panels * blocks * (kOfPanel + rowTiles * kOfRows) /
                  std::min(machine.partitions, together * warps);
  int64_t stepBytes = config.getBlockK() * problem.width * problem.codeBits / 8;
  int64_t inL2 = std::min(steps, kScaledPrefetch / (stepBytes * split));
  int64_t wait = llvm::divideCeil(ofFullest, together) *
                 (inL2 * machine.l2Latency + (steps - inL2) * machine.memoryLatency);
  int64_t weightBytes = problem.batch * n * k * problem.codeBits / 8;
  int64_t epilogueBytes =
      config.getRows() * panels * problem.width * problem.accumulatorBytes;
  int64_t epilogue = (1 + split) * epilogueBytes / machine.sharedBytes +
                     epilogueBytes / machine.l2Bytes + machine.blockCycles;
  return std::max({issue, wait, weightBytes / machine.memoryBytes}) +
         std::min({issue, wait}) / 4 + ofFullest * epilogue + machine.memoryLatency;
}

/// Returns the possible numbers of warps that split K, given the panels per block and the
/// steps of K per iteration. GEMMs of quantized activations are not split: they must add
/// blocks of K in the host's order.
static SmallVector<int64_t> splitsOf(const GemmProblem &problem, int64_t panels,
                                     int64_t steps) {
  SmallVector<int64_t> splits{1};
  int64_t k = problem.k.value_or(kTypicalSteps);
  for (int64_t split = 2; !problem.multipliesCodes && split * panels <= kMaxScaledWarps &&
                          split * steps * kMinStepsOfWarp <= k;
       split *= 2)
    splits.push_back(split);
  return splits;
}

SmallVector<tile::BlockGemmConfigAttr>
kiln::codegen::rankScaledGemmConfigs(MLIRContext *context, const GemmProblem &problem,
                                     const TargetInfo &target) {
  const GpuInfo &gpu = *target.gpu;
  int64_t m = problem.m.value_or(kMaxScaledRows);
  int64_t panels =
      llvm::divideCeil(problem.n.value_or(kMaxPanels * problem.width), problem.width);
  int64_t group = epilogueTeam(problem, problem.width, gpu);
  SmallVector<std::pair<int64_t, tile::BlockGemmConfigAttr>> timed;
  for (int64_t rows = kMinScaledRows; rows <= kMaxScaledRows; rows *= 2)
    for (int64_t across = 1; across <= kMaxPanels; across *= 2) {
      if ((rows > kMinScaledRows && rows >= 2 * m) ||
          (across > 1 && across >= 2 * panels))
        continue; // more than half of the tile would be outside
      int64_t steps = blocksTogether(problem, rows) * problem.scaleBlock;
      for (int64_t split : splitsOf(problem, across, steps)) {
        auto config = tile::BlockGemmConfigAttr::get(context, rows, across, steps,
                                                     /*stages=*/1,
                                                     across * split * kScaledWarp, group,
                                                     /*split=*/1);
        if (scaledGemmResources(problem, config).sharedBytes <= gpu.maxSharedBytes)
          timed.push_back({scaledGemmCycles(problem, target, config), config});
      }
    }
  llvm::stable_sort(timed, llvm::less_first());
  return llvm::map_to_vector(timed, [](const auto &entry) { return entry.second; });
}

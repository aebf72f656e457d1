//===- Config.cpp - Configs of GEMM kernels -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rationale/tile.md has the measurements behind the constants.
//
//===----------------------------------------------------------------------===//

#include "HostConfig.h"
#include "ScaledConfig.h"
#include "SplitModel.h"
#include "TensorConfig.h"
#include "lib/Codegen/Blocks.h"
#include "lib/Codegen/Gemm/Host/HostTile.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Maximum rows per task, and with AMX: a multiple of the 16 rows of a tile register.
static constexpr int64_t kHostRows = 96, kHostTileRows = 128;
/// Extents that the model assumes for dims known at run time only.
static constexpr int64_t kBlockTypicalRows = 512, kBlockTypicalColumns = 512,
                         kBlockTypicalDepth = 128;
/// Maximum cost of an epilogue that is computed in registers, in instructions per
/// element.
static constexpr int64_t kLightEpilogue = 12;

int64_t kiln::codegen::gemmPanelWidth(Type elementType) {
  // Two registers of AVX2 or one of AVX-512, so that both have the same panels.
  return elementType.isF64() ? 8 : 16;
}

bool kiln::codegen::usesBf16Tiles(const GemmProblem &problem) {
  return problem.dot == tile::DotProduct::tdpbf16ps;
}

/// Returns the vector registers of a row of a panel.
static int64_t registersPerPanel(const GemmProblem &problem, const TargetInfo &target) {
  return std::max<int64_t>(problem.width / target.lanes(problem.accumulatorBytes), 1);
}

int64_t kiln::codegen::hostTileRegisters(const GemmProblem &problem,
                                         const TargetInfo &target, int64_t rows,
                                         int64_t group) {
  return (rows + 1) * group * registersPerPanel(problem, target) + 1;
}

/// Returns the maximum number of rows for which the registers suffice.
static int64_t tileRows(const GemmProblem &problem, const TargetInfo &target,
                        int64_t group) {
  int64_t rows = 12;
  while (rows > 1 &&
         hostTileRegisters(problem, target, rows, group) > target.vectorRegisters)
    --rows;
  return rows;
}

/// Returns the K of a pass, such that the rows of a task fit three quarters of L2; 0: all
/// of K.
static int64_t chooseDepth(const GemmProblem &problem, const TargetInfo &target,
                           int64_t rows = kHostRows) {
  int64_t k = problem.k.value_or(kBlockTypicalDepth);
  int64_t bytes = problem.dot ? problem.operandBytes : problem.accumulatorBytes;
  int64_t limit = target.l2Bytes * 3 / 4 / (rows * bytes);
  if (k <= limit)
    return 0;
  int64_t blocks = (k + limit - 1) / limit;
  // 32 steps are one tdpbf16ps, whose order of additions a pass must not change.
  int64_t unit =
      std::max<int64_t>(problem.rhsScaleBlock, problem.dot ? kTileRegisterSteps : 16);
  return llvm::alignTo((k + blocks - 1) / blocks, unit);
}

/// Returns the panels per task: up to 8 tasks along the columns, each a multiple of
/// `group` panels, which the tile reads together.
static int64_t choosePanels(const GemmProblem &problem, int64_t width, int64_t group) {
  if (!problem.n)
    return 8;
  int64_t panels = (*problem.n + width - 1) / width;
  int64_t groups = panels >= 32 ? 8 : panels >= 8 ? 4 : panels >= 2 ? 2 : 1;
  int64_t perTask = std::max<int64_t>((panels + groups - 1) / groups, 1);
  return std::min<int64_t>(llvm::alignTo(perTask, group), std::max<int64_t>(panels, 1));
}

/// Ranks configs of quantized operands. The integer accumulators of one block of K fill
/// the registers; after each block they are added to accumulators of f32, which wait on
/// the stack (docs/rationale/quantization.md). All of K is one pass. With AMX a panel has
/// 16 rows, and its f32 accumulators fill half of the vector registers.
static SmallVector<tile::GemmConfigAttr>
rankScaledConfigs(MLIRContext *context, const GemmProblem &problem,
                  const TargetInfo &target, int64_t group, int64_t panels) {
  if (hasTileRegisters(problem, target) &&
      problem.m.value_or(kBlockTypicalRows) >= kTileRegisterRows / 2)
    return {tile::GemmConfigAttr::get(
        context, kTileRegisterRows, problem.width, kHostTileRows, panels, /*kc=*/0,
        /*ku=*/4, /*group=*/1, problem.epilogueCost > kLightEpilogue)};
  return {tile::GemmConfigAttr::get(context, tileRows(problem, target, group),
                                    problem.width, kHostRows, panels, /*kc=*/0, /*ku=*/4,
                                    group, problem.epilogueCost > kLightEpilogue)};
}

SmallVector<tile::GemmConfigAttr>
kiln::codegen::rankGemmConfigs(MLIRContext *context, const GemmProblem &problem,
                               const TargetInfo &target) {
  int64_t width = problem.width;
  // As many panels as make a row of the tile two registers wide.
  int64_t group = std::max<int64_t>(2 / registersPerPanel(problem, target), 1);
  int64_t panels = choosePanels(problem, width, std::max(group, problem.panelsPerPack));
  if (problem.scaleBlock)
    return rankScaledConfigs(context, problem, target, group, panels);
  bool byRowPanels = problem.epilogueCost > kLightEpilogue;
  if (usesBf16Tiles(problem))
    return {tile::GemmConfigAttr::get(context, kBf16TileRows, width, kHostTileRows,
                                      panels, chooseDepth(problem, target, kHostTileRows),
                                      /*ku=*/4, kBf16TilePanels, byRowPanels)};
  SmallVector<tile::GemmConfigAttr> configs;
  for (int64_t sideBySide : {group, int64_t(1)})
    for (int64_t kc : {chooseDepth(problem, target), int64_t(0)}) {
      int64_t mr = tileRows(problem, target, sideBySide);
      auto config = tile::GemmConfigAttr::get(context, mr, width, kHostRows, panels, kc,
                                              4, sideBySide, byRowPanels);
      if (!llvm::is_contained(configs, config))
        configs.push_back(config);
    }
  return configs;
}

//===----------------------------------------------------------------------===//
// Blocks of threads
//===----------------------------------------------------------------------===//

/// Threads per block; each thread computes four rows by two columns of every panel.
static constexpr int64_t kGemmBlockThreads = 128, kThreadRows = 4, kThreadColumns = 2;
/// Bytes of K that are staged per row: two sectors.
static constexpr int64_t kStagedBytes = 64;

namespace {
struct GemmBlockTile {
  int64_t rows, columns, depth, stages;
};
} // namespace

/// Returns the cycles of the busiest multiprocessor, with K split over `split` blocks.
static int64_t blockCycles(const GemmProblem &problem, const GpuModel &machine,
                           const GemmBlockTile &tile, int64_t split) {
  auto ceil = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  int64_t blocks = ceil(*problem.m, tile.rows) * ceil(*problem.n, tile.columns);
  int64_t waves = ceil(blocks * problem.batch * split, machine.multiprocessors);
  int64_t staged = (tile.rows + tile.columns) * tile.depth * problem.accumulatorBytes;
  int64_t step =
      std::max({tile.rows * tile.columns * tile.depth / machine.multiplyAdds,
                staged / machine.l2Bytes, machine.l2Latency / (tile.stages - 1)}) +
      machine.stepCycles;
  int64_t sumBytes = tile.rows * tile.columns * problem.accumulatorBytes;
  int64_t steps = partSteps(ceil(*problem.k, tile.depth), split);
  return std::max(waves * steps * step, memoryCycles(problem, machine)) +
         waves * (machine.l2Latency + leaveCycles(machine, split, sumBytes)) +
         ceil(waves, split) * fetchCycles(machine, split, sumBytes, kGemmBlockThreads);
}

int64_t kiln::codegen::blockGemmCycles(const GemmProblem &problem,
                                       const TargetInfo &target,
                                       tile::BlockGemmConfigAttr config) {
  GemmProblem known = problem;
  known.m = problem.m.value_or(kBlockTypicalRows);
  known.n = problem.n.value_or(kBlockTypicalColumns);
  known.k = problem.k.value_or(kBlockTypicalDepth);
  GemmBlockTile tile{config.getRows(), config.getPanels() * problem.width,
                     config.getBlockK(), config.getStages()};
  return blockCycles(known, target.gpu->model, tile, config.getSplit());
}

/// Returns the fastest number of splits of K for a tile; the lowest if several are equal.
static int64_t chooseSplit(const GemmProblem &problem, const GpuModel &machine,
                           const GemmBlockTile &tile) {
  if (!problem.m || !problem.n || !problem.k)
    return 1;
  int64_t blocks = (*problem.m + tile.rows - 1) / tile.rows * problem.batch *
                   ((*problem.n + tile.columns - 1) / tile.columns);
  int64_t steps = (*problem.k + tile.depth - 1) / tile.depth;
  SmallVector<int64_t> splits =
      splitCandidates(problem, blocks, steps, machine.multiprocessors);
  return *std::min_element(splits.begin(), splits.end(), [&](int64_t a, int64_t b) {
    return blockCycles(problem, machine, tile, a) <
           blockCycles(problem, machine, tile, b);
  });
}

/// Returns the rows per block. With few rows, halves or quarters the height, so that more
/// blocks divide the columns.
static int64_t blockRows(const GemmProblem &problem, int64_t threadRows) {
  int64_t rows = threadRows * kThreadRows;
  while (problem.m && *problem.m <= rows / 2 && rows > threadRows)
    rows /= 2;
  return rows;
}

SmallVector<tile::BlockGemmConfigAttr>
kiln::codegen::rankBlockGemmConfigs(MLIRContext *context, const GemmProblem &problem,
                                    const TargetInfo &target) {
  if (problem.scaleBlock)
    return rankScaledGemmConfigs(context, problem, target);
  if (problem.onTensorCores)
    return rankTensorGemmConfigs(context, problem, target);
  const GpuInfo &gpu = *target.gpu;
  int64_t width = problem.width,
          threadColumns = std::max<int64_t>(width / kThreadColumns, 1);
  int64_t rows = blockRows(problem, kGemmBlockThreads / threadColumns);
  int64_t depth = std::max<int64_t>(kStagedBytes / problem.accumulatorBytes, 8);
  int64_t group = epilogueTeam(problem, width, gpu);
  int64_t panels = problem.n ? (*problem.n + width - 1) / width : 4;
  SmallVector<tile::BlockGemmConfigAttr> configs;
  for (int64_t across : {4, 8, 2, 1}) {
    if (across > panels && across > 1)
      continue;
    int64_t bytes = (rows + across * width) * depth * problem.accumulatorBytes;
    for (int64_t stages : {3, 2}) {
      int64_t padding = epiloguePadding(rows, across * width, problem.deal);
      int64_t epilogueTile = rows * (across * width + padding) * problem.accumulatorBytes;
      if (bytes * stages + epilogueTile > gpu.maxSharedBytes)
        continue;
      int64_t split =
          chooseSplit(problem, gpu.model, {rows, across * width, depth, stages});
      configs.push_back(tile::BlockGemmConfigAttr::get(
          context, rows, across, depth, stages, kGemmBlockThreads, group, split));
    }
  }
  return configs;
}

/// Returns the resources of a config: shared memory for the stages and the epilogue tile,
/// and registers for accumulators.
BlockResources kiln::codegen::blockGemmResources(const GemmProblem &problem,
                                                 tile::BlockGemmConfigAttr config) {
  constexpr int64_t kOtherRegisters = 40;
  int64_t rows = config.getRows(), columns = config.getPanels() * problem.width;
  int64_t stage = (rows + columns) * config.getBlockK();
  int64_t epilogueTile = rows * (columns + epiloguePadding(rows, columns, problem.deal));
  int64_t sums = rows * columns / std::max<int64_t>(config.getThreads(), 1);
  return {config.getThreads(),
          (stage * config.getStages() + epilogueTile) * problem.accumulatorBytes,
          sums * problem.accumulatorBytes / 4 + kOtherRegisters};
}

bool kiln::codegen::isBlockGemmTile(const GemmProblem &problem, const TargetInfo &target,
                                    tile::BlockGemmConfigAttr config) {
  auto known = rankBlockGemmConfigs(config.getContext(), problem, target);
  int64_t columns = config.getPanels() * problem.width;
  int64_t blocks = 1, steps = 1;
  if (problem.m && problem.n && problem.k) {
    blocks = llvm::divideCeil(*problem.m, config.getRows()) * problem.batch *
             llvm::divideCeil(*problem.n, columns);
    steps = llvm::divideCeil(*problem.k, config.getBlockK());
  }
  constexpr int64_t kMaxStages = 4;
  // Accepts any listed tile with any number of stages and splits that fits.
  return config.getStages() >= 2 && config.getStages() <= kMaxStages &&
         llvm::is_contained(
             splitCandidates(problem, blocks, steps, target.gpu->model.multiprocessors),
             config.getSplit()) &&
         llvm::any_of(known, [&](tile::BlockGemmConfigAttr other) {
           return config == tile::BlockGemmConfigAttr::get(
                                config.getContext(), other.getRows(), other.getPanels(),
                                other.getBlockK(), config.getStages(), other.getThreads(),
                                other.getRowThreads(), config.getSplit());
         });
}

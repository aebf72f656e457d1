//===- WarpgroupConfig.cpp - Configs of GEMM kernels for warpgroups -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block has 64 rows per consumer warpgroup. Narrow tiles give more blocks; wide tiles
// read operands less often. Which is better depends only on how many blocks run at a
// time, so the cost is an estimate: waves times columns times steps of K, which may be
// split over blocks. docs/rationale/gpu.md has the reasons.
//
//===----------------------------------------------------------------------===//

#include "SplitModel.h"
#include "StreamKPlan.h"
#include "TensorConfig.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// M of one wgmma, and its maximum N.
static constexpr int64_t kWgmmaRows = 64, kMostColumns = 256;
/// Fewer rows leave most of a wgmma idle; a smaller K leaves most of a stage empty.
static constexpr int64_t kFewestRows = 32, kFewestDepth = 16;
/// K of a stage: a swizzled row of 128 bytes.
static constexpr int64_t kDepth = 64, kElementBytes = 2, kAccumulatorBytes = 4;
static constexpr int64_t kMostStages = 8;
/// As many as there are tile widths.
static constexpr size_t kMostConfigs = 16;
/// Columns of an epilogue tile, and its padding, which puts the rows of a warp in
/// different banks; columns that cover all banks.
static constexpr int64_t kStripColumns = 64, kStripPadding = 8, kStripRound = 32;
/// Extents that the model assumes for dims known at run time only.
static constexpr int64_t kGroupTypicalRows = 1024, kGroupTypicalColumns = 1024,
                         kGroupTypicalDepth = 1024;
/// Cost of a step of K beyond its MMAs, in columns of wgmma that take as long.
static constexpr int64_t kTaskColumns = 32;
/// Threads per row of a tile.
static constexpr int64_t kRowThreads = 2;
/// Registers per thread of the producer and of the consumers (setmaxnreg): 128 x 40 + 256
/// x 232 is within the 64 Ki of a multiprocessor.
static constexpr int64_t kCopyRegisters = 40, kComputeRegisters = 232;
/// Blocks per cluster.
static constexpr int64_t kPair = 2;
/// Shared memory reserved for barriers and alignment.
static constexpr int64_t kGroupReservedBytes = 1024;

namespace {
struct RatedConfig {
  int64_t rows, panels, split, cost;
  int64_t tailUnits = 0; ///< units of stream-K
};
} // namespace

/// Returns the height of a raster in tiles that minimizes the operand bytes which all
/// multiprocessors read at a time.
static int64_t chooseRaster(const GpuModel &machine, int64_t rows, int64_t columns) {
  auto bytes = [&](int64_t group) {
    return group * rows + ceilDiv(machine.multiprocessors, group) * columns;
  };
  return bytes(8) <= bytes(16) ? 8 : 16;
}

static int64_t tilesOf(const GemmProblem &problem, int64_t rows, int64_t columns) {
  int64_t m = problem.m.value_or(kGroupTypicalRows),
          n = problem.n.value_or(kGroupTypicalColumns);
  return problem.batch * ceilDiv(m, rows) * ceilDiv(n, columns);
}

static int64_t stepsOf(const GemmProblem &problem) {
  return ceilDiv(problem.k.value_or(kGroupTypicalDepth), kDepth);
}

static int64_t costOf(const GemmProblem &problem, const GpuModel &machine, int64_t rows,
                      int64_t columns, int64_t split) {
  int64_t waves =
      ceilDiv(tilesOf(problem, rows, columns) * split, machine.multiprocessors);
  int64_t sumBytes = rows * columns * kAccumulatorBytes;
  int64_t combine =
      waves * leaveCycles(machine, split, sumBytes) +
      ceilDiv(waves, split) * fetchCycles(machine, split, sumBytes, rows * kRowThreads);
  int64_t products =
      waves * (columns + kTaskColumns) * partSteps(stepsOf(problem), split);
  int64_t memory = memoryCycles(problem, machine);
  return std::max(products, memory / machine.wgmmaColumnCycles) +
         combine / machine.wgmmaColumnCycles;
}

/// Returns the stream-K plan that splits the last wave into `units`; nullopt if extents
/// are unknown or the last wave is full.
static std::optional<StreamKPlan> tailPlan(const GemmProblem &problem,
                                           const GpuModel &machine, int64_t rows,
                                           int64_t columns, int64_t units) {
  if (!problem.hasConstantRows || !problem.n || !problem.k || !problem.isBatchKnown)
    return std::nullopt;
  return StreamKPlan::make(tilesOf(problem, rows, columns), machine.multiprocessors,
                           stepsOf(problem), units);
}

static int64_t streamKCost(const GemmProblem &problem, const GpuModel &machine,
                           int64_t rows, int64_t columns, const StreamKPlan &plan) {
  int64_t sumBytes = rows * columns * kAccumulatorBytes, splits = plan.maxSplits();
  int64_t combine = plan.tasksPerUnit() * leaveCycles(machine, splits, sumBytes) +
                    fetchCycles(machine, splits, sumBytes, rows * kRowThreads);
  int64_t steps =
      plan.fullTiles() / machine.multiprocessors * plan.steps + plan.maxUnitSteps();
  int64_t memory = memoryCycles(problem, machine);
  return std::max(steps * (columns + kTaskColumns), memory / machine.wgmmaColumnCycles) +
         combine / machine.wgmmaColumnCycles;
}

/// Returns the tile with the stream-K units that finish its last wave soonest. Excludes
/// GEMMs of less than one full wave, for which split-K gives the same.
static std::optional<RatedConfig> withStreamK(const GemmProblem &problem,
                                              const GpuModel &machine,
                                              const RatedConfig &tile) {
  int64_t columns = tile.panels * problem.width, wave = machine.multiprocessors;
  int64_t tail = tilesOf(problem, tile.rows, columns) % std::max<int64_t>(wave, 1);
  std::optional<RatedConfig> best;
  if (tile.split > 1 || tail == 0)
    return best;
  SmallVector<int64_t> candidates;
  for (int64_t units = 2 * tail; units < wave; units += tail)
    candidates.push_back(units);
  candidates.push_back(wave);
  for (int64_t units : candidates) {
    auto plan = tailPlan(problem, machine, tile.rows, columns, units);
    if (!plan || plan->fullTiles() == 0)
      continue;
    int64_t cost = streamKCost(problem, machine, tile.rows, columns, *plan);
    if (!best || cost < best->cost)
      best = RatedConfig{tile.rows, tile.panels, 1, cost, units};
  }
  return best;
}

int64_t kiln::codegen::warpgroupGemmCost(const GemmProblem &problem,
                                         const TargetInfo &target,
                                         tile::WarpgroupGemmConfigAttr config) {
  int64_t columns = config.getPanels() * problem.width;
  if (auto plan = tailPlan(problem, target.gpu->model, config.getRows(), columns,
                           config.getTailBlocks()))
    return streamKCost(problem, target.gpu->model, config.getRows(), columns, *plan);
  return costOf(problem, target.gpu->model, config.getRows(),
                config.getPanels() * problem.width, config.getSplit());
}

/// Drops stream-K configs that save less than 1/32 of the time of the best config without
/// stream-K: the model is not more accurate, and they cost a workspace.
static void dropPoorStreamK(SmallVector<RatedConfig> &list) {
  constexpr int64_t kMargin = 32;
  int64_t best = INT64_MAX;
  for (const RatedConfig &config : list)
    if (config.tailUnits == 0)
      best = std::min(best, config.cost);
  llvm::erase_if(list, [&](const RatedConfig &config) {
    return config.tailUnits != 0 && config.cost >= best - best / kMargin;
  });
}

static SmallVector<RatedConfig> candidates(const GemmProblem &problem,
                                           const GpuModel &machine,
                                           size_t limit = kMostConfigs) {
  int64_t m = problem.m.value_or(kGroupTypicalRows),
          n = problem.n.value_or(kGroupTypicalColumns);
  int64_t rows = m <= kWgmmaRows ? kWgmmaRows : 2 * kWgmmaRows;
  int64_t most = ceilDiv(std::min(n, kMostColumns), problem.width);
  int64_t fewest = std::min(ceilDiv(kStripColumns, problem.width), most);
  SmallVector<RatedConfig> list;
  // Pairs narrow panels, so that a row of the epilogue tile covers all banks.
  int64_t step = std::max<int64_t>(kStripRound / problem.width, 1);
  for (int64_t panels = fewest; panels <= most; panels += step) {
    int64_t columns = panels * problem.width;
    for (int64_t split : splitCandidates(problem, tilesOf(problem, rows, columns),
                                         stepsOf(problem), machine.multiprocessors)) {
      list.push_back(
          {rows, panels, split, costOf(problem, machine, rows, columns, split)});
      if (auto cut = withStreamK(problem, machine, list.back()))
        list.push_back(*cut);
    }
  }
  dropPoorStreamK(list);
  // Prefers, at equal cost, fewer splits, then wider tiles, which read operands less
  // often.
  llvm::stable_sort(list, [](const RatedConfig &a, const RatedConfig &b) {
    return std::tuple(a.cost, a.split, -a.panels) <
           std::tuple(b.cost, b.split, -b.panels);
  });
  list.resize(std::min(list.size(), limit));
  return list;
}

/// Returns the blocks per cluster, which receive the right operand by multicast. Two if
/// the grid is more than one wave (DeepGEMM, "gemm.get_best_configs": in a single wave
/// multicast gains nothing, and blocks wait for each other) and rounding the row tiles up
/// to pairs does not add a wave.
static int64_t clusterFor(const GemmProblem &problem, const GpuModel &machine,
                          const RatedConfig &config) {
  if (!problem.hasConstantRows || !problem.m || !problem.n || config.split > 1 ||
      config.tailUnits > 0 || config.panels % kPair != 0)
    return 1;
  int64_t wave = machine.multiprocessors, columns = config.panels * problem.width;
  int64_t tiles = tilesOf(problem, config.rows, columns);
  int64_t pairs = tilesOf(problem, kPair * config.rows, columns);
  bool pays = tiles > wave && ceilDiv(kPair * pairs, wave) == ceilDiv(tiles, wave);
  return pays ? kPair : 1;
}

static int64_t stripBytesOf(const GemmProblem &problem, int64_t rows, int64_t strip) {
  return rows * (strip * problem.width + kStripPadding) * kAccumulatorBytes;
}

static int64_t slotBytesOf(int64_t rows, int64_t columns) {
  return (rows + columns) * kDepth * kElementBytes;
}

static tile::WarpgroupGemmConfigAttr
complete(MLIRContext *context, const GemmProblem &problem, const GpuInfo &gpu,
         const RatedConfig &candidate, int64_t cluster) {
  auto [rows, panels, split, cost, tailUnits] = candidate;
  int64_t strip = std::min(std::max<int64_t>(kStripColumns / problem.width, 1), panels);
  strip = std::min(int64_t(llvm::bit_floor(uint64_t(strip))), panels & -panels);
  int64_t columns = panels * problem.width;
  int64_t stages =
      (gpu.maxSharedBytes - kGroupReservedBytes - stripBytesOf(problem, rows, strip)) /
      slotBytesOf(rows, columns);
  int64_t team = epilogueTeam(problem, problem.width, gpu);
  bool moves = rows > kWgmmaRows; // a lone consumer warpgroup has enough registers
                                  // without setmaxnreg
  return tile::WarpgroupGemmConfigAttr::get(
      context, rows, panels, kDepth, std::min(stages, kMostStages), strip, team,
      chooseRaster(gpu.model, rows, columns), moves ? kCopyRegisters : 0,
      moves ? kComputeRegisters : 0, split, cluster, tailUnits);
}

bool kiln::codegen::isWarpgroupCluster(tile::WarpgroupGemmConfigAttr config) {
  bool isPair = config.getCluster() == kPair && config.getSplit() == 1 &&
                config.getTailBlocks() == 0 && config.getPanels() % kPair == 0;
  return config.getCluster() == 1 || isPair;
}

SmallVector<tile::WarpgroupGemmConfigAttr>
kiln::codegen::rankWarpgroupGemmConfigs(MLIRContext *context, const GemmProblem &problem,
                                        const TargetInfo &target) {
  SmallVector<tile::WarpgroupGemmConfigAttr> configs;
  if (!target.gpu || !target.gpu->hasWarpgroupMma || !target.gpu->hasTensorCopy)
    return configs;
  bool suits = problem.hasTensorOperands &&
               problem.m.value_or(kGroupTypicalRows) >= kFewestRows &&
               problem.k.value_or(kDepth) >= kFewestDepth;
  if (suits)
    for (const RatedConfig &candidate : candidates(problem, target.gpu->model)) {
      int64_t cluster = clusterFor(problem, target.gpu->model, candidate);
      configs.push_back(complete(context, problem, *target.gpu, candidate, cluster));
      // The tuner may find that the best config is faster without waiting for another
      // block.
      if (configs.size() == 1 && cluster > 1)
        configs.push_back(complete(context, problem, *target.gpu, candidate, 1));
    }
  return configs;
}

BlockResources
kiln::codegen::warpgroupGemmResources(const GemmProblem &problem,
                                      const TargetInfo &target,
                                      tile::WarpgroupGemmConfigAttr config) {
  int64_t rows = config.getRows(), columns = config.getPanels() * problem.width;
  // One more warpgroup is the producer.
  constexpr int64_t kGroupThreads = 128;
  return {rows * kRowThreads + kGroupThreads,
          config.getStages() * slotBytesOf(rows, columns) +
              stripBytesOf(problem, rows, config.getEpiloguePanels()) +
              kGroupReservedBytes,
          0};
}

bool kiln::codegen::isStreamKTail(const GemmProblem &problem, const TargetInfo &target,
                                  tile::WarpgroupGemmConfigAttr config) {
  return config.getSplit() == 1 &&
         tailPlan(problem, target.gpu->model, config.getRows(),
                  config.getPanels() * problem.width, config.getTailBlocks());
}

bool kiln::codegen::isWarpgroupGemmTile(const GemmProblem &problem,
                                        const TargetInfo &target,
                                        tile::WarpgroupGemmConfigAttr config) {
  constexpr int64_t kMaxRaster = 64;
  if (config.getRaster() < 1 || config.getRaster() > kMaxRaster ||
      config.getStages() > kMostStages)
    return false;
  auto list = candidates(problem, target.gpu->model, /*limit=*/SIZE_MAX);
  return llvm::any_of(list, [&](const RatedConfig &candidate) {
    auto other = complete(config.getContext(), problem, *target.gpu, candidate,
                          config.getCluster());
    return config == tile::WarpgroupGemmConfigAttr::get(
                         config.getContext(), other.getRows(), other.getPanels(),
                         other.getBlockK(), config.getStages(), other.getEpiloguePanels(),
                         other.getRowThreads(), config.getRaster(),
                         other.getCopyRegisters(), other.getComputeRegisters(),
                         other.getSplit(), other.getCluster(), config.getTailBlocks());
  });
}

//===- TensorConfig.cpp - Configs of GEMMs on tensor cores ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times every tile that fits the registers and the shared memory of a block with a model
// of one multiprocessor: MMAs, operands from L2, operands from shared memory, and
// conversions of bytes. The time of a tile is the slowest of these plus a quarter of the
// others; it is multiplied by the tiles of the busiest multiprocessor, and what no other
// block hides is added. Figures of the target are in lib/Target/GpuModels.cpp;
// docs/rationale/gpu.md has the reasons.
//
//===----------------------------------------------------------------------===//

#include "TensorConfig.h"
#include "SplitModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <tuple>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Extents that the model assumes for dims known at run time only.
static constexpr int64_t kTensorTypicalRows = 512, kTensorTypicalColumns = 512,
                         kTensorTypicalDepth = 1024;
/// Registers per thread for anything but accumulators and operands; maximum accumulators,
/// beyond which the compiler would spill.
static constexpr int64_t kTensorOtherRegisters = 48, kMaxAccumulators = 128;
static constexpr int64_t kReservedSharedBytes = 1024;
/// M, N, and bytes of K of one MMA.
static constexpr int64_t kMmaTileRows = 16, kTileColumns = 8, kTileBytes = 32;
/// K tiles. The minimum is one MMA for elements of two bytes, two for four.
static constexpr int64_t kDepths[] = {64, 32, 16}, kLeastDepth = 16;
static constexpr int64_t kMaxTensorConfigs = 8;
/// Columns of an epilogue tile that cover all 32 banks; thread groups read that many
/// together.
static constexpr int64_t kBankRound = 32;

int64_t kiln::codegen::tensorEpiloguePadding() { return 8; }

int64_t kiln::codegen::widenInstructions(const GemmProblem &problem, const GpuInfo &gpu) {
  constexpr int64_t kByConversion = 3, kByBits = 7;
  if (problem.rhsBytes != 1)
    return 0;
  return gpu.hasFloat8 ? kByConversion : kByBits;
}

int64_t kiln::codegen::epiloguePadding(int64_t rows, int64_t columns,
                                       GemmProblem::Deal deal) {
  constexpr int64_t kThreadRows = 16, kBanks = 32, kVector = 4;
  int64_t apart = deal.rows ? 1 : std::max<int64_t>(rows / kThreadRows, 1);
  int64_t wanted = deal.columns ? kBanks / 4 : kBanks / 2;
  for (int64_t padding = 0; padding < kBanks; padding += kVector)
    if ((columns + padding) * apart % kBanks == wanted)
      return padding;
  // With distributed columns, rows four apart conflict in pairs at any padding that keeps
  // rows aligned for vector accesses.
  return kVector;
}

int64_t kiln::codegen::epilogueTeam(const GemmProblem &problem, int64_t columns,
                                    const GpuInfo &gpu) {
  int64_t run = std::min(gpu.accessBytes / problem.accumulatorBytes, problem.resultRun);
  return std::clamp<int64_t>(columns / run, 1, gpu.warpThreads);
}

int64_t kiln::codegen::tensorPanelWidth(std::optional<int64_t> columns,
                                        int64_t operandBytes) {
  constexpr int64_t kLineBytes = 128, kMinColumns = 16;
  int64_t widest = kLineBytes / operandBytes;
  if (!columns)
    return widest;
  return std::clamp<int64_t>(llvm::PowerOf2Ceil(*columns), kMinColumns, widest);
}

namespace {
struct Tile {
  int64_t rows, columns, depth, stages, warps, split = 1;
};

class TensorModel {
public:
  TensorModel(const GemmProblem &problem, const GpuInfo &gpu)
      : problem(problem), gpu(gpu), machine(gpu.model),
        m(problem.m.value_or(kTensorTypicalRows)),
        n(problem.n.value_or(kTensorTypicalColumns)),
        k(problem.k.value_or(kTensorTypicalDepth)) {}

  int64_t sharedBytes(const Tile &tile) const;
  bool fits(const Tile &tile) const;
  int64_t cycles(const Tile &tile) const;
  int64_t depth() const { return k; }
  int64_t blocks(const Tile &tile) const {
    return llvm::divideCeil(m, tile.rows) * llvm::divideCeil(n, tile.columns) *
           problem.batch;
  }

  int64_t registers(const Tile &tile) const;
  int64_t maskedCopyRegisters(const Tile &tile) const;

private:
  /// Returns the approximate number of warps along the columns in the grid that the
  /// lowering chooses.
  int64_t warpColumns(const Tile &tile) const;
  int64_t resident(const Tile &tile) const;
  /// Returns the accumulators per thread. With scales per block of K, the accumulators of
  /// the current block are separate from the totals.
  int64_t accumulators(const Tile &tile) const {
    int64_t count = tile.rows * tile.columns / (tile.warps * gpu.warpThreads);
    return problem.rhsScaleBlock ? 2 * count : count;
  }
  /// Returns the bytes of both operands per step of K.
  int64_t stepBytes(const Tile &tile) const {
    return tile.rows * problem.operandBytes + tile.columns * problem.rhsBytes;
  }

  const GemmProblem &problem;
  const GpuInfo &gpu;
  const GpuModel &machine;
  int64_t m, n, k;
};
} // namespace

int64_t TensorModel::warpColumns(const Tile &tile) const {
  int64_t best = 1, minReads = INT64_MAX;
  for (int64_t across = 1; across <= tile.warps; across *= 2) {
    int64_t down = tile.warps / across;
    if (across * kTileColumns > problem.width || down * kMmaTileRows > tile.rows)
      continue;
    int64_t reads = across * tile.rows + down * tile.columns;
    if (reads < minReads)
      std::tie(best, minReads) = std::pair(across, reads);
  }
  return best;
}

int64_t TensorModel::registers(const Tile &tile) const {
  int64_t across = warpColumns(tile), down = tile.warps / across;
  int64_t left = tile.rows / down / kMmaTileRows * 4,
          right = tile.columns / across / kTileColumns * 2;
  return accumulators(tile) + left + right + kTensorOtherRegisters;
}

/// Returns the registers for addresses. A copy that the edge of the matrix may mask keeps
/// its addresses and a size from step to step. Operands of four bytes have twice as many
/// copies, and also keep the shared-memory addresses of the words that the MMAs read;
/// narrower operands leave enough registers for both.
int64_t TensorModel::maskedCopyRegisters(const Tile &tile) const {
  constexpr int64_t kCopyRegisters = 4;
  if (problem.operandBytes < 4)
    return 0;
  int64_t lines = 0;
  if (!problem.m || !problem.hasConstantRows || *problem.m % tile.rows != 0)
    lines += tile.rows;
  if (!problem.n || *problem.n % tile.columns != 0)
    lines += tile.columns;
  int64_t copies = lines * tile.depth * problem.operandBytes / gpu.accessBytes;
  int64_t words = copies ? tile.depth * 3 / 2 : 0; // as observed in ptxas output
  return copies / (tile.warps * gpu.warpThreads) * kCopyRegisters + words;
}

/// Returns the shared memory of the stages, or of the epilogue tile, which reuses it.
int64_t TensorModel::sharedBytes(const Tile &tile) const {
  int64_t stage = stepBytes(tile) * tile.depth;
  int64_t epilogueTile =
      tile.rows * (tile.columns + tensorEpiloguePadding()) * problem.accumulatorBytes;
  return std::max(stage * tile.stages, epilogueTile);
}

int64_t TensorModel::resident(const Tile &tile) const {
  int64_t threads = tile.warps * gpu.warpThreads;
  int64_t shared = (gpu.maxSharedBytes + kReservedSharedBytes) /
                   (sharedBytes(tile) + kReservedSharedBytes);
  int64_t byRegisters =
      gpu.registersPerMultiprocessor / (threads * llvm::alignTo(registers(tile), 8));
  return std::min({shared, byRegisters, machine.residentThreads / threads});
}

bool TensorModel::fits(const Tile &tile) const {
  int64_t warpTiles = tile.rows / kMmaTileRows * (problem.width / kTileColumns);
  return warpTiles >= tile.warps && accumulators(tile) <= kMaxAccumulators &&
         registers(tile) + maskedCopyRegisters(tile) < gpu.maxThreadRegisters &&
         resident(tile) > 0;
}

int64_t TensorModel::cycles(const Tile &tile) const {
  auto ceil = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  int64_t steps = partSteps(ceil(k, tile.depth), tile.split) * tile.depth;
  int64_t across = warpColumns(tile);
  int64_t staged = stepBytes(tile) * steps;
  // Reading a byte takes one access, like a word.
  int64_t read = (across * tile.rows + tile.warps / across * tile.columns) * steps *
                 problem.operandBytes;
  int64_t sums = tile.rows * tile.columns;
  // Tiles of the busiest multiprocessor.
  int64_t tiles = ceil(blocks(tile) * tile.split, machine.multiprocessors);
  int64_t together = std::min(tiles, resident(tile));
  int64_t busy = std::min(together * tile.warps, machine.partitions);
  int64_t inBytes = steps * problem.operandBytes;
  int64_t multiply =
      sums * inBytes / machine.tensorOperandBytes * machine.partitions / busy;
  int64_t widen = widenInstructions(problem, gpu) * (tile.warps / across) * tile.columns *
                  steps / (gpu.warpThreads * busy);
  int64_t chain = inBytes / kTileBytes * machine.mmaLatency / together;
  std::array costs{multiply, staged / machine.l2Bytes,
                   (staged + read) / machine.sharedBytes, widen};
  int64_t slowest = *llvm::max_element(costs);
  // All copies in flight arrive within one memory latency.
  int64_t inFlight = staged / steps * tile.depth * (tile.stages - 1) * together;
  int64_t arrival = staged * machine.memoryLatency / inFlight;
  int64_t main = std::max({slowest, arrival, chain}) +
                 (costs[0] + costs[1] + costs[2] + costs[3] - slowest) / 4 +
                 machine.stepCycles * (steps / tile.depth) / together;
  // The epilogue tile is written and read; results are stored in two or four bytes.
  int64_t sumBytes = sums * problem.accumulatorBytes;
  int64_t epilogue = 2 * sumBytes / machine.sharedBytes + sumBytes / machine.l2Bytes +
                     machine.blockCycles;
  int64_t leave = leaveCycles(machine, tile.split, sumBytes);
  // Only a few of the multiprocessor's blocks are the last of their tile.
  return std::max(tiles * main, memoryCycles(problem, machine)) +
         ceil(tiles, together) * (epilogue + machine.memoryLatency + leave) +
         ceil(tiles, tile.split) *
             fetchCycles(machine, tile.split, sumBytes, tile.warps * gpu.warpThreads);
}

/// Returns the minimum columns of a tile: a panel, and as many as cover all banks if the
/// matrix has these.
static int64_t minColumns(const GemmProblem &problem) {
  return std::max<int64_t>(
      problem.width,
      std::min<int64_t>(kBankRound, llvm::PowerOf2Ceil(problem.n.value_or(kBankRound))));
}

/// Returns true if all steps of K that are staged together have the same scale, or none.
static bool holdsScale(const GemmProblem &problem, int64_t k) {
  return problem.rhsScaleBlock % k == 0;
}

SmallVector<tile::BlockGemmConfigAttr>
kiln::codegen::rankTensorGemmConfigs(MLIRContext *context, const GemmProblem &problem,
                                     const TargetInfo &target) {
  const GpuInfo &gpu = *target.gpu;
  TensorModel model(problem, gpu);
  SmallVector<std::pair<int64_t, Tile>> timed;
  int64_t deepest = std::max<int64_t>(llvm::PowerOf2Ceil(model.depth()), kLeastDepth);
  int64_t narrowest = minColumns(problem);
  for (int64_t rows = 256; rows >= kMmaTileRows; rows /= 2)
    for (int64_t columns = 256; columns >= narrowest; columns /= 2)
      for (int64_t depth : kDepths)
        for (int64_t stages : {4, 3, 2})
          for (int64_t warps : {4, 8, 2, 1}) {
            Tile tile{rows, columns, depth, stages, warps};
            if (depth > deepest || !holdsScale(problem, depth) || !model.fits(tile))
              continue;
            int64_t steps = llvm::divideCeil(model.depth(), depth);
            for (int64_t split : splitCandidates(problem, model.blocks(tile), steps,
                                                 gpu.model.multiprocessors)) {
              tile.split = split;
              timed.push_back({model.cycles(tile), tile});
            }
          }
  llvm::stable_sort(timed, llvm::less_first());
  SmallVector<tile::BlockGemmConfigAttr> configs;
  int64_t team = epilogueTeam(problem, problem.width, gpu);
  for (auto &[cycles, tile] : ArrayRef(timed).take_front(kMaxTensorConfigs))
    configs.push_back(tile::BlockGemmConfigAttr::get(
        context, tile.rows, tile.columns / problem.width, tile.depth, tile.stages,
        tile.warps * gpu.warpThreads, team, tile.split));
  return configs;
}

static Tile tileOf(const GemmProblem &problem, const GpuInfo &gpu,
                   tile::BlockGemmConfigAttr config) {
  return {config.getRows(),   config.getPanels() * problem.width,    config.getBlockK(),
          config.getStages(), config.getThreads() / gpu.warpThreads, config.getSplit()};
}

int64_t kiln::codegen::tensorGemmCycles(const GemmProblem &problem,
                                        const TargetInfo &target,
                                        tile::BlockGemmConfigAttr config) {
  return TensorModel(problem, *target.gpu).cycles(tileOf(problem, *target.gpu, config));
}

BlockResources kiln::codegen::tensorGemmResources(const GemmProblem &problem,
                                                  const TargetInfo &target,
                                                  tile::BlockGemmConfigAttr config) {
  Tile tile = tileOf(problem, *target.gpu, config);
  TensorModel model(problem, *target.gpu);
  // Thread counts that are no multiple of a warp are rejected elsewhere, before
  // registers.
  int64_t registers =
      tile.warps ? model.registers(tile) + model.maskedCopyRegisters(tile) : 0;
  return {config.getThreads(), model.sharedBytes(tile), registers};
}

bool kiln::codegen::isTensorGemmTile(const GemmProblem &problem, const TargetInfo &target,
                                     tile::BlockGemmConfigAttr config) {
  const GpuInfo &gpu = *target.gpu;
  constexpr int64_t kMaxExtent = 256, kMaxWarps = 8, kMaxStages = 4;
  Tile tile = tileOf(problem, gpu, config);
  auto isBetween = [](int64_t value, int64_t lo, int64_t hi) {
    return llvm::isPowerOf2_64(value) && lo <= value && value <= hi;
  };
  if (!isBetween(tile.rows, kMmaTileRows, kMaxExtent) ||
      !isBetween(tile.columns, minColumns(problem), kMaxExtent) ||
      !isBetween(tile.warps, 1, kMaxWarps) || !llvm::is_contained(kDepths, tile.depth) ||
      !holdsScale(problem, tile.depth) || tile.stages < 2 || tile.stages > kMaxStages ||
      config.getThreads() != tile.warps * gpu.warpThreads ||
      config.getRowThreads() != epilogueTeam(problem, problem.width, gpu))
    return false;
  TensorModel model(problem, gpu);
  int64_t steps = llvm::divideCeil(model.depth(), tile.depth);
  return model.fits(tile) &&
         llvm::is_contained(splitCandidates(problem, model.blocks(tile), steps,
                                            gpu.model.multiprocessors),
                            tile.split);
}

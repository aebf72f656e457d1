//===- GemvConfig.cpp - Configs of GEMV kernels ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GEMV reads the right operand once. Its time depends on how many bytes of it are in
// flight, on how many multiprocessors, and on whether the instructions keep up. Every
// config is timed with a model like that of TensorConfig.cpp: the maximum of bytes from
// L2, latency of loads, and instructions, times the blocks of the busiest multiprocessor.
//
//===----------------------------------------------------------------------===//

#include "TensorConfig.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Maximum rows of a GEMV. With more rows, a tile of tensor cores or of multiply-adds is
/// faster.
static constexpr int64_t kMaxGemvRows = 8;
/// Extents that the model assumes for dims known at run time only.
static constexpr int64_t kGemvTypicalColumns = 512, kGemvTypicalDepth = 1024;
/// Registers per thread for anything but accumulators and operands; maximum registers for
/// which enough warps are resident.
static constexpr int64_t kGemvOtherRegisters = 40, kMaxRegisters = 168;
/// Instructions of a loop step for anything but loads, conversions and multiply-adds.
static constexpr int64_t kStepInstructions = 8;
static constexpr int64_t kMaxGemvWarps = 8, kMaxGemvConfigs = 8;
/// Bytes that one DRAM access fetches of a row of the right operand; using less wastes
/// bandwidth.
static constexpr int64_t kFetchBytes = 64, kFullAccess = 16;
static constexpr int64_t kLanes = tile::GemvConfigAttr::kLanes;

namespace {
/// Models registers and time of a GEMV config. Quantities are per warp unless stated
/// otherwise.
class GemvModel {
public:
  GemvModel(const GemmProblem &problem, const GpuInfo &gpu, tile::GemvConfigAttr config)
      : problem(problem), gpu(gpu), machine(gpu.model), config(config), m(*problem.m),
        n(problem.n.value_or(kGemvTypicalColumns)),
        k(problem.k.value_or(kGemvTypicalDepth)),
        loads(config.getUnroll() * (config.getAlongK() ? config.getColumns() : 1)),
        lanes(config.getKLanes()) {}

  int64_t registers() const;
  int64_t cycles() const;
  /// Returns the steps of K that a warp processes per iteration.
  int64_t depth() const {
    return lanes * config.getUnroll() * (config.getAlongK() ? config.getVector() : 1);
  }

  /// Returns the steps of K for which a warp loads scales at once; without scales,
  /// depth().
  int64_t reach() const {
    return problem.rhsScaleBlock ? lanes * problem.rhsScaleBlock : depth();
  }

private:
  int64_t tailRegisters() const;
  int64_t bytes() const { return loads * kLanes * config.getVector() * problem.rhsBytes; }
  int64_t instructions() const;
  int64_t sharedReads() const;

  const GemmProblem &problem;
  const GpuInfo &gpu;
  const GpuModel &machine;
  tile::GemvConfigAttr config;
  int64_t m, n, k, loads, lanes;
};
} // namespace

int64_t GemvModel::registers() const {
  int64_t sums = m * (config.getAlongK() ? config.getColumns() : config.getVector());
  int64_t right = loads * config.getVector() * problem.rhsBytes / 4;
  int64_t left = config.getUnroll() * (config.getAlongK() ? config.getVector() : 1) *
                 problem.operandBytes / 4;
  // Left operands of at most two rows are live at a time.
  return std::max(sums + right + 2 * left, tailRegisters()) + kGemvOtherRegisters;
}

/// Returns the registers of the left operand in a partial last step of K. Its loads are
/// masked element by element if elements have four bytes or are strided. If row addresses
/// are constant, each load is next to its use and needs no extra register; otherwise the
/// elements of all rows are live at once.
int64_t GemvModel::tailRegisters() const {
  bool isOneByOne = problem.operandBytes >= 4 || !problem.isLhsAlongDepth;
  if (problem.hasConstantRows || !isOneByOne || k % depth() == 0)
    return 0;
  int64_t perRow = config.getAlongK() ? config.getColumns() : config.getUnroll();
  return m * perRow * config.getVector();
}

/// Returns the instructions of a warp per step: loads, conversions, multiply-adds.
int64_t GemvModel::instructions() const {
  int64_t values = loads * config.getVector();
  int64_t left = config.getUnroll() * (config.getAlongK() ? config.getVector() : 1);
  int64_t leftLoads = std::max<int64_t>(left * problem.operandBytes / 16, 1);
  int64_t perValue =
      problem.rhsBytes < 4 ? std::max<int64_t>(widenInstructions(problem, gpu), 1) : 0;
  int64_t converted = perValue * values + (problem.operandBytes < 4 ? m * left : 0);
  return loads + m * leftLoads + converted + m * values + kStepInstructions;
}

/// Returns the cycles of L1 for the left operand per step.
int64_t GemvModel::sharedReads() const {
  int64_t distinct = lanes * config.getUnroll() *
                     (config.getAlongK() ? config.getVector() : 1) * problem.operandBytes;
  return m * std::max<int64_t>(distinct / machine.sharedBytes, 1);
}

int64_t GemvModel::cycles() const {
  int64_t warps = config.getSplit() * config.getAcross(), threads = warps * kLanes;
  int64_t blocks = ceilDiv(n, config.getBlockColumns()) * problem.batch;
  int64_t steps = ceilDiv(k, depth() * config.getSplit());
  int64_t resident = std::min({machine.residentBlocks, machine.residentThreads / threads,
                               gpu.registersPerMultiprocessor / (threads * registers())});
  int64_t tiles = ceilDiv(blocks, machine.multiprocessors);
  int64_t together = std::min(tiles, std::max<int64_t>(resident, 1));
  int64_t read =
      k * config.getBlockColumns() * problem.rhsBytes + m * k * problem.operandBytes;
  // Time of a block while other blocks run on the same multiprocessor.
  int64_t transfer = read / machine.l2Bytes;
  // No load is in flight while a warp computes; the first load's latency is in `finish`.
  int64_t arrival = (steps - 1) * machine.memoryLatency / together;
  int64_t busy = std::min(together * warps, machine.partitions);
  int64_t issue = steps * warps * instructions() / busy;
  int64_t left = steps * warps * sharedReads();
  int64_t finish =
      machine.blockCycles + machine.memoryLatency +
      m * config.getBlockColumns() * config.getSplit() * 8 / machine.sharedBytes;
  return tiles * std::max({transfer, arrival, issue, left}) +
         ceilDiv(tiles, together) * finish;
}

/// Returns the possible columns per warp. If K is not contiguous: a panel, or a part of
/// it that fills DRAM accesses. If K is contiguous: few columns, each of which reuses the
/// left operand.
static SmallVector<int64_t> warpColumns(const GemmProblem &problem) {
  if (problem.isAlongDepth)
    return {4, 2, 1};
  SmallVector<int64_t> columns;
  int64_t max = std::min(problem.width, kLanes * problem.rhsVector);
  for (int64_t count = max; count >= problem.rhsVector; count /= 2)
    if (count == max || count * problem.rhsBytes >= kFetchBytes)
      columns.push_back(count);
  return columns;
}

/// Returns every config that fits the registers, fastest first.
static SmallVector<std::pair<int64_t, tile::GemvConfigAttr>>
timedConfigs(MLIRContext *context, const GemmProblem &problem, const TargetInfo &target) {
  if (!target.gpu || !problem.sumsInF32 || !problem.rhsVector || !problem.m ||
      *problem.m > kMaxGemvRows)
    return {};
  SmallVector<std::pair<int64_t, tile::GemvConfigAttr>> timed;
  auto consider = [&](int64_t columns, int64_t across, int64_t split, int64_t unroll) {
    int64_t team = epilogueTeam(problem, columns * across, *target.gpu);
    auto config =
        tile::GemvConfigAttr::get(context, columns, across, split, problem.rhsVector,
                                  unroll, problem.isAlongDepth, team);
    GemvModel model(problem, *target.gpu, config);
    int64_t depth = problem.k.value_or(kGemvTypicalDepth);
    // Every warp has a tile, and at least half of each tile is inside the operand.
    bool isUseful = (split == 1 || (split - 1) * model.reach() < depth) &&
                    (unroll == 1 || model.depth() <= depth);
    bool fits = problem.hasHalves ? columns * across == problem.width
                                  : columns * across <= problem.width;
    if (isUseful && fits && model.registers() <= kMaxRegisters)
      timed.push_back({model.cycles(), config});
  };
  for (int64_t columns : warpColumns(problem))
    for (int64_t across : {1, 2, 4, 8})
      for (int64_t split : {4, 8, 2, 1})
        for (int64_t unroll : {4, 8, 2, 1})
          if (across * split <= kMaxGemvWarps && (problem.isAlongDepth || across == 1))
            consider(columns, across, split, unroll);
  llvm::stable_sort(timed, llvm::less_first());
  return timed;
}

SmallVector<tile::GemvConfigAttr>
kiln::codegen::rankGemvConfigs(MLIRContext *context, const GemmProblem &problem,
                               const TargetInfo &target) {
  auto timed = timedConfigs(context, problem, target);
  return llvm::map_to_vector(ArrayRef(timed).take_front(kMaxGemvConfigs),
                             [](const auto &entry) { return entry.second; });
}

int64_t kiln::codegen::gemvCycles(const GemmProblem &problem, const TargetInfo &target,
                                  tile::GemvConfigAttr config) {
  return GemvModel(problem, *target.gpu, config).cycles();
}

/// Returns true if accesses are full vectors. The model of tiles does not know that with
/// narrow accesses every element takes an instruction on its way to shared memory, so
/// that it must not be compared.
bool kiln::codegen::competesWithTiles(const GemmProblem &problem) {
  return problem.onTensorCores && problem.rhsVector * problem.rhsBytes >= kFullAccess;
}

tile::GemvConfigAttr kiln::codegen::chooseGemvConfig(MLIRContext *context,
                                                     const GemmProblem &problem,
                                                     const TargetInfo &target) {
  auto configs = rankGemvConfigs(context, problem, target);
  if (configs.empty())
    return {};
  if (!competesWithTiles(problem))
    return configs.front();
  auto tiles = rankTensorGemmConfigs(context, problem, target);
  bool isFaster = tiles.empty() || gemvCycles(problem, target, configs.front()) <=
                                       tensorGemmCycles(problem, target, tiles.front());
  return isFaster ? configs.front() : tile::GemvConfigAttr();
}

BlockResources kiln::codegen::gemvResources(const GemmProblem &problem,
                                            const TargetInfo &target,
                                            tile::GemvConfigAttr config) {
  GemvModel model(problem, *target.gpu, config);
  int64_t partials = *problem.m * config.getSplit() * config.getBlockColumns();
  return {config.getThreads(), partials * problem.accumulatorBytes, model.registers()};
}

bool kiln::codegen::isGemvTile(const GemmProblem &problem, const TargetInfo &target,
                               tile::GemvConfigAttr config) {
  return llvm::any_of(timedConfigs(config.getContext(), problem, target),
                      [&](const auto &entry) { return entry.second == config; });
}

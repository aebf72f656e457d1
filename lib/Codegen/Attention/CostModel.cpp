//===- CostModel.cpp - How long attention takes ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block takes one step per tile of keys: two MMAs, the softmax between them, the copies
// of the next tiles. Blocks of one multiprocessor divide its rates. With splits a block
// has some of the keys, and one per tile of queries merges.
//
//===----------------------------------------------------------------------===//

#include "CostModel.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace kiln::codegen;
using namespace kiln;

/// Exponentials per cycle and multiprocessor (CUDA C++ Programming Guide, "Arithmetic
/// Instructions": 16 on every target that Kiln has).
static constexpr double kExponentials = 16;
/// Scaling, maximum, subtraction, sum of a score.
static constexpr double kScoreInstructions = 4;
/// Rows and K of the MMA that wgmmaColumnCycles is of.
static constexpr double kWgmmaRows = 128, kWgmmaK = 64;
/// Two consumer warpgroups: the softmax of one runs under the MMAs of the other.
static constexpr int64_t kPairThreads = 384;
/// Divisor of the time of all that is not the slowest: a quarter of it shows, as in the
/// model of tiles of GEMMs.
static constexpr double kHidden = 4;
static constexpr int64_t kAccumulatorBytes = 4;

namespace {
/// Costs of one step of one block, in cycles of a multiprocessor that has nothing else to
/// do.
struct Step {
  double multiply, softmax, copy, sharedReads;
};
} // namespace

static Step stepOf(const AttentionWork &work, const TimedTile &tile,
                   const GpuModel &machine) {
  using Mma = TimedTile::Mma;
  double head = double(work.headK + work.columns);
  double macs = double(tile.rows * tile.keys) * head;
  double bytes = double(tile.keys * work.operandBytes) * head;
  Step step{};
  if (tile.mma == Mma::Wgmma)
    step.multiply = macs * double(machine.wgmmaColumnCycles) / (kWgmmaRows * kWgmmaK);
  else if (tile.mma == Mma::MmaSync)
    step.multiply = macs * double(work.operandBytes) / double(machine.tensorOperandBytes);
  else
    step.multiply = macs / double(machine.multiplyAdds);
  double scores = double(tile.rows * tile.keys);
  // The result is scaled once per step.
  step.softmax = scores / kExponentials +
                 (kScoreInstructions * scores + double(tile.rows * work.columns)) /
                     double(machine.multiplyAdds);
  step.copy = bytes / double(machine.l2Bytes);
  // Tensor cores of wgmma read shared memory beside the MMA; a warp of mma.sync
  // reads all keys and values for its 16 rows.
  constexpr double kWarpRows = 16;
  if (tile.mma == Mma::MmaSync)
    step.sharedReads =
        double(tile.rows) / kWarpRows * bytes / double(machine.sharedBytes);
  return step;
}

double kiln::codegen::attentionCycles(const AttentionWork &work, const TimedTile &tile,
                                      const GpuInfo &gpu) {
  const GpuModel &machine = gpu.model;
  Step step = stepOf(work, tile, machine);
  int64_t keys = tile.split ? std::min(work.keys, tile.split) : work.keys;
  auto splits = int64_t(llvm::divideCeil(work.keys, keys));
  auto steps = double(llvm::divideCeil(keys, tile.keys));
  int64_t tasks =
      work.heads * int64_t(llvm::divideCeil(work.queries, tile.rows)) * splits;
  auto blocks = int64_t(llvm::divideCeil(tasks, machine.multiprocessors));
  int64_t resident =
      std::min({gpu.maxSharedBytes / tile.sharedBytes,
                machine.residentThreads / tile.threads, machine.residentBlocks});
  int64_t together = std::clamp<int64_t>(resident, 1, blocks);
  int64_t warps = tile.threads / gpu.warpThreads;
  int64_t busy = std::min(together * warps, machine.partitions);
  double idle = double(machine.partitions) / double(busy);
  // All that is in flight arrives once per latency.
  double arrival =
      double(machine.memoryLatency) / double(std::max<int64_t>(tile.stages - 1, 1));
  std::array costs{step.multiply * idle, step.softmax * idle, step.copy, step.sharedReads,
                   arrival / double(together)};
  double slowest = *std::max_element(costs.begin(), costs.end());
  double rest = std::accumulate(costs.begin(), costs.end(), -slowest);
  // A block alone whose warps all do the same hides nothing of its softmax.
  bool overlaps = together > 1 || tile.threads >= kPairThreads;
  double main =
      overlaps ? slowest + rest / kHidden : std::max(slowest, (costs[0] + costs[1]));
  main += double(machine.stepCycles) / double(together);
  double result =
      double(tile.rows * work.columns * work.operandBytes) / double(machine.l2Bytes);
  // The last block of a tile reads what all splits left.
  double merge = splits == 1
                     ? 0
                     : double(machine.memoryLatency) +
                           double(splits * tile.rows * work.columns * kAccumulatorBytes) /
                               double(machine.l2Bytes);
  return double(blocks) * (steps * main + result) + merge +
         double(llvm::divideCeil(blocks, together)) *
             double(machine.blockCycles + machine.memoryLatency);
}

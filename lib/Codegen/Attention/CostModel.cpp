//===- CostModel.cpp - Time model of attention ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block runs one step per tile of keys: two MMAs, the softmax between them, and the
// copies of later tiles. Blocks resident on one multiprocessor divide its throughput.
// With split keys, each block processes some of the keys, and one block per tile of
// queries merges the results.
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
/// Instructions per score: scale, maximum, subtraction, sum.
static constexpr double kScoreInstructions = 4;
/// M and K of the MMA that wgmmaColumnCycles is measured for.
static constexpr double kWgmmaRows = 128, kWgmmaK = 64;
/// Threads of a producer and two consumer warpgroups: the softmax of one consumer
/// overlaps the MMAs of the other.
static constexpr int64_t kPairThreads = 384;
/// Divisor of the time of all resources but the slowest: overlap hides three quarters of
/// it, as in the model of GEMM tiles.
static constexpr double kHidden = 4;
static constexpr int64_t kAccumulatorBytes = 4;

namespace {
/// Cycles that each resource takes for one step of one block on an otherwise idle
/// multiprocessor.
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
  // Each step rescales the result once.
  step.softmax = scores / kExponentials +
                 (kScoreInstructions * scores + double(tile.rows * work.columns)) /
                     double(machine.multiplyAdds);
  step.copy = bytes / double(machine.l2Bytes);
  // wgmma reads shared memory while it multiplies, at no extra cost; each warp of
  // mma.sync reads all keys and values for its 16 rows.
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
  // All copies in flight arrive within one memory latency.
  double arrival =
      double(machine.memoryLatency) / double(std::max<int64_t>(tile.stages - 1, 1));
  std::array costs{step.multiply * idle, step.softmax * idle, step.copy, step.sharedReads,
                   arrival / double(together)};
  double slowest = *std::max_element(costs.begin(), costs.end());
  double rest = std::accumulate(costs.begin(), costs.end(), -slowest);
  // A lone block whose warps all run the same code overlaps none of its softmax with
  // MMAs.
  bool overlaps = together > 1 || tile.threads >= kPairThreads;
  double main =
      overlaps ? slowest + rest / kHidden : std::max(slowest, (costs[0] + costs[1]));
  main += double(machine.stepCycles) / double(together);
  double result =
      double(tile.rows * work.columns * work.operandBytes) / double(machine.l2Bytes);
  // The last block of a tile of queries reads the results of all splits.
  double merge = splits == 1
                     ? 0
                     : double(machine.memoryLatency) +
                           double(splits * tile.rows * work.columns * kAccumulatorBytes) /
                               double(machine.l2Bytes);
  return double(blocks) * (steps * main + result) + merge +
         double(llvm::divideCeil(blocks, together)) *
             double(machine.blockCycles + machine.memoryLatency);
}

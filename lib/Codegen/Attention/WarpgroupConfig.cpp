//===- WarpgroupConfig.cpp - Attention configs for warpgroups -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two consumer warpgroups of 64 queries each read a tile of keys and values once. More
// keys per step rescale the result less often, within the limits of registers and shared
// memory (FlashAttention-3 has 128 by 128 for heads of 128).
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Attention.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr int64_t kGroupRows = 64, kElementBytes = 2, kSumBytes = 4,
                         kRowPadding = 8;
/// Limits of a head's padded extent: one K step of wgmma, and N of one wgmma.
static constexpr int64_t kMinHead = 16, kMaxHead = 256;
/// Fewer queries leave most rows of a wgmma (64) idle.
static constexpr int64_t kMinRows = 33, kTypicalRows = 1024;
/// Limits of the keys of a step.
static constexpr int64_t kMinKeys = 32, kMaxKeys = 128;
static constexpr int64_t kMaxStages = 3;
/// Registers per thread of the producer and of the consumers where there are three
/// warpgroups: 128 x 40 + 256 x 232 is within the 64 Ki of a multiprocessor. A consumer
/// may use kTileRegisters of its own for tiles.
static constexpr int64_t kProducerRegisters = 40, kConsumerRegisters = 232,
                         kTileRegisters = 200;
/// Shared memory reserved for barriers and alignment.
static constexpr int64_t kReservedBytes = 2048;

/// Returns the registers that a consumer thread needs: scores, weights twice (an MMA
/// reads the previous ones), the result, tiles of the mask.
static int64_t registersOf(int64_t keys, int64_t columns, int64_t maskTiles) {
  // 64 rows over 128 threads: half a register per column of f32, a quarter per column of
  // 16 bits.
  return keys / 2 + 2 * (keys / 4) + columns / 2 + maskTiles * keys / 2;
}

SmallVector<tile::WarpgroupAttentionConfigAttr>
kiln::codegen::rankWarpgroupAttentionConfigs(MLIRContext *context,
                                             const HeadProblem &problem,
                                             const TargetInfo &target) {
  SmallVector<tile::WarpgroupAttentionConfigAttr> configs;
  auto padded = [](int64_t extent) {
    return int64_t(llvm::PowerOf2Ceil(std::max(extent, kMinHead)));
  };
  int64_t depth = padded(problem.depth), columns = padded(problem.columns);
  int64_t queries = problem.rows.value_or(kTypicalRows);
  if (!target.gpu || !target.gpu->hasWarpgroupMma || !target.gpu->hasTensorCopy ||
      std::max(depth, columns) > kMaxHead || queries < kMinRows)
    return configs;
  int64_t enough = llvm::PowerOf2Ceil(problem.keys.value_or(kMaxKeys));
  for (int64_t rows : {2 * kGroupRows, kGroupRows})
    for (int64_t keys = kMaxKeys; keys >= kMinKeys; keys /= 2) {
      if ((rows > kGroupRows && queries <= kGroupRows) ||
          (keys > kMinKeys && keys > enough) ||
          registersOf(keys, columns, problem.maskRows > 0 ? problem.maskTiles : 0) >
              kTileRegisters)
        continue;
      int64_t maskRows = problem.maskRows > 1 ? rows : problem.maskRows;
      int64_t fixed = rows * depth * kElementBytes + kReservedBytes +
                      rows * (columns + kRowPadding) * kSumBytes +
                      problem.maskTiles * maskRows * (keys + kRowPadding) * kSumBytes;
      int64_t stages = (target.gpu->maxSharedBytes - fixed) /
                       (keys * (depth + columns) * kElementBytes);
      if (stages < 2)
        continue;
      bool moves = rows > kGroupRows; // a lone consumer warpgroup has enough registers
                                      // without setmaxnreg
      configs.push_back(tile::WarpgroupAttentionConfigAttr::get(
          context, rows, keys, std::min(stages, kMaxStages), moves ? kProducerRegisters : 0,
          moves ? kConsumerRegisters : 0));
    }
  return configs;
}

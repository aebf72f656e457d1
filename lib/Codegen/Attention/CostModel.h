//===- CostModel.h - Time model of attention --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_COSTMODEL_H
#define KILN_LIB_CODEGEN_ATTENTION_COSTMODEL_H

#include "kiln/Target/TargetInfo.h"

namespace kiln::codegen {

/// Problem size of an attention kernel; extents of a head are padded.
struct AttentionWork {
  int64_t heads; ///< query heads times batch
  int64_t queries, keys, headK, columns;
  int64_t operandBytes;
};

/// Tile, instruction and resources of a block of threads.
struct TimedTile {
  enum class Mma { MultiplyAdds, MmaSync, Wgmma };
  Mma mma;
  int64_t rows, keys, threads, stages;
  int64_t sharedBytes;
  int64_t split = 0; ///< keys per block; 0: all
};

/// Returns the cycles of the busiest multiprocessor.
double attentionCycles(const AttentionWork &work, const TimedTile &tile,
                       const GpuInfo &gpu);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_COSTMODEL_H

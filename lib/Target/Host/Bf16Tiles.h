//===- Bf16Tiles.h - Matmul of bf16 on AMX tiles ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TDPBF16PS multiplies 16 rows of 32 steps of K by 16 columns and adds to f32; tile.mma
// has its order of additions. It wants two steps of K of a column adjacent, so that two
// rows of B are interleaved on their way to a register. Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_BF16TILES_H
#define KILN_LIB_TARGET_HOST_BF16TILES_H

#include "TileRegisters.h"

namespace kiln::host {

class MemoryLowering;

class Bf16Tiles : public TileRegisters {
public:
  Bf16Tiles(HostProgram &program, MemoryLowering &memory)
      : TileRegisters(program), memory(memory) {}

  /// Steps of K, and columns, of one instruction.
  static constexpr int64_t kSteps = tile::MmaOp::kBlockSteps, kColumns = kRowBytes / 4;
  /// Registers for accumulators: 32 rows by 32 columns, or 64 by 16, or 16 by 64.
  static constexpr int64_t kAccumulators = kAmxTiles / 2;

  /// Returns the results of MMAs of the same left operand: K is `extent`, and the
  /// accumulators are `initial`.
  llvm::SmallVector<Rows> multiply(llvm::ArrayRef<tile::MmaOp> group, Value extent,
                                   llvm::ArrayRef<Rows> initial);

  bool isUsed() const { return isNeeded; }
  /// Configures the tile registers of a function that uses them.
  void configure(mlir::LLVM::LLVMFuncOp function);

private:
  /// 16 columns of an MMA of the group, from column `first` on.
  struct Columns {
    const LoweredStaged *rhs;
    size_t mma;
    int64_t first;
  };
  /// Accumulators that are in registers together: 16 rows each, from row `firstRow` on.
  struct Part {
    const LoweredStaged *lhs;
    llvm::ArrayRef<Columns> columns;
    int64_t height, firstRow, rowTiles;
    Value ahead; ///< see tile.mma; may be null
  };

  void begin(const Part &part, llvm::ArrayRef<Rows> initial);
  void multiplyPart(const Part &part, Value extent);
  void prefetchRhs(const Part &part, Value k);
  void step(const Part &part, Value k, Value left);
  void loadLhs(const Part &part, int64_t tileRow, Value k, Value left);
  void interleaveRhs(const Columns &columns, Value buffer, Value k, int64_t pair,
                     Value left);
  Value loadRhsRow(const Columns &columns, Value k, int64_t step, Value left);
  void end(const Part &part, llvm::MutableArrayRef<Rows> results);
  Value tileRow(Value buffer, int64_t row);

  MemoryLowering &memory;
  bool isNeeded = false;
  Value accumulators[kAccumulators], lhsTiles[2], rhsTiles[kAccumulators];
};

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_BF16TILES_H

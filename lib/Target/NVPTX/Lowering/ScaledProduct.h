//===- ScaledProduct.h - Operands of tile.scaled_mma ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common part of the lowerings of tile.scaled_mma. A warp multiplies 16 columns, a block
// of K at a time, and reads both operands directly from global memory, the weight once.
// Any assignment of K indices to lanes is correct if it is the same for both operands, so
// lane 4g + t takes those in its 32-bit words of the weight (8t to 8t + 7 of 32, 4t to 4t
// + 3 of 16). It reads columns 2g and 2g + 1 together: even and odd columns are the two
// 8-column tiles, so that its accumulators are columns 4t to 4t + 3, whose scales it also
// reads together. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_SCALEDPRODUCT_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_SCALEDPRODUCT_H

#include "ScaledProductLowering.h"

namespace kiln::nvptx {

class ScaledProduct {
public:
  using Value = mlir::Value;
  /// Rows of an instruction, in two halves; 8 rows or fewer need one half.
  static constexpr int64_t kTileRows = 16, kHalfRows = kTileRows / 2;
  /// Columns of an instruction, column tiles, and columns of a lane's accumulators.
  static constexpr int64_t kTileColumns = 8, kColumnTiles = 2, kOwnColumns = 4;
  /// K indices that a warp multiplies together: one word per lane, or half a word of
  /// 4-bit values.
  static constexpr int64_t kLong = 32, kShort = 16;

protected:
  /// Words of one column tile, and of all.
  using Words = llvm::SmallVector<Value, 2>;
  using ColumnWords = std::array<Words, kColumnTiles>;

  ScaledProduct(ThreadProgram &program, tile::ScaledMmaOp op);

  const LoweredStaged &staged(Value operand) {
    return program.staged.find(operand)->second;
  }
  Value word(int64_t value) { return program.word(value); }
  Value pointer(Value operand, Value row, Value column);
  /// Loads `count` contiguous elements without conversion.
  Values load(Value operand, mlir::Type element, Value row, Value column, int64_t count);
  /// Loads `count` contiguous 32-bit words of an operand.
  Words loadWords(Value operand, Value from, int64_t count);

  /// Computes the indices of this lane's rows, clamped to the last row of the operand.
  void openRows();
  /// Returns whether row `i` of the lane is inside the operand; null: it always is.
  Value exists(int64_t i);
  /// Returns the scales of the columns of the lane's accumulators, in f32.
  Values columnScales();

  Value permute(Value low, Value high, Value selector);
  /// Loads the words that hold a lane's K indices.
  ColumnWords weightWords(int64_t k, int64_t steps);
  /// Returns a lane's quantized values of both column tiles, for `steps` K indices from k
  /// on: four in the bytes of each word, in the order of K. f4E2M1FN values are mapped as
  /// in graph.scaled_matmul, or converted to f8E4M3FN if the activations are f8E4M3FN.
  ColumnWords codes(int64_t k, int64_t steps);
  /// Calls `multiply` for all K indices of the block, kLong or kShort at a time.
  void forSteps(llvm::function_ref<void(int64_t k, int64_t steps)> multiply);

  ThreadProgram &program;
  mlir::ImplicitLocOpBuilder &b;
  tile::ScaledMmaOp op;
  int64_t ownRows; ///< of a lane, one or two of each tile
  int64_t block;
  Value g, t;  ///< of lane 4g + t, index
  Values rows; ///< of this lane: g, g + 8, g + 16, ..., clamped

private:
  Value widenScale(Value bits);
  Value scaleOf(Value stored);
  Words unpack(Value codes);
  Words unpackToE4m3(Value codes);
  Value unpackHalf(Value codes);
  Value lookUp(uint64_t table, Value codes);
  std::pair<Value, Value> lookUpE2m1(Value codes);
  Value last; ///< last row of the operand, if masked; else null
};

/// Lowers a tile.scaled_mma with activations of f16 or bf16; returns a lane's
/// accumulators.
Values multiplyHalves(ThreadProgram &program, tile::ScaledMmaOp op);
/// Lowers a tile.scaled_mma with f4E2M1FN operands, whose scales are operands of the
/// instructions; returns a lane's accumulators.
Values multiplyFloat4(ThreadProgram &program, tile::ScaledMmaOp op);
/// Lowers a tile.scaled_mma with f8E4M3FN operands; returns a lane's accumulators.
Values multiplyFloat8(ThreadProgram &program, tile::ScaledMmaOp op);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_SCALEDPRODUCT_H

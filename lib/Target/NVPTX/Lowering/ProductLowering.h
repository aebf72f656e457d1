//===- ProductLowering.h - Matrix multiplications ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers tile.mma to fused multiply-adds (LowerTileMma.cpp) or mma.sync
// (LowerTileMmaSync.cpp). Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_PRODUCTLOWERING_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_PRODUCTLOWERING_H

#include "MemoryLowering.h"
#include "dialects/Types/FloatFormat.h"

namespace kiln::nvptx {

/// Elements that a warp reads of a staged operand: 8x8 matrices of 16-byte rows, several
/// per ldmatrix; or single elements: words, or bytes that are converted.
struct MatrixOperand {
  mlir::Value pointer;
  mlir::Type element;
  StagedLayout chunks;
  ChunkOrigin origin;
  bool linesAreSteps; // lines are K indices: ldmatrix transposes
  /// Offset (row or column, K) that each bit of a matrix's index in the instruction adds.
  llvm::SmallVector<std::pair<int64_t, int64_t>> steps;
  static bool isBytes(mlir::Type element) { return isFloat8(element); }
  static bool isByNumbers(mlir::Type element, bool linesAreSteps) {
    return element.isF32() ? linesAreSteps : isBytes(element);
  }
  int64_t matrices() const { return int64_t(1) << steps.size(); }
  int64_t bytesOf(int64_t own, int64_t k) const;
};

/// Operand B of MMAs that are computed together; in registers if `staged` is empty.
struct RightOperands {
  llvm::SmallVector<MatrixOperand> staged;
  size_t beside = 1; ///< column tiles per load
  int64_t ahead = 1; ///< instructions along K that one load has operands for
};

/// Packs an accumulator as operand A of an MMA, two elements per register: for each tile
/// of 16 rows, its registers for K indices k to k + 15.
llvm::SmallVector<Values> packLeft(ThreadProgram &program, const Fragment &operand,
                                   size_t rowTiles, int64_t k);

class MmaSyncLowering {
public:
  using Value = mlir::Value;
  MmaSyncLowering(ThreadProgram &program, MemoryLowering &memory)
      : program(program), memory(memory), b(program.b) {}

  void lowerMmaSync(llvm::ArrayRef<tile::MmaOp> group,
                    llvm::SmallVectorImpl<Values> &sums);

private:
  MatrixOperand openMatrices(const LoweredStaged &operand, bool isLeft,
                             const Layout &layout,
                             llvm::ArrayRef<std::pair<int64_t, int64_t>> steps);
  MatrixOperand openRight(const LoweredStaged &operand, const Layout &layout,
                          llvm::ArrayRef<int64_t> tiles, int64_t depth, int64_t half);
  RightOperands openRights(llvm::ArrayRef<tile::MmaOp> group, const Layout &layout,
                           llvm::ArrayRef<int64_t> columns);
  llvm::SmallVector<Values> loadRights(const RightOperands &operands, tile::MmaOp mma,
                                       size_t product, llvm::ArrayRef<int64_t> columns,
                                       int64_t k);
  Values packRight(const Fragment &operand, size_t tiles, size_t tile, int64_t k);
  Values loadMatrices(const MatrixOperand &operand, int64_t own, int64_t k);
  Values loadNumbers(const MatrixOperand &operand, int64_t own, int64_t k);
  Value roundToTF32(Value value);
  /// Loads registers of operand A for each tile of rows, for K indices from k on.
  llvm::SmallVector<Values> loadLeft(const MatrixOperand &operand,
                                     llvm::ArrayRef<int64_t> rows, int64_t k);
  void multiplyTiles(mlir::Type element, llvm::ArrayRef<Value> left,
                     llvm::ArrayRef<Value> right, llvm::MutableArrayRef<Value> sums);

  ThreadProgram &program;
  MemoryLowering &memory;
  mlir::ImplicitLocOpBuilder &b;
};

class ProductLowering {
public:
  using Value = mlir::Value;
  ProductLowering(ThreadProgram &program, MemoryLowering &memory)
      : program(program), memory(memory), b(program.b) {}

  void lowerMma(tile::MmaOp op);

private:
  llvm::SmallVector<Values> multiplySteps(llvm::ArrayRef<tile::MmaOp> group, Value k,
                                          int64_t steps,
                                          llvm::ArrayRef<Values> accumulators);
  llvm::SmallVector<Values> loadOperand(const LoweredStaged &operand, unsigned depthDim,
                                        Value origin, llvm::ArrayRef<int64_t> positions,
                                        Value k, int64_t steps);
  Value widen(Value value, mlir::Type element, bool isUnsigned);

  ThreadProgram &program;
  MemoryLowering &memory;
  mlir::ImplicitLocOpBuilder &b;
  llvm::DenseSet<mlir::Operation *> done; ///< ops lowered with an earlier one
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_PRODUCTLOWERING_H

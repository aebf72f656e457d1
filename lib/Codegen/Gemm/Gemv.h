//===- Gemv.h - Products of few rows as tile IR -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is some columns of all rows. Its warps read the right operand once, each lane
// a vector at a time, and have one accumulator per row for each element. Lanes and warps
// that share columns meet at the end, in a fixed order. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GEMV_H
#define KILN_LIB_CODEGEN_GEMM_GEMV_H

#include "../Expression/KernelShell.h"
#include "kiln/Codegen/Gemm.h"
#include "lib/Codegen/Gemm/Program/Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace kiln::codegen {

/// Fills in what rankGemvConfigs asks of a product.
void describeGemv(const GemmProgram &program, GemmProblem &problem);

class GemvEmitter : ShellEmitter {
public:
  GemvEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, GemmProgram &program,
              tile::GemvConfigAttr config);
  /// Packed weights are asked for before anything else is read.
  GemvEmitter &prefetchWeights(bool yes) {
    prefetchesWeights = yes && program.isPacked;
    return *this;
  }
  tile::KernelOp emit();

private:
  using Values = llvm::SmallVector<Value>;

  /// Step k of the depth is step k / phases of view k % phases, so that what a
  /// thread reads one after the other is contiguous. Where blocks of steps have scales, a
  /// row of a view is a block, and a dim in front of it counts its parts of `phases`
  /// steps.
  struct Views {
    Values right;             ///< per phase
    std::vector<Values> left; ///< per row and phase; the same for all columns
    Value scales = {};        ///< blocks by columns
  };
  /// Columns of the block at hand.
  struct Columns {
    Value lane;  ///< the first, counted from its panel's
    Value valid; ///< how many exist; may exceed the block's
  };

  void emitTask(Value task);
  Columns openColumns(Value number);
  void prefetchPanel();
  void emitWarps(const Columns &columns, bool masked);
  void emitWarp(const Columns &columns, Value across, Value part, bool masked);
  Value existingRow(int64_t row);
  Views openViews(Value lane, Value valid);
  Value openView(const Node *operand, int64_t phase, mlir::OpFoldResult columns,
                 const SymbolicExpr &columnStride);
  Values sumSteps(const Views &views, Value part, bool masked);
  struct Masks {
    llvm::SmallVector<int64_t> right; ///< dims of a tile
    bool left;                        ///< along K
  };
  Values multiply(const Views &views, Value at, int64_t tiles, const Masks &masks,
                  mlir::ValueRange sums);
  Values multiplyBlocks(const Views &views, Value at, const Masks &masks,
                        mlir::ValueRange accumulators);
  Value openScales();
  Value loadScales(Value view, Value at, llvm::ArrayRef<int64_t> masked);
  Value times(Value numbers, Value scales);
  Value load(Value view, Value at, llvm::ArrayRef<int64_t> masked, mlir::Type bytes = {});
  Values forSteps(Value begin, Value end, Value step, mlir::ValueRange inits,
                  llvm::function_ref<Values(Value at, mlir::ValueRange sums)> body);
  void emitEpilogue(const Columns &columns);
  mlir::Value sumSplits(mlir::Value row, int64_t column, int64_t count);
  void finishRow(Value row, const Columns &columns, Value valid);
  void ifElse(Value condition, llvm::function_ref<void()> onTrue,
              llvm::function_ref<void()> onFalse);

  bool hasPartialColumns() const;
  unsigned depthDim() const { return config.getAlongK() ? 1 : 0; }
  /// Index of the depth and of the columns, in the order of the dims of a view.
  Values place(Value k);
  /// Steps of K of a row of a view.
  int64_t rowSteps() const {
    return program.rhsScales ? program.rhsScales->block : phases;
  }
  tile::FragType tileType(mlir::Type element) const;

  GemmProgram &program;
  tile::GemvConfigAttr config;
  int64_t rows;             ///< at most
  int64_t phases, tiles;    ///< tiles: that a warp reads at once, per phase
  SymbolicExpr columnTasks; ///< blocks side by side in an innermost split
  bool prefetchesWeights = false;
  Value partials; ///< split * rows x columns of a block
  Value blockPart = {};   ///< of the block at hand, of `phases` steps
  Value blockScales = {}; ///< by which the right operand is multiplied
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GEMV_H

//===- Gemv.h - GEMV kernels as tile IR -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task computes some columns of all rows. Its warps read the right operand once, each
// lane a vector at a time, and keep one accumulator per row and vector element. The
// accumulators of lanes and warps that split K are added at the end in a fixed order.
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GEMV_H
#define KILN_LIB_CODEGEN_GEMM_GEMV_H

#include "../Expression/KernelShell.h"
#include "kiln/Codegen/Gemm.h"
#include "lib/Codegen/Gemm/Program/Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace kiln::codegen {

/// Sets the fields of `problem` that rankGemvConfigs reads.
void describeGemv(const GemmProgram &program, GemmProblem &problem);

class GemvEmitter : ShellEmitter {
public:
  GemvEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, GemmProgram &program,
              tile::GemvConfigAttr config);
  /// Enables prefetches of packed weights at the start of a task.
  GemvEmitter &prefetchWeights(bool yes) {
    prefetchesWeights = yes && program.isPacked;
    return *this;
  }
  tile::KernelOp emit();

private:
  using Values = llvm::SmallVector<Value>;

  /// Step k of K is step k / phases of view k % phases, so that successive reads of a
  /// thread are contiguous. If blocks of K have scales, a row of a view is a block, and
  /// an additional outer dim counts its parts of `phases` steps.
  struct Views {
    Values right;             ///< per phase
    std::vector<Values> left; ///< per row and phase; broadcast along the columns
    Value scales = {};        ///< blocks of K x columns
  };
  /// Columns of the current block.
  struct Columns {
    Value lane;  ///< first column within its panel
    Value valid; ///< columns up to the operand's end; may exceed the block's
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
    llvm::SmallVector<int64_t> right; ///< masked dims of a tile
    bool left;                        ///< masked along K
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
  /// Returns an index in K, and 0 for the columns, in the order of a view's dims.
  Values place(Value k);
  /// Returns the steps of K per row of a view.
  int64_t rowSteps() const {
    return program.rhsScales ? program.rhsScales->block : phases;
  }
  tile::FragType tileType(mlir::Type element) const;

  GemmProgram &program;
  tile::GemvConfigAttr config;
  int64_t rows;             ///< maximum
  int64_t phases, tiles;    ///< `tiles`: tiles per phase that a warp loads at once
  SymbolicExpr columnTasks; ///< blocks along the innermost loop of the columns
  bool prefetchesWeights = false;
  Value partials; ///< split * rows x columns of a block
  Value blockPart = {};   ///< index of the current block's part of `phases` steps
  Value blockScales = {}; ///< factors of the right operand; null: none
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GEMV_H

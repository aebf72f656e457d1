//===- GemmBuilder.h - Base class of a GEMM's parts -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GEMM kernel is composed of a tile scheduler, which assigns tiles to tasks, a main
// loop over K, which accumulates them, and an epilogue, which computes the fused ops and
// stores (as in CUTLASS 3). GemmBuilder is the base class of all three. Internal to
// lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMBUILDER_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMBUILDER_H

#include "Program.h"
#include "lib/Codegen/Expression/KernelShell.h"

namespace kiln::codegen {

/// Returns true if `extent` is a known multiple of `of`.
bool isMultiple(const SymbolicExpr &extent, int64_t of);

class GemmBuilder : public TaskBuilder {
public:
  GemmBuilder(const TaskBuilder &task, const GemmProgram &program)
      : TaskBuilder(task), program(program) {}

protected:
  using Values = llvm::SmallVector<Value>;

  /// Binds the loop variables of a panel. `number` counts panels over all splits of the
  /// columns.
  void bindPanel(Value number);
  /// Returns a view of the bound panel's scales: blocks x width bytes of f8E8M0FNU.
  Value openBlockScales();
  /// Returns the columns from the bound panel to the operand's end; may exceed the lanes.
  Value validColumns();
  /// Returns a view of all rows and steps of K of the left operand in the bound batch.
  Value openLhs();
  /// Loads the accumulators of a panel in one row of a matrix, from `column` on; a panel
  /// with two halves gives one value per half.
  Values loadRow(Value matrix, Value row, Value column);
  /// Computes the outputs of some columns of a row from its accumulators, and stores
  /// them.
  void emitOutputs(Value row, mlir::ValueRange accumulators);
  /// Sets the lanes for the results of the bound panel.
  void openLanes(Value valid);

  /// Multiplies the staged left operand by each staged panel, for one step of a pipeline,
  /// by a dot product or by FMAs; see tile.mma.
  Values multiplyStaged(mlir::ValueRange staged, mlir::ValueRange accumulators,
                        std::optional<tile::DotProduct> dot = {}, Value ahead = {});

  Value zero();
  tile::FragType tileType(int64_t rows) const {
    return tile::FragType::get(b.getContext(), {rows, program.width},
                               program.accumulator);
  }
  tile::FragType rowType() const {
    return tile::FragType::get(b.getContext(), {program.resultWidth()},
                               program.accumulator);
  }
  /// Returns a view of scratch as a matrix of accumulators, from byte `offset` on.
  Value openScratch(Value offset, mlir::OpFoldResult rows, mlir::OpFoldResult columns,
                    mlir::OpFoldResult stride);
  Value openScratch(mlir::Type element, Value offset, mlir::OpFoldResult rows,
                    mlir::OpFoldResult columns, mlir::OpFoldResult stride);

  const GemmProgram &program;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMBUILDER_H

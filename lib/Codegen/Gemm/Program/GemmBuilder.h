//===- GemmBuilder.h - What the parts of a GEMM kernel stand on -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GEMM kernel is composed of a tile scheduler, which says what a task computes, a main
// loop over K, which accumulates it, and an epilogue, which computes the fused ops and
// stores (as in CUTLASS 3). This is what all of them write with. Internal to
// lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMBUILDER_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMBUILDER_H

#include "Program.h"
#include "lib/Codegen/Expression/KernelShell.h"

namespace kiln::codegen {

/// True if `extent` is known and a multiple of `of`.
bool isMultiple(const SymbolicExpr &extent, int64_t of);

class GemmBuilder : public TaskBuilder {
public:
  GemmBuilder(const TaskBuilder &task, const GemmProgram &program)
      : TaskBuilder(task), program(program) {}

protected:
  using Values = llvm::SmallVector<Value>;

  /// Binds the variables of a panel, which counts over all splits of the columns.
  void bindPanel(Value number);
  /// The scales of the bound panel: blocks x width bytes of f8E8M0FNU.
  Value openBlockScales();
  /// Columns of the bound panel that exist; may exceed the lanes.
  Value validColumns();
  /// All rows and steps of K of the left operand, in the bound batch.
  Value openLhs();
  /// The accumulators of a panel in one row of a matrix of them: its product, and what
  /// its second half is of, if it has halves.
  Values loadRow(Value matrix, Value row, Value column);
  /// Computes and stores the outputs of some columns of a row, from its accumulators.
  void emitOutputs(Value row, mlir::ValueRange accumulators);
  /// Lanes for the results of the bound panel.
  void openLanes(Value valid);

  /// One step of a pipeline: the staged left operand times each staged panel.
  Values multiplyStaged(mlir::ValueRange staged, mlir::ValueRange accumulators);

  Value zero();
  tile::FragType tileType(int64_t rows) const {
    return tile::FragType::get(b.getContext(), {rows, program.width},
                               program.accumulator);
  }
  tile::FragType rowType() const {
    return tile::FragType::get(b.getContext(), {program.resultWidth()},
                               program.accumulator);
  }
  /// A matrix of accumulators in scratch, from a byte of it on.
  Value openScratch(Value offset, mlir::OpFoldResult rows, mlir::OpFoldResult columns,
                    mlir::OpFoldResult stride);

  const GemmProgram &program;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMBUILDER_H

//===- TileEpilogue.h - Epilogues in the registers of a product -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some panels of a result at a time: the fused ops on the accumulators where they are,
// then stores of whole tiles in one view that all tasks have, of which a target can make
// asynchronous copies. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_TILEEPILOGUE_H
#define KILN_LIB_CODEGEN_GEMM_TILEEPILOGUE_H

#include "Emitter.h"

namespace kiln::codegen {

/// The result as TMA stores `columns` of it at a time; nullopt if threads must store it:
/// several results, or not of 16 bits, or no tensor, or fused ops that read more than one
/// row for all.
std::optional<TensorOperand> storedTensor(graph::KernelOp kernel,
                                          const GemmProgram &program, int64_t columns);

class TileEpilogue {
public:
  explicit TileEpilogue(GemmEmitter &gemm)
      : gemm(gemm), program(gemm.program), b(gemm.b), loc(gemm.loc),
        emitter(gemm.emitter) {}

  /// Of a task's panels; `accumulatorsOf` gives those of some of them.
  void emit(mlir::Value rowBegin, mlir::Value panelBegin,
            GemmEmitter::AccumulatorsOf accumulatorsOf);

private:
  using Value = mlir::Value;

  bool hasAllPanels() const;
  Value compute(Value number, Value accumulators);
  void store(Value view, Value rowBegin, Value panel, mlir::ValueRange accumulators);

  GemmEmitter &gemm;
  GemmProgram &program;
  mlir::OpBuilder &b;
  mlir::Location loc;
  NodeEmitter &emitter;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_TILEEPILOGUE_H

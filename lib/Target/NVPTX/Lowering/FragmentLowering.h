//===- FragmentLowering.h - Ops on fragments ----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_FRAGMENTLOWERING_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_FRAGMENTLOWERING_H

#include "MemoryLowering.h"

namespace kiln::nvptx {

class FragmentLowering {
public:
  using Value = mlir::Value;
  FragmentLowering(ThreadProgram &program, MemoryLowering &memory)
      : program(program), memory(memory), b(program.b) {}

  void lowerMap(tile::MapOp op);
  /// Lowers an op of arith or math on scalars; `values` maps its operands.
  void lowerScalar(mlir::Operation *op, mlir::IRMapping &values);
  void lowerReduce(tile::ReduceOp op);
  void lowerConvert(tile::ConvertOp op);
  void lowerConvertLayout(tile::ConvertLayoutOp op);
  void lowerIota(tile::IotaOp op);
  void lowerSelectRange(tile::SelectRangeOp op);
  void lowerExtract(tile::ExtractOp op);
  void lowerBroadcast(tile::BroadcastOp op);

private:
  /// Moves the elements of a fragment to the registers of another layout through shared
  /// memory.
  Values exchangeTo(tile::ConvertLayoutOp op, const Fragment &from, const Layout &to);
  Value combine(tile::ReduceKind kind, Value lhs, Value rhs);
  Values reduceWarps(tile::ReduceOp op, llvm::ArrayRef<Value> values, uint32_t repeated);
  void lowerReduceAxis(tile::ReduceOp op);

  ThreadProgram &program;
  MemoryLowering &memory;
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_FRAGMENTLOWERING_H

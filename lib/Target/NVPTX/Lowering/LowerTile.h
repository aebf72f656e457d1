//===- LowerTile.h - Tile programs to threads ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a tile.kernel that builds the program of one thread: the function,
// control flow, and every other op by the class of its family. Decisions of earlier
// passes are read from types and attributes. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_LOWERTILE_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_LOWERTILE_H

#include "AsyncLowering.h"
#include "CopyLowering.h"
#include "FragmentLowering.h"
#include "ProductLowering.h"
#include "ScaledProductLowering.h"

namespace kiln::nvptx {

class KernelLowering {
public:
  KernelLowering(tile::KernelOp kernel, const TargetInfo &target);

  /// Builds the function before the kernel; returns null after reporting an op that
  /// cannot be lowered.
  mlir::LLVM::LLVMFuncOp run();

private:
  using Value = mlir::Value;

  mlir::LLVM::LLVMFuncOp createFunction();
  void checkLimits();
  std::optional<int64_t> residentBlocks(int64_t threads);
  void bindArguments(mlir::Block &entry);
  void lowerTask();
  void lowerBlock(mlir::Block &block);
  void lower(mlir::Operation *op);
  void lowerFor(mlir::scf::ForOp op);
  void lowerIf(mlir::scf::IfOp op);
  void lowerSwitch(mlir::scf::IndexSwitchOp op);
  void lowerApply(mlir::Operation *op);
  void lowerScratch(tile::ScratchOp op);
  void lowerWorkspace(tile::WorkspaceOp op);
  void lowerCounter(tile::TicketOp op);
  Value isAmongFirst(int64_t count);
  void lowerPost(tile::PostOp op);
  void lowerAwait(tile::AwaitOp op);

  ThreadProgram program;
  mlir::ImplicitLocOpBuilder &b;
  MemoryLowering memory;
  FragmentLowering fragments;
  CopyLowering copies;
  ProductLowering mma;
  ScaledProductLowering scaledMma;
  AsyncLowering async;
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_LOWERTILE_H

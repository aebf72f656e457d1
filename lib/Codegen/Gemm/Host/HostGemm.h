//===- HostGemm.h - A GEMM of a host as tile IR -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each group of panels and each block of rows of a task the register tile runs over
// K; every height of a block has its own code, so that rows are cut evenly and none is
// computed in vain. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_HOST_HOSTGEMM_H
#define KILN_LIB_CODEGEN_GEMM_HOST_HOSTGEMM_H

#include "HostEpilogue.h"
#include "HostMainloop.h"
#include "HostScheduler.h"

namespace kiln::codegen {

class HostGemm : ShellEmitter {
public:
  HostGemm(mlir::OpBuilder &builder, graph::KernelOp kernel, const GemmProgram &program,
           tile::GemmConfigAttr config, const TargetInfo &target);

  tile::KernelOp emit();

private:
  using Panels = llvm::ArrayRef<HostPanel>;

  void emitTask(Value number);
  void emitSmall(const HostScheduler::Task &task);
  void emitLarge(const HostScheduler::Task &task);
  void emitTile(Panels panels, RowRange rows, const RowBlock &block, int64_t height,
                KSteps steps);
  void forPanels(const HostScheduler::Task &task, int64_t group,
                 llvm::function_ref<void(Panels)> body);
  using BlockBody =
      llvm::function_ref<void(const RowBlock &, llvm::ArrayRef<int64_t> heights)>;
  void forBlocks(RowRange rows, int64_t tallest, BlockBody body);
  void forEvenBlocks(RowRange rows, int64_t tallest, BlockBody body);
  void forTileRegisters(RowRange rows, BlockBody body);
  int64_t tallestOf(Panels panels, const HostScheduler::Task &task) const;
  llvm::SmallVector<int64_t> heights(int64_t tallest) const;
  KSteps allSteps();

  const GemmProgram &program;
  tile::GemmConfigAttr config;
  /// Up to three rows multiply the codes of one panel at a time: with their scales and
  /// zero points these are three streams of memory, and those of four panels twelve,
  /// which one core of an EPYC of Zen 5 reads at 36 and at 28 GB/s
  /// (docs/rationale/quantization.md).
  bool fetchesOnePanel;
  HostScheduler scheduler;
  std::unique_ptr<HostEpilogue> epilogue;
  std::unique_ptr<HostMainloop> mainloop;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTGEMM_H

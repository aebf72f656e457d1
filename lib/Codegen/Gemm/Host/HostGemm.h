//===- HostGemm.h - GEMM kernels of hosts as tile IR ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each group of panels and each block of rows of a task, the register tile loops over
// K. Every possible height of a block has its own code, so that rows are split evenly
// without padding. Internal to lib/Codegen/Gemm.
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
  void forTileRegisters(RowRange rows, llvm::ArrayRef<int64_t> sides, BlockBody body);
  int64_t tallestOf(Panels panels, const HostScheduler::Task &task) const;
  llvm::SmallVector<int64_t> heights(int64_t tallest) const;
  KSteps allSteps();

  const GemmProgram &program;
  tile::GemmConfigAttr config;
  /// True if up to three rows multiply quantized weights one panel at a time: weights,
  /// scales and zero points are then three streams of memory. The twelve streams of four
  /// panels are slower: one core of a Zen 5 EPYC reads 28 GB/s instead of 36
  /// (docs/rationale/quantization.md).
  bool fetchesOnePanel;
  bool usesBf16Tiles; ///< AMX tile registers multiply bf16
  HostScheduler scheduler;
  std::unique_ptr<HostEpilogue> epilogue;
  std::unique_ptr<HostMainloop> mainloop;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTGEMM_H

//===- GpuGemm.h - GEMM kernels of GPUs as tile IR --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composes main loop, epilogue and tile scheduler as a config says. Internal to
// lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_GPUGEMM_H
#define KILN_LIB_CODEGEN_GEMM_GPU_GPUGEMM_H

#include "CollectiveEpilogue.h"
#include "CollectiveMainloop.h"

namespace kiln::codegen {

class GpuGemm : ShellEmitter {
public:
  GpuGemm(mlir::OpBuilder &builder, graph::KernelOp kernel, const GemmProgram &program,
          const GpuInfo &gpu)
      : ShellEmitter(builder, kernel, program.body), program(program), gpu(gpu),
        gemm(*this, program), prefetches(gpu.hasDependentLaunch && program.isPacked) {}

  tile::KernelOp emit(tile::BlockGemmConfigAttr config);
  tile::KernelOp emit(tile::WarpgroupGemmConfigAttr config);

private:
  std::unique_ptr<TileScheduler> schedule(TileOrder &order, TileShape shape,
                                          int64_t splits, int64_t tailUnits) const;
  tile::KernelOp compose(mlir::Attribute config, TileShape shape,
                         CollectiveMainloop &mainloop, CollectiveEpilogue &epilogue,
                         TileScheduler &scheduler);

  const GemmProgram &program;
  const GpuInfo &gpu;
  GemmBuilder gemm;
  bool prefetches; ///< prefetch packed weights before the previous kernel has ended
                   ///< (programmatic dependent launch)
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GPU_GPUGEMM_H

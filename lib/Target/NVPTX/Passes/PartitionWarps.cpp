//===- PartitionWarps.cpp - Warp specialization of a pipeline -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp specialization (CUTLASS, "warp-specialized kernels"): one warpgroup, the producer,
// copies by TMA; the others, the consumers, multiply by wgmma. Both iterate over the
// block's tasks. A tile.pipeline becomes two loops synchronized by mbarriers: a stage is
// full when its bytes have arrived, and empty when every warp has read it.
//
//===----------------------------------------------------------------------===//

#include "PartitionPlan.h"
#include "WarpPartition.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Passes.h"
#include "lib/Target/NVPTX/Layout/GpuKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace kiln {
#define GEN_PASS_DEF_PARTITIONWARPSPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

using namespace mlir;
using namespace kiln;

static bool isSpecialized(tile::KernelOp kernel) {
  return isa_and_nonnull<tile::WarpgroupGemmConfigAttr, tile::WarpgroupAttentionConfigAttr>(
      kernel.getConfigAttr());
}

namespace {
struct PartitionWarpsPass : public kiln::impl::PartitionWarpsPassBase<PartitionWarpsPass> {
  using PartitionWarpsPassBase::PartitionWarpsPassBase;

  void runOnOperation() override {
    auto each = [&](tile::KernelOp kernel, const TargetInfo &info) {
      bool canBe = info.gpu->hasWarpgroupMma && info.gpu->hasTensorCopy;
      return canBe && isSpecialized(kernel) ? partition(kernel, *info.gpu) : success();
    };
    if (failed(nvptx::forEachGpuKernel(*this, getOperation(), target, each)))
      signalPassFailure();
  }

  LogicalResult partition(tile::KernelOp kernel, const GpuInfo &gpu) {
    nvptx::PartitionPlan plan(kernel);
    if (succeeded(plan.make())) {
      nvptx::WarpPartition(kernel, plan, gpu).rewrite();
      return success();
    }
    return kiln::emitError(kernel->getLoc(),
                           {ErrorCode::NotLowerable,
                            "kernel '" + kernel.getSymName().str() + "'", plan.why().str(), "",
                            kernel->getName().getStringRef().str(), ""});
  }
};
} // namespace

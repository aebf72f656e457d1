//===- LowerTileToNVVM.cpp - tile.kernel to a GPU kernel ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Passes.h"
#include "lib/Target/NVPTX/Layout/GpuKernels.h"
#include "mlir/Pass/Pass.h"

namespace kiln {
#define GEN_PASS_DEF_LOWERTILETONVVMPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace mlir;

namespace {
struct LowerTileToNVVMPass
    : public kiln::impl::LowerTileToNVVMPassBase<LowerTileToNVVMPass> {
  using LowerTileToNVVMPassBase::LowerTileToNVVMPassBase;

  void runOnOperation() override {
    llvm::Expected<TargetInfo> info = TargetInfo::get(target);
    if (!info) {
      (void)kiln::emitError(getOperation().getLoc(), takeDiagnosis(info.takeError()));
      return signalPassFailure();
    }
    if (!info->gpu) {
      (void)kiln::emitError(getOperation().getLoc(),
                            {ErrorCode::NotLowerable, "kiln-lower-tile-to-nvvm",
                             "the target is no GPU", "sm_80 or the like", info->name,
                             ""});
      return signalPassFailure();
    }
    auto each = [](tile::KernelOp kernel, const TargetInfo &own) {
      if (!nvptx::KernelLowering(kernel, own).run())
        return failure();
      kernel.erase();
      return success();
    };
    if (failed(nvptx::forEachGpuKernel(*this, getOperation(), target, each)))
      signalPassFailure();
  }
};
} // namespace

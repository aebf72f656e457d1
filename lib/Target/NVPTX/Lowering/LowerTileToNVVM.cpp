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
#include "mlir/Pass/Pass.h"

namespace kiln {
#define GEN_PASS_DEF_LOWERTILETONVVMPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

using namespace kiln;

namespace {
struct LowerTileToNVVMPass
    : public kiln::impl::LowerTileToNVVMPassBase<LowerTileToNVVMPass> {
  using LowerTileToNVVMPassBase::LowerTileToNVVMPassBase;

  void runOnOperation() override {
    llvm::Expected<TargetInfo> info = TargetInfo::get(target);
    if (!info) {
      (void)emitError(getOperation().getLoc(), takeDiagnosis(info.takeError()));
      return signalPassFailure();
    }
    if (!info->gpu) {
      (void)emitError(getOperation().getLoc(),
                      {ErrorCode::NotLowerable, "kiln-lower-tile-to-nvvm",
                       "the target is no GPU", "sm_80 or the like", info->name, ""});
      return signalPassFailure();
    }
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>())) {
      if (!nvptx::KernelLowering(kernel, *info).run())
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace

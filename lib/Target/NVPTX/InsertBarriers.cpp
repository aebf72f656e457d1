//===- InsertBarriers.cpp - Waits between threads -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryOrder.h"
#include "LayoutTypes.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Passes.h"
#include "mlir/Pass/Pass.h"

namespace kiln {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

using namespace mlir;
using namespace kiln;

namespace {
struct InsertBarriersPass : public kiln::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using InsertBarriersPassBase::InsertBarriersPassBase;

  void runOnOperation() override {
    llvm::Expected<TargetInfo> info = TargetInfo::get(target);
    if (!info) {
      (void)kiln::emitError(getOperation().getLoc(), takeDiagnosis(info.takeError()));
      return signalPassFailure();
    }
    if (!info->gpu)
      return;
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      if (!nvptx::verifyLayouts(kernel)) // which threads hold an element twice
        return signalPassFailure();
      nvptx::MemoryOrder(kernel, *info->gpu, [](Operation *op, StringRef) {
        OpBuilder builder(op);
        tile::SyncThreadsOp::create(builder, op->getLoc());
      }).run();
    }
  }
};
} // namespace

//===- InsertBarriers.cpp - Inserts barriers between threads --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/Passes.h"
#include "lib/Target/NVPTX/Layout/GpuKernels.h"
#include "lib/Target/NVPTX/Layout/LayoutTypes.h"
#include "lib/Target/NVPTX/Layout/MemoryOrder.h"
#include "mlir/Pass/Pass.h"

namespace kiln {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

using namespace mlir;
using namespace kiln;

namespace {
struct InsertBarriersPass
    : public kiln::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using InsertBarriersPassBase::InsertBarriersPassBase;

  void runOnOperation() override {
    auto each = [](tile::KernelOp kernel, const TargetInfo &info) {
      if (!nvptx::verifyLayouts(kernel)) // which threads hold copies of an element
        return failure();
      nvptx::MemoryOrder(kernel, *info.gpu, [](Operation *op) {
        OpBuilder builder(op);
        tile::SyncThreadsOp::create(builder, op->getLoc());
      }).run();
      return success();
    };
    if (failed(nvptx::forEachGpuKernel(*this, getOperation(), target, each)))
      signalPassFailure();
  }
};
} // namespace

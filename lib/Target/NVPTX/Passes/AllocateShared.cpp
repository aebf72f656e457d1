//===- AllocateShared.cpp - Assigns shared memory offsets -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First fit in program order: each op gets the lowest offset whose bytes nothing live at
// the same time occupies. Scratch is placed last, after everything if its size is known
// only at run time. Exchange buffers, of which only one is in use at a time, all get the
// same bytes.
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/Error.h"
#include "kiln/Target/NVPTX.h"
#include "kiln/Target/Passes.h"
#include "lib/Target/NVPTX/Layout/GpuKernels.h"
#include "lib/Target/NVPTX/Layout/LayoutTypes.h"
#include "lib/Target/NVPTX/Layout/Smem.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/MathExtras.h"

namespace kiln {
#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Granularity in bytes: no two allocations have a row of the 32 banks in common.
static constexpr int64_t kGrain = 128;

namespace {
class SharedAllocation {
public:
  SharedAllocation(tile::KernelOp kernel, const GpuInfo &gpu)
      : kernel(kernel), gpu(gpu), liveness(kernel) {}
  void run();

private:
  struct Area {
    LiveRange live;
    int64_t begin, end;
  };
  int64_t place(int64_t bytes, int64_t alignment, LiveRange live);
  int64_t placeExchange(const SharedNeed &need);
  int64_t placeScratch();
  void setPlace(Operation *op, int64_t begin);

  tile::KernelOp kernel;
  const GpuInfo &gpu;
  Liveness liveness;
  SmallVector<Area> areas;
  std::optional<int64_t> exchange;
  int64_t end = 0;
};
} // namespace

int64_t SharedAllocation::place(int64_t bytes, int64_t alignment, LiveRange live) {
  bytes = llvm::alignTo(bytes, kGrain);
  int64_t begin = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const Area &area : areas)
      if (area.live.overlaps(live) && area.begin < begin + bytes && begin < area.end) {
        begin = llvm::alignTo(area.end, std::max(alignment, kGrain));
        moved = true;
      }
  }
  areas.push_back({live, begin, begin + bytes});
  end = std::max(end, begin + bytes);
  return begin;
}

/// Returns the offset of the exchange buffer, made at the first need as large as the
/// largest.
int64_t SharedAllocation::placeExchange(const SharedNeed &first) {
  if (exchange)
    return *exchange;
  SharedNeed most = first;
  kernel->walk([&](Operation *op) {
    auto need = sharedNeedOf(op, kernel, gpu);
    if (need && need->isExchange)
      most.bytes = std::max(most.bytes, need->bytes);
  });
  exchange = place(most.bytes, most.alignment, liveness.whole());
  return *exchange;
}

/// Returns the end of the fixed part. The runtime plan adds scratch's size to what the
/// kernel states.
int64_t SharedAllocation::placeScratch() {
  auto fixed = dyn_cast<AffineConstantExpr>(kernel.getScratch().getResult(0));
  if (!fixed)
    return end;
  int64_t begin = place(fixed.getValue(), kGrain, liveness.ofScratch());
  end = std::max<int64_t>(end - fixed.getValue(), 0);
  return begin;
}

void SharedAllocation::setPlace(Operation *op, int64_t begin) {
  op->setAttr(tile::kSharedOffsetAttr, OpBuilder(op).getI64IntegerAttr(begin));
}

void SharedAllocation::run() {
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto need = sharedNeedOf(op, kernel, gpu))
      setPlace(op, need->isExchange
                       ? placeExchange(*need)
                       : place(need->bytes, need->alignment, liveness.of(op, *need)));
  });
  SmallVector<tile::ScratchOp> scratch;
  kernel->walk([&](tile::ScratchOp op) { scratch.push_back(op); });
  if (!scratch.empty()) {
    int64_t begin = placeScratch();
    for (tile::ScratchOp op : scratch)
      setPlace(op, begin);
  }
  kernel->setAttr(tile::kSharedBytesAttr, OpBuilder(kernel).getI64IntegerAttr(end));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct AllocateSharedPass
    : public kiln::impl::AllocateSharedPassBase<AllocateSharedPass> {
  using AllocateSharedPassBase::AllocateSharedPassBase;

  void runOnOperation() override {
    auto each = [](tile::KernelOp kernel, const TargetInfo &info) {
      if (!verifyLayouts(kernel))
        return failure();
      SharedAllocation(kernel, *info.gpu).run();
      return success();
    };
    if (failed(forEachGpuKernel(*this, getOperation(), target, each)))
      signalPassFailure();
  }
};
} // namespace

//===- TileSignalOps.cpp - Order between GPUs -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::tile;

/// Each flag is posted or awaited by one lane of a warp.
static constexpr int64_t kMaxFlags = 32;

static LogicalResult verifySignal(Operation *op, int64_t count, TypeRange buffers) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel || !kernel.getThreads())
    return op->emitOpError("(C1) expects a kernel that states its threads");
  if (count < 1 || count > kMaxFlags)
    return op->emitOpError() << "(C1) expects 1 to " << kMaxFlags << " flags, found "
                             << count;
  for (Type type : buffers)
    if (!cast<BufferType>(type).getElementType().isInteger(32))
      return op->emitOpError() << "(C1) expects buffers of i32, found " << type;
  if (groupThreads(op->getParentOp()) < static_cast<int64_t>(*kernel.getThreads()))
    return op->emitOpError("(C2) stands in a loop of smaller thread groups");
  return success();
}

LogicalResult PostOp::verify() {
  return verifySignal(*this, getFlags().size(), getFlags().getTypes());
}

LogicalResult AwaitOp::verify() {
  return verifySignal(*this, getCount(), {getFlags().getType(), getAbort().getType()});
}

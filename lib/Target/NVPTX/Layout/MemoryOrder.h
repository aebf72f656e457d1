//===- MemoryOrder.h - Which accesses wait for other threads ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a kernel in the order of its ops and finds those before which the threads of the
// thread group must meet. Scratch is one piece of memory to it, and all operands and
// results another. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_MEMORYORDER_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_MEMORYORDER_H

#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kiln::nvptx {

class MemoryOrder {
public:
  using Access = llvm::function_ref<void(mlir::Operation *)>;

  /// `meets` is called where threads must meet and no tile.sync_threads says so; the walk
  /// goes on as if they had.
  MemoryOrder(tile::KernelOp kernel, const GpuInfo &gpu, Access meets)
      : kernel(kernel), gpu(gpu), meets(meets) {}
  void run();

private:
  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);
  void visitLoop(mlir::scf::ForOp op);
  void read(mlir::Operation *op, mlir::Value view);
  void write(mlir::Operation *op, mlir::Value view, mlir::Type stored);
  void useScratch(mlir::Operation *op, bool writes);
  void require(mlir::Operation *op);
  void meet() { scratchRead = scratchWritten = operandRead = false; }
  void touch(mlir::Operation *op);

  tile::KernelOp kernel;
  const GpuInfo &gpu;
  Access meets;
  // Since the thread group last met:
  bool scratchRead = false, scratchWritten = false, operandRead = false;
};

/// Reports KILN-E0403 at the first copy that is not waited for, is in no group, or fills
/// what may still be read.
bool verifyCopies(tile::KernelOp kernel);

/// Reports KILN-E0403 at the first access that a tile.sync_threads is missing before.
bool verifyBarriers(tile::KernelOp kernel, const GpuInfo &gpu);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_MEMORYORDER_H

//===- MemoryOrder.h - Finds accesses that need a barrier -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a kernel in program order and finds the ops before which the thread group needs a
// barrier. All scratch counts as one memory, and all operands and results as another.
// Private to lib/Target/NVPTX.
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

  /// `meets` is called where a barrier is needed and there is no tile.sync_threads; the
  /// walk continues as if there were one.
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
  // Accesses since the thread group's last barrier:
  bool scratchRead = false, scratchWritten = false, operandRead = false;
};

/// Reports KILN-E0403 at the first copy that is not waited for, is not committed, or
/// fills a stage that may still be read.
bool verifyCopies(tile::KernelOp kernel);

/// Reports KILN-E0403 at the first access that needs a tile.sync_threads before it and
/// has none.
bool verifyBarriers(tile::KernelOp kernel, const GpuInfo &gpu);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_MEMORYORDER_H

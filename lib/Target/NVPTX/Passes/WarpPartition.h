//===- WarpPartition.h - Rewrites a kernel as producer and consumers -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_PASSES_WARPPARTITION_H
#define KILN_LIB_TARGET_NVPTX_PASSES_WARPPARTITION_H

#include "PartitionPlan.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln::nvptx {

class WarpPartition {
public:
  WarpPartition(tile::KernelOp kernel, const PartitionPlan &plan, const GpuInfo &gpu)
      : kernel(kernel), plan(plan), gpu(gpu), b(kernel.getLoc(), kernel.getContext()) {}

  void rewrite();

private:
  friend class RotatedPipeline;
  using Value = mlir::Value;
  using Values = llvm::SmallVector<Value>;

  /// Position in the stages of a channel.
  struct Cursor {
    Value stage, parity; // i32
  };
  using Cursors = llvm::SmallVector<Cursor>;

  // Producer and consumers (WarpPartition.cpp).
  void allocate();
  Value word(int64_t value);
  Cursor advance(const Cursor &cursor, const Channel &channel);
  /// Builds a loop over the tasks of this block, which carries a cursor per channel.
  mlir::scf::ForOp forTasks(int64_t parity,
                            llvm::function_ref<void(Value task, Cursors &cursors)> body);
  void waitFull(unsigned channel, const Cursor &cursor);
  void release(unsigned channel, Value stage, Value condition = {});

  // The producer (WarpPartition.cpp).
  void buildProducer(mlir::Block &block);
  void prefetchWeights(const llvm::DenseSet<mlir::Operation *> &slice);
  void fill(unsigned channel, Cursor &cursor, mlir::IRMapping &map);
  void fillSteps(mlir::IRMapping &map, Cursors &cursors);
  Values boxIndices(const BoxCopy &copy, mlir::IRMapping &map);

  // The consumers (PartitionConsumers.cpp).
  void buildConsumer(mlir::Block &block);
  void consumeSteps(Cursors &cursors);
  void consumeInTurn(Cursors &cursors);
  bool isPlainProduct();
  void consumeOverlapped(Cursors &cursors);

  // Results (PartitionStores.cpp).
  void storeResults();

  // Attention (PartitionAttention.cpp).
  bool consumeRotated(Cursors &cursors);
  tile::IssueMmaOp issue(const Product &product, Value left, const Cursors &cursors,
                         mlir::ValueRange accumulators);
  Value pack(Value fragment);
  Values waitMma(int64_t inFlight, mlir::ValueRange pending, mlir::ValueRange kept = {});

  tile::KernelOp kernel;
  const PartitionPlan &plan;
  const GpuInfo &gpu;
  mlir::ImplicitLocOpBuilder b;
  Values buffers;             ///< per operand
  Values full, empty;         ///< barriers per channel
  bool storesResults = false; ///< by TMA stores
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_PASSES_WARPPARTITION_H

//===- PartitionPlan.h - Copies of specialized kernels ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives from a kernel with one tile.pipeline which buffers its MMAs read, which TMA
// copies fill a stage of each, and which buffers are filled and emptied together. Private
// to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_PASSES_PARTITIONPLAN_H
#define KILN_LIB_TARGET_NVPTX_PASSES_PARTITIONPLAN_H

#include "dialects/Tile/Tile.h"

namespace kiln::nvptx {

/// One TMA copy into a stage of a buffer.
struct BoxCopy {
  tile::StageOp stage = {};         ///< its indices are the box's origin
  llvm::SmallVector<int64_t> at;    ///< added to them, per dim of the view
  llvm::SmallVector<int64_t> box;   ///< elements per dim of the view
  int64_t place[2] = {0, 0};        ///< row and column of the tile
  std::optional<int64_t> multicast; ///< dim of the box that blocks of a cluster divide
};

/// Operand of an MMA: one tile, or adjacent tiles of B.
struct StagedOperand {
  tile::MemType type;
  llvm::SmallVector<BoxCopy> copies;
  unsigned channel = 0;
};

/// Buffers that are filled and emptied together, with one full and one empty barrier per
/// stage.
struct Channel {
  int64_t stages = 1;
  int64_t bytes = 0;        ///< of one stage of all of its buffers
  bool isOfTask = false;    ///< filled once per task, not once per step of the pipeline
  bool isMulticast = false; ///< all blocks of the cluster fill it together
};

/// One wgmma group: MMAs with the same operand A and with adjacent B operands and
/// accumulators.
struct Product {
  llvm::SmallVector<tile::MmaOp> mmas;
  std::optional<unsigned> left; ///< operand A; nullopt: in registers
  unsigned right = 0;
};

class PartitionPlan {
public:
  explicit PartitionPlan(tile::KernelOp kernel) : kernel(kernel) {}
  /// Fails, with a reason, if the kernel cannot be partitioned.
  llvm::LogicalResult make();
  llvm::StringRef why() const { return reason; }

  tile::PipelineOp pipeline;
  llvm::SmallVector<StagedOperand> operands;
  llvm::SmallVector<Channel> channels;
  llvm::SmallVector<Product> products; ///< in program order
  /// Tiles staged before the pipeline, and the operands that they are.
  llvm::SmallVector<std::pair<tile::StageOp, unsigned>> taskStages;
  int64_t warpgroups = 0; ///< consumers
  int64_t producerRegisters = 0, consumerRegisters = 0;

private:
  llvm::LogicalResult refuse(llvm::StringRef what) {
    reason = what;
    return llvm::failure();
  }
  llvm::LogicalResult findPipeline();
  llvm::LogicalResult findProducts();
  llvm::LogicalResult checkProduct(const Product &product);
  tile::StageOp stageOf(mlir::Value operand);
  llvm::FailureOr<unsigned> addOperand(llvm::ArrayRef<tile::StageOp> tiles,
                                       unsigned depthDim, unsigned channel);
  llvm::LogicalResult addLeft(Product &product, unsigned channel);
  bool isSameInCluster(mlir::ValueRange values);
  llvm::LogicalResult findMulticasts();
  void readConfig();

  tile::KernelOp kernel;
  int64_t stages = 2;
  llvm::StringRef reason;
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_PASSES_PARTITIONPLAN_H

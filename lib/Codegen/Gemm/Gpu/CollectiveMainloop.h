//===- CollectiveMainloop.h - Main loops of a block of threads --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a block multiply the rows by the panels of a tile: a pipeline over K
// stages some steps of both operands at a time. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_COLLECTIVEMAINLOOP_H
#define KILN_LIB_CODEGEN_GEMM_GPU_COLLECTIVEMAINLOOP_H

#include "TileScheduler.h"
#include "lib/Codegen/TensorOperand.h"

namespace kiln::codegen {

class CollectiveMainloop : public GemmBuilder {
public:
  CollectiveMainloop(const GemmBuilder &gemm, TileShape shape, int64_t stages)
      : GemmBuilder(gemm), shape(shape), stages(stages) {}
  virtual ~CollectiveMainloop() = default;

  /// Returns the accumulators of each panel over the tile's steps of K.
  virtual Values multiply(const WorkTile &tile) = 0;

protected:
  using Stage = llvm::function_ref<Values(Value at)>;

  /// Emits the pipeline. `stage` stages the left operand and each panel, which are then
  /// multiplied.
  tile::PipelineOp emitPipeline(const WorkTile &tile, Stage stage);
  /// Stages a tile with element type `element`: the type of the view, or the type that
  /// the view's bytes encode.
  Value emitStage(Value view, mlir::Type element, mlir::ValueRange indices, int64_t rows,
                  int64_t columns, llvm::ArrayRef<int64_t> masked);

  TileShape shape;
  int64_t stages;
};

/// Main loop of mma.sync and of multiply-adds, with views of the task's rows and panels.
class BlockMainloop : public CollectiveMainloop {
public:
  /// `prefetches`: prefetch packed weights at the start of a task.
  BlockMainloop(const GemmBuilder &gemm, TileShape shape, int64_t stages, bool prefetches)
      : CollectiveMainloop(gemm, shape, stages), prefetches(prefetches) {}
  Values multiply(const WorkTile &tile) override;

private:
  /// Dims in which a tile may exceed the operand, so that loads are masked: steps of K,
  /// columns, and entire panels (`absent`).
  struct PanelMask {
    bool k, columns, absent;
  };
  PanelMask panelMask() const;
  Value openPanel(Value number);
  Value openScales(Value number);
  void prefetchPanel(const WorkTile &tile, Value number);
  /// Loads row `step / block` of a panel's scales as bytes.
  Value loadScales(Value view, Value step);
  Values multiplyBlocks(const WorkTile &tile, mlir::ValueRange scales, Stage stage);

  bool prefetches;
};

/// Main loop of wgmma. Each operand has one view that all tasks use, so that it can
/// become a TMA tensor map; a task passes its coordinates.
class WarpgroupMainloop : public CollectiveMainloop {
public:
  /// `isWeights`: the right operand is packed weights, which do not depend on the
  /// previous kernel (programmatic dependent launch).
  WarpgroupMainloop(const GemmBuilder &gemm, TileShape shape, int64_t stages,
                    bool isWeights)
      : CollectiveMainloop(gemm, shape, stages), isWeights(isWeights) {}
  Values multiply(const WorkTile &tile) override;

private:
  struct Tensor {
    Value view;
    TensorOperand operand;
  };
  Tensor openTensor(bool isLeft);
  bool hasAllPanels() const;
  bool overshootsPanels() const;
  Value stageLeft(const Tensor &tensor, Value row, Value at);
  Value stageRight(const Tensor &tensor, Value panel, Value at);

  bool isWeights;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GPU_COLLECTIVEMAINLOOP_H

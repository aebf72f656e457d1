//===- CollectiveMainloop.h - Accumulators of a tile ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a block, together, multiply the rows by the panels of a tile: a pipeline
// over K stages some steps of both operands at a time. Internal to lib/Codegen/Gemm.
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

  /// The accumulators of each panel, over the tile's steps of K.
  virtual Values multiply(const WorkTile &tile) = 0;

protected:
  using Stage = llvm::function_ref<Values(Value at)>;

  /// Multiplies what `stage` stages of the left operand by what it stages of each panel.
  tile::PipelineOp emitPipeline(const WorkTile &tile, Stage stage);
  /// As numbers of `element`, which is the view's own or what its bytes stand for.
  Value emitStage(Value view, mlir::Type element, mlir::ValueRange indices, int64_t rows,
                  int64_t columns, llvm::ArrayRef<int64_t> masked);

  TileShape shape;
  int64_t stages;
};

/// For mma.sync and for multiply-adds: a task has views of its rows and of its panels.
class BlockMainloop : public CollectiveMainloop {
public:
  /// `prefetches`: packed weights are asked for before anything else is read.
  BlockMainloop(const GemmBuilder &gemm, TileShape shape, int64_t stages, bool prefetches)
      : CollectiveMainloop(gemm, shape, stages), prefetches(prefetches) {}
  Values multiply(const WorkTile &tile) override;

private:
  /// Dims in which a tile's panels may reach past the operand, where loads are masked:
  /// steps of K, columns, whole panels.
  struct PanelMask {
    bool k, columns, absent;
  };
  PanelMask panelMask() const;
  Value openPanel(Value number);
  Value openScales(Value number);
  void prefetchPanel(const WorkTile &tile, Value number);
  /// Row `step / block` of a panel's scales, in bytes.
  Value loadScales(Value view, Value step);
  Values multiplyBlocks(const WorkTile &tile, mlir::ValueRange scales, Stage stage);

  bool prefetches;
};

/// For wgmma: both operands are one view each that all tasks have, so that it can become
/// a tensor map, and a task has coordinates in it.
class WarpgroupMainloop : public CollectiveMainloop {
public:
  /// `isWeights`: the right operand is packed weights, which a launch may read early.
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

//===- TileScheduler.h - Which tile a task computes -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GEMM on a GPU is cut into tiles of the result, which a tile order numbers. With data
// parallelism a task is a tile; with split-K several tasks each add up some steps of K of
// the same tile. Whether a block of threads runs one task or, persistent, many of them is
// decided when the kernel is lowered. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_TILESCHEDULER_H
#define KILN_LIB_CODEGEN_GEMM_GPU_TILESCHEDULER_H

#include "lib/Codegen/Gemm/Program/GemmBuilder.h"

namespace kiln::codegen {

/// A tile of the result, and the block of threads that computes it.
struct TileShape {
  int64_t rows, panels;
  int64_t k; ///< steps of K that are staged at a time
  int64_t threads;
  int64_t cluster = 1; ///< blocks whose tiles follow each other along the rows

  /// Rows of a cluster; those of all tiles together are a multiple of them.
  int64_t clusterRows() const { return rows * cluster; }
};

/// Part of the result that a task computes: a tile, for all of K or the steps of one
/// split.
struct WorkTile {
  mlir::Value row, panel; ///< where the tile begins
  mlir::Value begin, end; ///< steps of K
  mlir::Value number;     ///< among all tiles
  mlir::Value split = {}; ///< among the tasks of the tile, where there are several
};

/// Accumulators of `count` panels of a tile from its panel `first` on.
using AccumulatorsOf =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(int64_t first, int64_t count)>;

/// Numbers the tiles of a GEMM.
class TileOrder : public GemmBuilder {
public:
  TileOrder(const GemmBuilder &gemm, TileShape shape);
  virtual ~TileOrder() = default;

  SymbolicExpr tileCount() const;
  /// Tiles of the largest launch that this code is for, whatever the dims of others.
  SymbolicExpr maxTileCount() const;
  /// Finds a tile by its number, for all of K, and binds its batch.
  virtual WorkTile locate(Value number) = 0;

protected:
  TileShape shape;
  /// Tiles of one batch along the rows and along the panels. Those along the rows are
  /// whole clusters, the last of which may have tiles without rows.
  SymbolicExpr rowTiles, panelTiles;
};

/// All panels of some rows follow each other.
class PanelOrder : public TileOrder {
public:
  using TileOrder::TileOrder;
  WorkTile locate(Value number) override;
};

/// Groups of `height` tiles side by side along the rows, one column after the other, so
/// that tasks which run at the same time read the same operands. Tiles of a cluster have
/// numbers that follow each other; which cluster it is says all but their rows.
class RasterOrder : public TileOrder {
public:
  RasterOrder(const GemmBuilder &gemm, TileShape shape, int64_t height)
      : TileOrder(gemm, shape), height(height) {}
  WorkTile locate(Value number) override;

private:
  /// The tile of panels and the tile of rows, or the cluster of them.
  std::pair<Value, Value> rasterize(Value place);

  int64_t height;
};

class TileScheduler : public GemmBuilder {
public:
  TileScheduler(const GemmBuilder &gemm, TileOrder &order)
      : GemmBuilder(gemm), order(order) {}
  virtual ~TileScheduler() = default;

  virtual SymbolicExpr taskCount() const = 0;
  virtual WorkTile open(Value task) = 0;
  /// Calls `finish` once per tile, where the accumulators of all of K are known.
  virtual void reduce(const WorkTile &tile, mlir::ValueRange accumulators,
                      llvm::function_ref<void(AccumulatorsOf)> finish) = 0;
  /// States what tasks need to leave results for each other.
  virtual void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const = 0;

protected:
  TileOrder &order;
};

/// A task per tile.
class DataParallelScheduler : public TileScheduler {
public:
  using TileScheduler::TileScheduler;
  SymbolicExpr taskCount() const override { return order.tileCount(); }
  WorkTile open(Value task) override { return order.locate(task); }
  void reduce(const WorkTile &tile, mlir::ValueRange accumulators,
              llvm::function_ref<void(AccumulatorsOf)> finish) override;
  void setWorkspace(tile::KernelOp, graph::KernelOp) const override {}
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GPU_TILESCHEDULER_H

//===- TileScheduler.h - Tiles of each task ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GEMM on a GPU is divided into tiles of the result, which a tile order numbers. With
// the data-parallel scheduler a task computes a tile; with split-K several tasks each
// accumulate some steps of K of the same tile. The lowering decides whether a block of
// threads runs one task or, as a persistent kernel, many. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_TILESCHEDULER_H
#define KILN_LIB_CODEGEN_GEMM_GPU_TILESCHEDULER_H

#include "lib/Codegen/Gemm/Program/GemmBuilder.h"

namespace kiln::codegen {

/// Tile of the result, and the block of threads that computes it.
struct TileShape {
  int64_t rows, panels;
  int64_t k; ///< steps of K per stage
  int64_t threads;
  int64_t cluster = 1; ///< blocks per cluster, whose tiles are adjacent along the rows

  /// Returns the rows of a cluster. The number of row tiles is a multiple of the cluster.
  int64_t clusterRows() const { return rows * cluster; }
};

/// Part of the result that a task computes: a tile, with all of K or the steps of one
/// split.
struct WorkTile {
  mlir::Value row, panel; ///< first row and panel of the tile
  mlir::Value begin, end; ///< range of steps of K
  mlir::Value number;     ///< among all tiles
  mlir::Value split = {}; ///< index of the split; null if the tile has one task
};

/// Returns the accumulators of panels [first, first + count) of a tile.
using AccumulatorsOf =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(int64_t first, int64_t count)>;

/// Numbers the tiles of a GEMM.
class TileOrder : public GemmBuilder {
public:
  TileOrder(const GemmBuilder &gemm, TileShape shape);
  virtual ~TileOrder() = default;

  SymbolicExpr tileCount() const;
  /// Returns the number of tiles of the largest launch that this code is for, as an
  /// expression without its number of rows.
  SymbolicExpr maxTileCount() const;
  /// Returns a tile by its number, with all of K, and binds its batch.
  virtual WorkTile locate(Value number) = 0;

protected:
  TileShape shape;
  /// Tiles of one batch along the rows and the panels. Row tiles are rounded up to full
  /// clusters, so that the last ones may have no rows.
  SymbolicExpr rowTiles, panelTiles;
};

/// Numbers all panel tiles of a row tile consecutively.
class PanelOrder : public TileOrder {
public:
  using TileOrder::TileOrder;
  WorkTile locate(Value number) override;
};

/// Rasterized order: numbers the tiles of groups of `height` row tiles column by column,
/// so that tasks running at the same time read the same operands. Tiles of a cluster have
/// consecutive numbers and differ in their row tile only.
class RasterOrder : public TileOrder {
public:
  RasterOrder(const GemmBuilder &gemm, TileShape shape, int64_t height)
      : TileOrder(gemm, shape), height(height) {}
  WorkTile locate(Value number) override;

private:
  /// Returns the panel tile and the row tile (or cluster of row tiles) of a place.
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
  /// Calls `finish` once per tile, in the task that has the accumulators of all of K.
  virtual void reduce(const WorkTile &tile, mlir::ValueRange accumulators,
                      llvm::function_ref<void(AccumulatorsOf)> finish) = 0;
  /// Declares the workspace that tasks need to pass accumulators to each other.
  virtual void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const = 0;

protected:
  TileOrder &order;
};

/// One task per tile.
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

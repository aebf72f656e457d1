//===- SplitKScheduler.h - Split-K and stream-K schedulers ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several tasks compute one tile: each stores its accumulators in the workspace. The last
// task of a tile to arrive adds those of all tasks, including its own, in the order of K,
// and runs the epilogue. Results depend on how K is split but not on which task arrives
// last. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_SPLITKSCHEDULER_H
#define KILN_LIB_CODEGEN_GEMM_GPU_SPLITKSCHEDULER_H

#include "PartialTiles.h"
#include "lib/Codegen/Gemm/Config/StreamKPlan.h"

namespace kiln::codegen {

/// Split-K: `splits` tasks per tile, all of which add up some steps of K.
class SplitKScheduler : public TileScheduler {
public:
  SplitKScheduler(const GemmBuilder &gemm, TileOrder &order, TileShape shape,
                  int64_t splits)
      : TileScheduler(gemm, order), shape(shape), splits(splits),
        partials(gemm, shape, splits) {}
  SymbolicExpr taskCount() const override;
  WorkTile open(Value task) override;
  void reduce(const WorkTile &tile, mlir::ValueRange accumulators,
              llvm::function_ref<void(AccumulatorsOf)> finish) override;
  void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const override;

private:
  /// Adds the accumulators of `count` splits from `begin` on to `before`, which is empty
  /// at first.
  Values addSplits(Values before, Value begin, int64_t count, int64_t first,
                   int64_t panels);
  Values addAll(int64_t first, int64_t panels);

  TileShape shape;
  int64_t splits;
  PartialTiles partials;
};

/// Stream-K (Osama et al., 2023): splits the tiles of the last wave; all earlier tiles
/// have one task each.
class StreamKScheduler : public TileScheduler {
public:
  StreamKScheduler(const GemmBuilder &gemm, TileOrder &order, TileShape shape,
                   StreamKPlan plan)
      : TileScheduler(gemm, order), shape(shape), plan(plan),
        partials(gemm, shape, plan.maxSplits()) {}
  SymbolicExpr taskCount() const override;
  WorkTile open(Value task) override;
  void reduce(const WorkTile &tile, mlir::ValueRange accumulators,
              llvm::function_ref<void(AccumulatorsOf)> finish) override;
  void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const override;

private:
  Value unitOf(Value step);
  /// Adds the accumulators of all units, for `count` panels from `first` on.
  Values addAll(Value units, int64_t first, int64_t count);
  /// Stores the accumulators of a task of the last wave. Returns whether the tile is
  /// complete, and its total accumulators in that case.
  Values combine(const WorkTile &tile, mlir::ValueRange accumulators);

  TileShape shape;
  StreamKPlan plan;
  PartialTiles partials;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GPU_SPLITKSCHEDULER_H

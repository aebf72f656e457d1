//===- SplitKScheduler.h - Tiles of several tasks ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every task stores its accumulators in the workspace. The last task of a tile to do so
// adds those of all, its own too, in the order of K, and goes on with the epilogue: bits
// depend on how K is cut and never on which task came last. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_SPLITKSCHEDULER_H
#define KILN_LIB_CODEGEN_GEMM_GPU_SPLITKSCHEDULER_H

#include "PartialTiles.h"
#include "lib/Codegen/Gemm/Config/StreamKPlan.h"

namespace kiln::codegen {

/// Split-K: `splits` tasks per tile, for each tile.
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
  /// Adds those of `count` splits from `begin` on to `before`, which is empty at first.
  Values addSplits(Values before, Value begin, int64_t count, int64_t first,
                   int64_t panels);
  Values addAll(int64_t first, int64_t panels);

  TileShape shape;
  int64_t splits;
  PartialTiles partials;
};

/// Stream-K (Osama et al., 2023), behind waves of whole tiles.
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
  /// Adds those of all units, of some panels.
  Values addAll(Value units, int64_t first, int64_t count);
  /// Leaves the accumulators of a task of the tail; whether the tile is complete, and its
  /// accumulators then.
  Values combine(const WorkTile &tile, mlir::ValueRange accumulators);

  TileShape shape;
  StreamKPlan plan;
  PartialTiles partials;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GPU_SPLITKSCHEDULER_H

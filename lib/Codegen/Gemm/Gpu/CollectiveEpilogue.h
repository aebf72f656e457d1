//===- CollectiveEpilogue.h - Epilogues of a block of threads ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a block compute the fused ops on the accumulators of a tile and store
// the results, some panels (an epilogue tile) at a time. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_COLLECTIVEEPILOGUE_H
#define KILN_LIB_CODEGEN_GEMM_GPU_COLLECTIVEEPILOGUE_H

#include "TileScheduler.h"
#include "lib/Codegen/TensorOperand.h"

namespace kiln::codegen {

class CollectiveEpilogue : public GemmBuilder {
public:
  /// `panels` is the number of panels per epilogue tile.
  CollectiveEpilogue(const GemmBuilder &gemm, TileShape shape, int64_t panels)
      : GemmBuilder(gemm), shape(shape), panels(panels) {}
  virtual ~CollectiveEpilogue() = default;

  virtual int64_t scratchBytes() const = 0;
  virtual void emit(const WorkTile &tile, AccumulatorsOf accumulatorsOf) = 0;

protected:
  /// Returns true if every panel of every tile exists.
  bool hasAllPanels() const;
  /// Emits `body` under the condition that the panel exists.
  void ifExists(Value panel, llvm::function_ref<void()> body);

  TileShape shape;
  int64_t panels;
};

/// Passes accumulators through shared memory, from which each thread group finishes a row
/// of a panel. Fused ops are emitted as on a host, and each store is contiguous.
class RowEpilogue : public CollectiveEpilogue {
public:
  /// `padding` is the number of elements between rows of shared memory. `split` is the
  /// number of partial sums per row, one per split of K; they are `shape.rows` rows apart
  /// and are added in order.
  RowEpilogue(const GemmBuilder &gemm, TileShape shape, int64_t panels, int64_t padding,
              int64_t threadGroup, int64_t split = 1)
      : CollectiveEpilogue(gemm, shape, panels), stride(panels * program.width + padding),
        threadGroup(threadGroup), split(split) {}
  int64_t scratchBytes() const override;
  void emit(const WorkTile &tile, AccumulatorsOf accumulatorsOf) override;
  /// Runs the epilogue of all panels of a tile at once; `fill` stores their accumulators
  /// to scratch.
  void emit(const WorkTile &tile, llvm::function_ref<void(Value scratch)> fill);

private:
  Value openRows();
  void emitRows(const WorkTile &tile, Value panelBegin, Value accumulators);
  /// Computes the columns of the bound panel in row `row` of the tile; `valid` of them
  /// exist (null: all).
  void emitRow(const WorkTile &tile, Value row, Value accumulators, Value column,
               Value valid);

  Values addSplits(Value accumulators, Value row, Value column);

  int64_t stride, threadGroup, split;
};

/// Computes the fused ops on the accumulators' registers, then stores tiles through one
/// view that all tasks use, which a target may lower to a TMA store.
class TileEpilogue : public CollectiveEpilogue {
public:
  TileEpilogue(const GemmBuilder &gemm, TileShape shape, int64_t panels,
               TensorOperand stored)
      : CollectiveEpilogue(gemm, shape, panels), stored(std::move(stored)) {}
  /// Describes the result as TMA stores `columns` of it at a time. Returns nullopt if
  /// threads must store it: there are several results, it is not 16 bits wide or not a
  /// TMA tensor, or a fused op depends on the row.
  static std::optional<TensorOperand>
  storedTensor(graph::KernelOp kernel, const GemmProgram &program, int64_t columns);

  int64_t scratchBytes() const override { return 0; }
  void emit(const WorkTile &tile, AccumulatorsOf accumulatorsOf) override;

private:
  Value compute(Value panel, Value accumulators);
  void store(Value view, Value row, Value panel, mlir::ValueRange accumulators);

  TensorOperand stored;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GPU_COLLECTIVEEPILOGUE_H

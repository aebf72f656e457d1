//===- CollectiveEpilogue.h - From accumulators to results ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a block, together, compute the fused ops on the accumulators of a tile
// and store the results, some panels (an epilogue tile) at a time. Internal to
// lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_COLLECTIVEEPILOGUE_H
#define KILN_LIB_CODEGEN_GEMM_GPU_COLLECTIVEEPILOGUE_H

#include "TileScheduler.h"
#include "lib/Codegen/TensorOperand.h"

namespace kiln::codegen {

class CollectiveEpilogue : public GemmBuilder {
public:
  /// `panels`: of an epilogue tile.
  CollectiveEpilogue(const GemmBuilder &gemm, TileShape shape, int64_t panels)
      : GemmBuilder(gemm), shape(shape), panels(panels) {}
  virtual ~CollectiveEpilogue() = default;

  virtual int64_t scratchBytes() const = 0;
  virtual void emit(const WorkTile &tile, AccumulatorsOf accumulatorsOf) = 0;

protected:
  /// Every panel of every tile exists.
  bool hasAllPanels() const;
  /// Emits `body` for tiles that have the panel.
  void ifExists(Value panel, llvm::function_ref<void()> body);

  TileShape shape;
  int64_t panels;
};

/// Accumulators go through shared memory, from which a thread group each finishes a row
/// of a panel: fused ops are a host's, and each store is contiguous.
class RowEpilogue : public CollectiveEpilogue {
public:
  /// `padding`: elements between rows of shared memory. `split`: how many partial sums a
  /// row has, one for each split of K; they lie `shape.rows` rows apart and are added in
  /// their order.
  RowEpilogue(const GemmBuilder &gemm, TileShape shape, int64_t panels, int64_t padding,
              int64_t threadGroup, int64_t split = 1)
      : CollectiveEpilogue(gemm, shape, panels), stride(panels * program.width + padding),
        threadGroup(threadGroup), split(split) {}
  int64_t scratchBytes() const override;
  void emit(const WorkTile &tile, AccumulatorsOf accumulatorsOf) override;
  /// Runs the epilogue of all panels of a tile at once; `fill` stores their accumulators
  /// to the scratch.
  void emit(const WorkTile &tile, llvm::function_ref<void(Value scratch)> fill);

private:
  Value openRows();
  void emitRows(const WorkTile &tile, Value panelBegin, Value accumulators);
  /// Columns of the bound panel of row `row` of the tile; `valid` exist (null: all).
  void emitRow(const WorkTile &tile, Value row, Value accumulators, Value column,
               Value valid);

  Values addSplits(Value accumulators, Value row, Value column);

  int64_t stride, threadGroup, split;
};

/// The fused ops run in the registers of the accumulators, then whole tiles are stored
/// to one view that all tasks have, of which a target can make TMA copies.
class TileEpilogue : public CollectiveEpilogue {
public:
  TileEpilogue(const GemmBuilder &gemm, TileShape shape, int64_t panels,
               TensorOperand stored)
      : CollectiveEpilogue(gemm, shape, panels), stored(std::move(stored)) {}
  /// The result as TMA stores `columns` of it at a time; nullopt if threads must store
  /// it: several results, or not of 16 bits, or no tensor, or fused ops that read more
  /// than one row for all.
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

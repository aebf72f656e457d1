//===- StagedTile.h - Tiles of operands staged in scratch -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task copies a tile of its staged operands into scratch, and KernelEmitter computes
// rows from there as from any other memory. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_STAGEDTILE_H
#define KILN_CODEGEN_POINTWISE_STAGEDTILE_H

#include "../Expression/KernelShell.h"
#include "Staging.h"
#include "StagingLayout.h"

namespace kiln::codegen {

class StagedTile {
public:
  /// Adds a loop to `program`: the merged innermost loops of the result that a tile has.
  StagedTile(mlir::OpBuilder &builder, mlir::Location loc, Program &program,
             NodeEmitter &emitter, Staging staging, tile::StagingConfigAttr config);

  tile::StagingConfigAttr getConfig() const { return config; }
  SymbolicExpr tasks() const;
  /// Places the operands in scratch from byte `scratch` on, as memories from number
  /// `memory` on. Returns the end in bytes.
  SymbolicExpr planScratch(unsigned memory, SymbolicExpr scratch);
  /// Adds the memories that planScratch() planned.
  void bindMemories();
  /// Calls `compute` for each tile of a task, with the other loops bound and the operands
  /// in scratch.
  void forTiles(mlir::Value task, llvm::function_ref<void()> compute);
  /// Makes the emitter read staged operands from scratch.
  void redirect();

  /// Number of rows of the current tile, and the current row, counted from 0.
  mlir::Value rows();
  void bindRow(mlir::Value row);
  /// Calls `compute` with the columns of a tile as lanes, in two branches if the last
  /// tile of a row may be partial.
  void forColumns(llvm::function_ref<void(NodeEmitter::Lanes)> compute);

private:
  using Value = mlir::Value;
  /// Positions of one loop in a tile.
  struct Range {
    int64_t length;    ///< of a full tile
    int64_t shift = 0; ///< distance of tile begins before multiples of the length
    SymbolicExpr from; ///< origin of the positions
    Value first;       ///< first position
    Value valid;       ///< number of positions; null: tiles are always full
    Value base;        ///< multiple of the length
  };
  using Ranges = std::vector<Range>;

  struct Operand {
    StagedLoad staged;
    SymbolicExpr index; ///< of the load, over the loops of the tile
    SymbolicExpr pitch, offset;
    Node *copy = nullptr; ///< load of an element in scratch
    unsigned memory = 0;
    /// Per loop, the tile's positions before the operand's first; null if it has all
    /// positions.
    llvm::SmallVector<mlir::StringAttr> before;
    Ranges ranges; ///< the operand's part of the current tile
  };
  /// A dim of fragments: positions of a tile, padded lanes, and the valid positions.
  struct Dim {
    int64_t length, lanes;
    Value valid;
    bool isPadded() const { return lanes != length; }
  };
  /// A fragment of an operand to be stored to scratch.
  struct Fragment {
    Value value, to;
    llvm::SmallVector<int64_t> masked; ///< masked dims
  };

  bool isHost() const { return !config.getCompute().getThreads(); }
  void mergeRow();
  SymbolicExpr alongRow(const SymbolicExpr &index) const;
  SymbolicExpr placeOf(const Operand &operand, llvm::ArrayRef<int64_t> run,
                       mlir::StringAttr position) const;

  SymbolicExpr tilesAlong(int64_t loop) const;
  SymbolicExpr columnTasks() const;
  void openLoop(int64_t loop, Value tile);
  void openLoops(Value task, size_t begin);
  /// Returns the part of a range in which an operand is selected.
  Range select(int64_t loop, const Selection &selection);
  void selectOuter(Range &range, llvm::ArrayRef<OuterSelection> outer);
  void selectOperands();
  Value position(const Range &range);
  Value validOf(llvm::ArrayRef<Range> ranges, llvm::ArrayRef<int64_t> run);

  void fill();
  void copyTile();
  void copyOnHost(const Operand &operand);
  Dim dimOf(int64_t length, Value valid);
  Value stepAlong(const Operand &operand, int64_t loop);
  Value originOf(const Operand &operand, llvm::ArrayRef<Range> ranges);
  void load(const Operand &operand, llvm::ArrayRef<Range> ranges,
            std::vector<Fragment> &fragments);

  Value index(int64_t value) { return emitter.constantIndex(value); }
  Value add(Value x, Value y) { return fold<mlir::arith::AddIOp>(x, y); }
  Value sub(Value x, Value y) { return fold<mlir::arith::SubIOp>(x, y); }
  Value mul(Value x, Value y) { return fold<mlir::arith::MulIOp>(x, y); }
  Value min(Value x, Value y) { return fold<mlir::arith::MinSIOp>(x, y); }
  Value max(Value x, Value y) { return fold<mlir::arith::MaxSIOp>(x, y); }
  template <typename Op> Value fold(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  Program &program;
  NodeEmitter &emitter;
  Staging staging;
  tile::StagingConfigAttr config;
  StagingLayout layout;
  std::vector<Operand> operands;
  Ranges ranges;
  Loop columns;            ///< merged innermost loops of the result
  mlir::StringAttr rowVar; ///< counts the rows of a tile
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_STAGEDTILE_H

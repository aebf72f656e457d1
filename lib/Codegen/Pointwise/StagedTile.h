//===- StagedTile.h - A tile of operands in scratch as tile IR --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task copies a tile of its staged operands into scratch; KernelEmitter computes rows
// from there as from any other memory. Internal to lib/Codegen/Pointwise.
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
  /// `program` gets an innermost loop for the run of the result that a tile has.
  StagedTile(mlir::OpBuilder &builder, mlir::Location loc, Program &program,
             NodeEmitter &emitter, Staging staging, tile::StagingConfigAttr config);

  tile::StagingConfigAttr getConfig() const { return config; }
  SymbolicExpr tasks() const;
  /// Places the operands behind so many bytes of scratch, as memories from number
  /// `memory` on. Returns the bytes with them.
  SymbolicExpr planScratch(unsigned memory, SymbolicExpr scratch);
  /// Adds those memories.
  void bindMemories();
  /// Calls `compute` for each tile of a task, with the loops outside of it bound and its
  /// operands in scratch.
  void forTiles(mlir::Value task, llvm::function_ref<void()> compute);
  /// From here on, staged operands are read from scratch.
  void redirect();

  /// Rows of the tile at hand, and the one at hand counted from 0.
  mlir::Value rows();
  void bindRow(mlir::Value row);
  /// The columns of a tile as lanes. Only the last tile of a row is cut off: calls
  /// `compute` in a branch for it, too.
  void forColumns(llvm::function_ref<void(NodeEmitter::Lanes)> compute);

private:
  using Value = mlir::Value;
  /// The positions of one loop that a tile has.
  struct Range {
    int64_t length;    ///< of a tile
    int64_t shift = 0; ///< by which tiles begin before multiples of the length
    SymbolicExpr from; ///< what positions are counted from
    Value first;       ///< position
    Value valid;       ///< positions from there on; null: whole tiles only
    Value base;        ///< the multiple of the length
  };
  using Ranges = std::vector<Range>;

  struct Operand {
    StagedLoad staged;
    SymbolicExpr index; ///< of the load, in terms of the loops of the tile
    SymbolicExpr pitch, offset;
    Node *copy = nullptr; ///< an element in scratch
    unsigned memory = 0;
    /// Per loop, positions of the tile before the operand's first; null: it has all.
    llvm::SmallVector<mlir::StringAttr> before;
    Ranges ranges; ///< the operand's part of the tile at hand
  };
  /// A dim of fragments: positions of a tile, lanes, and how many are inside.
  struct Dim {
    int64_t length, lanes;
    Value valid;
    bool isPadded() const { return lanes != length; }
  };
  /// A fragment of an operand on its way to scratch.
  struct Fragment {
    Value value, to;
    llvm::SmallVector<int64_t> masked; ///< dims
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
  /// The part of a range that an operand is selected for.
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
  Loop columns;            ///< the run of the result as one loop
  mlir::StringAttr rowVar; ///< counts the rows of a tile
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_STAGEDTILE_H

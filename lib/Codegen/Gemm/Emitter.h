//===- Emitter.h - A GEMM program as tile IR --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is some rows times some panels. For each group of panels and each
// block of rows the register tile runs over the depth; every height of a block
// has its own code, so that rows are cut evenly and none is computed in vain.
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_EMITTER_H
#define KILN_LIB_CODEGEN_GEMM_EMITTER_H

#include "../Expression/KernelShell.h"
#include "GemmTensors.h"
#include "Program.h"
#include "kiln/Codegen/Gemm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace kiln::codegen {

class GemmEmitter : ShellEmitter {
public:
  GemmEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel, GemmProgram &program,
              tile::GemmConfigAttr config)
      : ShellEmitter(builder, kernel, program.body), program(program), config(config) {}

  tile::KernelOp emit();

private:
  using Values = llvm::SmallVector<Value>;

  /// Rows [begin, begin + count) of the task at hand.
  struct Rows {
    Value begin, count;
  };
  /// A panel of the group at hand.
  struct Panel {
    Value number; ///< over all splits
    Value rhs;    ///< view of depth x width
    Value strip;  ///< view of rows x width in scratch; null if there is none
    Value stream; ///< the packed operand from the panel on; null: not packed
  };
  /// Where a block of rows is among the blocks that share the panels.
  struct Block {
    Value number, count; ///< null: there is only one
  };
  /// Steps of depth [begin, end).
  struct Steps {
    Value begin, end;
    bool fresh; ///< the first: accumulators begin at 0
  };

  // Tasks (Emitter.cpp).
  void plan();
  void openLhs();
  void emitTask(Value task);
  void emitSmall(Rows rows, Value panelBegin, Value panelEnd);
  void emitLarge(Rows rows, Value panelBegin, Value panelEnd);
  void forPanels(Value begin, Value end, int64_t group,
                 llvm::function_ref<void(llvm::ArrayRef<Panel>)> body);
  void forBlocks(Rows rows, llvm::function_ref<void(Rows, Block)> body);
  llvm::SmallVector<int64_t> heights() const;
  void bindPanel(Value number);
  /// Columns of the panel at hand that exist; may exceed the lanes.
  Value validColumns();
  Steps allSteps();
  bool usesStrip() const;
  int64_t stripRows() const;
  /// The part of `whole` that part `number` of `parts` is, as begin and length.
  std::pair<Value, Value> share(Value whole, Value number, Value parts);

  // Register tiles (Tile.cpp).
  Panel openPanel(Value number, int64_t place, int64_t group);
  Value packPanel(int64_t place);
  bool widensLhs() const;
  SymbolicExpr widenedStride() const;
  void widenLhs(Rows rows);
  void emitTile(llvm::ArrayRef<Panel> panels, Rows rows, Rows block, Block place,
                int64_t height, Steps steps);
  Values accumulate(llvm::ArrayRef<Panel> panels, Value row, Block place, int64_t height,
                    Steps steps, mlir::ValueRange inits);
  void prefetch(llvm::ArrayRef<Panel> panels, Block place, Steps steps, Value at);
  Value aheadOf(size_t group, Steps steps);
  void clearStrip(llvm::ArrayRef<Panel> panels, Value rows);

  // Epilogues (Epilogue.cpp).
  void emitTileEpilogue(const Panel &panel, Value row, Value tile);
  void emitStripEpilogue(const Panel &panel, Rows rows);
  void emitStripRows(const Panel &panel, Rows rows, Value valid);
  void emitOutputs(Value row, Value product);

  // Helpers.
  void forLoop(Value begin, Value end, Value step, llvm::function_ref<void(Value)> body);
  tile::FragType tileType(int64_t height) const {
    return tile::FragType::get(b.getContext(), {height, program.width},
                               program.accumulator);
  }
  llvm::SmallVector<Node *> outputNodes() const;

  GemmProgram &program;
  tile::GemmConfigAttr config;

  SymbolicExpr rowTasks, panelTasks, tasks;
  SymbolicExpr stripBytes, packOffset, packBytes, lhsOffset, scratchBytes;
  Value lhs;      ///< view of rows x depth
  Value lhsBegin; ///< its first row; null: the first of all
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_EMITTER_H

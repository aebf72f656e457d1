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

  /// Packed weights are asked for before anything else is read.
  GemmEmitter &prefetchWeights(bool yes) {
    prefetchesWeights = yes && program.isPacked;
    return *this;
  }
  tile::KernelOp emit();
  /// The same product as the task of a block of threads.
  tile::KernelOp emitBlock(tile::BlockGemmConfigAttr config);
  /// The same for warpgroups whose operands tensor copies bring.
  tile::KernelOp emitWarpgroups(tile::WarpgroupGemmConfigAttr config);

private:
  friend class TileEpilogue;
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

  /// Which of the tasks that share K this one is, and its steps [begin, end).
  struct Part {
    Value tile;   ///< number of what they compute together
    Value number; ///< null: K is not shared
    Value begin, end;
  };
  /// Sums of `count` panels from panel `first` on, of all parts.
  using AccumulatorsOf = llvm::function_ref<Values(int64_t first, int64_t count)>;

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

  // Blocks of threads (Block.cpp).
  /// The kernel whose blocks of threads compute `body`, once all is planned.
  tile::KernelOp emitThreads(mlir::Attribute config,
                             llvm::function_ref<void(Value task)> body);
  void planBlock();
  void emitBlockTask(Value task);
  /// What of a block's panels may not exist: steps of K, columns, whole panels.
  struct PanelMask {
    bool depth, columns, absent;
  };
  PanelMask panelMask() const;
  Value openBlockPanel(Value number);
  void prefetchPanel(Value number);
  Values multiplyBlock(Value rowBegin, mlir::ValueRange panels);
  void emitBlockEpilogue(Value rowBegin, Value panelBegin, Value strip);

  // Tasks that share K (Split.cpp).
  void planSplit();
  /// Takes the part from the number of the task; what is left is that of the tile.
  void openPart(Value &task);
  /// Once per tile, `finish` where the sums of all its parts are known.
  void combineParts(mlir::ValueRange products,
                    llvm::function_ref<void(AccumulatorsOf)> finish);
  Values sumParts(Value partials, mlir::TypeRange types, int64_t first);

  // Warpgroups (Warpgroup.cpp).
  /// An operand as one view for all tasks; a task chooses the indices.
  struct Tensor {
    Value view;
    TensorOperand operand;
  };
  void planWarpgroups();
  Tensor openTensor(bool isLeft);
  /// Where a task is: its panels and its rows, in units of tasks.
  std::pair<Value, Value> rasterize(Value task);
  Value emitTensorStage(const Tensor &tensor, Value first, Value second,
                        int64_t firstExtent, int64_t secondExtent,
                        llvm::ArrayRef<int64_t> masked);
  Values multiplyWarpgroups(Value rowBegin, Value panelBegin);
  void finishWarpgroups(Value rowBegin, Value panelBegin, AccumulatorsOf accumulatorsOf);
  void emitWarpgroupTask(Value task);
  bool overshootsPanels() const;

  // Helpers.
  void forLoop(Value begin, Value end, Value step, llvm::function_ref<void(Value)> body);
  tile::FragType tileType(int64_t height) const {
    return tile::FragType::get(b.getContext(), {height, program.width},
                               program.accumulator);
  }
  llvm::SmallVector<Node *> outputNodes() const;

  GemmProgram &program;
  tile::GemmConfigAttr config;
  tile::BlockGemmConfigAttr block;      ///< null on the host
  tile::WarpgroupGemmConfigAttr groups; ///< null but for warpgroups
  std::optional<TensorOperand> stored;  ///< the result, where TMA stores it
  bool prefetchesWeights = false;
  int64_t stripStride = 0; ///< elements from row to row of the block's strip

  SymbolicExpr rowTasks, panelTasks, tasks;
  SymbolicExpr workspaceBytes, tickets; ///< where blocks share K
  Part part;
  SymbolicExpr stripBytes, packOffset, packBytes, lhsOffset, scratchBytes;
  Value lhs;      ///< view of rows x depth
  Value lhsBegin; ///< its first row; null: the first of all
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_EMITTER_H

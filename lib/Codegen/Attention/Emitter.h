//===- Emitter.h - An attention program as tile IR --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is some queries of one head. It packs the head's keys, transposed, and
// values into panels; then, per block of queries: scores into a strip as wide as
// there are keys, softmax along each row of it, product with the values. All of it
// ends at the last key that a query of the task or the block sees. No buffer of
// queries times keys exists. Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_EMITTER_H
#define KILN_LIB_CODEGEN_ATTENTION_EMITTER_H

#include "../Expression/KernelShell.h"
#include "HeadTensor.h"
#include "Program.h"
#include "kiln/Codegen/Attention.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace kiln::codegen {

class AttentionEmitter : ShellEmitter {
public:
  AttentionEmitter(mlir::OpBuilder &builder, graph::KernelOp kernel,
                   AttentionProgram &program, tile::AttentionConfigAttr config)
      : ShellEmitter(builder, kernel, program.body), program(program), config(config),
        width(config ? config.getNr() : 0) {}

  tile::KernelOp emit();
  /// The same as the task of a block of threads.
  tile::KernelOp emitForThreads(tile::BlockAttentionConfigAttr chosen);
  /// The same for warpgroups whose operands TMA copies.
  tile::KernelOp emitForWarpgroups(tile::WarpgroupAttentionConfigAttr chosen);

private:
  /// Panels of one matrix in scratch.
  struct Panels {
    Value buffer;
    SymbolicExpr depth; ///< rows that there is room for in each
  };

  // Tasks and blocks (Emitter.cpp).
  void plan();
  void emitTask(Value task);
  Panels packPanels(Node *source, const Loop &lanes, const Loop &depth,
                    const SymbolicExpr &offset, Value keyCount);
  void emitBlock(Value row, Value height);
  void multiply(Value lhs, Value lhsRow, const Panels &panels, Value count, Value depth,
                Value height, llvm::function_ref<void(Value panel, Value tile)> use);
  void emitOutputs(Value row, Value height, Value panel);

  // Softmax (Softmax.cpp).
  void emitSoftmax(Value row, Value height);
  Value emitScaled(Value stripRow, Value row, Value first, Value valid, Value maximum);
  Value dropInvalid(Value stripRow, Value sum);
  Value emitExponentials(Value stripRow, Value first, Value shift, Value sum);
  Value forKeys(Value init,
                llvm::function_ref<Value(Value first, Value valid, Value carried)> step);
  Value finiteShift(Value maximum);
  /// A score from the product of query and key: scaled and capped, times `factor`.
  Value scaleScore(mlir::OpBuilder &b, Value product, double factor = 1);
  Value invert(mlir::OpBuilder &b, Value sum);
  Value normalize(mlir::OpBuilder &b, Value value, Value inverse);
  Value mapOne(llvm::ArrayRef<Value> inputs,
               llvm::function_ref<Value(mlir::OpBuilder &, mlir::ValueRange)> body);

  // Blocks of threads (ThreadBlock.cpp).
  void planThreads();
  void emitThreadTask(Value task);
  /// An operand of the products: a view, and the indices of the task in its outer dims.
  struct Matrix {
    Value view;
    llvm::SmallVector<Value> outer;
  };
  Matrix openMatrix(Node *node, const Loop &rows, const Loop &columns);
  mlir::OpFoldResult extentOf(const Loop &loop);
  Value stageMasked(const Matrix &from, mlir::ValueRange indices, int64_t rows,
                    const Loop &rowLoop, int64_t columns, const Loop &columnLoop);
  /// The tiles of both matrices that belong to some keys.
  llvm::SmallVector<Value> stageKeys(const Matrix &keyMatrix, const Matrix &valueMatrix,
                                     Value first, int64_t count);
  void shareRows(Value count, int64_t lanes, llvm::function_ref<void(Value)> body,
                 bool apart = false);
  void openLanes(const Loop &loop, int64_t lanes, int64_t rows = 0);
  void storeMask(Value to, mlir::ValueRange at, Value row, Value first, Value valid,
                 double factor);
  Value scaleMask(Value mask, double factor);
  Value loadScores(Value stripRow, Value row, Value first, Value valid);
  void emitOnlineRow(Value stripRow, Value row, Value first, Value valid);
  void emitOnlineRows(Value rowBegin, Value rowCount, Value first);
  Value loadPerRow(Value perRow);
  Value walkKeys(Value rowBegin, Value rowCount, Value queries);
  void emitResults(Value rowBegin, Value rowCount, Value product);
  Value mapOf(tile::FragType type, llvm::ArrayRef<Value> inputs,
              llvm::function_ref<Value(mlir::OpBuilder &, mlir::ValueRange)> body);

  // Blocks of threads with tensor cores (TensorBlock.cpp).
  struct Online {
    Value maximum, sum; ///< fragments of one element per row
    Value result;
  };
  void planTensor();
  double scoreFactor();
  bool keepsScores();
  Value broadcastRows(tile::FragType type, Value perRow);
  Value loadMask(tile::FragType type, Value rowBegin, Value rowCount, Value first,
                 Value valid);
  Value maskLater(Value scores, Value rowBegin, Value first);
  Value finishScores(Value scores, Value rowBegin, Value rowCount, Value first);
  Online stepOnline(Online before, Value scores, Value values);
  Value walkKeysOnTensorCores(Value rowBegin, Value rowCount, Value queries);

  // What queries see of the keys (Keys.cpp).
  Value countKeys();
  Value lastKeyOf(Value row);
  /// Where the keys end that the block's rows look at, and those that all of them see.
  Value lastKey(Value rowBegin, Value rowCount);
  Value lastSharedKey(Value rowBegin);
  bool seesSome() const { return program.lengths || program.op.getCausal(); }
  Value seenKeys(Value rowBegin, Value rowCount);
  Value extentIn(const Loop &loop, Value keyCount);
  bool hasWholeTiles();
  void enterTile(Value first, Value shared);
  Value atEdge(Value scores, llvm::function_ref<Value(Value)> mask);

  // Results that are not finite (SeenKeys.cpp).
  Value unlessFinite(Value fragment, llvm::function_ref<Value()> again);
  Value addSeenValues(Value stripRow, Value row, Value panel);
  Value scoreOf(Value query);
  llvm::SmallVector<Value> addKey(Value query, mlir::ValueRange state);
  Value attendSeen(Value row);

  // Helpers.
  Value number(double value);
  Value scratch(const SymbolicExpr &offset);
  Value view(Value buffer, Value offset, llvm::ArrayRef<mlir::OpFoldResult> sizes,
             llvm::ArrayRef<mlir::OpFoldResult> strides);
  tile::FragType rowType() const {
    return tile::FragType::get(b.getContext(), {width}, program.accumulator);
  }
  int64_t bytes() const { return tile::elementBytes(program.accumulator); }
  llvm::SmallVector<Node *> outputNodes() const;

  AttentionProgram &program;
  tile::AttentionConfigAttr config;
  int64_t width;
  tile::BlockAttentionConfigAttr threads;    ///< null on the host
  tile::WarpgroupAttentionConfigAttr groups; ///< null but for warpgroups
  std::optional<TensorOperand> stored;       ///< the result, where TMA stores it
  int64_t depthLanes = 0, columnLanes = 0, stripStride = 0;
  int64_t maskRows = 0; ///< rows of the mask in scratch; 0: none is kept there
  SymbolicExpr maskOffset;
  SymbolicExpr maximumOffset, factorOffset;
  Value maxima, factors; ///< views of one element per row
  Value maskLine;        ///< view of the one row of the mask, of a tile of keys

  SymbolicExpr keyPanels, valuePanels, paddedKeys, rowTasks, tasks;
  SymbolicExpr keyOffset, valueOffset, stripOffset, sumOffset, tileOffset, scratchBytes;
  Panels keys, values;
  Value query;       ///< view of rows x depth
  Value keyEnd;      ///< how many keys the task's sequence has
  Value blockKeys;   ///< on the host: how many of them the block sees
  Value isEdge;      ///< some rows of the block do not see all keys of the tile
  Value strip, sums; ///< views of mr x padded keys, of mr
  Value tiles;       ///< view of mr x width: a tile of the result
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_EMITTER_H

//===- AttentionOperands.h - Queries, keys, values of a block ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of a block of threads, read through views of the task's head or through tensor
// maps. Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ATTENTIONOPERANDS_H
#define KILN_LIB_CODEGEN_ATTENTION_ATTENTIONOPERANDS_H

#include "VisibleKeys.h"

namespace kiln::codegen {

/// Tile that a block of threads computes, and the number of keys of one loop step.
struct AttentionTile {
  int64_t rows, keys; ///< queries; keys per step
  int64_t threads;
  int64_t headLanes;   ///< elements per query and key, padded
  int64_t columnLanes; ///< elements per value and result row, padded
};

class AttentionOperands : public AttentionBuilder {
public:
  /// A view, and the task's indices into its outer dims.
  struct Matrix {
    Value view;
    Values outer;
  };
  AttentionOperands(const AttentionBuilder &attention, AttentionTile tile)
      : AttentionBuilder(attention), tile(tile) {}
  virtual ~AttentionOperands() = default;

  /// Returns true if keys and values past the end of a sequence may be read.
  virtual bool readsPastLengths() const = 0;

  Value stageQueries(Value rowBegin);
  Matrix openKeys() { return open(program.keys, program.depth, program.key); }
  Matrix openValues() { return open(program.values, program.key, program.column); }
  /// Stages the tiles of keys and of values that begin at key `first`.
  Values stageKeys(const Matrix &keys, const Matrix &values, Value first);

protected:
  /// Opens the two dims of an operand that the loops `rows` and `columns` index, from
  /// index 0.
  virtual Matrix open(Node *node, const Loop &rows, const Loop &columns) = 0;
  /// Returns true if the operand's extent along the loop is a multiple of `of`.
  virtual bool isWhole(const Loop &loop, int64_t of) const;
  /// Stages a tile with element type `element`: the type of the view, or the quantized
  /// type that the view's bytes encode.
  Value stage(const Matrix &from, mlir::Type element, mlir::ValueRange indices,
              int64_t rows, const Loop &rowLoop, int64_t columns, const Loop &columnLoop);

  AttentionTile tile;
};

/// Views of the task's head, which end at the sequence's length.
class ViewOperands : public AttentionOperands {
public:
  ViewOperands(const AttentionBuilder &attention, AttentionTile tile,
               const VisibleKeys &visible)
      : AttentionOperands(attention, tile), visible(visible) {}
  bool readsPastLengths() const override { return false; }

protected:
  Matrix open(Node *node, const Loop &rows, const Loop &columns) override;
  bool isWhole(const Loop &loop, int64_t of) const override;

private:
  bool isKeys(const Loop &loop) const {
    return program.lengths && loop.var == program.key.var;
  }
  mlir::OpFoldResult extentOf(const Loop &loop);

  const VisibleKeys &visible;
};

/// One view for all tasks, which becomes a TMA tensor map.
class TensorMapOperands : public AttentionOperands {
public:
  using AttentionOperands::AttentionOperands;
  bool readsPastLengths() const override { return bool(program.lengths); }

protected:
  Matrix open(Node *node, const Loop &rows, const Loop &columns) override;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONOPERANDS_H

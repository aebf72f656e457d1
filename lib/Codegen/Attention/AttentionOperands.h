//===- AttentionOperands.h - Queries, keys, values of a block ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a block of threads reads its operands: as views of its own, or as coordinates in
// tensor maps. Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ATTENTIONOPERANDS_H
#define KILN_LIB_CODEGEN_ATTENTION_ATTENTIONOPERANDS_H

#include "VisibleKeys.h"

namespace kiln::codegen {

/// Tile that a block of threads computes, and its steps along the keys.
struct AttentionTile {
  int64_t rows, keys; ///< queries; keys of a step
  int64_t threads;
  int64_t headLanes;   ///< of queries and keys, padded
  int64_t columnLanes; ///< of values and results, padded
};

class AttentionOperands : public AttentionBuilder {
public:
  /// A view, and the indices of the task in its outer dims.
  struct Matrix {
    Value view;
    Values outer;
  };
  AttentionOperands(const AttentionBuilder &attention, AttentionTile tile)
      : AttentionBuilder(attention), tile(tile) {}
  virtual ~AttentionOperands() = default;

  /// True if values of keys behind the length of a sequence may be read.
  virtual bool readsPastLengths() const = 0;

  Value stageQueries(Value rowBegin);
  Matrix openKeys() { return open(program.keys, program.depth, program.key); }
  Matrix openValues() { return open(program.values, program.key, program.column); }
  /// The tiles of keys and of values from key `first` on.
  Values stageKeys(const Matrix &keys, const Matrix &values, Value first);

protected:
  /// The two dims that `rows` and `columns` count in an operand, from their start.
  virtual Matrix open(Node *node, const Loop &rows, const Loop &columns) = 0;
  /// No tile of `of` elements along the loop is cut off by the operand's end.
  virtual bool isWhole(const Loop &loop, int64_t of) const;
  /// As numbers of `element`, which is the view's own or what its bytes stand for.
  Value stage(const Matrix &from, mlir::Type element, mlir::ValueRange indices,
              int64_t rows, const Loop &rowLoop, int64_t columns, const Loop &columnLoop);

  AttentionTile tile;
};

/// Views of the task's head, in which keys past the length of a sequence are not read.
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

/// One view for all tasks, which becomes a tensor map.
class TensorMapOperands : public AttentionOperands {
public:
  using AttentionOperands::AttentionOperands;
  bool readsPastLengths() const override { return bool(program.lengths); }

protected:
  Matrix open(Node *node, const Loop &rows, const Loop &columns) override;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONOPERANDS_H

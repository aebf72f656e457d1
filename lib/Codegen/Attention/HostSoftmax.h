//===- HostSoftmax.h - Softmax and epilogue on a host -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_HOSTSOFTMAX_H
#define KILN_LIB_CODEGEN_ATTENTION_HOSTSOFTMAX_H

#include "PanelMultiplier.h"
#include "VisibleKeys.h"

namespace kiln::codegen {

/// Scratch memory of a task: packed panels of keys and values, weights, their sums, and a
/// panel of the result.
class HostScratch : public AttentionBuilder {
public:
  /// Packed keys and values, and the weights, have elements of type `operand`.
  /// `copiesQueries`: queries have them too.
  HostScratch(const AttentionBuilder &attention, tile::AttentionConfigAttr config,
              mlir::Type operand, bool copiesQueries);
  /// Makes the views at the start of a task; the result's view has `resultLanes` columns.
  void open(int64_t resultLanes);

  SymbolicExpr keyOffset, valueOffset; ///< panels
  SymbolicExpr size;
  Value scores = {}; ///< mr x padded keys
  /// mr x padded keys, each row where its scores were: weights are no wider than scores,
  /// and each is written when its score has been read.
  Value weights = {};
  Value inverses = {};    ///< inverse sums of the weights: mr
  Value resultPanel = {}; ///< mr x resultLanes
  Value queries = {};     ///< mr x padded head dim; null if they are not copied

private:
  SymbolicExpr allocate(const SymbolicExpr &elements, int64_t elementBytes);

  int64_t rows, width;
  mlir::Type operand;
  bool copiesQueries;
  SymbolicExpr paddedKeys, weightOffset, sumOffset, resultOffset, paddedHeadDim,
      queryOffset;
};

/// Softmax in two passes over a row of scores: first scale, mask and maximum, then
/// exponentials and their sum. Columns past the last key are minus infinity, so that they
/// add 0.
class HostSoftmax : public AttentionBuilder {
public:
  HostSoftmax(const AttentionBuilder &attention, int64_t width, VisibleKeys &visible,
              const HostScratch &scratch)
      : AttentionBuilder(attention), width(width), visible(visible), scratch(scratch) {}

  /// Replaces the scores of the rows for the keys `seen` by their weights.
  void emit(QueryRows rows, KeyRange seen);

private:
  using Step = llvm::function_ref<Value(Value first, Value valid, Value carried)>;

  Value forKeys(Value init, Step step);
  Value emitScaled(Value scratchRow, Value row, Value first, Value valid, Value maximum);
  Value emitExponentials(Value scratchRow, Value first, Value valid, Value shift,
                         Value sum);
  void storeWeights(Value weights, Value scratchRow, Value first);
  Value dropInvalid(Value scratchRow, Value sum);
  tile::FragType rowType() const { return fragType({width}); }

  int64_t width;
  VisibleKeys &visible;
  const HostScratch &scratch;
  KeyRange keys = {}; ///< seen by the current rows
};

/// Computes the fused ops on the rows of a panel of the result in scratch, and stores
/// them.
class HostAttentionEpilogue : public AttentionBuilder {
public:
  HostAttentionEpilogue(const AttentionBuilder &attention, VisibleKeys &visible,
                        const HostScratch &scratch, std::optional<tile::DotProduct> dot)
      : AttentionBuilder(attention), visible(visible), scratch(scratch), dot(dot) {}

  /// Finishes and stores the columns of panel number `at` of the result. `values` is the
  /// panel of values that the weights of `keys` were multiplied with.
  void emit(QueryRows rows, Value at, Value values, KeyRange keys);

private:
  Value isHidden(Value key);
  Value loadValues(tile::FragType type, Value values, Value key);
  Value flush(mlir::OpBuilder &b, Value number);
  Value addValue(mlir::OpBuilder &b, Value sum, Value weight, Value value);
  using AddKey = llvm::function_ref<Value(Value key, Value sum)>;
  Value addBlock(Value begin, Value sum, AddKey add);
  Value addVisibleValues(Value scratchRow, Value row, Value values, KeyRange keys);

  VisibleKeys &visible;
  const HostScratch &scratch;
  /// The dot product that multiplies weights and values; nullopt: FMAs.
  std::optional<tile::DotProduct> dot;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_HOSTSOFTMAX_H

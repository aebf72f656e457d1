//===- HostSoftmax.h - Softmax and epilogue in a host's scratch -*- C++ -*-===//
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

/// Scratch of a host's task: packed panels of keys and values, weights, sums, and a panel
/// of the result.
class HostScratch : public AttentionBuilder {
public:
  HostScratch(const AttentionBuilder &attention, tile::AttentionConfigAttr config);
  /// Makes the views, at the start of a task; the result's has so many lanes.
  void open(int64_t resultLanes);

  SymbolicExpr keyOffset, valueOffset; ///< panels
  SymbolicExpr size;
  Value weights = {};     ///< scores, then weights: mr x padded keys
  Value inverses = {};    ///< of the sums of the weights: mr
  Value resultPanel = {}; ///< mr x lanes of the result

private:
  SymbolicExpr allocate(const SymbolicExpr &elements);

  int64_t rows, width;
  SymbolicExpr paddedKeys, weightOffset, sumOffset, resultOffset;
};

/// Two passes over a row of scores: scale, mask and maximum; exponentials and their sum.
/// Columns past the keys are minus infinity, so they add nothing.
class HostSoftmax : public AttentionBuilder {
public:
  HostSoftmax(const AttentionBuilder &attention, int64_t width, VisibleKeys &visible,
              const HostScratch &scratch)
      : AttentionBuilder(attention), width(width), visible(visible), scratch(scratch) {}

  /// Turns the scores of some queries with some keys into weights.
  void emit(QueryRows rows, KeyRange seen);

private:
  using Step = llvm::function_ref<Value(Value first, Value valid, Value carried)>;

  Value forKeys(Value init, Step step);
  Value emitScaled(Value scratchRow, Value row, Value first, Value valid, Value maximum);
  Value emitExponentials(Value scratchRow, Value first, Value valid, Value shift,
                         Value sum);
  Value dropInvalid(Value scratchRow, Value sum);
  tile::FragType rowType() const { return fragType({width}); }

  int64_t width;
  VisibleKeys &visible;
  const HostScratch &scratch;
  KeyRange keys = {}; ///< of the queries at hand
};

/// Finishes rows of a panel of the result, which are in scratch.
class HostAttentionEpilogue : public AttentionBuilder {
public:
  HostAttentionEpilogue(const AttentionBuilder &attention, VisibleKeys &visible,
                        const HostScratch &scratch)
      : AttentionBuilder(attention), visible(visible), scratch(scratch) {}

  /// Finishes and stores the columns of panel number `at` of the result. `values` is the
  /// panel of values that the weights of `keys` were multiplied with.
  void emit(QueryRows rows, Value at, Value values, KeyRange keys);

private:
  Value isHidden(Value key);
  Value loadValues(tile::FragType type, Value values, Value key);
  Value addVisibleValues(Value scratchRow, Value row, Value values, KeyRange keys);

  VisibleKeys &visible;
  const HostScratch &scratch;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_HOSTSOFTMAX_H

//===- ColumnHalves.cpp - Two GEMMs with interleaved columns --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnHalves.h"
#include "ProductOp.h"

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace mlir;

/// Returns the only user of a value if it is an OpT, else null.
template <typename OpT> static OpT readerOf(Value value) {
  return value.hasOneUse() ? dyn_cast<OpT>(*value.user_begin()) : OpT();
}

/// Returns the half that a slice [..., N / block, 1, block] selects; nullopt: none.
static std::optional<unsigned> numberOf(SliceOp slice) {
  Dims from = getDims(slice.getInput()), starts = getDims(slice.getStarts());
  Dims expected = from;
  size_t axis = from.size() - 2;
  expected[axis] = 1;
  if (getDims(slice.getResult()) != expected || slice.getSteps()[axis] != 1)
    return std::nullopt;
  for (size_t i = 0; i < starts.size(); ++i)
    if (i != axis && !starts[i].isConstant(0))
      return std::nullopt;
  if (starts[axis].isConstant(0))
    return 0;
  return starts[axis].isConstant(1) ? std::optional(1u) : std::nullopt;
}

/// Matches a reshape of [..., 2N] to [..., N / block, 2, block]; `half` is [..., N].
static bool splitsColumns(ReshapeOp reshape, Dims &half, int64_t &block) {
  Dims from = getDims(reshape.getInput()), to = getDims(reshape.getResult());
  auto last = to.empty() ? std::nullopt : to.back().getConstant();
  if (to.size() != from.size() + 2 || !last || !to[to.size() - 2].isConstant(2) ||
      ArrayRef(to).drop_back(3) != ArrayRef(from).drop_back())
    return false;
  block = *last;
  half = from;
  half.back() = to[to.size() - 3] * SymbolicExpr(block);
  return true;
}

std::optional<ColumnHalves> kiln::codegen::columnHalvesOf(Value product) {
  auto split = readerOf<ReshapeOp>(product);
  ColumnHalves halves;
  Dims half;
  if (!split || !splitsColumns(split, half, halves.block))
    return std::nullopt;
  for (Operation *user : split->getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    auto number = slice ? numberOf(slice) : std::nullopt;
    auto whole = number ? readerOf<ReshapeOp>(slice.getResult()) : ReshapeOp();
    if (!whole || getDims(whole.getResult()) != half)
      return std::nullopt;
    Value &own = *number ? halves.second : halves.first;
    if (own)
      return std::nullopt;
    own = whole.getResult();
  }
  return halves.first && halves.second ? std::optional(halves) : std::nullopt;
}

bool kiln::codegen::isColumnHalf(Value value, Operation *hero) {
  ProductOp product = ProductOp::of(hero);
  auto halves = product ? columnHalvesOf(product.getResult()) : std::nullopt;
  return halves && (value == halves->first || value == halves->second);
}

//===- RoundedCache.cpp - Quantized caches of static models ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundedCache.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Reference/Folding.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Ops in the order of execution.
using Chain = SmallVector<Operation *>;

/// Whether a quantization has one constant scale.
template <typename OpT> static bool hasOneScale(OpT op) {
  return !op.getAxis() && llvm::all_of(op->getOperands().drop_front(), isCompileTime);
}

/// Returns the chain of quantizations with one scale that computes `value`, and its
/// input.
static std::pair<Value, Chain> roundingOf(Value value) {
  Chain ops;
  while (auto expanded = value.getDefiningOp<DequantizeOp>()) {
    auto narrowed = expanded.getInput().getDefiningOp<QuantizeOp>();
    if (!narrowed || !hasOneScale(narrowed) || !hasOneScale(expanded))
      break;
    ops.push_back(expanded);
    ops.push_back(narrowed);
    value = narrowed.getInput();
  }
  std::reverse(ops.begin(), ops.end());
  return {value, ops};
}

/// Applies the ops to another value.
static Value apply(OpBuilder &b, const Chain &ops, Value value) {
  for (Operation *op : ops) {
    Operation *moved = b.clone(*op);
    Value result = moved->getResult(0);
    moved->setOperand(0, value);
    result.setType(makeTensorType(getDims(value), elementTypeOf(result)));
    value = result;
  }
  return value;
}

/// Evaluates the ops on a value if the result is a constant.
static std::optional<DenseElementsAttr> folded(OpBuilder &b, const Chain &ops,
                                               Value value) {
  for (Operation *op : ops) {
    Value next = apply(b, {op}, value);
    std::optional<DenseElementsAttr> number = reference::foldOp(next.getDefiningOp());
    next.getDefiningOp()->erase();
    if (!number)
      return std::nullopt;
    value = ConstantOp::create(b, op->getLoc(), *number);
  }
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                  : DenseElementsAttr();
}

/// Whether `again` changes no value that `first` rounds to; checks each such value.
static bool keepsAll(OpBuilder &b, const Chain &first, const Chain &again) {
  auto expand = cast<DequantizeOp>(first.back());
  auto type = dyn_cast<IntegerType>(elementTypeOf(expand.getInput()));
  if (!type || type.getWidth() > 8)
    return false;
  SmallVector<APInt> codes;
  for (unsigned code = 0; code < 1u << type.getWidth(); ++code)
    codes.push_back(APInt(type.getWidth(), code));
  auto all = RankedTensorType::get({int64_t(codes.size())}, type);
  Value value =
      ConstantOp::create(b, expand.getLoc(), DenseElementsAttr::get(all, codes));
  std::optional<DenseElementsAttr> once = folded(b, {first.back()}, value);
  if (!once)
    return false;
  Value numbers = ConstantOp::create(b, expand.getLoc(), *once);
  return folded(b, again, numbers) == once;
}

RoundedCache kiln::graph::takeRounding(BlockArgument past, Value present) {
  auto [joined, outer] = roundingOf(present);
  auto concat = joined.getDefiningOp<ConcatOp>();
  if (outer.empty() || !concat || concat.getInputs().size() != 2)
    return {};
  auto [begin, inner] = roundingOf(concat.getInputs()[0]);
  if (begin != past || !concat->hasOneUse())
    return {};
  // After the definition of both scales.
  OpBuilder b(outer.back());
  Value rows = apply(b, outer, concat.getInputs()[1]);
  Value whole =
      ConcatOp::create(b, concat.getLoc(), ValueRange{past, rows}, concat.getAxis());
  Chain again = inner;
  again.append(outer);
  Value later = keepsAll(b, outer, again) ? Value() : apply(b, again, rows);
  present.replaceAllUsesWith(whole);
  return {whole, later};
}

//===- IndexRows.cpp - Index operands and where they come from ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/IndexRows.h"
#include "dialects/Graph/Indexing.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

Value graph::lookThroughKernels(Value value) {
  for (;;) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
      if (!kernel)
        return value;
      value = kernel.getOperand(argument.getArgNumber());
      continue;
    }
    auto kernel = value.getDefiningOp<KernelOp>();
    if (!kernel)
      return value;
    value = kernel.getBlock().getTerminator()->getOperand(
        cast<OpResult>(value).getResultNumber());
  }
}

Operation *graph::definingOp(Value value) {
  return lookThroughKernels(value).getDefiningOp();
}

std::optional<SymbolicExpr> graph::uniformNumber(Value value) {
  Operation *op = definingOp(value);
  while (op && (isa<CastOp>(op) || movesAll(op)))
    op = definingOp(op->getOperand(0));
  if (auto dims = dyn_cast_or_null<DimsOp>(op)) {
    Dims all = getDims(dims.getValue());
    return all.size() == 1 ? std::optional(all[0]) : std::nullopt;
  }
  if (auto fill = dyn_cast_or_null<FillOp>(op)) {
    auto number = dyn_cast<IntegerAttr>(fill.getValue());
    return number ? std::optional<SymbolicExpr>(number.getValue().getSExtValue())
                  : std::nullopt;
  }
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  auto values = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!values || !values.isSplat() || !isa<IntegerType>(values.getElementType()))
    return std::nullopt;
  return SymbolicExpr(values.getSplatValue<APInt>().getSExtValue());
}

std::optional<IndexUse> graph::matchWrappedIndex(Value value) {
  auto select = dyn_cast_or_null<SelectOp>(definingOp(value));
  auto compare =
      select ? dyn_cast_or_null<CompareOp>(definingOp(select.getCondition())) : nullptr;
  auto sum =
      select ? dyn_cast_or_null<BinaryOp>(definingOp(select.getOnTrue())) : nullptr;
  if (!compare || !sum || compare.getKind() != CompareKind::less ||
      sum.getKind() != BinaryKind::add)
    return std::nullopt;
  Value index = lookThroughKernels(select.getOnFalse());
  bool ownFirst = lookThroughKernels(sum.getLhs()) == index;
  if (lookThroughKernels(compare.getLhs()) != index ||
      (!ownFirst && lookThroughKernels(sum.getRhs()) != index))
    return std::nullopt;
  std::optional<SymbolicExpr> zero = uniformNumber(compare.getRhs());
  if (!zero || !zero->isConstant(0))
    return std::nullopt;
  std::optional<SymbolicExpr> rows =
      uniformNumber(ownFirst ? sum.getRhs() : sum.getLhs());
  if (!rows)
    return std::nullopt;
  return IndexUse{select.getOnFalse(), *rows};
}

std::vector<IndexUse> graph::findIndexParts(Value index) {
  std::vector<IndexUse> parts;
  SmallVector<Value> todo{index};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!todo.empty()) {
    Value value = todo.pop_back_val();
    Operation *op = definingOp(value);
    if (!op || !seen.insert(op).second)
      continue;
    if (std::optional<IndexUse> part = matchWrappedIndex(value))
      parts.push_back(*part);
    else if (isa<CastOp, SelectOp>(op) || movesAll(op))
      todo.append(op->operand_begin(), op->operand_end());
    else if (auto binary = dyn_cast<BinaryOp>(op))
      if (binary.getKind() == BinaryKind::add || binary.getKind() == BinaryKind::mul)
        todo.append(op->operand_begin(), op->operand_end());
  }
  return parts;
}

/// Whether an integer cast changes no value.
static bool keepsNumbers(CastOp op) {
  auto typeOf = [](Value value) {
    return dyn_cast<IntegerType>(
        cast<RankedTensorType>(value.getType()).getElementType());
  };
  IntegerType from = typeOf(op.getInput()), to = typeOf(op.getResult());
  return from && to && from.getWidth() > 1 && from.getWidth() <= to.getWidth();
}

/// Matches a slice of one position of the last dim, which selects component i of index
/// tuples, and notes the component in `source`.
static bool takeComponent(SliceOp slice, IndexSource &source) {
  Dims from = getDims(slice.getInput()), to = getDims(slice.getResult()),
       starts = getDims(slice.getStarts());
  auto size = from.back().getConstant(), first = starts.back().getConstant();
  if (!size || !first || !to.back().isConstant(1) || source.step != 1)
    return false;
  for (size_t dim = 0; dim + 1 < from.size(); ++dim)
    if (from[dim] != to[dim] || !starts[dim].isConstant(0))
      return false;
  source.first = *first;
  source.step = *size;
  return true;
}

std::optional<IndexSource> graph::findIndexSource(Value value) {
  IndexSource source;
  value = lookThroughKernels(value);
  while (Operation *op = value.getDefiningOp()) {
    auto cast = dyn_cast<CastOp>(op);
    auto slice = dyn_cast<SliceOp>(op);
    // A component is a stride through the argument's elements in row-major order, so the
    // order must be kept once `step` is not 1.
    bool moves = source.step == 1 ? movesAll(op) : keepsOrder(op);
    if (!moves && !(cast && keepsNumbers(cast)) &&
        !(slice && takeComponent(slice, source)))
      return std::nullopt;
    value = lookThroughKernels(op->getOperand(0));
  }
  source.argument = cast<BlockArgument>(value);
  return source;
}

static std::string nameOf(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (isa<NameLoc>(part))
        return nameOf(part);
  return "a node";
}

DictionaryAttr graph::describeIndexRows(MLIRContext *context, const IndexSource &source,
                                        const SymbolicExpr &rows, Location node) {
  Builder b(context);
  SmallVector<NamedAttribute> fields = {
      b.getNamedAttr("node", b.getStringAttr(nameOf(node))),
      b.getNamedAttr("rows", makeShape(context, {rows}))};
  if (source.step != 1) {
    fields.push_back(b.getNamedAttr("first", b.getI64IntegerAttr(source.first)));
    fields.push_back(b.getNamedAttr("step", b.getI64IntegerAttr(source.step)));
  }
  return b.getDictionaryAttr(fields);
}

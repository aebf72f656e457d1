//===- CheckIndices.cpp - Inputs that hold indices ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckIndices.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/IndexRows.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
/// Indices into so many rows, as a value of the graph.
struct IndexUse {
  Value index;
  SymbolicExpr rows;
};

/// Elements `first`, `first + step` ... of an argument.
struct Source {
  BlockArgument argument;
  int64_t first = 0, step = 1;
};

class Annotator {
public:
  explicit Annotator(func::FuncOp main) : main(main), b(main.getContext()) {}
  IndexReport run();

private:
  void add(const IndexUse &use, Location node);

  func::FuncOp main;
  Builder b;
  llvm::MapVector<unsigned, SmallVector<Attribute>> rows; // by argument
  IndexReport report;
};
} // namespace

/// A number that is the same for all elements.
static std::optional<SymbolicExpr> numberOf(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<ReshapeOp, BroadcastOp, CastOp>(op))
    op = op->getOperand(0).getDefiningOp();
  if (auto dims = dyn_cast_or_null<DimsOp>(op)) {
    Dims all = getDims(dims.getValue());
    return all.size() == 1 ? std::optional(all[0]) : std::nullopt;
  }
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  auto values = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!values || !values.isSplat() || !isa<IntegerType>(values.getElementType()))
    return std::nullopt;
  return SymbolicExpr(values.getSplatValue<APInt>().getSExtValue());
}

/// select(x < 0, x + rows, x), as importers and exporters spell an index that may count
/// from the end of a dim: it is meant to lie in [-rows, rows).
static std::optional<IndexUse> matchWrap(Value value) {
  auto select = value.getDefiningOp<SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<CompareOp>() : nullptr;
  auto sum = select ? select.getOnTrue().getDefiningOp<BinaryOp>() : nullptr;
  if (!compare || !sum || compare.getKind() != CompareKind::less ||
      sum.getKind() != BinaryKind::add || compare.getLhs() != select.getOnFalse())
    return std::nullopt;
  std::optional<SymbolicExpr> zero = numberOf(compare.getRhs());
  bool ownFirst = sum.getLhs() == select.getOnFalse();
  if (!zero || !zero->isConstant(0) || (!ownFirst && sum.getRhs() != select.getOnFalse()))
    return std::nullopt;
  std::optional<SymbolicExpr> rows = numberOf(ownFirst ? sum.getRhs() : sum.getLhs());
  if (!rows)
    return std::nullopt;
  return IndexUse{select.getOnFalse(), *rows};
}

/// The indices per dim that an index into joined dims is computed from; nothing if it
/// is not computed in that way.
static std::vector<IndexUse> findParts(Value index) {
  std::vector<IndexUse> parts;
  SmallVector<Value> todo{index};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!todo.empty()) {
    Value value = todo.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (std::optional<IndexUse> part = matchWrap(value))
      parts.push_back(*part);
    else if (isa<ReshapeOp, BroadcastOp, CastOp, SelectOp>(op))
      todo.append(op->operand_begin(), op->operand_end());
    else if (auto binary = dyn_cast<BinaryOp>(op))
      if (binary.getKind() == BinaryKind::add || binary.getKind() == BinaryKind::mul)
        todo.append(op->operand_begin(), op->operand_end());
  }
  return parts;
}

/// Whether a cast keeps every number.
static bool keepsNumbers(CastOp op) {
  auto typeOf = [](Value value) {
    return dyn_cast<IntegerType>(cast<RankedTensorType>(value.getType()).getElementType());
  };
  IntegerType from = typeOf(op.getInput()), to = typeOf(op.getResult());
  return from && to && from.getWidth() > 1 && from.getWidth() <= to.getWidth();
}

/// One position of the last dim: component i of tuples of indices.
static bool takeComponent(SliceOp slice, Source &source) {
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

/// The argument whose elements are the indices; none if the model computes them.
static std::optional<Source> sourceOf(Value value) {
  Source source;
  while (Operation *op = value.getDefiningOp()) {
    auto cast = dyn_cast<CastOp>(op);
    auto slice = dyn_cast<SliceOp>(op);
    if (!isa<ReshapeOp, BroadcastOp>(op) && !(cast && keepsNumbers(cast)) &&
        !(slice && takeComponent(slice, source)))
      return std::nullopt;
    // Components are counted along the argument's own last dim.
    if (source.step != 1 && isa<BroadcastOp>(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  source.argument = cast<BlockArgument>(value);
  return source;
}

static std::string nodeOf(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().str();
  return "a node";
}

void Annotator::add(const IndexUse &use, Location node) {
  std::optional<Source> source = sourceOf(use.index);
  if (!source) {
    // Numbers that are in the model were looked at when it was imported.
    Operation *op = use.index.getDefiningOp();
    report.computed += !isa_and_nonnull<ConstantOp, GetWeightOp, IotaOp, DimsOp>(op);
    return;
  }
  SmallVector<NamedAttribute> fields = {
      b.getNamedAttr("node", b.getStringAttr(nodeOf(node))),
      b.getNamedAttr("rows", makeShape(b.getContext(), {use.rows}))};
  if (source->step != 1) {
    fields.push_back(b.getNamedAttr("first", b.getI64IntegerAttr(source->first)));
    fields.push_back(b.getNamedAttr("step", b.getI64IntegerAttr(source->step)));
  }
  SmallVector<Attribute> &list = rows[source->argument.getArgNumber()];
  Attribute entry = b.getDictionaryAttr(fields);
  if (llvm::is_contained(list, entry))
    return;
  list.push_back(entry);
  ++report.checked;
}

IndexReport Annotator::run() {
  main.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<SymbolicExpr> dim = indexedDim(operand);
      if (!dim)
        continue;
      std::vector<IndexUse> parts = findParts(operand.get());
      if (parts.empty())
        parts.push_back({operand.get(), *dim});
      for (const IndexUse &use : parts)
        add(use, op->getLoc());
    }
  });
  for (const auto &[argument, list] : rows)
    main.setArgAttr(argument, kIndexRowsAttr, b.getArrayAttr(list));
  return report;
}

IndexReport kiln::checkIndices(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main ? Annotator(main).run() : IndexReport();
}

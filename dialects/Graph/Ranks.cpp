//===- Ranks.cpp - What modules for several ranks say -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Ranks.h"

using namespace mlir;
using namespace kiln::graph;

int64_t kiln::graph::ranksOf(ModuleOp module) {
  auto ranks = module->getAttrOfType<IntegerAttr>(kRanksAttr);
  return ranks ? ranks.getInt() : 1;
}

void kiln::graph::setRanks(ModuleOp module, int64_t ranks) {
  module->setAttr(kRanksAttr,
                  IntegerAttr::get(IntegerType::get(module.getContext(), 64), ranks));
}

std::optional<WeightPart> kiln::graph::partOf(WeightOp weight) {
  auto part = weight->getAttrOfType<DictionaryAttr>(kPartAttr);
  if (!part)
    return std::nullopt;
  return WeightPart{part.getAs<FlatSymbolRefAttr>("of"),
                    part.getAs<IntegerAttr>("axis").getInt()};
}

void kiln::graph::setPart(WeightOp weight, WeightPart part) {
  Builder builder(weight.getContext());
  weight->setAttr(
      kPartAttr,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("of", part.of),
           builder.getNamedAttr("axis", builder.getI64IntegerAttr(part.axis))}));
}

llvm::DenseSet<StringAttr> kiln::graph::weightsOfRanks(ModuleOp module) {
  llvm::DenseSet<StringAttr> names;
  for (WeightOp weight : module.getOps<WeightOp>())
    if (weight->hasAttr(kPartAttr))
      names.insert(weight.getSymNameAttr());
  auto bake = module.lookupSymbol<func::FuncOp>(kBakeName);
  if (names.empty() || !bake || bake.isExternal())
    return names;
  // In the order of @bake a weight is set before it is read.
  llvm::DenseSet<Operation *> differing;
  for (Operation &op : bake.front()) {
    auto get = dyn_cast<GetWeightOp>(op);
    bool differs = (get && names.contains(get.getWeightAttr().getAttr())) ||
                   llvm::any_of(op.getOperands(), [&](Value operand) {
                     return differing.contains(operand.getDefiningOp());
                   });
    if (!differs)
      continue;
    differing.insert(&op);
    if (auto set = dyn_cast<SetWeightOp>(op))
      names.insert(set.getWeightAttr().getAttr());
  }
  return names;
}

llvm::DenseMap<StringAttr, int64_t> kiln::graph::stagesOfWeights(ModuleOp module) {
  llvm::DenseMap<StringAttr, int64_t> stages;
  for (WeightOp weight : module.getOps<WeightOp>())
    if (auto stage = weight->getAttrOfType<IntegerAttr>(kStageAttr))
      stages[weight.getSymNameAttr()] = stage.getInt();
  auto bake = module.lookupSymbol<func::FuncOp>(kBakeName);
  if (stages.empty())
    return stages;
  // A part has the stage of the weight that it is of.
  llvm::DenseMap<StringAttr, StringAttr> wholeOf;
  for (WeightOp weight : module.getOps<WeightOp>())
    if (std::optional<WeightPart> part = partOf(weight))
      wholeOf[weight.getSymNameAttr()] = part->of.getAttr();
  auto stageOf = [&](StringAttr name) {
    auto whole = wholeOf.find(name);
    auto it = stages.find(whole == wholeOf.end() ? name : whole->second);
    return it == stages.end() ? -1 : it->second;
  };
  // In the order of @bake a weight is set before it is read.
  llvm::DenseMap<Operation *, int64_t> made;
  auto setStages = [&](Operation &op) {
    auto get = dyn_cast<GetWeightOp>(op);
    int64_t stage = get ? stageOf(get.getWeightAttr().getAttr()) : -1;
    for (Value operand : op.getOperands())
      if (auto it = made.find(operand.getDefiningOp()); it != made.end())
        stage = std::max(stage, it->second);
    if (stage < 0)
      return;
    made[&op] = stage;
    if (auto set = dyn_cast<SetWeightOp>(op))
      stages[set.getWeightAttr().getAttr()] = stage;
  };
  if (bake && !bake.isExternal())
    llvm::for_each(bake.front(), setStages);
  for (auto [name, whole] : wholeOf)
    if (int64_t stage = stageOf(name); stage >= 0)
      stages[name] = stage;
  return stages;
}

std::optional<int64_t> kiln::graph::collectiveRanks(Operation *op) {
  if (auto collective = dyn_cast<AllReduceOp>(op))
    return collective.getRanks();
  if (auto collective = dyn_cast<AllGatherOp>(op))
    return collective.getRanks();
  if (auto collective = dyn_cast<ReduceScatterOp>(op))
    return collective.getRanks();
  return std::nullopt;
}

static LogicalResult verifyPart(WeightOp weight, DictionaryAttr part) {
  auto module = weight->getParentOfType<ModuleOp>();
  auto of = part ? part.getAs<FlatSymbolRefAttr>("of") : FlatSymbolRefAttr();
  auto axis = part ? part.getAs<IntegerAttr>("axis") : IntegerAttr();
  auto whole = of && module ? module.lookupSymbol<WeightOp>(of.getAttr()) : WeightOp();
  if (!whole || !axis || weight.getFile() || whole->hasAttr(kPartAttr))
    return weight.emitOpError(
        "graph.part is of a weight without a file and names another "
        "weight, which is whole, and an axis: {of = @w, axis = 0}");
  Dims dims = getDims(whole.getType()), own = getDims(weight.getType());
  int64_t number = axis.getInt();
  if (number < 0 || number >= int64_t(dims.size()))
    return weight.emitOpError("graph.part: the axis ")
           << number << " is none of " << printDims(dims);
  std::optional<SymbolicExpr> extent = dims[number].exactDiv(ranksOf(module));
  if (extent)
    dims[number] = *extent;
  bool sameElement = cast<RankedTensorType>(whole.getType()).getElementType() ==
                     cast<RankedTensorType>(weight.getType()).getElementType();
  if (!extent || dims != own || !sameElement)
    return weight.emitOpError("graph.part: ")
           << weight.getType() << " is no part of " << whole.getType() << " along axis "
           << number << " for " << ranksOf(module) << " ranks";
  return success();
}

LogicalResult kiln::graph::verifyRanksAttr(Operation *op, NamedAttribute attr) {
  if (attr.getName() == kPartAttr) {
    if (auto weight = dyn_cast<WeightOp>(op))
      return verifyPart(weight, dyn_cast<DictionaryAttr>(attr.getValue()));
    return op->emitOpError("carries graph.part, which is for weights");
  }
  auto ranks = dyn_cast<IntegerAttr>(attr.getValue());
  if (isa<ModuleOp>(op) && ranks && ranks.getType().isSignlessInteger(64) &&
      ranks.getInt() >= 1)
    return success();
  return op->emitOpError(
      "carries graph.ranks, which is for modules: an i64 of 1 or more");
}

LogicalResult kiln::graph::verifyAnnotation(Operation *op, NamedAttribute attr) {
  auto weight = dyn_cast<WeightOp>(op);
  auto number = dyn_cast<IntegerAttr>(attr.getValue());
  if (!weight || !number || !number.getType().isSignlessInteger(64))
    return op->emitOpError() << "carries " << attr.getName().getValue()
                             << ", which is an i64 of a weight";
  bool isAxis = attr.getName() == kShardAxisAttr;
  int64_t lowest = isAxis ? -1 : 0, rank = getDims(weight.getType()).size();
  if (number.getInt() < lowest || (isAxis && number.getInt() >= rank))
    return op->emitOpError() << attr.getName().getValue() << ": " << number.getInt()
                             << (isAxis ? " is no axis of " : " is no stage of ")
                             << weight.getType();
  return success();
}

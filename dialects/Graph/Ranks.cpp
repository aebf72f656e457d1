//===- Ranks.cpp - Attributes of modules for several ranks ----------------===//
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
  auto stride = part.getAs<IntegerAttr>("stride");
  return WeightPart{part.getAs<FlatSymbolRefAttr>("of"),
                    part.getAs<IntegerAttr>("axis").getInt(),
                    stride ? stride.getInt() : 1};
}

void kiln::graph::setPart(WeightOp weight, WeightPart part) {
  Builder builder(weight.getContext());
  SmallVector<NamedAttribute> attrs = {
      builder.getNamedAttr("of", part.of),
      builder.getNamedAttr("axis", builder.getI64IntegerAttr(part.axis))};
  if (part.stride != 1)
    attrs.push_back(
        builder.getNamedAttr("stride", builder.getI64IntegerAttr(part.stride)));
  weight->setAttr(kPartAttr, builder.getDictionaryAttr(attrs));
}

MeshAxis kiln::graph::axisOfPart(WeightOp weight) {
  std::optional<WeightPart> part = partOf(weight);
  auto whole =
      weight->getParentOfType<ModuleOp>().lookupSymbol<WeightOp>(part->of.getAttr());
  int64_t all = *getDims(whole.getType())[part->axis].getConstant();
  int64_t own = *getDims(weight.getType())[part->axis].getConstant();
  return {own ? all / own : ranksOf(weight->getParentOfType<ModuleOp>()), part->stride};
}

/// Propagates `numbers` from weights to the weights that @bake computes from them, by
/// `combine` where several are read, and from entire weights to their parts.
template <typename Number>
static void followBake(ModuleOp module, llvm::DenseMap<StringAttr, Number> &numbers,
                       llvm::function_ref<Number(Number, Number)> combine) {
  auto bake = module.lookupSymbol<func::FuncOp>(kBakeName);
  if (numbers.empty())
    return;
  llvm::DenseMap<StringAttr, StringAttr> wholeOf;
  for (WeightOp weight : module.getOps<WeightOp>())
    if (std::optional<WeightPart> part = partOf(weight))
      wholeOf[weight.getSymNameAttr()] = part->of.getAttr();
  auto find = [&](StringAttr name) {
    auto it = numbers.find(name);
    if (auto whole = wholeOf.find(name); it == numbers.end() && whole != wholeOf.end())
      it = numbers.find(whole->second);
    return it == numbers.end() ? std::nullopt : std::optional<Number>(it->second);
  };
  // In the order of @bake every weight is set before it is read.
  llvm::DenseMap<Operation *, Number> made;
  auto visit = [&](Operation &op) {
    auto get = dyn_cast<GetWeightOp>(op);
    std::optional<Number> number =
        get ? find(get.getWeightAttr().getAttr()) : std::nullopt;
    for (Value operand : op.getOperands())
      if (auto it = made.find(operand.getDefiningOp()); it != made.end())
        number = number ? combine(*number, it->second) : it->second;
    if (!number)
      return;
    made[&op] = *number;
    if (auto set = dyn_cast<SetWeightOp>(op))
      numbers[set.getWeightAttr().getAttr()] = *number;
  };
  if (bake && !bake.isExternal())
    llvm::for_each(bake.front(), visit);
  for (auto [name, whole] : wholeOf)
    if (std::optional<Number> number = find(name))
      numbers[name] = *number;
}

llvm::DenseMap<StringAttr, MeshAxis> kiln::graph::weightsOfRanks(ModuleOp module) {
  llvm::DenseMap<StringAttr, MeshAxis> axes;
  for (WeightOp weight : module.getOps<WeightOp>())
    if (weight->hasAttr(kPartAttr))
      axes[weight.getSymNameAttr()] = axisOfPart(weight);
  // A weight computed from parts along two mesh axes differs on every rank.
  followBake<MeshAxis>(module, axes, [&](MeshAxis one, MeshAxis other) {
    return one == other ? one : MeshAxis{ranksOf(module), 1};
  });
  return axes;
}

llvm::DenseMap<StringAttr, int64_t> kiln::graph::stagesOfWeights(ModuleOp module) {
  llvm::DenseMap<StringAttr, int64_t> stages;
  for (WeightOp weight : module.getOps<WeightOp>())
    if (auto stage = weight->getAttrOfType<IntegerAttr>(kStageAttr))
      stages[weight.getSymNameAttr()] = stage.getInt();
  followBake<int64_t>(module, stages,
                      [](int64_t one, int64_t other) { return std::max(one, other); });
  return stages;
}

std::optional<int64_t> kiln::graph::collectiveRanks(Operation *op) {
  if (auto collective = dyn_cast<AllReduceOp>(op))
    return collective.getRanks();
  if (auto collective = dyn_cast<AllGatherOp>(op))
    return collective.getRanks();
  if (auto collective = dyn_cast<ReduceScatterOp>(op))
    return collective.getRanks();
  if (auto collective = dyn_cast<AllToAllOp>(op))
    return collective.getRanks();
  return std::nullopt;
}

MeshAxis kiln::graph::axisOfCollective(Operation *op) {
  auto stride = op->getAttrOfType<IntegerAttr>(kStrideAttr);
  return {*collectiveRanks(op), stride ? stride.getInt() : 1};
}

void kiln::graph::setStride(Operation *collective, int64_t stride) {
  if (stride != 1)
    collective->setAttr(kStrideAttr,
                        Builder(collective->getContext()).getI64IntegerAttr(stride));
}

/// Whether a dim is divided into as many parts as an axis of the module's mesh has ranks.
static bool isDivided(const SymbolicExpr &whole, const SymbolicExpr &own, int64_t stride,
                      int64_t ranks) {
  std::optional<int64_t> all = whole.getConstant(), one = own.getConstant();
  if (!all || !one)
    return false;
  if (*all == 0 || *one == 0)
    return *all == 0 && *one == 0 && stride == 1;
  return *all % *one == 0 && MeshAxis{*all / *one, stride}.divides(ranks);
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
  // Attributes are verified in front of the op, which refuses the type.
  if (!isModelTensor(whole.getType()) || !isModelTensor(weight.getType()))
    return success();
  Dims dims = getDims(whole.getType()), own = getDims(weight.getType());
  int64_t number = axis.getInt();
  if (number < 0 || number >= int64_t(dims.size()))
    return weight.emitOpError("graph.part: the axis ")
           << number << " is none of " << printDims(dims);
  auto stride = part.getAs<IntegerAttr>("stride");
  bool isPart =
      own.size() == dims.size() &&
      isDivided(dims[number], own[number], stride ? stride.getInt() : 1, ranksOf(module));
  if (isPart)
    dims[number] = own[number];
  bool sameElement = cast<RankedTensorType>(whole.getType()).getElementType() ==
                     cast<RankedTensorType>(weight.getType()).getElementType();
  if (!isPart || dims != own || !sameElement)
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
  if (attr.getName() == kStrideAttr) {
    if (collectiveRanks(op) && ranks && ranks.getType().isSignlessInteger(64) &&
        ranks.getInt() >= 1)
      return success();
    return op->emitOpError(
        "carries graph.stride, which is for collectives: an i64 of 1 or more");
  }
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
  if (!isModelTensor(weight.getType()))
    return success(); // the op refuses it
  bool isAxis = attr.getName() == kShardAxisAttr;
  int64_t lowest = isAxis ? -1 : 0, rank = getDims(weight.getType()).size();
  if (number.getInt() < lowest || (isAxis && number.getInt() >= rank))
    return op->emitOpError() << attr.getName().getValue() << ": " << number.getInt()
                             << (isAxis ? " is no axis of " : " is no stage of ")
                             << weight.getType();
  return success();
}

//===- Bake.cpp - The function @bake --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Transforms/Bake/Bake.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

func::FuncOp kiln::graph::getOrCreateBake(SymbolTable &symbols) {
  if (auto bake = symbols.lookup<func::FuncOp>(kBakeName))
    return bake;
  auto module = cast<ModuleOp>(symbols.getOp());
  OpBuilder builder(module.getContext());
  auto bake = func::FuncOp::create(builder, module.getLoc(), kBakeName,
                                   builder.getFunctionType({}, {}));
  symbols.insert(bake, module.getBody()->end());
  builder.setInsertionPointToStart(bake.addEntryBlock());
  func::ReturnOp::create(builder, module.getLoc());
  return bake;
}

WeightOp kiln::graph::createWeight(SymbolTable &symbols, Location loc, const Twine &name,
                                   Type type) {
  auto module = cast<ModuleOp>(symbols.getOp());
  OpBuilder builder(module.getContext());
  auto weight = WeightOp::create(builder, loc, name.str(), cast<RankedTensorType>(type),
                                 nullptr, nullptr, nullptr, nullptr);
  Block::iterator place = module.getBody()->begin();
  for (Operation &other : *module.getBody())
    if (isa<WeightOp>(other))
      place = std::next(other.getIterator());
  symbols.insert(weight, place);
  return weight;
}

StringRef kiln::graph::weightNameOf(ArrayRef<Operation *> tree) {
  for (Operation *part : tree)
    if (auto get = dyn_cast<GetWeightOp>(part))
      return get.getWeight();
  return "constant";
}

OpBuilder BakeCopier::builder() {
  return OpBuilder(getOrCreateBake(symbols).front().getTerminator());
}

Value BakeCopier::copy(Value value) {
  OpBuilder ops = builder();
  for (Operation *op : collectTree(value))
    if (!copied.contains(op->getResult(0)))
      ops.clone(*op, copied);
  return copied.lookup(value);
}

WeightOp BakeCopier::set(Value made, const Twine &name) {
  WeightOp weight = createWeight(symbols, made.getLoc(), name, made.getType());
  OpBuilder ops = builder();
  SetWeightOp::create(ops, made.getLoc(), FlatSymbolRefAttr::get(weight.getSymNameAttr()),
                      made);
  return weight;
}

Value kiln::graph::readPart(OpBuilder &builder, Location loc, SymbolTable &symbols,
                            WeightOp whole, int64_t axis, int64_t length,
                            int64_t stride) {
  Dims dims = getDims(whole.getType());
  dims[axis] = length;
  Type type =
      makeTensorType(dims, cast<RankedTensorType>(whole.getType()).getElementType());
  WeightOp part = createWeight(symbols, loc, whole.getSymName() + "_part", type);
  setPart(part, {FlatSymbolRefAttr::get(whole.getSymNameAttr()), axis, stride});
  return GetWeightOp::create(builder, loc, type,
                             FlatSymbolRefAttr::get(part.getSymNameAttr()));
}

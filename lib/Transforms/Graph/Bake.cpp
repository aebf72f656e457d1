//===- Bake.cpp - The function that computes weights ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bake.h"

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

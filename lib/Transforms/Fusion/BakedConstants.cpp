//===- BakedConstants.cpp - Constants as weights of @bake -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BakedConstants.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Returns @bake, and creates it at the end of the module if it does not exist.
static func::FuncOp getOrCreateBake(ModuleOp module) {
  if (auto bake = module.lookupSymbol<func::FuncOp>(kBakeName))
    return bake;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto bake = func::FuncOp::create(builder, module.getLoc(), kBakeName,
                                   builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(bake.addEntryBlock());
  func::ReturnOp::create(builder, module.getLoc());
  return bake;
}

FlatSymbolRefAttr BakedConstants::addWeight(ConstantOp constant) {
  OpBuilder builder(module.getContext());
  Location loc = constant.getLoc();
  auto weight = WeightOp::create(builder, loc, name, constant.getType(), nullptr, nullptr,
                                 nullptr, nullptr);
  symbols.insert(weight, module.getBody()->begin());
  auto symbol = FlatSymbolRefAttr::get(weight.getSymNameAttr());

  builder.setInsertionPoint(getOrCreateBake(module).front().getTerminator());
  auto value = ConstantOp::create(builder, loc, constant.getValue());
  SetWeightOp::create(builder, loc, symbol, value);
  return symbol;
}

void BakedConstants::replace(ConstantOp constant) {
  FlatSymbolRefAttr &weight = weights[constant.getValue()];
  if (!weight)
    weight = addWeight(constant);
  OpBuilder builder(constant);
  constant.replaceAllUsesWith(
      GetWeightOp::create(builder, constant.getLoc(), constant.getType(), weight)
          .getResult());
  constant.erase();
}

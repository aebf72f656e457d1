//===- ExternalizeConstants.cpp - Constants with data become weights ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Transforms/Fusion/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_EXTERNALIZECONSTANTSPASS
#include "kiln/Transforms/Fusion/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// `@bake`, made at the end of the module when there is none.
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

/// A weight that @bake sets to the constant.
static FlatSymbolRefAttr addWeight(ConstantOp constant, ModuleOp module,
                                   SymbolTable &symbols) {
  OpBuilder builder(module.getContext());
  Location loc = constant.getLoc();
  auto weight = WeightOp::create(builder, loc, "constant", constant.getType(), nullptr, nullptr,
                                 nullptr, nullptr);
  symbols.insert(weight, module.getBody()->begin());
  auto name = FlatSymbolRefAttr::get(weight.getSymNameAttr());

  builder.setInsertionPoint(getOrCreateBake(module).front().getTerminator());
  auto value = ConstantOp::create(builder, loc, constant.getValue());
  SetWeightOp::create(builder, loc, name, value);
  return name;
}

static void replaceByWeight(ConstantOp constant, FlatSymbolRefAttr weight) {
  OpBuilder builder(constant);
  constant.replaceAllUsesWith(
      GetWeightOp::create(builder, constant.getLoc(), constant.getType(), weight).getResult());
  constant.erase();
}

namespace {
class ExternalizeConstantsPass
    : public kiln::impl::ExternalizeConstantsPassBase<ExternalizeConstantsPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    // Programs of one model have their constants in common.
    DenseMap<Attribute, FlatSymbolRefAttr> weights;
    for (func::FuncOp program : programsOf(module))
      for (ConstantOp constant : llvm::make_early_inc_range(program.getOps<ConstantOp>())) {
        if (constant.getValue().isSplat())
          continue;
        FlatSymbolRefAttr &weight = weights[constant.getValue()];
        if (!weight)
          weight = addWeight(constant, module, symbols);
        replaceByWeight(constant, weight);
      }
  }
};
} // namespace

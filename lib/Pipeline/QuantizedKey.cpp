//===- QuantizedKey.cpp - Cache keys of quantized weights -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizedKey.h"
#include "kiln/Reference/QuantizationErrors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace kiln;
using namespace mlir;

static graph::SetWeightOp setterOf(ModuleOp module, graph::WeightOp weight) {
  auto bake = module.lookupSymbol<func::FuncOp>("bake");
  if (!bake)
    return {};
  for (auto set : bake.getOps<graph::SetWeightOp>())
    if (set.getWeight() == weight.getSymName())
      return set;
  return {};
}

/// Returns the ops that a value depends on, in order.
static SmallVector<Operation *> sliceOf(Value value) {
  llvm::SetVector<Operation *> ops;
  if (Operation *op = value.getDefiningOp())
    ops.insert(op);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        ops.insert(op);
  SmallVector<Operation *> ordered(ops.begin(), ops.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

std::vector<Operation *> kiln::quantizersOf(ModuleOp module, graph::WeightOp weight) {
  std::vector<Operation *> ops;
  if (graph::SetWeightOp set = setterOf(module, weight))
    llvm::copy_if(sliceOf(set.getValue()), std::back_inserter(ops),
                  reference::makesCodes);
  return ops;
}

std::string kiln::quantizedKey(ModuleOp module, graph::WeightOp weight) {
  graph::SetWeightOp set = setterOf(module, weight);
  SmallVector<Operation *> slice =
      set ? sliceOf(set.getValue()) : SmallVector<Operation *>();
  if (llvm::none_of(slice, llvm::IsaPred<graph::QuantizeWeightOp>))
    return {};
  // In a copy, values are numbered from 0 and weights are named by the hash of their
  // bytes.
  OwningOpRef<ModuleOp> copy(ModuleOp::create(weight.getLoc()));
  OpBuilder builder(copy->getBodyRegion());
  IRMapping mapping;
  for (Operation *op : slice) {
    Operation *clone = builder.clone(*op, mapping);
    auto get = dyn_cast<graph::GetWeightOp>(clone);
    if (!get)
      continue;
    auto read = module.lookupSymbol<graph::WeightOp>(get.getWeight());
    if (!read || !read.getHash())
      return {}; // computed by @bake itself
    get.setWeight(*read.getHash());
  }
  // Identifies the result of ops that have several.
  std::string text =
      "result " + std::to_string(cast<OpResult>(set.getValue()).getResultNumber()) + '\n';
  llvm::raw_string_ostream os(text);
  copy->print(os, OpPrintingFlags().printGenericOpForm().useLocalScope());
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)));
}

//===- LiftedOperands.cpp - Differences between kernels as operands -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiftedOperands.h"
#include "llvm/ADT/StringMap.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

SmallVector<SmallVector<KernelOp>>
kiln::kernelsByText(ModuleOp module, llvm::function_ref<std::string(KernelOp)> text) {
  SmallVector<SmallVector<KernelOp>> groups;
  llvm::StringMap<size_t> known;
  for (KernelOp kernel : kernelsOf(module)) {
    auto [it, isNew] = known.try_emplace(text(kernel), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[it->second].push_back(kernel);
  }
  return groups;
}

SmallVector<ValueNumbers> kiln::differingValues(ArrayRef<SmallVector<Attribute>> values) {
  using Row = SmallVector<Attribute>; // one value of the body in each kernel
  SmallVector<std::pair<Row, ValueNumbers>> operands;
  for (size_t number = 0; number < values.front().size(); ++number) {
    Row row = llvm::map_to_vector(
        values, [&](const SmallVector<Attribute> &own) { return own[number]; });
    if (llvm::all_equal(row))
      continue;
    auto known = llvm::find_if(operands, [&](auto &one) { return one.first == row; });
    if (known == operands.end())
      known = operands.insert(known, {row, {}});
    known->second.push_back(number);
  }
  return llvm::map_to_vector(operands, [](auto &one) { return one.second; });
}

ConstantOp kiln::addConstantOperand(KernelOp kernel, Location loc, ElementsAttr value) {
  OpBuilder builder(kernel);
  auto given = ConstantOp::create(builder, loc, value);
  kernel.getInputsMutable().append(given.getResult());
  kernel.getBlock().addArgument(given.getType(), loc);
  return given;
}

bool kiln::canEmitLifted(KernelOp kernel, const CanEmit &canEmit,
                         llvm::function_ref<SmallVector<ConstantOp>(KernelOp)> lift) {
  if (!canEmit)
    return true;
  KernelOp trial = kernel.clone();
  OpBuilder(kernel).insert(trial);
  SmallVector<ConstantOp> given = lift(trial);
  std::string why;
  bool accepted = canEmit(trial, &why);
  trial.erase();
  for (ConstantOp constant : given)
    constant.erase();
  return accepted;
}

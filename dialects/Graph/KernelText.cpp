//===- KernelText.cpp - The computation of a kernel as text ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelText.h"
#include "mlir/IR/AsmState.h"

using namespace kiln::graph;
using namespace mlir;

std::string kiln::graph::kernelText(
    KernelOp kernel,
    llvm::function_ref<std::optional<std::string>(Operation &)> attributes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  AsmState state(
      kernel.getContext()); // shared by all calls, as it is slow to create
  DenseMap<Value, unsigned> numbers;
  auto define = [&](Value value) {
    numbers.try_emplace(value, numbers.size());
    value.getType().print(os, state);
    os << ';';
  };
  os << kernel.getHero() << '(';
  for (BlockArgument argument : kernel.getBlock().getArguments())
    define(argument);
  os << ')';
  for (Operation &op : kernel.getBlock()) {
    os << op.getName();
    std::optional<std::string> own = attributes ? attributes(op) : std::nullopt;
    if (own)
      os << *own;
    else
      op.getAttrDictionary().print(os, state);
    for (Value operand : op.getOperands())
      os << ' ' << numbers.lookup(operand);
    os << ':';
    for (Value result : op.getResults())
      define(result);
  }
  return text;
}

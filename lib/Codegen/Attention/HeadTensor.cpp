//===- HeadTensor.cpp - Queries, keys and values as TMA sees them ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadTensor.h"
#include "../Expression/IndexMath.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

std::optional<TensorOperand> kiln::codegen::headTensor(const AttentionProgram &program,
                                                       const Node *node, const Loop &first,
                                                       const Loop &second) {
  const SymbolicExpr &address = node->index;
  auto stride = [&](const Loop &loop) {
    return coefficientOf(address, loop.var).value_or(SymbolicExpr(0));
  };
  TensorOperand result;
  result.offset = address;
  for (const Loop *loop : {&program.batch, &program.keyHead, &program.headInGroup}) {
    SymbolicExpr step = stride(*loop);
    // What an operand is repeated along it has no dim for.
    if (!step.isConstant(0) && !loop->extent.isConstant(1))
      result.leading.push_back({loop->extent, step, SymbolicExpr::symbol(loop->var)});
    result.offset = replace(result.offset, loop->var, SymbolicExpr(0));
  }
  for (auto [loop, dim] : {std::pair(&first, &result.first), {&second, &result.second}}) {
    *dim = {loop->extent, stride(*loop), 0};
    result.offset = replace(result.offset, loop->var, SymbolicExpr(0));
  }
  result.isContiguousAlongFirst = !result.second.stride.isConstant(1);
  if (llvm::any_of(result.offset.getSymbols(), isVariable) || !result.isDescribable())
    return std::nullopt;
  return result;
}

bool kiln::codegen::hasHeadTensors(const AttentionProgram &program) {
  return program.fitsTensorCores() &&
         headTensor(program, program.query, program.row, program.depth) &&
         headTensor(program, program.keys, program.depth, program.key) &&
         headTensor(program, program.values, program.key, program.column);
}

//===- HeadTensor.cpp - Queries, keys, values as TMA tensors --------------===//
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
                                                       const SymbolicExpr &address,
                                                       const Loop &first,
                                                       const Loop &second) {
  auto stride = [&](const Loop &loop) {
    return coefficientOf(address, loop.var).value_or(SymbolicExpr(0));
  };
  TensorOperand result;
  result.offset = address;
  for (const Loop *loop : {&program.batch, &program.keyHead, &program.outer}) {
    SymbolicExpr step = stride(*loop);
    // A loop along which the operand is broadcast (stride 0) needs no dim.
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

std::optional<TensorOperand> kiln::codegen::storedHeads(const AttentionProgram &program) {
  // TMA also copies values past the end of a sequence; where these or masked keys may
  // hold a NaN, rows are recomputed, which an epilogue in registers cannot do.
  graph::AttentionOp op = program.op;
  bool computesAgain =
      op.getCausal() || op.getNanZero() || op.getMaskHides() || program.lengths;
  if (computesAgain || program.outputs.size() != 1)
    return std::nullopt;
  const Output &output = program.outputs.front();
  auto kernel = op->getParentOfType<graph::KernelOp>();
  Type element = getElementTypeOrSelf(kernel.getResultTypes()[output.result]);
  if ((!element.isF16() && !element.isBF16()) ||
      !hasUniformRows(program.body, output.value, program.row.var, program.column.var))
    return std::nullopt;
  std::optional<TensorOperand> tensor =
      headTensor(program, output.address, program.row, program.column);
  return tensor && !tensor->isContiguousAlongFirst ? tensor : std::nullopt;
}

bool kiln::codegen::hasHeadTensors(const AttentionProgram &program) {
  return program.fitsTensorCores() &&
         headTensor(program, program.query->index, program.row, program.depth) &&
         headTensor(program, program.keys->index, program.depth, program.key) &&
         headTensor(program, program.values->index, program.key, program.column);
}

//===- GemmBuilder.cpp - Base class of a GEMM's parts ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

bool kiln::codegen::isMultiple(const SymbolicExpr &extent, int64_t of) {
  auto constant = extent.getConstant();
  return constant && *constant % of == 0;
}

void GemmBuilder::bindPanel(Value number) {
  if (program.columnOuter.empty())
    return emitter.bind(program.panel.var, number);
  Value rest = number;
  auto digit = [&](const SymbolicExpr &radix) -> Value {
    Value extent = emitter.index(radix);
    Value low = remainder(rest, extent);
    rest = divide(rest, extent);
    return low;
  };
  emitter.bind(program.panel.var, digit(program.panel.extent));
  for (const Loop &loop : llvm::reverse(program.columnOuter))
    emitter.bind(loop.var, digit(loop.extent));
}

Value GemmBuilder::openBlockScales() {
  const GemmProgram::BlockScales &own = *program.rhsScales;
  emitter.bind(own.step.var, index(0));
  const SymbolicExpr &address = own.scales->index;
  return tile::ViewOp::create(
      b, loc, emitter.memories[own.scales->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{fold(own.step.extent), b.getIndexAttr(program.width)},
      ArrayRef<OpFoldResult>{fold(*coefficientOf(address, own.step.var)),
                             b.getIndexAttr(1)});
}

Value GemmBuilder::validColumns() {
  return emitter.index(program.columnsInner - SymbolicExpr::symbol(program.panel.var) *
                                                  SymbolicExpr(program.width));
}

Value GemmBuilder::openLhs() {
  NodeEmitter::Scope scope(emitter);
  emitter.bind(program.row.var, index(0));
  emitter.bind(program.k.var, index(0));
  const SymbolicExpr &address = program.lhs->index;
  auto stride = [&](StringAttr name) { return fold(*coefficientOf(address, name)); };
  return tile::ViewOp::create(
      b, loc, emitter.memories[program.lhs->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{fold(program.row.extent), fold(program.k.extent)},
      ArrayRef<OpFoldResult>{stride(program.row.var), stride(program.k.var)});
}

GemmBuilder::Values GemmBuilder::loadRow(Value matrix, Value row, Value column) {
  Values halves;
  for (int64_t half = 0; half < (program.second ? 2 : 1); ++half)
    halves.push_back(tile::LoadOp::create(
        b, loc, rowType(), matrix,
        ValueRange{row, add(column, index(half * program.resultWidth()))}));
  return halves;
}

void GemmBuilder::openLanes(Value valid) {
  emitter.bind(program.resultLane.var, index(0));
  emitter.setLanes({program.resultLane.var, index(0), program.resultWidth(), valid});
}

void GemmBuilder::emitOutputs(Value row, ValueRange accumulators) {
  emitter.bind(program.row.var, row);
  emitter.bind(program.product, accumulators[0]);
  if (program.second)
    emitter.bind(program.second, accumulators[1]);
  storeOutputs(program.outputs);
}

GemmBuilder::Values GemmBuilder::multiplyStaged(ValueRange staged,
                                                ValueRange accumulators,
                                                std::optional<tile::DotProduct> dot,
                                                Value ahead) {
  auto isUnsigned = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getElementType().isUnsignedInteger();
  };
  graph::MatmulOp matmul = program.op.matmul();
  Values next;
  for (auto [panel, own] : llvm::zip(staged.drop_front(), accumulators))
    next.push_back(tile::MmaOp::create(
        b, loc, own.getType(), staged.front(), panel, own, isUnsigned(matmul.getLhs()),
        isUnsigned(matmul.getRhs()), matmul.getTf32(), dot, ahead));
  return next;
}

Value GemmBuilder::zero() {
  return arith::ConstantOp::create(b, loc,
                                   cast<TypedAttr>(b.getZeroAttr(program.accumulator)));
}

Value GemmBuilder::openScratch(Value offset, OpFoldResult rows, OpFoldResult columns,
                               OpFoldResult stride) {
  return openScratch(program.accumulator, offset, rows, columns, stride);
}

Value GemmBuilder::openScratch(Type element, Value offset, OpFoldResult rows,
                               OpFoldResult columns, OpFoldResult stride) {
  Value scratch = tile::ScratchOp::create(
      b, loc, tile::BufferType::get(b.getContext(), element), offset);
  return tile::ViewOp::create(b, loc, scratch, index(0),
                              ArrayRef<OpFoldResult>{rows, columns},
                              ArrayRef<OpFoldResult>{stride, b.getIndexAttr(1)});
}

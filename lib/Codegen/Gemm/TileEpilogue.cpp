//===- TileEpilogue.cpp - Epilogues in the registers of a product ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEpilogue.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Columns that one stmatrix writes.
static constexpr int64_t kStoreColumns = 16;

static bool isMultiple(const SymbolicExpr &extent, int64_t of) {
  auto constant = extent.getConstant();
  return constant && *constant % of == 0;
}

std::optional<TensorOperand> kiln::codegen::storedTensor(graph::KernelOp kernel,
                                                         const GemmProgram &program,
                                                         int64_t columns) {
  if (program.outputs.size() != 1 || columns % kStoreColumns)
    return std::nullopt;
  const Output &output = program.outputs.front();
  Type element = getElementTypeOrSelf(kernel.getResultTypes()[output.result]);
  if ((!element.isF16() && !element.isBF16()) ||
      !hasUniformRows(program.body, output.value, program.row.var, program.lane.var))
    return std::nullopt;
  return tensorResult(program, output, columns);
}

/// Every panel of every task exists.
bool TileEpilogue::hasAllPanels() const {
  return isMultiple(program.panelCount(), gemm.groups.getPanels());
}

/// A tile of the result, from the accumulators of a panel.
Value TileEpilogue::compute(Value number, Value accumulators) {
  NodeEmitter::Scope scope(emitter);
  gemm.bindPanel(number);
  emitter.bind(program.lane.var, gemm.index(0));
  Value valid;
  if (program.hasPartialPanel() || !hasAllPanels())
    valid = gemm.validColumns();
  emitter.setLanes({program.lane.var, gemm.index(0), program.width, valid,
                    int64_t(gemm.groups.getRows())});
  emitter.bind(program.product, accumulators);
  const Output &output = program.outputs.front();
  auto buffer = cast<tile::BufferType>(gemm.results[output.result].buffer.getType());
  return emitter.convert(emitter.fragment(output.value), buffer.getElementType());
}

/// All tiles are computed before the first is stored, so that they can leave together.
void TileEpilogue::store(Value view, Value rowBegin, Value panel,
                         ValueRange accumulators) {
  SmallVector<Value> tiles, at;
  for (auto [i, accumulator] : llvm::enumerate(accumulators))
    tiles.push_back(compute(gemm.add(panel, gemm.index(int64_t(i))), accumulator));
  {
    NodeEmitter::Scope scope(emitter);
    gemm.bindPanel(panel);
    at = gemm.stored->indices(b, loc, emitter, rowBegin, gemm.index(0));
  }
  SmallVector<int64_t> masked;
  if (!isMultiple(program.row.extent, gemm.groups.getRows()))
    masked.push_back(0);
  if (program.hasPartialPanel() || !hasAllPanels())
    masked.push_back(1);
  Value column = at.back();
  for (auto [i, tile] : llvm::enumerate(tiles)) {
    at.back() = gemm.add(column, gemm.index(int64_t(i) * program.width));
    tile::StoreOp::create(b, loc, tile, view, at, masked);
  }
}

void TileEpilogue::emit(Value rowBegin, Value panelBegin,
                        GemmEmitter::AccumulatorsOf accumulatorsOf) {
  unsigned result = program.outputs.front().result;
  Value view = gemm.stored->open(b, loc, emitter, gemm.results[result].buffer);
  int64_t together = gemm.block.getPanels();
  for (int64_t begin = 0; begin < gemm.groups.getPanels(); begin += together) {
    NodeEmitter::Scope scope(emitter);
    Value panel = gemm.add(panelBegin, gemm.index(begin));
    auto finish = [&] { store(view, rowBegin, panel, accumulatorsOf(begin, together)); };
    if (hasAllPanels() || begin == 0) { // the first one exists
      finish();
      continue;
    }
    Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, panel,
                                         emitter.index(program.panelCount()));
    scf::IfOp::create(b, loc, exists, [&](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      finish();
      scf::YieldOp::create(b, loc);
    });
  }
}

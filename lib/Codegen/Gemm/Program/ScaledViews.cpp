//===- ScaledViews.cpp - Views of quantized operands ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledViews.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value ScaledViews::openRows(const Node *node) {
  NodeEmitter::Scope scope(emitter);
  emitter.bind(program.row.var, index(0));
  emitter.bind(scaled.blockStep.var, index(0));
  const SymbolicExpr &address = node->index;
  auto stride = [&](StringAttr name) { return fold(*coefficientOf(address, name)); };
  bool isUniform = coefficientOf(address, scaled.blockStep.var)->isConstant(0);
  return tile::ViewOp::create(
      b, loc, emitter.memories[node->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{
          fold(program.row.extent),
          fold(scaled.blockStep.extent * SymbolicExpr(scaled.scalesPerBlock()))},
      ArrayRef<OpFoldResult>{stride(program.row.var), b.getIndexAttr(!isUniform)});
}

ScaledViews::Rows ScaledViews::openRows() {
  if (!scaled.lhsScales)
    return {openLhs(), Value(), Value()};
  Value totals = scaled.lhsTotals ? openRows(scaled.lhsTotals) : Value();
  return {openLhs(), openRows(scaled.lhsScales), totals};
}

Value ScaledViews::openBlocks(const Node *node) {
  return tile::ViewOp::create(
      b, loc, emitter.memories[node->argument].buffer, emitter.index(node->index),
      ArrayRef<OpFoldResult>{fold(scaled.blockStep.extent),
                             b.getIndexAttr(program.width * scaled.scalesPerBlock())},
      ArrayRef<OpFoldResult>{fold(*coefficientOf(node->index, scaled.blockStep.var)),
                             b.getIndexAttr(1)});
}

ScaledViews::Panel ScaledViews::openPanel(Value number) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(number);
  for (StringAttr name : {program.lane.var, scaled.wordStep.var, scaled.blockStep.var})
    emitter.bind(name, index(0));
  const SymbolicExpr &address = program.rhs->index;
  Panel panel;
  // A word has four bytes per column and step.
  panel.codes = tile::ViewOp::create(
      b, loc, emitter.memories[program.rhs->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{fold(scaled.wordStep.extent),
                             b.getIndexAttr(4 * program.width)},
      ArrayRef<OpFoldResult>{fold(*coefficientOf(address, scaled.wordStep.var)),
                             b.getIndexAttr(1)});
  if (scaled.rhsScales)
    panel.scales = openBlocks(scaled.rhsScales);
  if (scaled.rhsZeros)
    panel.zeros = openBlocks(scaled.rhsZeros);
  return panel;
}

void ScaledViews::prefetchCodes(Value number, int64_t bytes) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(number);
  for (StringAttr name : {program.lane.var, scaled.wordStep.var})
    emitter.bind(name, index(0));
  Value all = mul(emitter.index(scaled.wordStep.extent), index(4 * program.width));
  prefetchStretch(emitter.memories[program.rhs->argument],
                  emitter.index(program.rhs->index), minimum(all, index(bytes)));
}

/// Takes the next staged operand, if the format has this one; those that it has are
/// consecutive.
static Value takeNext(ValueRange &staged, const Node *has) {
  if (!has)
    return {};
  Value next = staged.front();
  staged = staged.drop_front();
  return next;
}

Value ScaledViews::multiply(Value accumulator, ValueRange rows, ValueRange panel) {
  ValueRange left = rows.drop_front(), right = panel.drop_front();
  Value lhsScales = takeNext(left, scaled.lhsScales),
        lhsTotals = takeNext(left, scaled.lhsTotals),
        rhsScales = takeNext(right, scaled.rhsScales),
        rhsZeros = takeNext(right, scaled.rhsZeros);
  bool isFast = scaled.accumulation == graph::Accumulation::fast;
  return tile::ScaledMmaOp::create(b, loc, accumulator.getType(), rows[0], lhsScales,
                                   lhsTotals, panel[0], rhsScales, rhsZeros, accumulator,
                                   scaled.lhs.getCodeType(), scaled.rhs.getCodeType(),
                                   scaled.scaleBytes(), isFast);
}

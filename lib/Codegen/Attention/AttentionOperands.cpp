//===- AttentionOperands.cpp - Queries, keys, values of a block -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionOperands.h"
#include "HeadTensor.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Common parts
//===----------------------------------------------------------------------===//

bool AttentionOperands::isWhole(const Loop &loop, int64_t of) const {
  auto constant = loop.extent.getConstant();
  return constant && *constant % of == 0;
}

static Type elementOf(const AttentionOperands::Matrix &matrix) {
  return cast<tile::ViewType>(matrix.view.getType()).getElementType();
}

Value AttentionOperands::stage(const Matrix &from, Type element, ValueRange indices,
                               int64_t rows, const Loop &rowLoop, int64_t columns,
                               const Loop &columnLoop) {
  SmallVector<int64_t> masked;
  if (!isWhole(rowLoop, rows))
    masked.push_back(0);
  if (!isWhole(columnLoop, columns))
    masked.push_back(1);
  auto type = tile::StagedType::get(b.getContext(), {rows, columns}, element);
  Values all(from.outer);
  llvm::append_range(all, indices);
  return tile::StageOp::create(b, loc, type, from.view, all, ValueRange(), masked);
}

Value AttentionOperands::stageQueries(Value rowBegin) {
  Matrix query = open(program.query, program.row, program.depth);
  return stage(query, elementOf(query), {rowBegin, index(0)}, tile.rows, program.row,
               tile.headLanes, program.depth);
}

AttentionOperands::Values
AttentionOperands::stageKeys(const Matrix &keys, const Matrix &values, Value first) {
  auto numbers = [&](const Matrix &of) {
    return program.codes ? program.codes : elementOf(of);
  };
  return {stage(keys, numbers(keys), {index(0), first}, tile.headLanes, program.depth,
                tile.keys, program.key),
          stage(values, numbers(values), {first, index(0)}, tile.keys, program.key,
                tile.columnLanes, program.column)};
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

OpFoldResult ViewOperands::extentOf(const Loop &loop) {
  return isKeys(loop) ? OpFoldResult(visible.end()) : fold(loop.extent);
}

bool ViewOperands::isWhole(const Loop &loop, int64_t of) const {
  return !isKeys(loop) && AttentionOperands::isWhole(loop, of);
}

AttentionOperands::Matrix ViewOperands::open(Node *node, const Loop &rows,
                                             const Loop &columns) {
  NodeEmitter::Scope scope(emitter);
  emitter.bind(rows.var, index(0));
  emitter.bind(columns.var, index(0));
  const SymbolicExpr &address = node->index;
  return {view(emitter.memories[node->argument].buffer, emitter.index(address),
               {extentOf(rows), extentOf(columns)},
               {fold(*coefficientOf(address, rows.var)),
                fold(*coefficientOf(address, columns.var))}),
          {}};
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

AttentionOperands::Matrix TensorMapOperands::open(Node *node, const Loop &rows,
                                                  const Loop &columns) {
  TensorOperand tensor = *headTensor(program, node->index, rows, columns);
  Values at = tensor.indices(b, loc, emitter, index(0), index(0));
  return {tensor.open(b, loc, emitter, emitter.memories[node->argument].buffer),
          Values(ArrayRef(at).drop_back(2))};
}

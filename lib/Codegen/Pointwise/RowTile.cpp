//===- RowTile.cpp - Rows whose operands lie across them ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowTile.h"
#include "Banks.h"
#include "../Expression/KernelShell.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

RowTile::RowTile(OpBuilder &builder, Location loc, Program &program, NodeEmitter &emitter,
                 const Turned &turned, tile::RowTileConfigAttr config)
    : b(builder), loc(loc), program(program), emitter(emitter), config(config),
      columns(TileSide::at(&program.reduced.front(), config.getColumns(), 0)),
      rows(TileSide::at(turned.rows, config.getRows(), turned.rowSeam)),
      tile(builder, loc, emitter), rowVar(program.body.vars.addLoop(config.getRows())) {
  int64_t unit = tile::RowTileConfigAttr::kUnitBytes;
  for (auto [load, pad] : llvm::zip(turned.loads, config.getPads().asArrayRef())) {
    Rows operand;
    operand.turned = load;
    int64_t bytes = tile::elementBytes(load.load->storage);
    operand.pitch = columns.loop->extent.alignTo(unit / bytes) + SymbolicExpr(pad);
    if (!load.rows.isAll())
      operand.before = program.body.vars.addLoop(config.getRows());
    operands.push_back(operand);
  }
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

SymbolicExpr RowTile::plan(unsigned memory, SymbolicExpr scratch) {
  for (Rows &operand : operands) {
    operand.memory = memory++;
    operand.offset = scratch;
    SymbolicExpr row = SymbolicExpr::symbol(rowVar);
    if (operand.before)
      row += SymbolicExpr::symbol(operand.before);
    SymbolicExpr index = row * operand.pitch + SymbolicExpr::symbol(columns.loop->var);
    Type element = operand.turned.load->storage;
    operand.by = program.body.load(element, operand.memory, index);
    int64_t bytes = rows.length * tile::elementBytes(element);
    scratch += (operand.pitch * SymbolicExpr(bytes)).alignTo(kScratchAlignment);
  }
  return scratch;
}

void RowTile::bindMemories() {
  for (const Rows &operand : operands) {
    Type type = tile::BufferType::get(b.getContext(), operand.turned.load->storage);
    Value buffer = tile::ScratchOp::create(b, loc, type, emitter.index(operand.offset));
    emitter.memories.push_back({buffer, operand.pitch * SymbolicExpr(rows.length)});
  }
}

void RowTile::redirect() {
  for (const Rows &operand : operands)
    emitter.redirect(operand.turned.load, operand.by);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

SymbolicExpr RowTile::tasks() const {
  SymbolicExpr tasks = rows.tiles();
  for (const Loop &loop : program.parallel)
    if (&loop != rows.loop)
      tasks *= loop.extent;
  return tasks;
}

/// Tiles that follow each other are neighbours along the operands.
void RowTile::open(Value task) {
  auto next = [&](const SymbolicExpr &extent) {
    return takePosition(b, loc, emitter, task, extent);
  };
  tile.open(rows, next(rows.tiles()));
  for (const Loop &loop : llvm::reverse(program.parallel))
    if (&loop != rows.loop)
      emitter.bind(loop.var, next(loop.extent));
  for (Rows &operand : operands) {
    operand.part = tile.select(rows, operand.turned.rows);
    if (operand.before)
      emitter.bind(operand.before, tile.before(rows, *operand.part));
    tile.selectWhole(*operand.part, operand.turned.outside);
  }
  fill();
}

Value RowTile::end() {
  Value length = emitter.constantIndex(rows.length);
  return rows.valid ? b.createOrFold<arith::MinSIOp>(loc, rows.valid, length) : length;
}

void RowTile::bindRow(Value row) {
  emitter.bind(rowVar, row);
  emitter.bind(rows.loop->var, b.createOrFold<arith::AddIOp>(loc, rows.first, row));
}

//===----------------------------------------------------------------------===//
// Into scratch
//===----------------------------------------------------------------------===//

void RowTile::fill() {
  const SymbolicExpr &extent = columns.loop->extent;
  auto all = extent.getConstant();
  bool isWhole = all && *all % columns.length == 0;
  Value end = emitter.index(extent);
  auto some = [&](OpBuilder &, Location, Value first, ValueRange) {
    NodeEmitter::Scope scope(emitter);
    columns.base = columns.first = first;
    columns.valid = isWhole ? Value() : b.createOrFold<arith::SubIOp>(loc, end, first);
    fillColumns();
    scf::YieldOp::create(b, loc);
  };
  scf::ForOp::create(b, loc, emitter.constantIndex(0), end,
                     emitter.constantIndex(columns.length), ValueRange(), some);
}

/// All loads are under way before anything is written. Rows past the last are zero;
/// columns past it are not there: another row may begin in their place. Nobody reads
/// those that an operand is not selected for.
void RowTile::fillColumns() {
  std::vector<std::pair<TileSide, Value>> tiles;
  for (const Rows &operand : operands) {
    TileSide part = tile.select(columns, operand.turned.columns);
    Value lines = tile.load(operand.turned.load, part, *operand.part);
    tiles.push_back({part, lines});
  }
  for (auto [operand, loaded] : llvm::zip(operands, tiles)) {
    auto &[part, lines] = loaded;
    SmallVector<int64_t> masked;
    OpFoldResult sizes[] = {b.getIndexAttr(part.length), b.getIndexAttr(rows.length)};
    if (part.valid) {
      masked.push_back(0);
      sizes[0] = part.valid;
    }
    OpFoldResult strides[] = {b.getIndexAttr(1),
                              getAsOpFoldResult(emitter.index(operand.pitch))};
    Value first = tile.position(part), zero = emitter.constantIndex(0);
    Value view = tile::ViewOp::create(b, loc, emitter.memories[operand.memory].buffer,
                                      first, sizes, strides);
    tile::StoreOp::create(b, loc, lines, view, ValueRange{zero, zero}, masked);
  }
}

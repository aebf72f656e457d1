//===- TransposeEmitter.cpp - Tiles through scratch as tile IR ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeEmitter.h"
#include "Banks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

TransposeEmitter::TransposeEmitter(OpBuilder &builder, graph::KernelOp kernel,
                                   Program &program, const Turned &turned,
                                   tile::TransposeConfigAttr config)
    : ShellEmitter(builder, kernel, program.body), program(program), config(config),
      rows(TileSide::at(turned.rows, config.getRows(), turned.rowSeam)),
      columns(
          TileSide::at(&program.parallel.back(), config.getColumns(), turned.columnSeam)),
      tile(b, loc, emitter), rowVar(program.body.vars.addLoop(config.getRows())) {
  emitter.laneVar = program.body.vars.addLoop(config.getColumns());
  for (auto [load, pitch] : llvm::zip(turned.loads, config.getPitches().asArrayRef()))
    place(load, pitch);
}

/// A host hands out so many tiles at a time: a task costs some divisions.
static constexpr int64_t kTilesPerTask = 32;

/// Behind what is placed already: a line per column, counted from the first one that
/// the operand has; on a host a line per row.
void TransposeEmitter::place(const TurnedLoad &load, int64_t pitch) {
  Lines lines;
  lines.turned = load;
  lines.pitch = pitch;
  lines.offset = scratchBytes;
  lines.memory = kernel.getBlock().getNumArguments() + operands.size();
  auto position = [&](StringAttr name, bool isAll, StringAttr &before) {
    SymbolicExpr own = SymbolicExpr::symbol(name);
    if (isAll)
      return own;
    before = program.body.vars.addLoop(1);
    return own + SymbolicExpr::symbol(before);
  };
  SymbolicExpr column =
      position(emitter.laneVar, load.columns.isAll(), lines.columnsBefore);
  SymbolicExpr row = position(rowVar, load.rows.isAll(), lines.rowsBefore);
  Type element = load.load->storage;
  SymbolicExpr apart = pitch;
  lines.by = program.body.load(element, lines.memory,
                               isHost() ? row * apart + column : column * apart + row);
  int64_t count = isHost() ? rows.length : columns.length;
  scratchBytes +=
      llvm::alignTo(pitch * count * tile::elementBytes(element), kScratchAlignment);
  operands.push_back(lines);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

SymbolicExpr TransposeEmitter::columnTasks() const {
  return isHost() ? columns.tiles().ceilDiv(SymbolicExpr(kTilesPerTask))
                  : columns.tiles();
}

tile::KernelOp TransposeEmitter::emit() {
  SymbolicExpr tasks = rows.tiles() * columnTasks();
  for (const Loop &loop : program.parallel)
    if (&loop != rows.loop && &loop != columns.loop)
      tasks *= loop.extent;
  tile::KernelOp shell =
      createShell(b, kernel, tasks, SymbolicExpr(scratchBytes), config);
  if (isHost())
    return fill(shell, [&](Value task) { forTilesOfHost(task); });
  shell.setThreads(config.getThreads());
  return fill(shell, [&](Value task) {
    openTile(task);
    computeTile();
  });
}

/// Tiles that follow each other are neighbours along the result.
void TransposeEmitter::openTile(Value task) {
  tile.open(columns, takePosition(task, columns.tiles()));
  openLoops(task);
}

void TransposeEmitter::openLoops(Value task) {
  tile.open(rows, takePosition(task, rows.tiles()));
  for (const Loop &loop : llvm::reverse(program.parallel))
    if (&loop != rows.loop && &loop != columns.loop)
      emitter.bind(loop.var, takePosition(task, loop.extent));
}

void TransposeEmitter::forTilesOfHost(Value task) {
  Value number = takePosition(task, columnTasks()), apart = index(kTilesPerTask);
  openLoops(task);
  Value begin = mul(number, apart), end = add(begin, apart);
  end = minimum(end, emitter.index(columns.tiles()));
  scf::ForOp::create(b, loc, begin, end, index(1), ValueRange(),
                     [&](OpBuilder &, Location, Value position, ValueRange) {
                       NodeEmitter::Scope scope(emitter);
                       tile.open(columns, position);
                       computeTile();
                       scf::YieldOp::create(b, loc);
                     });
}

void TransposeEmitter::computeTile() {
  isHost() ? fillRows() : fillLines();
  // Only the last tile of a row is cut off.
  forWhole(columns.valid, columns.length, [&](Value valid) { computeRows(valid); });
}

//===----------------------------------------------------------------------===//
// Into scratch
//===----------------------------------------------------------------------===//

std::pair<TileSide, TileSide> TransposeEmitter::selectLines(const Lines &lines) {
  TileSide ownColumns = tile.select(columns, lines.turned.columns);
  TileSide ownRows = tile.select(rows, lines.turned.rows);
  if (lines.columnsBefore)
    emitter.bind(lines.columnsBefore, tile.before(columns, ownColumns));
  if (lines.rowsBefore)
    emitter.bind(lines.rowsBefore, tile.before(rows, ownRows));
  tile.selectWhole(ownRows, lines.turned.outside);
  return {ownColumns, ownRows};
}

/// What of the tile the operand is selected for, and zeros for the rest: all of scratch
/// has a value.
Value TransposeEmitter::loadLines(const Lines &lines) {
  auto [ownColumns, ownRows] = selectLines(lines);
  return tile.load(lines.turned.load, ownColumns, ownRows);
}

Value TransposeEmitter::openArea(const Lines &lines) {
  Type buffer = tile::BufferType::get(b.getContext(), lines.turned.load->storage);
  Value area = tile::ScratchOp::create(b, loc, buffer, index(lines.offset));
  int64_t count = isHost() ? rows.length : columns.length;
  emitter.memories.push_back({area, lines.pitch * count, /*isScratch=*/true});
  return area;
}

/// All loads are under way before anything is written.
void TransposeEmitter::fillLines() {
  auto tiles =
      llvm::map_to_vector(operands, [&](const Lines &lines) { return loadLines(lines); });
  for (auto [lines, value] : llvm::zip(operands, tiles)) {
    Value area = openArea(lines);
    OpFoldResult sizes[] = {b.getIndexAttr(columns.length), b.getIndexAttr(rows.length)};
    OpFoldResult strides[] = {b.getIndexAttr(lines.pitch), b.getIndexAttr(1)};
    Value view = tile::ViewOp::create(b, loc, area, index(0), sizes, strides);
    tile::StoreOp::create(b, loc, value, view, ValueRange{index(0), index(0)});
    emitter.redirect(lines.turned.load, lines.by);
  }
}

/// Most tiles are whole, and need no masks.
void TransposeEmitter::fillRows() {
  for (const Lines &lines : operands) {
    auto [ownColumns, ownRows] = selectLines(lines);
    Value area = openArea(lines);
    OpFoldResult sizes[] = {b.getIndexAttr(rows.length), b.getIndexAttr(columns.length)};
    OpFoldResult strides[] = {b.getIndexAttr(lines.pitch), b.getIndexAttr(1)};
    Value view = tile::ViewOp::create(b, loc, area, index(0), sizes, strides);
    auto type = tile::FragType::get(b.getContext(), {rows.length, columns.length},
                                    lines.turned.load->storage);
    auto fillFrom = [&](const TileSide &columns, const TileSide &rows) {
      NodeEmitter::Scope scope(emitter);
      Value read = tile.load(lines.turned.load, columns, rows);
      Value transposed = tile::TransposeOp::create(b, loc, type, read);
      tile::StoreOp::create(b, loc, transposed, view, ValueRange{index(0), index(0)});
    };
    forWhole(ownColumns.valid, columns.length, [&](Value validColumns) {
      ownColumns.valid = validColumns;
      Value validRows = ownRows.valid;
      if (validColumns) // cut off anyway
        return fillFrom(ownColumns, ownRows);
      forWhole(validRows, rows.length, [&](Value valid) {
        TileSide side = ownRows;
        side.valid = valid;
        fillFrom(ownColumns, side);
      });
    });
    emitter.redirect(lines.turned.load, lines.by);
  }
}

//===----------------------------------------------------------------------===//
// Out of scratch
//===----------------------------------------------------------------------===//

void TransposeEmitter::computeRows(Value validColumns) {
  NodeEmitter::Scope outer(emitter);
  emitter.bind(columns.loop->var, columns.first);
  emitter.setLanes({columns.loop->var, columns.first, columns.length, validColumns});
  SmallVector<Node *> roots = program.roots();
  emitter.hoist(roots);
  Value end = index(rows.length);
  if (rows.valid)
    end = minimum(rows.valid, end);
  forTeams(end, config.getTeam(), [&](Value row) { computeRow(row); });
}

void TransposeEmitter::computeRow(Value row) {
  emitter.bind(rows.loop->var, add(rows.first, row));
  emitter.bind(rowVar, row);
  storeOutputs(program);
}

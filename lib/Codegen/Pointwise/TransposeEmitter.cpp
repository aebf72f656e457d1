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
                                   Program &program, Turned turned,
                                   tile::TransposeConfigAttr config)
    : ShellEmitter(builder, kernel, program.body), program(program), config(config),
      rows{turned.rows, config.getRows(), {}, {}},
      columns{&program.parallel.back(), config.getColumns(), {}, {}} {
  for (auto [load, pitch] : llvm::zip(turned.loads, config.getPitches().asArrayRef())) {
    operands.push_back({load, pitch, scratchBytes, {}});
    int64_t bytes = pitch * columns.length * tile::elementBytes(load->storage);
    scratchBytes += llvm::alignTo(bytes, kScratchAlignment);
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

SymbolicExpr TransposeEmitter::tilesAlong(const TileSide &side) const {
  return side.loop->extent.ceilDiv(SymbolicExpr(side.length));
}

tile::KernelOp TransposeEmitter::emit() {
  SymbolicExpr tasks = tilesAlong(rows) * tilesAlong(columns);
  for (const Loop &loop : program.parallel)
    if (&loop != rows.loop && &loop != columns.loop)
      tasks *= loop.extent;
  tile::KernelOp shell =
      createShell(b, kernel, tasks, SymbolicExpr(scratchBytes), config);
  shell.setThreads(config.getThreads());
  return fill(shell, [&](Value task) {
    openTile(task);
    fillLines();
    if (!columns.valid)
      return computeRows({});
    // Only the last tile of a row is cut off.
    Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                          columns.valid, index(columns.length));
    auto branch = [&](Value valid) {
      return [this, valid](OpBuilder &, Location) {
        computeRows(valid);
        scf::YieldOp::create(b, loc);
      };
    };
    scf::IfOp::create(b, loc, isWhole, branch({}), branch(columns.valid));
  });
}

void TransposeEmitter::openSide(TileSide &side, Value number) {
  side.first = mul(number, index(side.length));
  auto extent = side.loop->extent.getConstant();
  if (!extent || *extent % side.length)
    side.valid = sub(emitter.index(side.loop->extent), side.first);
}

/// Tiles that follow each other are neighbours along the result.
void TransposeEmitter::openTile(Value task) {
  Value rest = task;
  auto next = [&](const SymbolicExpr &extent) {
    if (extent.isConstant(1))
      return index(0);
    Value count = emitter.index(extent);
    Value number = remainder(rest, count);
    rest = divide(rest, count);
    return number;
  };
  openSide(columns, next(tilesAlong(columns)));
  openSide(rows, next(tilesAlong(rows)));
  for (const Loop &loop : llvm::reverse(program.parallel))
    if (&loop != rows.loop && &loop != columns.loop)
      emitter.bind(loop.var, next(loop.extent));
}

//===----------------------------------------------------------------------===//
// Into scratch
//===----------------------------------------------------------------------===//

/// All loads are under way before anything is written.
void TransposeEmitter::fillLines() {
  auto tiles = llvm::map_to_vector(operands, [&](const Lines &lines) {
    return loadTurned(b, loc, emitter, lines.load, columns, rows);
  });
  for (auto [lines, tile] : llvm::zip(operands, tiles)) {
    Type buffer = tile::BufferType::get(b.getContext(), lines.load->storage);
    lines.buffer = tile::ScratchOp::create(b, loc, buffer, index(lines.offset));
    OpFoldResult sizes[] = {b.getIndexAttr(columns.length), b.getIndexAttr(rows.length)};
    OpFoldResult strides[] = {b.getIndexAttr(lines.pitch), b.getIndexAttr(1)};
    Value view = tile::ViewOp::create(b, loc, lines.buffer, index(0), sizes, strides);
    tile::StoreOp::create(b, loc, tile, view, ValueRange{index(0), index(0)});
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
  auto loop = scf::ForOp::create(b, loc, index(0), end, index(1), ValueRange(),
                                 [&](OpBuilder &, Location, Value row, ValueRange) {
                                   NodeEmitter::Scope scope(emitter);
                                   computeRow(row);
                                   scf::YieldOp::create(b, loc);
                                 });
  loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(config.getTeam()));
}

void TransposeEmitter::computeRow(Value row) {
  emitter.bind(rows.loop->var, add(rows.first, row));
  for (const Lines &lines : operands)
    emitter.bind(lines.load, loadRow(lines, row));
  SmallVector<Node *> values;
  for (const Output &output : program.outputs)
    values.push_back(output.value);
  for (auto [output, fragment] : llvm::zip(program.outputs, emitter.fragments(values)))
    emitter.store(fragment, results[output.result], output.address);
}

/// An element of every line.
Value TransposeEmitter::loadRow(const Lines &lines, Value row) {
  Value view = tile::ViewOp::create(
      b, loc, lines.buffer, row, ArrayRef<OpFoldResult>{b.getIndexAttr(columns.length)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(lines.pitch)});
  auto type = tile::FragType::get(b.getContext(), {columns.length}, lines.load->storage);
  Value loaded = tile::LoadOp::create(b, loc, type, view, ValueRange{index(0)});
  if (lines.load->type == lines.load->storage)
    return loaded;
  return tile::ConvertOp::create(b, loc, type.cloneWith(lines.load->type), loaded);
}

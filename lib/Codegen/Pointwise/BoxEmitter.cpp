//===- BoxEmitter.cpp - Boxes through scratch as tile IR ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoxEmitter.h"
#include "Banks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

BoxEmitter::BoxEmitter(OpBuilder &builder, graph::KernelOp kernel, Program &program,
                       Box box, tile::BoxConfigAttr config)
    : ShellEmitter(builder, kernel, program.body), program(program), box(std::move(box)),
      config(config) {
  for (int64_t length : config.getLengths().asArrayRef())
    ranges.push_back({length, {}, {}});
  planScratch();
  mergeRow();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

SymbolicExpr BoxEmitter::placeOf(const Boxed &boxed, ArrayRef<int64_t> run,
                                 StringAttr position) const {
  SymbolicExpr rest = SymbolicExpr::symbol(position), place;
  for (int64_t loop : run) {
    auto [quotient, digit] = program.body.vars.divMod(rest, ranges[loop].length);
    place += digit * SymbolicExpr(boxed.layout.strides[loop]);
    rest = quotient;
  }
  return place;
}

/// A second memory for every load, of which rows read in the order of the result.
void BoxEmitter::planScratch() {
  Body &body = program.body;
  unsigned memory = kernel.getBlock().getNumArguments();
  ArrayRef<int64_t> lengths = config.getLengths().asArrayRef();
  BoxLayout any(lengths, box.line, box.row, /*pitch=*/1);
  // Lanes past the end of a row count on from its beginning: all of them read elements
  // that have a value.
  emitter.laneVar = body.vars.addLoop(int64_t(llvm::PowerOf2Ceil(any.rowLength)));
  rowPlace = body.vars.addLoop(any.count(any.acrossRows));
  for (auto [load, pitch] : llvm::zip(box.loads, config.getPitches().asArrayRef())) {
    Boxed boxed{load,   nullptr,      load->index, {lengths, box.line, box.row, pitch},
                scratchBytes, memory};
    SymbolicExpr place = placeOf(boxed, box.row, emitter.laneVar) +
                         placeOf(boxed, boxed.layout.acrossRows, rowPlace);
    boxed.copy = body.load(load->storage, memory++, place);
    boxed.copy->type = load->type;
    scratchBytes += llvm::alignTo(
        boxed.layout.elements * tile::elementBytes(load->storage), kScratchAlignment);
    operands.push_back(std::move(boxed));
  }
}

/// An index in terms of the run of the result as one loop.
SymbolicExpr BoxEmitter::alongRow(const SymbolicExpr &index) const {
  std::optional<SymbolicExpr> step;
  bool movesOn = true; // from a loop's end to the next position of the next one
  for (int64_t number : box.row) {
    const Loop &loop = *box.loops[number];
    auto own = coefficientOf(index, loop.var);
    movesOn &= own && (!step || *own == *step);
    if (own)
      step = *own * loop.extent;
  }
  SymbolicExpr result = index, rest = SymbolicExpr::symbol(columns.var);
  for (int64_t number : box.row) {
    const Loop &loop = *box.loops[number];
    SymbolicExpr position = rest;
    if (movesOn)
      rest = 0;
    else if (number != box.row.back())
      std::tie(rest, position) = program.body.vars.divMod(rest, loop.extent);
    result = replace(result, loop.var, position);
  }
  return result;
}

void BoxEmitter::mergeRow() {
  columns.extent = 1;
  for (int64_t number : box.row)
    columns.extent *= box.loops[number]->extent;
  columns.var = program.body.vars.addLoop(columns.extent);
  program.body.walk(program.roots(), [&](Node *node) {
    node->index = alongRow(node->index);
    for (SymbolicExpr &bound : node->bounds)
      bound = alongRow(bound);
  });
  for (Output &output : program.outputs)
    output.address = alongRow(output.address);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

SymbolicExpr BoxEmitter::boxesAlong(int64_t loop) const {
  return box.loops[loop]->extent.ceilDiv(SymbolicExpr(ranges[loop].length));
}

tile::KernelOp BoxEmitter::emit() {
  SymbolicExpr tasks = 1;
  for (size_t loop = 0; loop < ranges.size(); ++loop)
    tasks *= boxesAlong(loop);
  for (const Loop &loop : program.parallel)
    if (!llvm::is_contained(box.loops, &loop))
      tasks *= loop.extent;
  tile::KernelOp shell =
      createShell(b, kernel, tasks, SymbolicExpr(scratchBytes), config);
  shell.setThreads(config.getThreads());
  return fill(shell, [&](Value task) {
    openBox(task);
    fillLines();
    Value valid = validOf(box.row);
    int64_t length = operands.front().layout.rowLength;
    if (!llvm::isPowerOf2_64(length))
      return computeRows(valid ? minimum(valid, index(length)) : index(length));
    // Only the last box of a row is cut off.
    forWhole(valid, length, [&](Value columns) { computeRows(columns); });
  });
}

/// Boxes that follow each other are neighbours along the result.
void BoxEmitter::openBox(Value task) {
  for (auto [number, range] : llvm::enumerate(ranges)) {
    const SymbolicExpr &extent = box.loops[number]->extent;
    range.first = mul(takePosition(task, boxesAlong(number)), index(range.length));
    if (!extent.isConstant() || *extent.getConstant() % range.length)
      range.valid = sub(emitter.index(extent), range.first);
  }
  for (const Loop &loop : llvm::reverse(program.parallel))
    if (!llvm::is_contained(box.loops, &loop))
      emitter.bind(loop.var, takePosition(task, loop.extent));
}

Value BoxEmitter::validOf(ArrayRef<int64_t> run) {
  Value valid = run.empty() ? Value() : ranges[run.back()].valid;
  if (!valid)
    return {};
  for (int64_t loop : run.drop_back())
    valid = mul(valid, index(ranges[loop].length));
  return valid;
}

//===----------------------------------------------------------------------===//
// Into scratch
//===----------------------------------------------------------------------===//

/// A dim of the fragments: positions in a box, and how many of them are inside. What is
/// past them, but in the box, gets a value; what pads a fragment goes nowhere.
BoxEmitter::Extent BoxEmitter::extentOf(int64_t length, Value valid) {
  Extent extent{length, int64_t(llvm::PowerOf2Ceil(length)), b.getIndexAttr(length)};
  if (valid && extent.isPadded())
    valid = minimum(valid, index(length));
  if (valid)
    extent.inside = getAsOpFoldResult(valid);
  extent.isCut = valid || extent.isPadded();
  return extent;
}

Value BoxEmitter::stepAlong(const Boxed &boxed, int64_t loop) {
  return emitter.index(*coefficientOf(boxed.index, box.loops[loop]->var));
}

/// Where the box at hand begins in an operand.
Value BoxEmitter::originOf(const Boxed &boxed) {
  SymbolicExpr origin = boxed.index;
  for (const Loop *loop : box.loops)
    origin = replace(origin, loop->var, SymbolicExpr(0));
  Value sum = emitter.index(origin);
  for (auto [loop, range] : llvm::enumerate(ranges))
    sum = add(sum, mul(range.first, stepAlong(boxed, loop)));
  return sum;
}

void BoxEmitter::loadLines(const Boxed &boxed, std::vector<Line> &lines) {
  const BoxLayout &layout = boxed.layout;
  // A fragment has the lines of one loop; those of the others are steps.
  std::optional<int64_t> across = layout.fragmentLoop();
  SmallVector<int64_t> steps(llvm::make_filter_range(
      layout.acrossLines, [&](int64_t loop) { return loop != across; }));
  Extent extents[] = {extentOf(across ? ranges[*across].length : 1,
                               across ? ranges[*across].valid : Value()),
                      extentOf(layout.lineLength, validOf(box.line))};
  SmallVector<OpFoldResult> inside, all;
  SmallVector<int64_t> shape, cut, padded;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    shape.push_back(extent.lanes);
    inside.push_back(extent.inside);
    all.push_back(b.getIndexAttr(extent.length));
    if (extent.isCut)
      cut.push_back(dim);
    if (extent.isPadded())
      padded.push_back(dim);
  }
  Type element = boxed.load->storage;
  auto type = tile::FragType::get(b.getContext(), shape, element);
  Type bufferType = tile::BufferType::get(b.getContext(), element);
  Value scratch = tile::ScratchOp::create(b, loc, bufferType, index(boxed.offset));
  Value zero = index(0), pad, operand = emitter.memories[boxed.load->argument].buffer;
  if (!cut.empty())
    pad = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(element)));
  OpFoldResult one = b.getIndexAttr(1);
  OpFoldResult fromStrides[] = {b.getIndexAttr(0), one}, toStrides[] = {fromStrides[0], one};
  if (across) {
    fromStrides[0] = getAsOpFoldResult(stepAlong(boxed, *across));
    toStrides[0] = b.getIndexAttr(layout.strides[*across]);
  }
  Value origin = originOf(boxed);
  for (int64_t step = 0; step < layout.count(steps); ++step) {
    Value offset = origin;
    int64_t rest = step;
    for (int64_t loop : steps) {
      offset = add(offset, mul(index(rest % ranges[loop].length), stepAlong(boxed, loop)));
      rest /= ranges[loop].length;
    }
    Value from = tile::ViewOp::create(b, loc, operand, offset, inside, fromStrides);
    Value to = tile::ViewOp::create(b, loc, scratch, index(layout.address(steps, step)), all,
                                    toStrides);
    Value tile = tile::LoadOp::create(b, loc, type, from, ValueRange{zero, zero}, pad, cut);
    lines.push_back({tile, to, padded});
  }
}

/// All loads are under way before anything is written.
void BoxEmitter::fillLines() {
  std::vector<Line> lines;
  for (const Boxed &boxed : operands)
    loadLines(boxed, lines);
  for (const Line &line : lines)
    tile::StoreOp::create(b, loc, line.tile, line.to, ValueRange{index(0), index(0)},
                          line.padded);
  for (const Boxed &boxed : operands) {
    Type buffer = tile::BufferType::get(b.getContext(), boxed.load->storage);
    Value scratch = tile::ScratchOp::create(b, loc, buffer, index(boxed.offset));
    emitter.memories.push_back({scratch, boxed.layout.elements});
    emitter.redirect(boxed.load, boxed.copy);
  }
}

//===----------------------------------------------------------------------===//
// Out of scratch
//===----------------------------------------------------------------------===//

void BoxEmitter::computeRows(Value validColumns) {
  const BoxLayout &layout = operands.front().layout;
  NodeEmitter::Scope outer(emitter);
  Value first = ranges[box.row.back()].first;
  for (int64_t loop : ArrayRef(box.row).drop_back())
    first = mul(first, index(ranges[loop].length));
  emitter.bind(columns.var, first);
  emitter.setLanes({columns.var, first, int64_t(llvm::PowerOf2Ceil(layout.rowLength)),
                    validColumns});
  SmallVector<Node *> roots = program.roots();
  emitter.hoist(roots);
  if (layout.acrossRows.empty()) // the block's only row
    return computeRow(index(0));
  Value end = index(layout.count(layout.acrossRows));
  if (Value valid = validOf(layout.acrossRows))
    end = minimum(valid, end);
  forTeams(end, config.getTeam(), [&](Value row) { computeRow(row); });
}

void BoxEmitter::computeRow(Value row) {
  emitter.bind(rowPlace, row);
  SymbolicExpr rest = SymbolicExpr::symbol(rowPlace);
  for (int64_t loop : operands.front().layout.acrossRows) {
    auto [quotient, digit] = program.body.vars.divMod(rest, ranges[loop].length);
    emitter.bind(box.loops[loop]->var, add(ranges[loop].first, emitter.index(digit)));
    rest = quotient;
  }
  storeOutputs(program);
}

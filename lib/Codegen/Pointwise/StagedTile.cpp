//===- StagedTile.cpp - Tiles of operands staged in scratch ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagedTile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static StagingLayout layoutOf(const Staging &staging, tile::StagingConfigAttr config) {
  bool isResults = staging.hasWholeRows || !config.getCompute().getThreads();
  return {config.getTile().asArrayRef(), staging.line, staging.row,
          isResults ? StagingLayout::Order::Result : StagingLayout::Order::Operand};
}

StagedTile::StagedTile(OpBuilder &builder, Location loc, Program &program,
                       NodeEmitter &emitter, Staging staged,
                       tile::StagingConfigAttr config)
    : b(builder), loc(loc), program(program), emitter(emitter),
      staging(std::move(staged)), config(config), layout(layoutOf(staging, config)),
      rowVar(program.body.vars.addLoop(layout.count(layout.acrossRows))) {
  for (auto [loop, length] : llvm::enumerate(config.getTile().asArrayRef())) {
    // Entire rows are copied from their beginning.
    int64_t begin = staging.hasWholeRows && loop == 0 ? 0 : staging.begins[loop];
    ranges.push_back({length, (length - begin % length) % length, {}, {}, {}, {}});
  }
  int64_t unit = tile::StagingConfigAttr::kUnitBytes;
  for (auto [load, pad] : llvm::zip(staging.loads, config.getPads().asArrayRef())) {
    Operand operand;
    operand.staged = load;
    operand.index = load.load->index;
    operand.pitch = layout.length() + pad;
    if (staging.hasWholeRows) {
      int64_t bytes = tile::elementBytes(load.load->storage);
      operand.pitch = staging.loops[0]->extent.alignTo(unit / bytes) + SymbolicExpr(pad);
    }
    for (auto [loop, selection] : llvm::enumerate(load.selections)) {
      // With entire rows, columns are at their own positions in scratch.
      bool isCounted = !selection.isAll() && !(staging.hasWholeRows && loop == 0);
      operand.before.push_back(isCounted ? program.body.vars.addLoop(ranges[loop].length)
                                         : StringAttr());
    }
    operands.push_back(std::move(operand));
  }
  mergeRow();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Rewrites an index in terms of `columns`, the merged loops of a result row.
SymbolicExpr StagedTile::alongRow(const SymbolicExpr &index) const {
  std::optional<SymbolicExpr> step;
  bool movesOn = true; // a step past a loop's end is a step of the next outer loop
  for (int64_t number : staging.row) {
    const Loop &loop = *staging.loops[number];
    auto own = coefficientOf(index, loop.var);
    movesOn &= own && (!step || *own == *step);
    if (own)
      step = *own * loop.extent;
  }
  SymbolicExpr result = index, rest = SymbolicExpr::symbol(columns.var);
  for (int64_t number : staging.row) {
    const Loop &loop = *staging.loops[number];
    SymbolicExpr position = rest;
    if (movesOn)
      rest = 0;
    else if (number != staging.row.back())
      std::tie(rest, position) = program.body.vars.divMod(rest, loop.extent);
    result = replace(result, loop.var, position);
  }
  return result;
}

void StagedTile::mergeRow() {
  columns = *staging.loops[staging.row.front()];
  if (staging.row.size() == 1)
    return;
  columns.extent = 1;
  for (int64_t number : staging.row)
    columns.extent *= staging.loops[number]->extent;
  columns.var = program.body.vars.addLoop(columns.extent);
  auto copies = program.body.copyNodes(
      program.roots(), [&](const SymbolicExpr &index) { return alongRow(index); });
  for (Output &output : program.outputs) {
    output.value = copies.lookup(output.value);
    output.condition = copies.lookup(output.condition);
    output.address = alongRow(output.address);
  }
  for (Operand &operand : operands)
    operand.staged.load = copies.lookup(operand.staged.load);
}

/// Returns the offset in scratch of a position in the merged loops `run`, relative to the
/// operand's begin.
SymbolicExpr StagedTile::placeOf(const Operand &operand, ArrayRef<int64_t> run,
                                 StringAttr position) const {
  SymbolicExpr rest = SymbolicExpr::symbol(position), place;
  for (int64_t loop : run) {
    auto [quotient, digit] = program.body.vars.divMod(rest, ranges[loop].length);
    if (StringAttr before = operand.before[loop])
      digit += SymbolicExpr::symbol(before);
    place += digit * layout.stride(loop, operand.pitch);
    rest = quotient;
  }
  return place;
}

SymbolicExpr StagedTile::planScratch(unsigned memory, SymbolicExpr scratch) {
  for (Operand &operand : operands) {
    operand.memory = memory++;
    operand.offset = scratch;
    // Lanes past the end of a row address elements of the tile's next rows; all of these
    // are initialized.
    SymbolicExpr column = SymbolicExpr::symbol(columns.var);
    if (!staging.hasWholeRows)
      column = placeOf(operand, layout.row, emitter.laneVar);
    Type element = operand.staged.load->storage;
    SymbolicExpr row = placeOf(operand, layout.acrossRows, rowVar);
    operand.copy = program.body.load(element, operand.memory, column + row);
    operand.copy->type = operand.staged.load->type;
    int64_t bytes = layout.lines() * tile::elementBytes(element);
    scratch += (operand.pitch * SymbolicExpr(bytes)).alignTo(kScratchAlignment);
  }
  return scratch;
}

void StagedTile::bindMemories() {
  for (const Operand &operand : operands) {
    Type type = tile::BufferType::get(b.getContext(), operand.staged.load->storage);
    Value buffer = tile::ScratchOp::create(b, loc, type, emitter.index(operand.offset));
    emitter.memories.push_back({buffer, operand.pitch * SymbolicExpr(layout.lines()),
                                /*isScratch=*/!staging.hasWholeRows});
  }
}

void StagedTile::redirect() {
  for (const Operand &operand : operands)
    emitter.redirect(operand.staged.load, operand.copy);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

SymbolicExpr StagedTile::tilesAlong(int64_t loop) const {
  if (staging.hasWholeRows && loop == 0)
    return 1;
  SymbolicExpr extent = staging.loops[loop]->extent + SymbolicExpr(ranges[loop].shift);
  return extent.ceilDiv(SymbolicExpr(ranges[loop].length));
}

/// Returns the tasks along the rows. On a host a task is several consecutive tiles.
SymbolicExpr StagedTile::columnTasks() const {
  int64_t tiles = isHost() ? config.getCompute().getGrain() / config.getElements() : 1;
  return tilesAlong(0).ceilDiv(SymbolicExpr(tiles));
}

SymbolicExpr StagedTile::tasks() const {
  SymbolicExpr tasks = columnTasks();
  for (size_t loop = 1; loop < ranges.size(); ++loop)
    tasks *= tilesAlong(loop);
  for (const Loop &loop : program.parallel)
    if (!llvm::is_contained(staging.loops, &loop))
      tasks *= loop.extent;
  return tasks;
}

void StagedTile::openLoop(int64_t loop, Value tile) {
  Range &range = ranges[loop];
  range.valid = {};
  range.base = range.first = mul(tile, index(range.length));
  const SymbolicExpr &extent = staging.loops[loop]->extent;
  if (range.shift) {
    range.first = max(sub(range.base, index(range.shift)), index(0));
    Value end = add(range.base, index(range.length - range.shift));
    range.valid = sub(min(emitter.index(extent), end), range.first);
  } else if (auto all = extent.getConstant(); !all || *all % range.length) {
    range.valid = sub(emitter.index(extent), range.first);
  }
}

void StagedTile::openLoops(Value task, size_t begin) {
  auto next = [&](const SymbolicExpr &extent) {
    return takePosition(b, loc, emitter, task, extent);
  };
  for (size_t loop = begin; loop < ranges.size(); ++loop)
    openLoop(loop, next(tilesAlong(loop)));
  for (const Loop &loop : llvm::reverse(program.parallel))
    if (!llvm::is_contained(staging.loops, &loop))
      emitter.bind(loop.var, next(loop.extent));
}

/// Runs `compute` for the tiles of a task. Consecutive tasks have adjacent tiles of the
/// result, or of the operands if tiles have entire rows.
void StagedTile::forTiles(Value task, function_ref<void()> compute) {
  auto each = [&]() {
    selectOperands();
    fill();
    redirect();
    compute();
  };
  if (!isHost()) {
    size_t begin = staging.hasWholeRows ? 1 : 0;
    openLoops(task, begin);
    return each();
  }
  Value number = takePosition(b, loc, emitter, task, columnTasks());
  Value tiles = index(config.getCompute().getGrain() / config.getElements());
  openLoops(task, /*begin=*/1);
  Value begin = mul(number, tiles);
  Value end = min(add(begin, tiles), emitter.index(tilesAlong(0)));
  scf::ForOp::create(b, loc, begin, end, index(1), ValueRange(),
                     [&](OpBuilder &, Location, Value tile, ValueRange) {
                       NodeEmitter::Scope scope(emitter);
                       openLoop(0, tile);
                       each();
                       scf::YieldOp::create(b, loc);
                     });
}

/// Returns the part of a range in which the operand is selected. Positions are relative
/// to `low`, where the operand begins, to keep its alignment visible.
StagedTile::Range StagedTile::select(int64_t loop, const Selection &selection) {
  const Range &range = ranges[loop];
  if (selection.isAll())
    return range;
  Range part = range;
  int64_t low = selection.low(), before = range.shift + low;
  part.from = low;
  Value begin = sub(range.base, index(before)), end = add(begin, index(range.length));
  part.first = before ? max(begin, index(0)) : begin;
  for (const SymbolicExpr &bound : selection.lows)
    if (!bound.isConstant())
      part.first = max(part.first, emitter.index(bound - part.from));
  // If a concatenation boundary ends the operand before the loop ends, clamping to the
  // loop's extent as well would hide the boundary's alignment.
  const SymbolicExpr &extent = staging.loops[loop]->extent;
  if (llvm::none_of(selection.highs,
                    [&](const SymbolicExpr &high) { return extent.dominates(high); }))
    end = min(end, emitter.index(extent - part.from));
  for (const SymbolicExpr &bound : selection.highs)
    end = min(end, emitter.index(bound - part.from));
  part.valid = max(sub(end, part.first), index(0));
  return part;
}

/// Empties a range if selects along outer loops do not select the operand.
void StagedTile::selectOuter(Range &range, ArrayRef<OuterSelection> outer) {
  for (const OuterSelection &selection : outer) {
    Value position = emitter.index(selection.position);
    auto keep = [&](arith::CmpIPredicate predicate,
                    const std::optional<SymbolicExpr> &bound) {
      if (!bound)
        return;
      Value inside =
          b.createOrFold<arith::CmpIOp>(loc, predicate, position, emitter.index(*bound));
      Value valid = range.valid ? range.valid : index(range.length);
      range.valid = b.createOrFold<arith::SelectOp>(loc, inside, valid, index(0));
    };
    keep(arith::CmpIPredicate::sge, selection.low);
    keep(arith::CmpIPredicate::slt, selection.high);
  }
}

/// Computes the range of each operand in the tile, except for columns that are copied in
/// several steps.
void StagedTile::selectOperands() {
  for (Operand &operand : operands) {
    operand.ranges = ranges;
    for (size_t loop = staging.hasWholeRows ? 1 : 0; loop < ranges.size(); ++loop) {
      operand.ranges[loop] = select(loop, operand.staged.selections[loop]);
      if (StringAttr before = operand.before[loop])
        emitter.bind(before, sub(ranges[loop].first, position(operand.ranges[loop])));
    }
    selectOuter(operand.ranges[staging.line.back()], operand.staged.outer);
  }
}

/// Returns the begin of a range as a loop position.
Value StagedTile::position(const Range &range) {
  return add(range.first, emitter.index(range.from));
}

/// Returns the number of valid positions of the merged loops `run`; null if all are
/// valid.
Value StagedTile::validOf(ArrayRef<Range> ranges, ArrayRef<int64_t> run) {
  Value valid = run.empty() ? Value() : ranges[run.back()].valid;
  if (!valid)
    return {};
  for (int64_t loop : run.drop_back())
    valid = mul(valid, index(ranges[loop].length));
  return valid;
}

//===----------------------------------------------------------------------===//
// Copies to scratch
//===----------------------------------------------------------------------===//

void StagedTile::fill() {
  if (isHost()) {
    for (const Operand &operand : operands)
      copyOnHost(operand);
    return;
  }
  if (!staging.hasWholeRows)
    return copyTile();
  Range &range = ranges[0];
  const SymbolicExpr &extent = columns.extent;
  auto all = extent.getConstant();
  bool isWhole = all && *all % range.length == 0;
  Value end = emitter.index(extent);
  auto some = [&](OpBuilder &, Location, Value first, ValueRange) {
    NodeEmitter::Scope scope(emitter);
    range.base = range.first = first;
    range.valid = isWhole ? Value() : sub(end, first);
    for (Operand &operand : operands)
      operand.ranges[0] = select(0, operand.staged.selections[0]);
    copyTile();
    scf::YieldOp::create(b, loc);
  };
  scf::ForOp::create(b, loc, index(0), end, index(range.length), ValueRange(), some);
}

/// Issues all loads before the first store.
void StagedTile::copyTile() {
  std::vector<Fragment> fragments;
  for (const Operand &operand : operands)
    load(operand, operand.ranges, fragments);
  for (const Fragment &fragment : fragments)
    tile::StoreOp::create(b, loc, fragment.value, fragment.to,
                          ValueRange{index(0), index(0)}, fragment.masked);
}

/// Emits a copy without masks for full tiles, which most are, and a masked one.
void StagedTile::copyOnHost(const Operand &operand) {
  auto copy = [&](Value columns, Value rows) {
    NodeEmitter::Scope scope(emitter);
    Ranges part = operand.ranges;
    part[0].valid = columns;
    part[1].valid = rows;
    std::vector<Fragment> fragments;
    load(operand, part, fragments);
    auto [value, to, masked] = fragments.front();
    tile::StoreOp::create(b, loc, value, to, ValueRange{index(0), index(0)}, masked);
  };
  const Ranges &own = operand.ranges;
  forWhole(b, loc, emitter, own[0].valid, own[0].length, [&](Value columns) {
    if (columns) // masked anyway
      return copy(columns, own[1].valid);
    forWhole(b, loc, emitter, own[1].valid, own[1].length,
             [&](Value rows) { copy(columns, rows); });
  });
}

/// Pads a dim of the tile to a power of two. Positions of the tile past the valid ones
/// are initialized in scratch; those of the padding are not stored.
StagedTile::Dim StagedTile::dimOf(int64_t length, Value valid) {
  Dim dim{length, int64_t(llvm::PowerOf2Ceil(length)), valid};
  if (dim.isPadded())
    dim.valid = valid ? min(valid, index(length)) : index(length);
  return dim;
}

Value StagedTile::stepAlong(const Operand &operand, int64_t loop) {
  return emitter.index(*coefficientOf(operand.index, staging.loops[loop]->var));
}

/// Returns the offset of the tile's first element in an operand.
Value StagedTile::originOf(const Operand &operand, ArrayRef<Range> ranges) {
  SymbolicExpr origin = operand.index;
  for (auto [loop, range] : llvm::zip(staging.loops, ranges))
    origin = replace(origin, loop->var, range.from);
  Value sum = emitter.index(origin);
  for (auto [loop, range] : llvm::enumerate(ranges))
    sum = add(sum, mul(range.first, stepAlong(operand, loop)));
  return sum;
}

/// Loads the tile of an operand. A fragment covers the lines along one loop; the other
/// loops are unrolled.
void StagedTile::load(const Operand &operand, ArrayRef<Range> ranges,
                      std::vector<Fragment> &fragments) {
  std::optional<int64_t> across = layout.fragmentLoop();
  SmallVector<int64_t> steps(llvm::make_filter_range(
      layout.acrossLines, [&](int64_t loop) { return loop != across; }));
  Dim dims[] = {across ? dimOf(ranges[*across].length, ranges[*across].valid)
                       : dimOf(1, Value()),
                dimOf(layout.lineLength, validOf(ranges, staging.line))};
  SmallVector<OpFoldResult> inside, all;
  SmallVector<int64_t> shape, cut, masked;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    shape.push_back(dim.lanes);
    // Rows past the last one are initialized. With entire rows, columns past the last one
    // must not be stored, because another row may begin there.
    bool isCut = number == 0 && staging.hasWholeRows && dim.valid;
    inside.push_back(dim.valid ? getAsOpFoldResult(dim.valid)
                               : OpFoldResult(b.getIndexAttr(dim.length)));
    all.push_back(isCut ? inside.back() : OpFoldResult(b.getIndexAttr(dim.length)));
    if (dim.valid)
      cut.push_back(number);
    if (isCut || dim.isPadded())
      masked.push_back(number);
  }
  OpFoldResult one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> from{b.getIndexAttr(0), one}, to{from[0], one};
  Value place = index(0);
  auto strideOf = [&](int64_t loop) {
    return getAsOpFoldResult(emitter.index(layout.stride(loop, operand.pitch)));
  };
  if (across) {
    from[0] = getAsOpFoldResult(stepAlong(operand, *across));
    to = {strideOf(*across), strideOf(staging.line.front())};
    if (staging.hasWholeRows)
      place = position(ranges[*across]);
  }
  if (isHost()) {
    std::swap(all[0], all[1]);
    std::swap(to[0], to[1]);
  }
  Node *node = operand.staged.load;
  auto type = tile::FragType::get(b.getContext(), shape, node->storage);
  Value buffer = emitter.memories[node->argument].buffer, zero = index(0), pad;
  Value scratch = emitter.memories[operand.memory].buffer;
  if (!cut.empty())
    pad =
        arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(node->storage)));
  Value origin = originOf(operand, ranges);
  for (int64_t step = 0; step < layout.count(steps); ++step) {
    Value offset = origin;
    int64_t rest = step, line = 0;
    for (int64_t loop : steps) {
      int64_t position = rest % ranges[loop].length;
      offset = add(offset, mul(index(position), stepAlong(operand, loop)));
      line += position * layout.stride(loop, *operand.pitch.getConstant());
      rest /= ranges[loop].length;
    }
    Value view = tile::ViewOp::create(b, loc, buffer, offset, inside, from);
    Value value =
        tile::LoadOp::create(b, loc, type, view, ValueRange{zero, zero}, pad, cut);
    if (isHost())
      value = tile::TransposeOp::create(
          b, loc,
          tile::FragType::get(b.getContext(), {shape[1], shape[0]}, node->storage),
          value);
    Value target =
        tile::ViewOp::create(b, loc, scratch, add(place, index(line)), all, to);
    fragments.push_back({value, target, masked});
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Value StagedTile::rows() {
  Value end = index(layout.count(layout.acrossRows));
  Value valid = validOf(ranges, layout.acrossRows);
  return valid ? min(valid, end) : end;
}

void StagedTile::bindRow(Value row) {
  emitter.bind(rowVar, row);
  SymbolicExpr rest = SymbolicExpr::symbol(rowVar);
  for (int64_t loop : layout.acrossRows) {
    auto [quotient, digit] = program.body.vars.divMod(rest, ranges[loop].length);
    emitter.bind(staging.loops[loop]->var, add(ranges[loop].first, emitter.index(digit)));
    rest = quotient;
  }
}

void StagedTile::forColumns(function_ref<void(NodeEmitter::Lanes)> compute) {
  Value first = ranges[staging.row.back()].first;
  for (int64_t loop : ArrayRef(staging.row).drop_back())
    first = mul(first, index(ranges[loop].length));
  int64_t length = layout.rowLength;
  int64_t lanes = llvm::PowerOf2Ceil(length);
  auto with = [&](Value valid) {
    NodeEmitter::Scope scope(emitter);
    emitter.bind(columns.var, first);
    compute({columns.var, first, lanes, valid});
  };
  Value valid = validOf(ranges, staging.row);
  if (lanes != length)
    return with(valid ? min(valid, index(length)) : index(length));
  forWhole(b, loc, emitter, valid, length, with);
}

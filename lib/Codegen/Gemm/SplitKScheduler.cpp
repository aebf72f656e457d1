//===- SplitKScheduler.cpp - Several tasks per tile, each some of K -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every task stores its accumulators in the workspace. The last task of a tile to do so
// adds those of all splits, its own too, in the order of K, and goes on with the
// epilogue: bits depend on the number of splits and never on which one came last.
//
//===----------------------------------------------------------------------===//

#include "SplitModel.h"
#include "TileScheduler.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

SymbolicExpr SplitKScheduler::taskCount() const {
  return order.tileCount() * SymbolicExpr(splits);
}

int64_t SplitKScheduler::accumulatorsOfTask() const {
  return shape.rows * shape.panels * program.width;
}

void SplitKScheduler::setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const {
  SymbolicExpr counters = order.maxTileCount();
  int64_t bytes = splits * accumulatorsOfTask() * tile::elementBytes(program.accumulator);
  codegen::setWorkspace(shell, kernel, counters * SymbolicExpr(bytes), counters);
}

WorkTile SplitKScheduler::open(Value task) {
  Value whole = emitter.index(program.depth.extent), count = index(splits);
  Value split = remainder(task, count), number = divide(task, count);
  // Whole steps of the pipeline each; the last has what is left.
  SymbolicExpr steps =
      program.depth.extent.ceilDiv(shape.k * splits) * SymbolicExpr(shape.k);
  Value length = emitter.index(steps);
  Value begin = mul(split, length), end = add(begin, length);
  if (steps * SymbolicExpr(splits) != program.depth.extent)
    end = minimum(end, whole);
  WorkTile tile = order.locate(number);
  tile.begin = begin;
  tile.end = end;
  tile.split = split;
  return tile;
}

//===----------------------------------------------------------------------===//
// The sum of all splits
//===----------------------------------------------------------------------===//

Value SplitKScheduler::addTwo(Value lhs, Value rhs) {
  auto body = [&](OpBuilder &, Location, ValueRange elements) -> Values {
    if (isa<FloatType>(program.accumulator))
      return {arith::AddFOp::create(b, loc, elements[0], elements[1])};
    return {arith::AddIOp::create(b, loc, elements[0], elements[1])};
  };
  return tile::MapOp::create(b, loc, TypeRange{lhs.getType()}, ValueRange{lhs, rhs}, body)
      .getResult(0);
}

SplitKScheduler::Values SplitKScheduler::load(Value partials, Value split, int64_t first,
                                              int64_t count) {
  Values accumulators;
  for (int64_t i = 0; i < count; ++i)
    accumulators.push_back(tile::LoadOp::create(
        b, loc, tileType(shape.rows), partials,
        ValueRange{split, index(0), index((first + i) * program.width)}));
  return accumulators;
}

SplitKScheduler::Values SplitKScheduler::addSplits(Values before, Value partials,
                                                   Value begin, int64_t count,
                                                   int64_t first, int64_t panels) {
  SmallVector<Values> loaded;
  for (int64_t i = 0; i < count; ++i)
    loaded.push_back(load(partials, add(begin, index(i)), first, panels));
  for (const Values &more : loaded) {
    if (before.empty()) {
      before = more;
      continue;
    }
    for (auto [accumulator, own] : llvm::zip(before, more))
      accumulator = addTwo(accumulator, own);
  }
  return before;
}

/// Loads of several splits are under way at a time, and are added in order when they
/// have arrived.
SplitKScheduler::Values SplitKScheduler::addAll(Value partials, int64_t first,
                                                int64_t panels) {
  int64_t registers = shape.rows * panels * program.width / shape.threads;
  int64_t group =
      std::clamp<int64_t>(kFetchRegisters / std::max<int64_t>(registers, 1), 1, splits);
  int64_t whole = splits / group * group;
  Values sum = addSplits({}, partials, index(0), group, first, panels);
  if (whole > group) {
    auto body = [&](OpBuilder &, Location, Value begin, ValueRange carried) {
      NodeEmitter::Scope scope(emitter);
      scf::YieldOp::create(
          b, loc, addSplits(Values(carried), partials, begin, group, first, panels));
    };
    auto loop =
        scf::ForOp::create(b, loc, index(group), index(whole), index(group), sum, body);
    sum = Values(loop.getResults());
  }
  return addSplits(sum, partials, index(whole), splits - whole, first, panels);
}

/// The accumulators of the tile's splits in the workspace: split, row, column.
Value SplitKScheduler::openPartials(const WorkTile &tile) {
  int64_t columns = shape.panels * program.width, all = accumulatorsOfTask();
  Value workspace = tile::WorkspaceOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator));
  auto fixed = [&](int64_t value) -> OpFoldResult { return b.getIndexAttr(value); };
  return tile::ViewOp::create(
      b, loc, workspace, mul(tile.number, index(splits * all)),
      ArrayRef<OpFoldResult>{fixed(splits), fixed(shape.rows), fixed(columns)},
      ArrayRef<OpFoldResult>{fixed(all), fixed(columns), fixed(1)});
}

void SplitKScheduler::reduce(const WorkTile &tile, ValueRange accumulators,
                             function_ref<void(AccumulatorsOf)> finish) {
  Value partials = openPartials(tile);
  for (auto [i, accumulator] : llvm::enumerate(accumulators))
    tile::StoreOp::create(
        b, loc, accumulator, partials,
        ValueRange{tile.split, index(0), index(int64_t(i) * program.width)});
  Value isLast = tile::TicketOp::create(b, loc, b.getI1Type(), tile.number,
                                        /*actual=*/Value(), uint64_t(splits));
  scf::IfOp::create(b, loc, isLast, [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    finish([&](int64_t first, int64_t count) { return addAll(partials, first, count); });
    scf::YieldOp::create(b, loc);
  });
}

//===- SplitKScheduler.cpp - Split-K scheduler ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitKScheduler.h"
#include "lib/Codegen/Gemm/Config/SplitModel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

SymbolicExpr SplitKScheduler::taskCount() const {
  return order.tileCount() * SymbolicExpr(splits);
}

void SplitKScheduler::setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const {
  SymbolicExpr counters = order.maxTileCount();
  codegen::setWorkspace(shell, kernel, counters * SymbolicExpr(partials.bytesPerTile()),
                        counters);
}

WorkTile SplitKScheduler::open(Value task) {
  Value whole = emitter.index(program.k.extent), count = index(splits);
  Value split = remainder(task, count), number = divide(task, count);
  // Each split has a multiple of the pipeline's steps, the last one the remainder.
  SymbolicExpr steps = program.k.extent.ceilDiv(shape.k * splits) * SymbolicExpr(shape.k);
  Value length = emitter.index(steps);
  Value begin = mul(split, length), end = add(begin, length);
  if (steps * SymbolicExpr(splits) != program.k.extent)
    end = minimum(end, whole);
  WorkTile tile = order.locate(number);
  tile.begin = begin;
  tile.end = end;
  tile.split = split;
  return tile;
}

SplitKScheduler::Values SplitKScheduler::addSplits(Values before, Value begin,
                                                   int64_t count, int64_t first,
                                                   int64_t panels) {
  SmallVector<Values> loaded;
  for (int64_t i = 0; i < count; ++i)
    loaded.push_back(partials.load(add(begin, index(i)), first, panels));
  for (const Values &more : loaded)
    before = before.empty() ? more : partials.add(before, more);
  return before;
}

/// Loads the accumulators of several splits at a time, and adds them in order.
SplitKScheduler::Values SplitKScheduler::addAll(int64_t first, int64_t panels) {
  int64_t registers = shape.rows * panels * program.width / shape.threads;
  int64_t group =
      std::clamp<int64_t>(kFetchRegisters / std::max<int64_t>(registers, 1), 1, splits);
  int64_t whole = splits / group * group;
  Values sum = addSplits({}, index(0), group, first, panels);
  if (whole > group) {
    auto body = [&](OpBuilder &, Location, Value begin, ValueRange carried) {
      NodeEmitter::Scope scope(emitter);
      scf::YieldOp::create(b, loc,
                           addSplits(Values(carried), begin, group, first, panels));
    };
    auto loop =
        scf::ForOp::create(b, loc, index(group), index(whole), index(group), sum, body);
    sum = Values(loop.getResults());
  }
  return addSplits(sum, index(whole), splits - whole, first, panels);
}

void SplitKScheduler::reduce(const WorkTile &tile, ValueRange accumulators,
                             function_ref<void(AccumulatorsOf)> finish) {
  partials.open(tile.number);
  partials.store(tile.split, accumulators);
  Value isLast = tile::TicketOp::create(b, loc, b.getI1Type(), tile.number,
                                        /*actual=*/Value(), uint64_t(splits));
  scf::IfOp::create(b, loc, isLast, [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    finish([&](int64_t first, int64_t count) { return addAll(first, count); });
    scf::YieldOp::create(b, loc);
  });
}

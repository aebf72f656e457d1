//===- StreamKScheduler.cpp - Stream-K scheduler --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks are numbered so that a persistent kernel of as many blocks as a wave has tiles
// gives each block the tasks of one unit: first tasks of all units, then second ones.
//
//              block 0       block 1       block 2       block 3
//   full wave  tile 0        tile 1        tile 2        tile 3
//   tail       tile 4 [0,2)  tile 4 [2,4)  tile 5 [1,4)          2 tiles of 4 steps
//                            tile 5 [0,1)                        cut into 3 units
//
//===----------------------------------------------------------------------===//

#include "SplitKScheduler.h"
#include "lib/Codegen/Gemm/Config/SplitModel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

SymbolicExpr StreamKScheduler::taskCount() const {
  return plan.fullTiles() + plan.units * plan.tasksPerUnit();
}

void StreamKScheduler::setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const {
  codegen::setWorkspace(shell, kernel, plan.tailTiles * partials.bytesPerTile(),
                        plan.tailTiles);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Returns the unit of a step, counted over all tiles of the last wave. Unit u begins at
/// step floor(u * steps / units).
Value StreamKScheduler::unitOf(Value step) {
  Value scaled = sub(mul(add(step, index(1)), index(plan.units)), index(1));
  return divide(scaled, index(plan.tailTiles * plan.steps));
}

WorkTile StreamKScheduler::open(Value task) {
  auto select = [&](Value condition, Value onTrue, Value onFalse) -> Value {
    return arith::SelectOp::create(b, loc, condition, onTrue, onFalse);
  };
  auto isAtLeast = [&](Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, lhs, rhs);
  };
  auto maximum = [&](Value lhs, Value rhs) -> Value {
    return b.createOrFold<arith::MaxSIOp>(loc, lhs, rhs);
  };
  Value full = index(plan.fullTiles()), steps = index(plan.steps), zero = index(0);
  Value isTail = isAtLeast(task, full);
  Value unit = maximum(sub(task, full), zero), second = zero;
  if (plan.tasksPerUnit() > 1) {
    second = divide(unit, index(plan.units));
    unit = remainder(unit, index(plan.units));
  }
  auto beginOf = [&](Value unit) {
    return divide(mul(unit, index(plan.tailTiles * plan.steps)), index(plan.units));
  };
  Value begin = beginOf(unit), end = beginOf(add(unit, index(1)));
  Value tail = add(divide(begin, steps), second), tileBegin = mul(tail, steps);
  Value first = maximum(sub(begin, tileBegin), zero);
  Value last = maximum(minimum(sub(end, tileBegin), steps), first);
  // The second task of the last unit has no steps; clamp its tile to one that exists.
  tail = minimum(tail, index(plan.tailTiles - 1));
  Value k = emitter.index(program.k.extent), stride = index(shape.k);
  WorkTile tile = order.locate(select(isTail, add(full, tail), task));
  tile.begin = select(isTail, mul(first, stride), zero);
  tile.end = select(isTail, minimum(mul(last, stride), k), k);
  tile.split = sub(unit, unitOf(mul(tail, steps)));
  return tile;
}

//===----------------------------------------------------------------------===//
// Reduction of partial accumulators
//===----------------------------------------------------------------------===//

StreamKScheduler::Values StreamKScheduler::addAll(Value units, int64_t first,
                                                  int64_t count) {
  auto body = [&](OpBuilder &, Location, Value split, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc,
                         partials.add(carried, partials.load(split, first, count)));
  };
  auto loop = scf::ForOp::create(b, loc, index(1), units, index(1),
                                 partials.load(index(0), first, count), body);
  return Values(loop.getResults());
}

StreamKScheduler::Values StreamKScheduler::combine(const WorkTile &tile,
                                                   ValueRange accumulators) {
  Value tail = sub(tile.number, index(plan.fullTiles()));
  Value firstStep = mul(tail, index(plan.steps));
  Value lastUnit = unitOf(add(firstStep, index(plan.steps - 1)));
  Value units = add(sub(lastUnit, unitOf(firstStep)), index(1));
  partials.open(tail);
  partials.store(tile.split, accumulators);
  Value isLast = tile::TicketOp::create(b, loc, b.getI1Type(), tail, units,
                                        uint64_t(plan.maxSplits()));
  int64_t registers = shape.rows * program.width / shape.threads;
  int64_t together = std::max<int64_t>(kFetchRegisters / registers, 1);
  auto addUnits = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    Values totals;
    for (int64_t first = 0; first < shape.panels; first += together)
      llvm::append_range(totals,
                         addAll(units, first, std::min(together, shape.panels - first)));
    scf::YieldOp::create(b, loc, totals);
  };
  auto keep = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, accumulators); };
  Values state{isLast};
  llvm::append_range(state,
                     scf::IfOp::create(b, loc, isLast, addUnits, keep).getResults());
  return state;
}

void StreamKScheduler::reduce(const WorkTile &tile, ValueRange accumulators,
                              function_ref<void(AccumulatorsOf)> finish) {
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  };
  Value isWhole =
      compare(arith::CmpIPredicate::slt, tile.number, index(plan.fullTiles()));
  Value hasSteps = compare(arith::CmpIPredicate::slt, tile.begin, tile.end);
  Values whole{isWhole};
  llvm::append_range(whole, accumulators);
  Value isPartial = arith::AndIOp::create(
      b, loc, hasSteps,
      compare(arith::CmpIPredicate::sge, tile.number, index(plan.fullTiles())));
  // Both kinds of tiles have one epilogue in common, to keep the code small.
  auto partial = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, combine(tile, accumulators));
  };
  auto other = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, whole); };
  auto combined = scf::IfOp::create(b, loc, isPartial, partial, other);
  scf::IfOp::create(b, loc, combined.getResult(0), [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    finish([&](int64_t first, int64_t count) {
      return Values(combined.getResults().slice(1 + first, count));
    });
    scf::YieldOp::create(b, loc);
  });
}

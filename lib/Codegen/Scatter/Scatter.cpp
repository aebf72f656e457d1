//===- Scatter.cpp - Scatter kernels --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result is divided into parts of some rows. The owner of a part copies the data and
// then applies all updates of its rows in order. Updates of one element thus never race,
// they keep the model's order, and no atomics are needed. On a GPU a thread has the same
// columns in both steps, or the rows stay in its registers, so that no barrier is needed.
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Scatter.h"
#include "../Expression/KernelShell.h"
#include "Program.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

namespace {
class ScatterEmitter : ShellEmitter {
public:
  ScatterEmitter(OpBuilder &builder, graph::KernelOp kernel,
                 const ScatterProgram &program, tile::ScatterConfigAttr config)
      : ShellEmitter(builder, kernel, program.body), program(program), config(config),
        isColumn(program.column.extent.isConstant(1)) {}

  tile::KernelOp emit();

private:
  /// Rows [begin, end) of the current part.
  struct Rows {
    Value begin, end;
  };
  using Carried = SmallVector<Value, 1>;

  void emitTask(Value task);
  void emitPart(Rows rows, Value column);

  void emitInMemory(Rows rows, Value column);
  void emitInRegisters(Rows rows);
  void copyRows(Rows rows);
  void update(Value row);
  void updatePerColumn(Rows rows);
  Value updateHeld(Value held, Value row, Rows rows);

  /// Runs `body` for all updates of the part in order; updates of other parts may be
  /// skipped.
  Carried forUpdates(Rows rows, Carried init, function_ref<Carried(ValueRange)> body);
  Value chunkHits(Rows rows, Value first);
  Carried forLoop(Value begin, Value end, Value step, Carried init,
                  function_ref<Carried(Value, ValueRange)> body);
  /// Returns the row of an index, which may be negative; the row may be out of range.
  Value wrap(OpBuilder &b, Value index, Value rowCount);
  static Value isInside(OpBuilder &b, Location loc, Value row, Rows rows);
  Value isInside(Value row, Rows rows) { return isInside(b, loc, row, rows); }
  /// Sets the lanes from `first` on, masked at `end`.
  void setLanes(const Loop &loop, Value first, Value end, int64_t count);
  int64_t partsPerTask() const {
    return config.getThreads() ? config.getThreads() / config.getGroupThreads() : 1;
  }
  SymbolicExpr partTasks() const {
    return program.row.extent.ceilDiv(config.getRows() * partsPerTask());
  }
  SymbolicExpr columnTasks() const {
    return isColumn ? SymbolicExpr(1) : program.column.extent.ceilDiv(config.getLanes());
  }

  const ScatterProgram &program;
  tile::ScatterConfigAttr config;
  bool isColumn; ///< there is one column, and vectors run along the rows
};
} // namespace

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

ScatterEmitter::Carried
ScatterEmitter::forLoop(Value begin, Value end, Value step, Carried init,
                        function_ref<Carried(Value, ValueRange)> body) {
  auto build = [&](OpBuilder &, Location, Value position, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, body(position, carried));
  };
  return Carried(scf::ForOp::create(b, loc, begin, end, step, init, build).getResults());
}

void ScatterEmitter::setLanes(const Loop &loop, Value first, Value end, int64_t count) {
  emitter.bind(loop.var, first);
  auto extent = loop.extent.getConstant();
  Value valid = extent && *extent % count == 0 ? Value() : sub(end, first);
  emitter.setLanes({loop.var, first, count, valid});
}

Value ScatterEmitter::wrap(OpBuilder &b, Value index, Value rowCount) {
  return wrapIndex(b, loc, index, rowCount, arith::ConstantIndexOp::create(b, loc, 0));
}

Value ScatterEmitter::isInside(OpBuilder &b, Location loc, Value row, Rows rows) {
  Value from = arith::SubIOp::create(b, loc, row, rows.begin);
  Value count = arith::SubIOp::create(b, loc, rows.end, rows.begin);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, from, count);
}

//===----------------------------------------------------------------------===//
// The updates of a part
//===----------------------------------------------------------------------===//

/// Returns true if any of the `chunk` indices from `first` on is a row of the part.
Value ScatterEmitter::chunkHits(Rows rows, Value first) {
  NodeEmitter::Lanes saved = emitter.getLanes();
  NodeEmitter::Scope scope(emitter);
  Value rowCount = emitter.index(program.row.extent);
  setLanes(program.update, first, emitter.index(program.update.extent),
           config.getChunk());
  Type flag = b.getI32Type();
  auto type = tile::FragType::get(b.getContext(), {config.getChunk()}, flag);
  // Indices past the last one read as 0; at worst a chunk is visited in vain.
  auto hits = tile::MapOp::create(
      b, loc, TypeRange{type}, ValueRange{emitter.fragment(program.index)},
      [&](OpBuilder &b, Location loc, ValueRange elements) -> SmallVector<Value> {
        Value inside = isInside(b, loc, wrap(b, elements[0], rowCount), rows);
        return {arith::ExtUIOp::create(b, loc, flag, inside)};
      });
  Value any = tile::ReduceOp::create(
      b, loc, flag, tile::ReduceKindAttr::get(b.getContext(), tile::ReduceKind::bit_or),
      hits.getResult(0), b.getI64IntegerAttr(0));
  emitter.setLanes(saved);
  Value zero = arith::ConstantIntOp::create(b, loc, flag, 0);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, any, zero);
}

ScatterEmitter::Carried
ScatterEmitter::forUpdates(Rows rows, Carried init,
                           function_ref<Carried(ValueRange)> body) {
  Value count = emitter.index(program.update.extent);
  auto one = [&](Value position, ValueRange carried) {
    emitter.bind(program.update.var, position);
    return body(carried);
  };
  if (program.perColumn)
    return forLoop(index(0), count, index(1), init, one);
  Value chunk = index(config.getChunk());
  return forLoop(index(0), count, chunk, init, [&](Value first, ValueRange carried) {
    Value end = minimum(add(first, chunk), count);
    auto look = [&](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      scf::YieldOp::create(b, loc, forLoop(first, end, index(1), Carried(carried), one));
    };
    auto pass = [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, carried); };
    Value hits = chunkHits(rows, first);
    if (carried.empty())
      return Carried(scf::IfOp::create(b, loc, hits, look).getResults());
    return Carried(scf::IfOp::create(b, loc, hits, look, pass).getResults());
  });
}

//===----------------------------------------------------------------------===//
// Parts in memory
//===----------------------------------------------------------------------===//

void ScatterEmitter::copyRows(Rows rows) {
  if (!isColumn) {
    forLoop(rows.begin, rows.end, index(1), {}, [&](Value row, ValueRange) -> Carried {
      emitter.bind(program.row.var, row);
      emitter.store(emitter.fragment(program.data), results[0], program.address);
      return {};
    });
    return;
  }
  NodeEmitter::Lanes saved = emitter.getLanes();
  Value lanes = index(config.getLanes());
  forLoop(rows.begin, rows.end, lanes, {}, [&](Value first, ValueRange) -> Carried {
    setLanes(program.row, first, rows.end, config.getLanes());
    emitter.store(emitter.fragment(program.data), results[0], program.address);
    return {};
  });
  emitter.setLanes(saved);
}

/// Applies the current update to a row of the part.
void ScatterEmitter::update(Value row) {
  emitter.bind(program.row.var, row);
  if (program.combines)
    emitter.bind(program.old, emitter.fragment(program.current));
  emitter.store(emitter.fragment(program.combined), results[0], program.address);
}

/// Applies the current update to the rows of the part if every column has its own index.
void ScatterEmitter::updatePerColumn(Rows rows) {
  Value rowCount = emitter.index(program.row.extent),
        columns = emitter.index(program.column.extent);
  const NodeEmitter::Lanes &lanes = emitter.getLanes();
  auto places = tile::FragType::get(b.getContext(), {lanes.count}, b.getIndexType());
  Value outside = mul(rowCount, columns);
  Value column =
      tile::IotaOp::create(b, loc, places, lanes.first, b.getI64IntegerAttr(0));
  auto where = tile::MapOp::create(
      b, loc, TypeRange{places}, ValueRange{emitter.fragment(program.index), column},
      [&](OpBuilder &b, Location loc, ValueRange elements) -> SmallVector<Value> {
        Value row = wrap(b, elements[0], rowCount);
        Value inside = isInside(b, loc, row, rows);
        if (lanes.valid)
          inside = arith::AndIOp::create(b, loc, inside,
                                         arith::CmpIOp::create(b, loc,
                                                               arith::CmpIPredicate::ult,
                                                               elements[1], columns));
        Value place = arith::AddIOp::create(
            b, loc, arith::MulIOp::create(b, loc, row, columns), elements[1]);
        return {arith::SelectOp::create(b, loc, inside, place, outside)};
      });
  Type storage = cast<tile::BufferType>(results[0].buffer.getType()).getElementType();
  auto stored = tile::FragType::get(b.getContext(), {lanes.count}, storage);
  Value begin = emitter.index(
      replace(replace(program.address, program.row.var, 0), program.column.var, 0));
  Value batch = tile::ViewOp::create(b, loc, results[0].buffer, begin,
                                     ArrayRef<OpFoldResult>{outside},
                                     ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  if (program.combines) {
    Value zero =
        arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(storage)));
    Value old = tile::GatherOp::create(b, loc, stored, batch, ValueRange{},
                                       where.getResult(0), zero);
    emitter.bind(program.old, emitter.convert(old, program.old->type));
  }
  Value value = emitter.convert(emitter.fragment(program.combined), storage);
  tile::ScatterOp::create(b, loc, value, batch, ValueRange{}, where.getResult(0),
                          /*masked=*/true);
}

void ScatterEmitter::emitInMemory(Rows rows, Value column) {
  Value rowCount = emitter.index(program.row.extent);
  emitter.bind(program.column.var, column);
  if (!isColumn)
    setLanes(program.column, column, emitter.index(program.column.extent),
             config.getLanes());
  copyRows(rows);
  forUpdates(rows, {}, [&](ValueRange) -> Carried {
    if (program.perColumn) {
      updatePerColumn(rows);
      return {};
    }
    Value row = wrap(b, emitter.scalar(program.index), rowCount);
    scf::IfOp::create(b, loc, isInside(row, rows), [&](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      update(row);
      scf::YieldOp::create(b, loc);
    });
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Parts in registers
//===----------------------------------------------------------------------===//

/// Applies the current update to row `row` of a part in registers, and returns the part.
Value ScatterEmitter::updateHeld(Value held, Value row, Rows rows) {
  auto type = cast<tile::FragType>(held.getType());
  auto numbers = type.cloneWith(b.getIndexType());
  Value own = tile::IotaOp::create(b, loc, numbers, rows.begin, b.getI64IntegerAttr(0));
  emitter.bind(program.old, held);
  Value combined = emitter.fragment(program.combined);
  auto map = tile::MapOp::create(
      b, loc, TypeRange{type}, ValueRange{held, combined, own},
      [&](OpBuilder &b, Location loc, ValueRange elements) -> SmallVector<Value> {
        Value meant =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, elements[2], row);
        return {arith::SelectOp::create(b, loc, meant, elements[1], elements[0])};
      });
  return map.getResult(0);
}

void ScatterEmitter::emitInRegisters(Rows rows) {
  Value rowCount = emitter.index(program.row.extent);
  emitter.bind(program.column.var, index(0));
  setLanes(program.row, rows.begin, rows.end, config.getLanes());
  Value held = emitter.fragment(program.data);
  held =
      forUpdates(rows, {held}, [&](ValueRange carried) -> Carried {
        Value row = wrap(b, emitter.scalar(program.index), rowCount);
        auto meets = [&](OpBuilder &, Location) {
          NodeEmitter::Scope scope(emitter);
          scf::YieldOp::create(b, loc, updateHeld(carried[0], row, rows));
        };
        auto passes = [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, carried);
        };
        return Carried(
            scf::IfOp::create(b, loc, isInside(row, rows), meets, passes).getResults());
      }).front();
  emitter.store(held, results[0], program.address);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

void ScatterEmitter::emitPart(Rows rows, Value column) {
  if (config.getHeld())
    emitInRegisters(rows);
  else
    emitInMemory(rows, column);
}

/// Emits a task. Tasks are numbered by batch, then part, then range of columns.
void ScatterEmitter::emitTask(Value task) {
  emitter.memories.push_back(results[0]); // read by updates that combine
  SymbolicExpr parts = program.row.extent.ceilDiv(config.getRows());
  Value stretches = emitter.index(columnTasks()), groups = emitter.index(partTasks());
  Value column = mul(remainder(task, stretches), index(config.getLanes()));
  Value rest = divide(task, stretches);
  emitter.bind(program.batch.var, divide(rest, groups));
  Value first = mul(remainder(rest, groups), index(partsPerTask()));
  Value end = minimum(add(first, index(partsPerTask())), emitter.index(parts));
  auto build = [&](OpBuilder &, Location, Value part, ValueRange) {
    NodeEmitter::Scope scope(emitter);
    Value begin = mul(part, index(config.getRows()));
    emitPart({begin, minimum(add(begin, index(config.getRows())),
                             emitter.index(program.row.extent))},
             column);
    scf::YieldOp::create(b, loc);
  };
  auto loop = scf::ForOp::create(b, loc, first, end, index(1), ValueRange(), build);
  if (config.getGroupThreads() < config.getThreads())
    loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(config.getGroupThreads()));
}

tile::KernelOp ScatterEmitter::emit() {
  SymbolicExpr tasks = program.batch.extent * partTasks() * columnTasks();
  tile::KernelOp shell = createShell(b, kernel, tasks, 0, config);
  if (config.getThreads())
    shell.setThreads(config.getThreads());
  return fill(shell, [&](Value task) { emitTask(task); });
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

ScatterProblem kiln::codegen::scatterProblem(graph::KernelOp kernel) {
  ScatterProblem problem;
  for (auto scatter : kernel.getBlock().getOps<graph::ScatterOp>()) {
    auto type = cast<RankedTensorType>(scatter.getType());
    problem.columns = graph::getDims(scatter.getResult()).back().getConstant();
    problem.elementBytes = tile::elementBytes(storageType(type.getElementType()));
  }
  return problem;
}

tile::KernelOp kiln::codegen::emitScatter(graph::KernelOp kernel,
                                          const ScatterProgram &program,
                                          OpBuilder &builder,
                                          tile::ScatterConfigAttr config) {
  return ScatterEmitter(builder, kernel, program, config).emit();
}

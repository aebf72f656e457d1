//===- HostAttention.cpp - Attention on a host as tile IR -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostAttention.h"
#include "../Blocks.h"
#include "../ExtentRange.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

HostAttention::HostAttention(OpBuilder &builder, graph::KernelOp kernel,
                             AttentionProgram &program, tile::AttentionConfigAttr config,
                             const TargetInfo &target)
    : ShellEmitter(builder, kernel, program.body), program(program), config(config),
      attention(*this, program), visible(attention), scheduler(attention, config.getMc()),
      multiplier(attention, config, visible, target),
      scratch(attention, config, multiplier.packedElement(), multiplier.usesTiles()),
      softmax(attention, config.getNr(), visible, scratch),
      epilogue(attention, visible, scratch, multiplier.dotProduct()) {}

tile::KernelOp HostAttention::emit() {
  tile::KernelOp shell =
      createShell(b, kernel, scheduler.taskCount(), scratch.size, config);
  return fill(shell, [&](Value task) { emitTask(task); });
}

/// Returns the number of query heads of a task with one query, a divisor of `heads`,
/// which is the query heads of a key head. A task takes all of them, so that keys and
/// values are read once, unless this leaves fewer than kMinTasks tasks.
static int64_t headsOfTask(const AttentionProgram &program, int64_t heads) {
  constexpr int64_t kMinTasks = 4;
  int64_t keyHeads = program.keyHead.extent.getConstant().value_or(1);
  auto parts = int64_t(llvm::divideCeil(kMinTasks, std::max<int64_t>(keyHeads, 1)));
  while (parts < heads && heads % parts != 0)
    ++parts;
  return heads / std::min(parts, heads);
}

/// Returns the number of columns of the register tile that reads values in place: as many
/// as registers hold, so that each row of a head is read once, and the matmul widens it.
/// Returns 0 if values must be packed, because panels are not full or columns not
/// contiguous.
static int64_t widthInPlace(const AttentionProgram &program,
                            tile::AttentionConfigAttr config, int64_t rows,
                            bool usesTiles) {
  int64_t width = config.getNr(), mr = config.getMr();
  int64_t registers = mr / std::min(rows, mr) * width;
  if (usesTiles)
    registers = std::max(width, kTileAccumulators /
                                    int64_t(llvm::divideCeil(rows, kTileRegisterRows)) *
                                    kTileRegisterColumns);
  auto columns = program.column.extent.getConstant();
  const Node &values = *program.values;
  if (!columns || *columns % width != 0 ||
      !coefficientOf(values.index, program.column.var)->isConstant(1))
    return 0;
  int64_t widest = std::min(*columns, registers);
  while (*columns % widest != 0)
    widest -= width;
  return widest;
}

void HostAttention::emitTask(Value task) {
  QueryRows rows = scheduler.open(task);
  auto queries = program.row.extent.getConstant();
  auto range = rangeOf(program.row.extent, kernel->getParentOfType<ModuleOp>());
  bool mayBeOne = queries ? *queries == 1 : !range || range->min <= 1;
  if (!mayBeOne || !program.outer.extent.getConstant())
    return emitQueries(rows);
  Value head;
  {
    // The scope ends here because emitHeads() and emitQueries() bind the variable anew,
    // and must not reuse an expression of its old value.
    NodeEmitter::Scope scope(emitter);
    head = emitter.index(SymbolicExpr::symbol(program.outer.var));
  }
  if (queries)
    return emitHeads(head);
  Value isOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                      emitter.index(program.row.extent), index(1));
  auto one = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    emitHeads(head);
    scf::YieldOp::create(b, loc);
  };
  auto many = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    emitQueries(rows);
    scf::YieldOp::create(b, loc);
  };
  scf::IfOp::create(b, loc, isOne, one, many);
}

PanelOperand HostAttention::keysOf(KeyRange seen) {
  return {program.keys, program.key, program.depth, seen};
}

PanelOperand HostAttention::valuesOf(KeyRange seen) {
  return {program.values, program.column, program.key, seen};
}

/// Computes many queries. With a single block of rows, which reads each panel once,
/// panels are packed on use; otherwise all are packed first.
void HostAttention::emitQueries(QueryRows rows) {
  auto queries = program.row.extent.getConstant();
  auto range = rangeOf(program.row.extent, kernel->getParentOfType<ModuleOp>());
  auto emit = [&](bool isOneBlock) {
    NodeEmitter::Scope scope(emitter);
    visible.open();
    KeyRange seen = visible.range(rows, config.getNr());
    if (isOneBlock)
      emitOnUse(rows, seen, config.getMr());
    else
      emitPacked(rows, seen);
  };
  int64_t min = queries ? *queries : range ? range->min : 1;
  if (queries || min > config.getMr())
    return emit(min <= config.getMr());
  auto branch = [&](bool isOneBlock) {
    return [&, isOneBlock](OpBuilder &, Location) {
      emit(isOneBlock);
      scf::YieldOp::create(b, loc);
    };
  };
  Value isOneBlock = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, rows.count,
                                           index(config.getMr()));
  scf::IfOp::create(b, loc, isOneBlock, branch(true), branch(false));
}

void HostAttention::emitPacked(QueryRows rows, KeyRange seen) {
  Panels keys = multiplier.pack(keysOf(seen), scratch.keyOffset);
  Panels values = multiplier.pack(valuesOf(seen), scratch.valueOffset);
  emitBlocks(rows, keys, values);
}

void HostAttention::emitOnUse(QueryRows rows, KeyRange seen, int64_t height) {
  int64_t width = widthInPlace(program, config, height, multiplier.usesTiles());
  Panels values = width ? multiplier.readInPlace(valuesOf(seen), width)
                        : multiplier.pack(valuesOf(seen), scratch.valueOffset);
  Panels keys = multiplier.packOnUse(keysOf(seen), scratch.keyOffset);
  emitBlocks(rows, keys, values);
}

/// Computes one query. Tasks are numbered by query heads: every `count`-th task computes
/// `count` heads, the others return at once.
void HostAttention::emitHeads(Value head) {
  int64_t count = headsOfTask(program, *program.outer.extent.getConstant());
  auto body = [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    program.swapRows();
    multiplier.setTaskRows(count);
    emitter.bind(program.outer.var, index(0));
    QueryRows rows{head, index(count)};
    visible.open();
    emitOnUse(rows, visible.range(rows, config.getNr()), count);
    multiplier.setTaskRows(std::nullopt);
    program.swapRows();
    scf::YieldOp::create(b, loc);
  };
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        remainder(head, index(count)), index(0));
  scf::IfOp::create(b, loc, isFirst, body);
}

void HostAttention::emitBlocks(QueryRows rows, const Panels &keys, const Panels &values) {
  Value query = multiplier.usesTiles() ? Value() : openQuery(fold(program.row.extent));
  scratch.open(values.width);
  Value tallest = index(config.getMr());
  Value blocks = b.createOrFold<arith::CeilDivUIOp>(loc, rows.count, tallest);
  emitLoop(b, loc, emitter, index(0), blocks, index(1), [&](Value block) {
    auto [begin, height] = evenPart(b, loc, rows.count, block, blocks);
    emitBlock({add(rows.begin, begin), height}, query, keys, values);
  });
}

Value HostAttention::openQuery(OpFoldResult rows) {
  NodeEmitter::Scope scope(emitter);
  emitter.bind(program.row.var, index(0));
  emitter.bind(program.depth.var, index(0));
  const SymbolicExpr &address = program.query->index;
  return tile::ViewOp::create(
      b, loc, emitter.memories[program.query->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{rows, fold(program.depth.extent)},
      ArrayRef<OpFoldResult>{fold(*coefficientOf(address, program.row.var)),
                             fold(*coefficientOf(address, program.depth.var))});
}

/// Copies a block of queries to scratch, with zeros behind the last one, up to the rows
/// of a tile register, and behind the head dim.
void HostAttention::copyQueries(QueryRows block) {
  Value all = openQuery(add(block.begin, block.count));
  Type element = cast<tile::ViewType>(all.getType()).getElementType();
  auto type = tile::FragType::get(b.getContext(), {kTileRegisterRows, kTileRegisterSteps},
                                  element);
  Value zero = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(element)));
  emitLoop(b, loc, emitter, index(0), block.count, index(kTileRegisterRows),
           [&](Value row) {
             emitLoop(b, loc, emitter, index(0), emitter.index(program.depth.extent),
                      index(kTileRegisterSteps), [&](Value step) {
                        Value tile = tile::LoadOp::create(
                            b, loc, type, all, ValueRange{add(block.begin, row), step},
                            zero, ArrayRef<int64_t>{0, 1});
                        tile::StoreOp::create(b, loc, tile, scratch.queries,
                                              ValueRange{row, step});
                      });
           });
}

void HostAttention::emitBlock(QueryRows block, Value query, const Panels &keys,
                              const Panels &values) {
  KeyRange seen = visible.range(block, config.getNr());
  Value width = index(config.getNr());
  KeyRange keyPanels{divide(seen.begin, width),
                     b.createOrFold<arith::CeilDivUIOp>(loc, seen.end, width)};
  Value firstRow = block.begin;
  if (!query) {
    copyQueries(block);
    query = scratch.queries;
    firstRow = index(0);
  }
  multiplier.multiply(
      query, firstRow, block.count, keys, keyPanels,
      {index(0), emitter.index(program.depth.extent)}, [&](Value panel, Value scores) {
        tile::StoreOp::create(b, loc, scores, scratch.scores,
                              ValueRange{index(0), mul(panel, index(config.getNr()))});
      });
  softmax.emit(block, seen);
  Value columns = emitter.index(program.column.extent.ceilDiv(values.width));
  multiplier.multiply(scratch.weights, index(0), block.count, values, {index(0), columns},
                      seen, [&](Value panel, Value result) {
                        tile::StoreOp::create(b, loc, result, scratch.resultPanel,
                                              ValueRange{index(0), index(0)});
                        epilogue.emit(block, panel, multiplier.panel(values, panel),
                                      seen);
                      });
}

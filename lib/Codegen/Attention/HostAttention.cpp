//===- HostAttention.cpp - Attention of a host as tile IR -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostAttention.h"
#include "../Blocks.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

HostAttention::HostAttention(OpBuilder &builder, graph::KernelOp kernel,
                             AttentionProgram &program, tile::AttentionConfigAttr config)
    : ShellEmitter(builder, kernel, program.body), program(program), config(config),
      attention(*this, program), visible(attention), scheduler(attention, config.getMc()),
      scratch(attention, config), multiplier(attention, config, visible),
      softmax(attention, config.getNr(), visible, scratch),
      epilogue(attention, config.getNr(), visible, scratch) {}

tile::KernelOp HostAttention::emit() {
  tile::KernelOp shell =
      createShell(b, kernel, scheduler.taskCount(), scratch.size, config);
  return fill(shell, [&](Value task) { emitTask(task); });
}

void HostAttention::emitTask(Value task) {
  QueryRows rows = scheduler.open(task);
  visible.open();
  KeyRange seen = visible.range(rows, config.getNr());
  PackedPanels keys =
      multiplier.pack(program.keys, program.key, program.depth, scratch.keyOffset, seen);
  PackedPanels values = multiplier.pack(program.values, program.column, program.key,
                                        scratch.valueOffset, seen);
  Value query = openQuery();
  scratch.open();
  Value tallest = index(config.getMr());
  Value blocks = b.createOrFold<arith::CeilDivUIOp>(loc, rows.count, tallest);
  emitLoop(b, loc, emitter, index(0), blocks, index(1), [&](Value block) {
    auto [begin, height] = evenPart(b, loc, rows.count, block, blocks);
    emitBlock({add(rows.begin, begin), height}, query, keys, values);
  });
}

/// A view of all queries of the head.
Value HostAttention::openQuery() {
  NodeEmitter::Scope scope(emitter);
  emitter.bind(program.row.var, index(0));
  emitter.bind(program.depth.var, index(0));
  const SymbolicExpr &address = program.query->index;
  return tile::ViewOp::create(
      b, loc, emitter.memories[program.query->argument].buffer, emitter.index(address),
      ArrayRef<OpFoldResult>{fold(program.row.extent), fold(program.depth.extent)},
      ArrayRef<OpFoldResult>{fold(*coefficientOf(address, program.row.var)),
                             fold(*coefficientOf(address, program.depth.var))});
}

void HostAttention::emitBlock(QueryRows block, Value query, const PackedPanels &keys,
                              const PackedPanels &values) {
  KeyRange seen = visible.range(block, config.getNr());
  Value width = index(config.getNr());
  KeyRange keyPanels{divide(seen.begin, width),
                     b.createOrFold<arith::CeilDivUIOp>(loc, seen.end, width)};
  multiplier.multiply(
      query, block.begin, block.count, keys, keyPanels,
      {index(0), emitter.index(program.depth.extent)}, [&](Value panel, Value scores) {
        tile::StoreOp::create(b, loc, scores, scratch.weights,
                              ValueRange{index(0), mul(panel, index(config.getNr()))});
      });
  softmax.emit(block, seen);
  Value columns = emitter.index(program.column.extent.ceilDiv(config.getNr()));
  multiplier.multiply(scratch.weights, index(0), block.count, values, {index(0), columns},
                      seen, [&](Value panel, Value result) {
                        tile::StoreOp::create(b, loc, result, scratch.resultPanel,
                                              ValueRange{index(0), index(0)});
                        epilogue.emit(block, panel, values, seen);
                      });
}

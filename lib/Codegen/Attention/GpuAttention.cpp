//===- GpuAttention.cpp - Attention kernels of GPUs -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"
#include "../ExtentRange.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Queries of a warpgroup (M of wgmma), and its threads.
static constexpr int64_t kWarpgroupRows = 64, kWarpgroupThreads = 128;
/// Double buffer: without TMA, one tile of keys is copied while another is used.
static constexpr int64_t kStages = 2;

AttentionTile GpuAttention::tileOf(int64_t rows, int64_t keys, int64_t threads) const {
  // K of the MMA on tensor cores is 16.
  int64_t min = program.fitsTensorCores() ? 16 : 8;
  auto padded = [&](const Loop &loop) {
    return int64_t(llvm::PowerOf2Ceil(std::max(*loop.extent.getConstant(), min)));
  };
  return {rows, keys, threads, padded(program.depth), padded(program.column)};
}

bool GpuAttention::recomputes(const AttentionOperands &operands) const {
  graph::AttentionOp op = program.op;
  return program.isCausal() || op.getNanZero() || op.getMaskHides() ||
         operands.readsPastLengths();
}

tile::KernelOp GpuAttention::compose(Attribute config, AttentionTile tile,
                                     AttentionMainloop &mainloop,
                                     AttentionEpilogue &epilogue,
                                     const SymbolicExpr &scratchBytes) {
  TiledQueries scheduler(attention, tile.rows);
  tile::KernelOp shell =
      createShell(b, kernel, scheduler.taskCount(), scratchBytes, config);
  shell.setThreads(tile.threads);
  return fill(shell, [&](Value task) {
    QueryRows rows = scheduler.open(task);
    visible.open();
    epilogue.open();
    epilogue.emit(rows, mainloop.attend(rows), mainloop);
  });
}

tile::KernelOp GpuAttention::composeRows(Attribute config, AttentionTile tile,
                                         int64_t split, AttentionMainloop &mainloop,
                                         AttentionRowEpilogue &epilogue,
                                         const SymbolicExpr &scratchBytes) {
  if (!split)
    return compose(config, tile, mainloop, epilogue, scratchBytes);
  auto range = rangeOf(program.key.extent, kernel->getParentOfType<ModuleOp>());
  TiledQueries scheduler(attention, tile.rows);
  SplitKeys splits(attention, tile, split, range ? range->max : INT64_MAX, visible);
  tile::KernelOp shell = createShell(b, kernel, scheduler.taskCount() * splits.count(),
                                     scratchBytes, config);
  shell.setThreads(tile.threads);
  splits.setWorkspace(shell, kernel);
  return fill(shell, [&](Value task) {
    Value number = takePosition(task, splits.count()), tileNumber = task;
    QueryRows rows = scheduler.open(tileNumber);
    visible.open();
    epilogue.open();
    splits.emit(tileNumber, number, rows, mainloop, [&] {
      epilogue.finishRows(rows, [&](Value row) {
        return splits.mergeRow(row, add(rows.begin, row), mainloop);
      });
    });
  });
}

tile::KernelOp GpuAttention::emitInShared(Attribute config, AttentionTile tile,
                                          int64_t split, AttentionOperands &operands) {
  ScratchRows scratchRows(attention, tile.rows, SharedMainloop::stride(tile));
  SharedMainloop mainloop(attention, tile, kStages, operands, visible, scratchRows);
  AttentionRowEpilogue epilogue(attention, tile, scratchRows, visible,
                                recomputes(operands));
  return composeRows(config, tile, split, mainloop, epilogue, mainloop.scratchBytes());
}

tile::KernelOp GpuAttention::emitInRegisters(Attribute config, AttentionTile tile,
                                             int64_t stages, int64_t split,
                                             AttentionOperands &operands) {
  ScratchRows scratchRows(attention, tile.rows, AttentionRowEpilogue::stride(tile));
  RegisterMainloop mainloop(attention, tile, stages, operands, visible,
                            scratchRows.size());
  AttentionRowEpilogue epilogue(attention, tile, scratchRows, visible,
                                recomputes(operands));
  return composeRows(config, tile, split, mainloop, epilogue, mainloop.scratchBytes());
}

tile::KernelOp GpuAttention::emit(tile::BlockAttentionConfigAttr config) {
  AttentionTile tile = tileOf(config.getRows(), config.getKeys(), config.getThreads());
  ViewOperands operands(attention, tile, visible);
  int64_t split = config.getSplit();
  return program.fitsTensorCores()
             ? emitInRegisters(config, tile, kStages, split, operands)
             : emitInShared(config, tile, split, operands);
}

tile::KernelOp GpuAttention::emit(tile::WarpgroupAttentionConfigAttr config) {
  AttentionTile tile = tileOf(config.getRows(), config.getKeys(),
                              config.getRows() / kWarpgroupRows * kWarpgroupThreads);
  TensorMapOperands operands(attention, tile);
  std::optional<TensorOperand> stored = storedHeads(program);
  if (!stored)
    return emitInRegisters(config, tile, config.getStages(), /*split=*/0, operands);
  RegisterMainloop mainloop(attention, tile, config.getStages(), operands, visible, 0);
  AttentionTileEpilogue epilogue(attention, tile, *stored);
  return compose(config, tile, mainloop, epilogue, mainloop.scratchBytes());
}

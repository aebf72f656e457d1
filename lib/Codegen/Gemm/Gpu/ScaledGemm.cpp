//===- ScaledGemm.cpp - GPU GEMMs of quantized operands -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledGemm.h"
#include "lib/Codegen/Gemm/Config/ScaledConfig.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

ScaledGemm::ScaledGemm(OpBuilder &builder, graph::KernelOp kernel,
                       const GemmProgram &program, tile::BlockGemmConfigAttr config)
    : ShellEmitter(builder, kernel, program.body), program(program),
      scaled(*program.scaled), config(config), split(scaledSplit(config)),
      shape{config.getRows(), config.getPanels(), config.getBlockK(),
            config.getThreads()},
      gemm(*this, program), views(gemm) {}

/// Clamps to the last panel; the duplicate results are not stored.
Value ScaledGemm::panelNumber(const WorkTile &tile, Value own) {
  Value number = add(tile.panel, own);
  if (isMultiple(program.panelCount(), shape.panels))
    return number;
  return minimum(number, sub(emitter.index(program.panelCount()), index(1)));
}

Value ScaledGemm::multiplyBlock(const WorkTile &tile, const ScaledViews::Panel &panel,
                                Value number, Value accumulators) {
  SmallVector<int64_t> masked;
  if (!isMultiple(program.row.extent, shape.rows))
    masked.push_back(0);
  auto stage = [&](Value view, Value row, Value column, int64_t height, int64_t width,
                   ArrayRef<int64_t> masked = {}) -> Value {
    Type element = cast<tile::ViewType>(view.getType()).getElementType();
    auto type = tile::StagedType::get(b.getContext(), {height, width}, element);
    return tile::StageOp::create(b, loc, type, view, ValueRange{row, column},
                                 ValueRange(), masked);
  };
  int64_t words = views.wordsPerBlock(), width = program.width;
  Value first = mul(number, index(scaled.block)), word = mul(number, index(words));
  Values left{stage(rows.codes, tile.row, first, shape.rows, scaled.block, masked)};
  int64_t scales = scaled.scalesPerBlock();
  if (rows.scales)
    left.push_back(stage(rows.scales, tile.row, mul(number, index(scales)), shape.rows,
                         scales, masked));
  if (rows.totals)
    left.push_back(stage(rows.totals, tile.row, number, shape.rows, 1, masked));
  Values right{stage(panel.codes, word, index(0), words, 4 * width)};
  if (panel.scales)
    right.push_back(stage(panel.scales, number, index(0), 1, scales * width));
  if (panel.zeros)
    right.push_back(stage(panel.zeros, number, index(0), 1, width));
  return views.multiply(accumulators, left, right);
}

/// Multiplies the blocks of K in order, several per loop step. Warps that split K
/// interleave, so that they read contiguous memory at any time.
Value ScaledGemm::multiplyPanel(const WorkTile &tile, const ScaledViews::Panel &panel,
                                Value part) {
  auto type = tile::FragType::get(b.getContext(), {shape.rows, program.width},
                                  program.accumulator);
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(program.accumulator)));
  Value accumulators = tile::FillOp::create(b, loc, type, zero);
  int64_t together = shape.k / scaled.block;
  auto step = [&](OpBuilder &, Location, Value number, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    Value next = carried.front();
    for (int64_t i = 0; i < together; ++i)
      next = multiplyBlock(tile, panel, add(number, index(i)), next);
    scf::YieldOp::create(b, loc, next);
  };
  return scf::ForOp::create(b, loc, mul(part, index(together)),
                            emitter.index(scaled.blockStep.extent),
                            index(together * split), accumulators, step)
      .getResult(0);
}

void ScaledGemm::emitTask(Value task, TileOrder &order, RowEpilogue &epilogue) {
  WorkTile tile = order.locate(task);
  // The target may start this kernel, and so the prefetches, before the previous kernel
  // has ended (programmatic dependent launch).
  for (int64_t i = 0; i < shape.panels; ++i)
    views.prefetchCodes(panelNumber(tile, index(i)), kScaledPrefetch);
  rows = views.openRows();
  epilogue.emit(tile, [&](Value scratch) {
    forTeams(index(shape.panels * split), kScaledWarp, [&](Value warp) {
      Value own = divide(warp, index(split)), part = remainder(warp, index(split));
      Value accumulators =
          multiplyPanel(tile, views.openPanel(panelNumber(tile, own)), part);
      tile::StoreOp::create(
          b, loc, accumulators, scratch,
          ValueRange{mul(part, index(shape.rows)), mul(own, index(program.width))});
    });
  });
}

tile::KernelOp ScaledGemm::emit() {
  PanelOrder order(gemm, shape);
  RowEpilogue epilogue(gemm, shape, shape.panels, scaledEpiloguePadding(shape.panels),
                       config.getRowThreads(), split);
  tile::KernelOp shell =
      createShell(b, kernel, order.tileCount(), epilogue.scratchBytes(), config);
  shell.setThreads(shape.threads);
  return fill(shell, [&](Value task) { emitTask(task, order, epilogue); });
}

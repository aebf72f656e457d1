//===- WarpgroupMainloop.cpp - Main loop of wgmma and TMA -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveMainloop.h"
#include "dialects/Tile/TileHints.h"
#include "lib/Codegen/Gemm/Program/GemmTensors.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

WarpgroupMainloop::Tensor WarpgroupMainloop::openTensor(bool isLeft) {
  TensorOperand operand = *tensorOperand(program, isLeft);
  unsigned argument = (isLeft ? program.lhs : program.rhs)->argument;
  return {operand.open(b, loc, emitter, emitter.memories[argument].buffer), operand};
}

bool WarpgroupMainloop::hasAllPanels() const {
  return isMultiple(program.panelCount(), shape.panels);
}

/// Returns true if a tile may read panels past the last one: the columns are a single dim
/// of the tensor, and TMA reads zeros past its end. Otherwise the last panel is read
/// again.
bool WarpgroupMainloop::overshootsPanels() const {
  return !program.isPacked && program.columnOuter.empty();
}

Value WarpgroupMainloop::stageLeft(const Tensor &tensor, Value row, Value at) {
  SmallVector<int64_t> masked;
  if (!isMultiple(program.row.extent, shape.clusterRows()))
    masked.push_back(0);
  if (!isMultiple(program.k.extent, shape.k))
    masked.push_back(1);
  return emitStage(tensor.view, program.lhs->storage,
                   tensor.operand.indices(b, loc, emitter, row, at), shape.rows, shape.k,
                   masked);
}

Value WarpgroupMainloop::stageRight(const Tensor &tensor, Value panel, Value at) {
  NodeEmitter::Scope scope(emitter);
  SmallVector<int64_t> masked;
  if (!isMultiple(program.k.extent, shape.k))
    masked.push_back(0);
  if (!program.isPacked && (program.hasPartialPanel() || !hasAllPanels()))
    masked.push_back(1);
  if (!hasAllPanels() && !overshootsPanels())
    panel = minimum(panel, sub(emitter.index(program.panelCount()), index(1)));
  bindPanel(panel);
  return emitStage(tensor.view, program.rhs->storage,
                   tensor.operand.indices(b, loc, emitter, at, index(0)), shape.k,
                   program.width, masked);
}

WarpgroupMainloop::Values WarpgroupMainloop::multiply(const WorkTile &tile) {
  Tensor left = openTensor(true), right = openTensor(false);
  auto stage = [&](Value at) {
    Values staged{stageLeft(left, tile.row, at)};
    for (int64_t i = 0; i < shape.panels; ++i)
      staged.push_back(stageRight(right, add(tile.panel, index(i)), at));
    return staged;
  };
  tile::PipelineOp pipeline = emitPipeline(tile, stage);
  if (isWeights)
    pipeline->setAttr(tile::kWeightsAttr, b.getUnitAttr());
  return Values(pipeline.getResults());
}

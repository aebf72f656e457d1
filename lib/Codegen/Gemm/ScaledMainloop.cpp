//===- ScaledMainloop.cpp - Register tiles of quantized operands ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledMainloop.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr int64_t kLineBytes = 64;

void ScaledMainloop::openTask(RowRange) { rows = views.openRows(); }

HostPanel ScaledMainloop::openPanel(Value number, int64_t) {
  ScaledViews::Panel opened = views.openPanel(number);
  HostPanel panel{number, opened.codes, {}};
  panel.scales = opened.scales;
  panel.zeros = opened.zeros;
  return panel;
}

/// While one group of panels is multiplied, its steps fetch the same steps of the next
/// one: in a GEMV nothing else hides how far away the weight is, and twelve streams
/// (codes, scales and zero points of four panels) are more than hardware follows.
void ScaledMainloop::prefetchNext(ArrayRef<HostPanel> panels, Value block) {
  Value distance = index(panels.size());
  for (const HostPanel &panel : panels) {
    NodeEmitter::Scope scope(emitter);
    bindPanel(add(panel.number, distance));
    emitter.bind(program.lane.var, index(0));
    emitter.bind(scaled.blockStep.var, block);
    emitter.bind(scaled.wordStep.var, mul(block, index(views.wordsPerBlock())));
    auto fetch = [&](const Node *node, int64_t bytes) {
      Value begin = emitter.index(node->index);
      for (int64_t at = 0; at < bytes; at += kLineBytes)
        prefetchAt(emitter.memories[node->argument].buffer,
                   add(begin, index(at / tile::elementBytes(node->storage))));
    };
    fetch(program.rhs, views.wordsPerBlock() * 4 * program.width);
    for (const Node *ofBlock : {scaled.rhsScales, scaled.rhsZeros})
      if (ofBlock)
        fetch(ofBlock, 1);
  }
}

void ScaledMainloop::prefetchAt(Value buffer, Value element) {
  OpFoldResult one = b.getIndexAttr(1);
  Value view = tile::ViewOp::create(b, loc, buffer, element, ArrayRef<OpFoldResult>{one},
                                    ArrayRef<OpFoldResult>{one});
  tile::PrefetchOp::create(b, loc, view, ValueRange{index(0)});
}

HostMainloop::Values ScaledMainloop::multiply(ArrayRef<HostPanel> panels,
                                              const RowBlock &block, int64_t height,
                                              KSteps steps, ValueRange inits) {
  int64_t words = views.wordsPerBlock(), width = program.width;
  size_t perPanel = 1 + (scaled.rhsScales != nullptr) + (scaled.rhsZeros != nullptr),
         ofRows = rows.scales ? 3 : 1;
  auto load = [&](OpBuilder &, Location, Value at) {
    NodeEmitter::Scope scope(emitter);
    Value number = divide(at, index(scaled.block)), row = block.rows.begin;
    Values staged{stage(rows.codes, {row, at}, height, scaled.block)};
    if (rows.scales)
      staged.append({stage(rows.scales, {row, number}, height, 1),
                     stage(rows.totals, {row, number}, height, 1)});
    for (const HostPanel &panel : panels) {
      Value word = mul(number, index(words));
      staged.push_back(stage(panel.rhs, {word, index(0)}, words, 4 * width));
      if (panel.scales)
        staged.push_back(stage(panel.scales, {number, index(0)}, 1, width));
      if (panel.zeros)
        staged.push_back(stage(panel.zeros, {number, index(0)}, 1, width));
    }
    if (!block.number)
      prefetchNext(panels, number);
    return staged;
  };
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                     ValueRange carried) {
    Values next;
    for (auto [i, own] : llvm::enumerate(carried)) {
      ValueRange panel = staged.drop_front(ofRows + i * perPanel).take_front(perPanel);
      next.push_back(views.multiply(own, staged.take_front(ofRows), panel));
    }
    return next;
  };
  auto pipeline = tile::PipelineOp::create(b, loc, steps.begin, steps.end,
                                           index(scaled.block), inits, load, compute);
  return Values(pipeline.getResults());
}

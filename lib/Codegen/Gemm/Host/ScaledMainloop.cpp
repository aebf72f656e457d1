//===- ScaledMainloop.cpp - Main loop of quantized GEMMs ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledMainloop.h"
#include "lib/Codegen/Blocks.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Locality hint of a prefetch far ahead: not into L1, which would evict it again.
static constexpr int64_t kLocality = 2;
/// Locality hints of prefetches in a stream. If the weights that a model reads per step
/// nearly fit the last-level cache, prefetch into all levels, so that some remain for the
/// next step; otherwise into L1 only, so that keys and values stay in the outer levels.
static constexpr int64_t kKeptLocality = 3, kPassingLocality = 0;

void ScaledMainloop::openTask(RowRange) { rows = views.openRows(); }

HostPanel ScaledMainloop::openPanel(Value number, int64_t) {
  ScaledViews::Panel opened = views.openPanel(number);
  HostPanel panel{number, opened.codes, {}};
  panel.scales = opened.scales;
  panel.zeros = opened.zeros;
  return panel;
}

/// Returns the block to prefetch while `block` of `blocks` is computed. In a GEMV nothing
/// else hides the memory latency, and hardware prefetchers do not follow twelve streams
/// (weights, scales and zero points of four panels). If the target has a prefetch
/// distance, each block prefetches a later one of its panel, and the last blocks prefetch
/// the first ones of the next group of panels; a single stream is prefetched further
/// ahead than several. Otherwise each block prefetches the same block of the next group.
ScaledMainloop::Ahead ScaledMainloop::ahead(size_t panels, Value block, Value blocks) {
  Value group = index(panels);
  if (!streamBytes)
    return {group, block, kLocality};
  Value next = add(block, index(blocksAhead(panels)));
  Value isOutside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, next, blocks);
  auto choose = [&](Value inside, Value outside) -> Value {
    return arith::SelectOp::create(b, loc, isOutside, outside, inside);
  };
  return {choose(index(0), group), choose(next, sub(next, blocks)), streamLocality()};
}

/// Returns the locality hint for this weight. A 4-bit weight is more likely to fit the
/// last-level cache than an 8-bit weight of the same model.
int64_t ScaledMainloop::streamLocality() const {
  return scaled.bits() == 4 ? kKeptLocality : kPassingLocality;
}

int64_t ScaledMainloop::blocksAhead(size_t panels) const {
  int64_t blockBytes = views.wordsPerBlock() * 4 * program.width;
  // Measured: the best distance for 4 bits is too far for 8.
  int64_t ofOne = scaled.bits() == 4 ? 2 * streamBytes : streamBytes * 3 / 2;
  int64_t bytes = panels == 1 ? ofOne : streamBytes / static_cast<int64_t>(panels);
  return std::max<int64_t>(bytes / blockBytes - 1, 1);
}

/// Prefetches the first blocks of a task's first panel, which no earlier block covers.
/// They are all in flight together, so they take one memory latency.
void ScaledMainloop::prefetchPanel(Value number) {
  if (!streamBytes)
    return;
  HostPanel panel{number, {}, {}};
  Value blocks = divide(emitter.index(program.k.extent), index(scaled.block));
  Value count = minimum(blocks, index(blocksAhead(1)));
  emitLoop(b, loc, emitter, index(0), count, index(1),
           [&](Value block) { prefetch(panel, {index(0), block, streamLocality()}); });
}

void ScaledMainloop::prefetch(ArrayRef<HostPanel> panels, const Ahead &ahead) {
  for (const HostPanel &panel : panels) {
    NodeEmitter::Scope scope(emitter);
    bindPanel(add(panel.number, ahead.panels));
    emitter.bind(program.lane.var, index(0));
    emitter.bind(scaled.blockStep.var, ahead.block);
    emitter.bind(scaled.wordStep.var, mul(ahead.block, index(views.wordsPerBlock())));
    auto fetch = [&](const Node *node, int64_t bytes) {
      Value begin = emitter.index(node->index);
      for (int64_t at = 0; at < bytes; at += kCacheLineBytes)
        prefetchAt(emitter.memories[node->argument].buffer,
                   add(begin, index(at / tile::elementBytes(node->storage))),
                   ahead.locality);
    };
    fetch(program.rhs, views.wordsPerBlock() * 4 * program.width);
    for (const Node *ofBlock : {scaled.rhsScales, scaled.rhsZeros})
      if (ofBlock)
        fetch(ofBlock, 1);
  }
}

void ScaledMainloop::prefetchAt(Value buffer, Value element, int64_t locality) {
  OpFoldResult one = b.getIndexAttr(1);
  Value view = tile::ViewOp::create(b, loc, buffer, element, ArrayRef<OpFoldResult>{one},
                                    ArrayRef<OpFoldResult>{one});
  tile::PrefetchOp::create(b, loc, view, ValueRange{index(0)}, locality);
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
      prefetch(panels,
               ahead(panels.size(), number, divide(steps.end, index(scaled.block))));
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

//===- clock.cpp - Vector clocks of a grid's threads -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/clock.h"

#include <algorithm>

namespace kiln::sim::check {

namespace {
using BlockPtr = std::shared_ptr<const BlockKnown>;

template <class V> auto lowerBound(V &warps, uint32_t warp) {
  return std::lower_bound(
      warps.begin(), warps.end(), warp,
      [](const WarpKnown &known, uint32_t index) { return known.warp < index; });
}

/// Returns the epochs of one warp in `block`: the epoch of all its lanes, and of each
/// lane.
WarpKnown viewOf(const BlockKnown &block, uint32_t warp) {
  WarpKnown known;
  auto at = lowerBound(block.warps, warp);
  if (at != block.warps.end() && at->warp == warp)
    known = *at;
  known.warp = warp;
  if (warp < FirstAgent)
    known.all = std::max(known.all, block.all);
  return known;
}

/// Whether clock entry `a`, with all lanes known up to `all` at least, covers each lane
/// of `b`. `a` may be null.
bool covers(const WarpKnown *a, Epoch all, const WarpKnown &b) {
  if (a && a->lanes == b.lanes && a->all >= b.all)
    return true;
  if (!b.lanes && b.all <= all)
    return true;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (std::max(all, a ? a->of(lane) : 0) < b.of(lane))
      return false;
  return true;
}

bool covers(const WarpKnown &a, const WarpKnown &b) {
  if (a.lanes == b.lanes)
    return a.all >= b.all ||
           (a.lanes && std::all_of(a.lanes->begin(), a.lanes->end(),
                                   [&](Epoch e) { return e >= b.all; }));
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (a.of(lane) < b.of(lane))
      return false;
  return true;
}

bool covers(const BlockKnown &a, const BlockKnown &b) {
  if (&a == &b)
    return true;
  // The number of warps is unknown here, so only a.all can cover b.all.
  if (a.all < b.all)
    return false;
  auto at = a.warps.begin();
  for (const WarpKnown &warp : b.warps) {
    while (at != a.warps.end() && at->warp < warp.warp)
      ++at;
    bool found = at != a.warps.end() && at->warp == warp.warp;
    if (!covers(found ? &*at : nullptr, warp.warp < FirstAgent ? a.all : 0, warp))
      return false;
  }
  return true;
}

bool covers(const Clock &a, const Clock &b) {
  for (size_t device = 0; device < b.over.size(); ++device)
    if (b.over[device] > (device < a.over.size() ? a.over[device] : 0))
      return false;
  auto at = a.blocks.begin();
  for (const BlockPtr &block : b.blocks) {
    if (a.isOver(block->block))
      continue;
    while (at != a.blocks.end() && (*at)->block < block->block)
      ++at;
    if (at == a.blocks.end() || (*at)->block != block->block || !covers(**at, *block))
      return false;
  }
  return true;
}

/// Stores a warp's epochs: without an array if all lanes have the same; nonexistent lanes
/// are Forever.
void compress(WarpKnown &known, const LaneEpochs &lanes) {
  known.all = *std::min_element(lanes.begin(), lanes.end());
  bool uniform = std::all_of(lanes.begin(), lanes.end(),
                             [&](Epoch e) { return e == known.all || e == Forever; });
  known.lanes = uniform ? nullptr : std::make_shared<const LaneEpochs>(lanes);
}

void raise(WarpKnown &known, const WarpKnown &other) {
  if (covers(known, other))
    return;
  LaneEpochs lanes;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    lanes[lane] = std::max(known.of(lane), other.of(lane));
  compress(known, lanes);
}

void raise(BlockKnown &block, const WarpKnown &warp) {
  auto at = lowerBound(block.warps, warp.warp);
  if (at == block.warps.end() || at->warp != warp.warp)
    block.warps.insert(at, warp);
  else
    raise(*at, warp);
}

/// Removes warps that the epoch of the entire block covers.
void tidy(BlockKnown &block) {
  std::erase_if(block.warps, [&](const WarpKnown &warp) {
    return warp.warp < FirstAgent && !warp.lanes && warp.all <= block.all;
  });
}

BlockPtr join(const BlockPtr &a, const BlockPtr &b) {
  if (covers(*a, *b))
    return a;
  if (covers(*b, *a))
    return b;
  auto both = std::make_shared<BlockKnown>(*a);
  both->all = std::max(a->all, b->all);
  for (const WarpKnown &warp : b->warps)
    raise(*both, warp);
  tidy(*both);
  return both;
}

/// Raises the block's epoch to the smallest one of its warps if all warps are listed.
void promote(BlockKnown &block, uint32_t warpsPerBlock) {
  Epoch minimum = Forever;
  uint32_t seen = 0;
  for (const WarpKnown &warp : block.warps) {
    if (warp.warp >= FirstAgent)
      break;
    ++seen;
    minimum = std::min(minimum, warp.all);
  }
  if (seen == warpsPerBlock)
    block.all = std::max(block.all, minimum);
  tidy(block);
}

std::shared_ptr<BlockKnown> fromPieces(const std::vector<Piece> &pieces, size_t first,
                                       size_t last) {
  auto block = std::make_shared<BlockKnown>();
  block->block = pieces[first].block;
  for (size_t i = first; i < last; ++i) {
    WarpKnown warp;
    warp.warp = pieces[i].warp;
    compress(warp, pieces[i].lanes);
    raise(*block, warp);
  }
  return block;
}

ClockPtr fromPieces(std::vector<Piece> &pieces, uint32_t warpsPerBlock) {
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece &a, const Piece &b) { return a.block < b.block; });
  auto clock = std::make_shared<Clock>();
  for (size_t first = 0, last; first < pieces.size(); first = last) {
    for (last = first; last < pieces.size(); ++last)
      if (pieces[last].block != pieces[first].block)
        break;
    std::shared_ptr<BlockKnown> block = fromPieces(pieces, first, last);
    promote(*block, warpsPerBlock);
    clock->blocks.push_back(std::move(block));
  }
  return clock;
}
} // namespace

Epoch BlockKnown::of(uint32_t warp, unsigned lane) const {
  Epoch known = warp < FirstAgent ? all : 0;
  auto at = lowerBound(warps, warp);
  if (at != warps.end() && at->warp == warp)
    known = std::max(known, at->of(lane));
  return known;
}

Epoch BlockKnown::ofAll(uint32_t warp) const {
  Epoch known = warp < FirstAgent ? all : 0;
  auto at = lowerBound(warps, warp);
  return at != warps.end() && at->warp == warp ? std::max(known, at->all) : known;
}

void BlockKnown::raise(uint32_t warp, LaneEpochs &lanes) const {
  WarpKnown known = viewOf(*this, warp);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    lanes[lane] = std::max(lanes[lane], known.of(lane));
}

const BlockKnown *Clock::find(uint32_t block) const {
  auto at = std::lower_bound(
      blocks.begin(), blocks.end(), block,
      [](const BlockPtr &known, uint32_t index) { return known->block < index; });
  return at != blocks.end() && (*at)->block == block ? at->get() : nullptr;
}

ClockPtr join(const ClockPtr &a, const ClockPtr &b) {
  if (!b || a == b)
    return a;
  if (!a)
    return b;
  if (covers(*b, *a))
    return b;
  if (covers(*a, *b))
    return a;
  auto both = std::make_shared<Clock>();
  both->over = a->over;
  both->over.resize(std::max(a->over.size(), b->over.size()));
  for (size_t device = 0; device < b->over.size(); ++device)
    both->over[device] = std::max(both->over[device], b->over[device]);
  both->blocks.reserve(std::max(a->blocks.size(), b->blocks.size()));
  auto i = a->blocks.begin(), j = b->blocks.begin();
  while (i != a->blocks.end() || j != b->blocks.end()) {
    if (j == b->blocks.end() || (i != a->blocks.end() && (*i)->block < (*j)->block))
      both->blocks.push_back(*i++);
    else if (i == a->blocks.end() || (*j)->block < (*i)->block)
      both->blocks.push_back(*j++);
    else
      both->blocks.push_back(join(*i++, *j++));
  }
  std::erase_if(both->blocks,
                [&](const BlockPtr &known) { return both->isOver(known->block); });
  return both;
}

void Gathered::add(const ClockPtr &base) {
  if (base && (bases.empty() || bases.back() != base))
    bases.push_back(base);
}

void Gathered::add(const Gathered &other) {
  add(other.clock);
  for (const ClockPtr &base : other.bases)
    add(base);
  pieces.insert(pieces.end(), other.pieces.begin(), other.pieces.end());
}

const ClockPtr &Gathered::get(uint32_t warpsPerBlock) {
  for (const ClockPtr &base : bases)
    clock = join(clock, base);
  bases.clear();
  if (!pieces.empty())
    clock = join(clock, fromPieces(pieces, warpsPerBlock));
  pieces.clear();
  return clock;
}

} // namespace kiln::sim::check

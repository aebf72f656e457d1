//===- block.cpp - Creating and freeing clusters ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/access.h"
#include "runtime/sim/exec/observer.h"
#include "runtime/sim/exec/worker.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace kiln::sim::exec {

namespace {

/// Fill of fresh shared and local memory: not zero, so that uses of uninitialised bytes
/// show.
constexpr uint8_t FreshByte = 0xcd;
constexpr size_t SharedAlignment = 1024;

uint8_t *freshMemory(size_t bytes, size_t alignment) {
  size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  auto *memory = static_cast<uint8_t *>(aligned_alloc(alignment, rounded));
  if (memory)
    memset(memory, FreshByte, rounded);
  return memory;
}

std::array<uint32_t, 3> unflatten(uint64_t linear, const std::array<uint32_t, 3> &dims) {
  return {uint32_t(linear % dims[0]), uint32_t(linear / dims[0] % dims[1]),
          uint32_t(linear / dims[0] / dims[1])};
}

Warp *makeWarp(Worker &worker, Block &block, uint32_t index) {
  auto *warp = new (std::nothrow) Warp;
  if (!warp)
    return nullptr;
  block.warps.push_back(warp);
  warp->worker = &worker;
  warp->block = &block;
  warp->index = index;
  uint32_t left = block.threads - index * WarpSize;
  warp->populated = left >= WarpSize ? AllLanes : (Mask(1) << left) - 1;
  warp->live = warp->populated;
  const FunctionCode &entry = *block.grid->kernel->entry;
  if (!growLocal(*warp, entry.localBytes))
    return nullptr;
  Frame *frame = worker.frames.make(entry, *warp, nullptr, warp->live);
  if (!frame)
    return nullptr;
  warp->addSplit(entry.ops.data(), frame, warp->live);
  return warp;
}

bool makeShared(Block &block) {
  block.sharedBytes =
      block.grid->kernel->info.staticShared + block.grid->launch->dynamicShared;
  if (!block.sharedBytes)
    return true;
  block.shared = freshMemory(block.sharedBytes, SharedAlignment);
  if (!block.shared)
    return false;
  if (!block.grid->checks.initialised)
    return true;
  block.sharedWritten =
      static_cast<uint64_t *>(calloc(block.sharedBytes / 64 + 1, sizeof(uint64_t)));
  return block.sharedWritten;
}

bool fillBlock(Worker &worker, Block &block) {
  if (!makeShared(block))
    return false;
  for (uint32_t thread = 0, index = 0; thread < block.threads; thread += WarpSize)
    if (!makeWarp(worker, block, index++))
      return false;
  return true;
}

void freeWarp(Worker &worker, Warp *warp) {
  // Frames are left over if the launch was stopped.
  for (unsigned i = 0; i < warp->splitCount; ++i)
    leaveFrames(*warp, warp->splits[i].frame, warp->splits[i].mask);
  free(warp->local);
  free(warp->localWritten);
  delete warp;
}

} // namespace

bool growLocal(Warp &warp, uint32_t bytes) {
  if (bytes <= warp.localBytes)
    return true;
  uint32_t grown = std::max(bytes, std::min(warp.localBytes * 2, bytes + 4096));
  grown = (grown + 63) & ~63u;
  uint8_t *local = freshMemory(size_t(grown) * WarpSize, 64);
  auto *written = static_cast<uint64_t *>(calloc(size_t(grown) * WarpSize / 64, 8));
  if (!local || !written) {
    free(local);
    free(written);
    return false;
  }
  for (unsigned lane = 0; warp.local && lane < WarpSize; ++lane) {
    memcpy(local + size_t(lane) * grown, warp.local + size_t(lane) * warp.localBytes,
           warp.localBytes);
    memcpy(written + size_t(lane) * grown / 64,
           warp.localWritten + size_t(lane) * warp.localBytes / 64, warp.localBytes / 8);
  }
  free(warp.local);
  free(warp.localWritten);
  warp.local = local;
  warp.localWritten = written;
  warp.localBytes = grown;
  return true;
}

std::unique_ptr<Cluster> makeCluster(Worker &worker, uint64_t linear) {
  Grid &grid = worker.grid;
  auto cluster = std::make_unique<Cluster>();
  cluster->grid = &grid;
  cluster->worker = &worker;
  cluster->linear = linear;
  cluster->schedule = grid.schedule.fork(linear);
  std::array<uint32_t, 3> counts;
  for (unsigned i = 0; i < 3; ++i)
    counts[i] = grid.grid[i] / grid.cluster[i];
  cluster->index = unflatten(linear, counts);
  uint32_t size = grid.cluster[0] * grid.cluster[1] * grid.cluster[2];
  for (uint32_t rank = 0; rank < size; ++rank) {
    auto *block = new Block;
    cluster->blocks.push_back(block);
    block->grid = &grid;
    block->cluster = cluster.get();
    block->rank = rank;
    std::array<uint32_t, 3> inner = unflatten(rank, grid.cluster);
    for (unsigned i = 0; i < 3; ++i)
      block->index[i] = cluster->index[i] * grid.cluster[i] + inner[i];
    block->linear = block->index[0] +
                    uint64_t(grid.grid[0]) *
                        (block->index[1] + uint64_t(grid.grid[1]) * block->index[2]);
    block->threads = block->liveThreads = grid.threads;
    cluster->liveThreads += block->threads;
    if (!fillBlock(worker, *block)) {
      freeCluster(worker, *cluster);
      return nullptr;
    }
    if (grid.observer)
      grid.observer->startBlock(*block);
  }
  return cluster;
}

void freeCluster(Worker &worker, Cluster &cluster) {
  cluster.async.clear();
  for (Block *block : cluster.blocks) {
    if (cluster.grid->observer)
      cluster.grid->observer->finishBlock(*block);
    for (Warp *warp : block->warps)
      freeWarp(worker, warp);
    free(block->shared);
    free(block->sharedWritten);
    delete block;
  }
  cluster.blocks.clear();
}

void Block::markShared(uint32_t offset, uint32_t bytes) {
  if (!sharedWritten)
    return;
  for (uint32_t at = offset; at < offset + bytes;) {
    uint32_t bit = at % 64, count = std::min(64 - bit, offset + bytes - at);
    uint64_t ones = count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
    sharedWritten[at / 64] |= ones << bit;
    at += count;
  }
}

uint32_t Block::firstUnwritten(uint32_t offset, uint32_t bytes) const {
  if (!sharedWritten)
    return bytes;
  for (uint32_t at = offset; at < offset + bytes; ++at)
    if (!(sharedWritten[at / 64] >> (at % 64) & 1))
      return at - offset;
  return bytes;
}

void leaveFrames(Warp &warp, Frame *frame, Mask mask) {
  while (frame) {
    Frame *parent = frame->parent;
    frame->lanes &= ~mask;
    if (!frame->lanes)
      warp.worker->frames.release(frame);
    frame = parent;
  }
}

void exitLanes(Warp &warp, Mask mask) {
  Split *split = warp.current;
  leaveFrames(warp, split->frame, mask);
  split->mask &= ~mask;
  if (!split->mask)
    warp.removeSplit(split);
  warp.live &= ~mask;
  unsigned count = unsigned(__builtin_popcount(mask));
  warp.block->liveThreads -= count;
  warp.block->cluster->liveThreads -= count;
  warp.changed = true;
  completeBarriers(*warp.block);
}

} // namespace kiln::sim::exec

//===- clock.h - Vector clocks of a grid's threads --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector clock over all threads of a grid, compressed by levels: an epoch covers an
// entire block, a warp or one lane, and the largest epoch that covers a thread counts.
// Clocks are immutable and shared: after a barrier all warps of a block hold the same
// one.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_CLOCK_H
#define KILN_SIM_CHECK_CLOCK_H

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::sim::check {

/// Logical time of one warp. Accesses made at an epoch up to the known one happened
/// before; 0: no access did.
using Epoch = uint32_t;
inline constexpr Epoch Forever = ~Epoch(0);
inline constexpr unsigned Lanes = 32;
using LaneEpochs = std::array<Epoch, Lanes>;

/// Warps of a block with at least this index are agents: pseudo-threads that perform
/// asynchronous work.
inline constexpr uint32_t FirstAgent = 32;

struct WarpKnown {
  uint32_t warp = 0;
  Epoch all = 0;                           ///< for every lane
  std::shared_ptr<const LaneEpochs> lanes; ///< null if no lane is ahead of `all`
  Epoch of(unsigned lane) const {
    return lanes && (*lanes)[lane] > all ? (*lanes)[lane] : all;
  }
};

struct BlockKnown {
  uint32_t block = 0;
  Epoch all = 0;                ///< for every thread of the block, but not for agents
  std::vector<WarpKnown> warps; ///< sorted by index; only warps that are ahead of `all`

  Epoch of(uint32_t warp, unsigned lane) const;
  /// Epoch up to which the accesses of every lane of a warp are known.
  Epoch ofAll(uint32_t warp) const;
  /// Raises the lanes' epochs to those of this clock.
  void raise(uint32_t warp, LaneEpochs &lanes) const;
};

/// Blocks of launches that may run concurrently have unique numbers: the device in the
/// high bits, below it a count of the device's blocks.
inline constexpr unsigned CountBits = 26;
inline uint32_t deviceOf(uint32_t block) { return block >> CountBits; }
inline uint32_t countOf(uint32_t block) { return block & ((1u << CountBits) - 1); }

class Clock {
public:
  /// Sorted by block number; no entry is null.
  std::vector<std::shared_ptr<const BlockKnown>> blocks;
  /// By device: a count of blocks. Everything that blocks with smaller counts did
  /// happened before, as their launches are complete.
  std::vector<uint32_t> over;

  const BlockKnown *find(uint32_t block) const;
  bool isOver(uint32_t block) const {
    return deviceOf(block) < over.size() && countOf(block) < over[deviceOf(block)];
  }
  Epoch of(uint32_t block, uint32_t warp, unsigned lane) const {
    if (isOver(block))
      return Forever;
    const BlockKnown *b = find(block);
    return b ? b->of(warp, lane) : 0;
  }
};
/// Null is the empty clock.
using ClockPtr = std::shared_ptr<const Clock>;

/// Joins two clocks (element-wise maximum). Returns one of the two if it covers the
/// other.
ClockPtr join(const ClockPtr &a, const ClockPtr &b);

/// Epochs of the lanes of a warp (or agent) that a release publishes.
struct Piece {
  uint32_t block = 0, warp = 0;
  LaneEpochs lanes = {};
};

/// Union of what several releases published. The joined clock is computed on first use.
class Gathered {
public:
  bool empty() const { return !clock && bases.empty() && pieces.empty(); }
  void add(const ClockPtr &base);
  void add(const Piece &piece) { pieces.push_back(piece); }
  void add(const Gathered &other);
  void clear() { *this = {}; }
  /// Returns the joined clock. `warpsPerBlock`, the launch's, tells when all warps of a
  /// block are known, so that one epoch represents the block.
  const ClockPtr &get(uint32_t warpsPerBlock);

private:
  ClockPtr clock;
  std::vector<ClockPtr> bases;
  std::vector<Piece> pieces;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_CLOCK_H

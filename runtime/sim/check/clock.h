//===- clock.h - What one thread knows of the others ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector clock over all threads of a grid, kept small by its levels: an epoch may stand
// for a whole block, a whole warp or one lane; what is known of a thread is the largest
// that covers it. Clocks are immutable and shared: after a barrier all warps of a block
// hold the same one.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_CLOCK_H
#define KILN_SIM_CHECK_CLOCK_H

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::sim::check {

/// Counts the times of one warp. Accesses made at an epoch up to the known one happened
/// before. 0: nothing is known.
using Epoch = uint32_t;
inline constexpr Epoch Forever = ~Epoch(0);
inline constexpr unsigned Lanes = 32;
using LaneEpochs = std::array<Epoch, Lanes>;

/// Warps of a block with at least this index are agents: pseudo-threads that perform
/// asynchronous work.
inline constexpr uint32_t FirstAgent = 32;

struct WarpKnown {
  uint32_t warp = 0;
  Epoch all = 0;                           ///< of every lane
  std::shared_ptr<const LaneEpochs> lanes; ///< null if no lane is ahead of `all`
  Epoch of(unsigned lane) const {
    return lanes && (*lanes)[lane] > all ? (*lanes)[lane] : all;
  }
};

struct BlockKnown {
  uint32_t block = 0;
  Epoch all = 0;                ///< of every thread; says nothing of agents
  std::vector<WarpKnown> warps; ///< by index; only those ahead of `all`

  Epoch of(uint32_t warp, unsigned lane) const;
  /// Epoch up to which the accesses of every lane of a warp are known.
  Epoch ofAll(uint32_t warp) const;
  /// Raises the lanes of a warp to what is known of them.
  void raise(uint32_t warp, LaneEpochs &lanes) const;
};

/// Blocks of launches that may meet have numbers of their own: the device, and a count of
/// the device's blocks.
inline constexpr unsigned CountBits = 26;
inline uint32_t deviceOf(uint32_t block) { return block >> CountBits; }
inline uint32_t countOf(uint32_t block) { return block & ((1u << CountBits) - 1); }

class Clock {
public:
  /// By block; never null.
  std::vector<std::shared_ptr<const BlockKnown>> blocks;
  /// By device: all that its blocks with smaller counts did is known, as their launches
  /// were over.
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
/// Null knows nothing.
using ClockPtr = std::shared_ptr<const Clock>;

/// Joins two clocks: what either knows. Returns one of the two if it covers the other.
ClockPtr join(const ClockPtr &a, const ClockPtr &b);

/// A warp's (or agent's) lanes as known to one who releases.
struct Piece {
  uint32_t block = 0, warp = 0;
  LaneEpochs lanes = {};
};

/// Knowledge that several releases have put together. The clock is made when somebody
/// asks for it.
class Gathered {
public:
  bool empty() const { return !clock && bases.empty() && pieces.empty(); }
  void add(const ClockPtr &base);
  void add(const Piece &piece) { pieces.push_back(piece); }
  void add(const Gathered &other);
  void clear() { *this = {}; }
  /// `warpsPerBlock`: of the launch; a block all of whose warps are known becomes one
  /// epoch.
  const ClockPtr &get(uint32_t warpsPerBlock);

private:
  ClockPtr clock;
  std::vector<ClockPtr> bases;
  std::vector<Piece> pieces;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_CLOCK_H

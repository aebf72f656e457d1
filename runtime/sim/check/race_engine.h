//===- race_engine.h - Clocks and histories of one launch -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connects clocks and locations: blocks with their warps, agents, flags in memory, and
// accesses. It does not depend on the interpreter; accesses arrive one at a time, in
// memory order.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_RACE_ENGINE_H
#define KILN_SIM_CHECK_RACE_ENGINE_H

#include "runtime/sim/check/flag.h"
#include "runtime/sim/check/location.h"

#include <optional>
#include <unordered_map>

namespace kiln::sim::check {

/// Histories of a cluster's shared memory or of global memory.
struct Domain {
  Domain(size_t steps, Reach widest)
      : steps(steps), widest(widest), history(steps, widest) {}
  uint32_t serial = 0;
  size_t steps; ///< cached transitions of the history
  Reach widest; ///< scope that includes all threads; see History
  History history;
  /// All shadows with sets of this history.
  std::vector<Shadow *> shadows;
  static constexpr size_t MinLimit = 1 << 20;
  size_t limit = MinLimit; ///< above this size, unused sets are removed
};

/// State shared by launches whose threads may access the same memory concurrently.
/// Launches on one GPU do not: they run one after the other.
struct World {
  uint32_t domains = 0;
  std::unordered_map<uint32_t, uint32_t> clusters; ///< by block
  std::unordered_map<const void *, Flag> flags;
  uint64_t flagsMade = 0; ///< a counter, so that a re-created flag does not start from
                          ///< version 0
};

/// Cache of the results of a warp's last accesses.
struct WarpCache {
  struct Recent {
    uint32_t domain = 0, stamp = 0;
    const void *op = nullptr;
    Epoch epoch = 0;
    AccessKind accessKind;
    uint32_t division = 0;
    /// Last row access under this stamp: its resulting set, and the words' sets before
    /// and after it.
    SetId row = 0;
    Cell behind, after;
  };
  /// Last read of a flag by some lanes, cached because spinning lanes repeat it.
  struct Heard {
    const void *flag = nullptr;
    uint64_t version = 0;
    Mask lanes = 0;
    Reach reach = Reach::Cta;
    bool acquires = false;
    bool operator==(const Heard &) const = default;
  };
  std::array<Heard, 4> heard; ///< by address of the flag
  /// Lanes whose fences were released into a flag, cached because spinning lanes repeat
  /// it.
  struct Told {
    const void *flag = nullptr;
    uint64_t clears = 0, fences = 0; ///< clears of the flag, fences of the warp
    Mask lanes = 0;
    Reach reach = Reach::Cta;
  };
  std::array<Told, 4> told;
  static size_t slotOf(const void *flag) {
    return reinterpret_cast<uintptr_t>(flag) / WordBytes % 4;
  }
  std::array<Recent, 64> stamps;
  /// Ops have 48 bytes: those of a loop of up to 64 instructions do not collide.
  Recent &recent(const void *op) {
    return stamps[(reinterpret_cast<uintptr_t>(op) >> 4) % stamps.size()];
  }
  Seen seen;
};

/// Must not move: its warps hold pointers to it.
struct BlockClocks {
  uint32_t id = 0, cluster = 0;
  ClockPtr start; ///< clock at the block's start
  std::vector<WarpClock> warps;
  std::vector<WarpCache> caches; ///< one per warp
  Epoch top = 1;
  /// Agents by index - FirstAgent: last epoch of the agent and of each of its lanes.
  struct Slot {
    bool async = false;
    Epoch epoch = 0;
    LaneEpochs lanes = {};
  };
  std::vector<Slot> agents;
  size_t nextAgent = 0;
};

/// Asynchronous work of a pseudo-thread, from its issue to its completion.
struct Agent {
  uint32_t block = 0, cluster = 0;
  uint32_t warp = 0;  ///< warp that issued it
  uint32_t index = 0; ///< warp index of the agent itself
  Epoch epoch = 0;
  Mask lanes = 0;
  bool async = false;
  uint64_t version = 0;     ///< of the issuing warp's clock at the issue
  std::vector<Group> start; ///< what the lanes knew when they issued it
  /// Cache of the agent's last access, as the next one mostly is from the same
  /// instruction.
  mutable WarpCache::Recent recent;
};

/// An instruction's access to memory by some lanes of a warp, or by an agent.
struct Touch {
  BlockClocks *block = nullptr;
  uint32_t warp = 0;
  const Agent *agent = nullptr; ///< null: the warp itself
  AccessKind accessKind;
  /// How a strong access orders threads. A read-modify-write has `reads` and
  /// accessKind.write.
  bool reads = false, acquires = false, releases = false;
  uint32_t division = 0; ///< AccessTraits::division
  const void *op = nullptr;
  StoredValues *stored = nullptr; ///< of a weak store, if its values are known
};

/// Bytes that all of the lanes access.
struct Range {
  Mask lanes = 0;
  Shadow *shadow = nullptr;
  uint64_t offset = 0;
  const void *flag = nullptr; ///< address of the location, for strong accesses
  const void *tag = nullptr;  ///< pointer of the caller, returned in problems
};

/// Bytes that the lanes of a warp access in one shadow: `bytes` each (1 to 16, a power of
/// two that the offsets are multiples of).
struct LaneRanges {
  Mask lanes = 0;
  uint32_t bytes = 0;
  Shadow *shadow = nullptr;
  const uint64_t *offsets = nullptr; ///< by lane; null: contiguous
  uint64_t first = 0;                ///< offset of lane 0 if contiguous
  const char *base = nullptr;        ///< base address of flags; the offset is added
  const void *tag = nullptr;
};

class RaceEngine {
public:
  /// `world`: null for one of its own.
  explicit RaceEngine(uint32_t threadsPerBlock, World *world = nullptr);
  RaceEngine(const RaceEngine &) = delete;

  /// `steps`: cached transitions between histories. `widest`: see History.
  std::unique_ptr<Domain> makeDomain(size_t steps = 1 << 9, Reach widest = Reach::Gpu);
  /// Resets the domain. Shadows of the old one must no longer be used.
  void renew(Domain &domain);
  /// Removes sets that none of the domain's shadows uses.
  void collect(Domain &domain);
  /// `block` must live until finishBlock or the end of the launch.
  void startBlock(BlockClocks &block);
  void finishBlock(BlockClocks &block);

  /// Checks one instruction's accesses, `bytes` at each range; adds problems to `out`.
  /// The lanes of an asynchronous agent's ranges are the agent's.
  void access(Domain &domain, const Touch &touch, const std::vector<Range> &ranges,
              uint64_t bytes, std::vector<Problem> &out);

  /// Checks weak accesses of a warp (no agent); adds problems to `out`.
  void access(Domain &domain, const Touch &touch, const LaneRanges &ranges,
              std::vector<Problem> &out);

  /// Fast path for all lanes of a warp, `bytes` each from `first` on: repeats the effect
  /// of the op's last access. Returns false, with nothing done, if that is not possible.
  bool repeat(const Domain &domain, BlockClocks &block, uint32_t warp, const void *op,
              Shadow &shadow, uint64_t first, uint32_t bytes);

  /// Starts asynchronous work of these lanes. `async`: one thread of the asynchronous
  /// proxy; else each lane has its own.
  Agent startAgent(BlockClocks &block, uint32_t warp, Mask lanes, bool async);
  /// Whether work that the agent's warp issues now would start with the agent's
  /// knowledge.
  bool continues(const BlockClocks &block, const Agent &agent) const {
    return agent.async && block.warps[agent.warp].version() == agent.version;
  }
  /// Adds the agent's work to `to`, for threads that acquire its completion.
  void finishAgent(const Agent &agent, Knowledge &to) const;
  OwnCopy ownCopy(const Agent &agent) const { return {agent.index, agent.epoch}; }

  uint32_t warpsPerBlock() const { return warpCount; }

private:
  bool hasRoom(Domain &domain);
  bool accessRow(Domain &domain, const Touch &touch, const LaneRanges &ranges);
  bool accessScattered(Domain &domain, const Touch &touch, const LaneRanges &ranges);
  void accessLanes(Access &access, const LaneRanges &ranges, Mask lanes);
  void accessAll(Domain &domain, const Touch &touch, const std::vector<Range> &ranges,
                 uint64_t bytes, std::vector<Problem> &out);
  void accessOrdering(Domain &domain, const Touch &touch, const Range &range,
                      uint64_t bytes, std::vector<Problem> &out);
  void accessBy(Domain &domain, const Touch &touch, const Group &group,
                const std::vector<Range> &ranges, uint64_t bytes,
                std::vector<Problem> &out);
  void accessOne(Domain &domain, const Touch &touch, const Range &range, uint64_t bytes,
                 std::vector<Problem> &out);
  Flag *findFlag(const void *name);
  Flag &flagAt(const void *name);
  WarpCache::Told &toldOf(const Touch &touch, const void *flag, uint64_t clears);
  Mask quietLanes(const Touch &touch, Mask lanes, const void *name);
  void acquireFlag(const Touch &touch, Mask lanes, const void *name);
  void releaseFenced(const Touch &touch, Mask lane, const void *name);
  void releaseFlag(const Touch &touch, Mask lane, const void *name);
  bool isShared() const { return &world != &own; }
  void settle(Knowledge &knowledge);
  void forgetFlags(const std::vector<Range> &ranges, uint64_t bytes);
  void forgetFlags(const LaneRanges &ranges);
  WarpCache::Recent &stampFor(Domain &domain, const Touch &touch, Epoch epoch);
  Actor actorOf(Domain &domain, const Touch &touch, const Group &group,
                std::optional<Seen> &own);
  BlockClocks::Slot &takeSlot(BlockClocks &block, Agent &agent);
  static uint32_t clusterOf(const void *engine, uint32_t block);

  uint32_t warpCount;
  Mask lastWarp; ///< lanes of a block's last warp
  World own;
  World &world;              ///< owned, or shared
  std::vector<Range> single; ///< scratch for one range
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_RACE_ENGINE_H

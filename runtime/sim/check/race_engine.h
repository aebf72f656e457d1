//===- race_engine.h - Clocks and histories of one launch -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts clocks and locations together: blocks with their warps, agents, flags in memory,
// and the accesses. It knows nothing of the interpreter; accesses come one after the
// other in the order in which memory sees them.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_RACE_ENGINE_H
#define KILN_SIM_CHECK_RACE_ENGINE_H

#include "runtime/sim/check/flag.h"
#include "runtime/sim/check/location.h"

#include <optional>
#include <unordered_map>

namespace kiln::sim::check {

/// The histories of the shared memory of a cluster, or of the global memory.
struct Domain {
  Domain(size_t steps, Reach widest)
      : steps(steps), widest(widest), history(steps, widest) {}
  uint32_t serial = 0;
  size_t steps; ///< of the history
  Reach widest; ///< the same
  History history;
  /// All that have sets of the history.
  std::vector<Shadow *> shadows;
  static constexpr size_t MinLimit = 1 << 20;
  size_t limit = MinLimit; ///< beyond this size sets that are not used are taken out
};

/// State of launches whose threads may access the same memory at the same time. Launches
/// on one GPU do not: they run one after the other.
struct World {
  uint32_t domains = 0;
  std::unordered_map<uint32_t, uint32_t> clusters; ///< of blocks
  std::unordered_map<const void *, Flag> flags;
  uint64_t flagsMade = 0; ///< one that is made anew does not count from 0 again
};

/// Cache of the results of a warp's last accesses.
struct WarpCache {
  struct Recent {
    uint32_t domain = 0, stamp = 0;
    const void *op = nullptr;
    Epoch epoch = 0;
    AccessKind accessKind;
    uint32_t division = 0;
    /// A row of the stamp, as a set, what its words had that it may follow, and have
    /// then.
    SetId row = 0;
    Cell behind, after;
  };
  /// Last read of a flag by some lanes: lanes that spin read it again and again.
  struct Heard {
    const void *flag = nullptr;
    uint64_t version = 0;
    Mask lanes = 0;
    Reach reach = Reach::Cta;
    bool acquires = false;
    bool operator==(const Heard &) const = default;
  };
  std::array<Heard, 4> heard; ///< by address of the flag
  /// Lanes whose fences a flag was told of: those that spin tell it again and again.
  struct Told {
    const void *flag = nullptr;
    uint64_t clears = 0, fences = 0; ///< of the flag, of the warp
    Mask lanes = 0;
    Reach reach = Reach::Cta;
  };
  std::array<Told, 4> told;
  static size_t slotOf(const void *flag) {
    return reinterpret_cast<uintptr_t>(flag) / WordBytes % 4;
  }
  std::array<Recent, 64> stamps;
  /// Ops are 48 bytes each: those of a loop of up to 64 all have slots of their own.
  Recent &recent(const void *op) {
    return stamps[(reinterpret_cast<uintptr_t>(op) >> 4) % stamps.size()];
  }
  Seen seen;
};

/// Does not move: its warps refer to it.
struct BlockClocks {
  uint32_t id = 0, cluster = 0;
  ClockPtr start; ///< what is known when it starts
  std::vector<WarpClock> warps;
  std::vector<WarpCache> caches; ///< of the warps
  Epoch top = 1;
  /// Agents by index - FirstAgent: the last work of each, and of each of its lanes.
  struct Slot {
    bool async = false;
    Epoch epoch = 0;
    LaneEpochs lanes = {};
  };
  std::vector<Slot> agents;
  size_t nextAgent = 0;
};

/// A pseudo-thread's work, from its issue to its end.
struct Agent {
  uint32_t block = 0, cluster = 0;
  uint32_t warp = 0;  ///< that issued it
  uint32_t index = 0; ///< its own warp index
  Epoch epoch = 0;
  Mask lanes = 0;
  bool async = false;
  uint64_t version = 0;     ///< of the warp's clock then
  std::vector<Group> start; ///< what the lanes knew when they issued it
  /// Cache of the agent's last access, as the next one mostly is of the same instruction.
  mutable WarpCache::Recent recent;
};

/// How some lanes of a warp, or an agent, access memory.
struct Touch {
  BlockClocks *block = nullptr;
  uint32_t warp = 0;
  const Agent *agent = nullptr; ///< null: the warp itself
  AccessKind accessKind;
  /// Strong accesses: what they do to order threads. A read-modify-write has reads and
  /// accessKind.write.
  bool reads = false, acquires = false, releases = false;
  uint32_t division = 0; ///< AccessTraits::division
  const void *op = nullptr;
  StoredValues *stored = nullptr; ///< of a weak store, if they are known
};

/// Bytes that the lanes access, all the same ones.
struct Range {
  Mask lanes = 0;
  Shadow *shadow = nullptr;
  uint64_t offset = 0;
  const void *flag = nullptr; ///< names the location for strong accesses
  const void *tag = nullptr;  ///< the caller's, for problems
};

/// Bytes that the lanes of a warp access in one shadow: `bytes` each (1 to 16, a power of
/// two that the offsets are multiples of).
struct LaneRanges {
  Mask lanes = 0;
  uint32_t bytes = 0;
  Shadow *shadow = nullptr;
  const uint64_t *offsets = nullptr; ///< by lane; null: one behind the other
  uint64_t first = 0;                ///< then: of lane 0
  const char *base = nullptr;        ///< names flags, with the offset added
  const void *tag = nullptr;
};

class RaceEngine {
public:
  /// `world`: null for one that nobody else has.
  explicit RaceEngine(uint32_t threadsPerBlock, World *world = nullptr);
  RaceEngine(const RaceEngine &) = delete;

  /// `steps`: between histories, that are remembered. `widest`: see History.
  std::unique_ptr<Domain> makeDomain(size_t steps = 1 << 9, Reach widest = Reach::Gpu);
  /// Makes it a new one. No shadow of the old one may be used any more.
  void renew(Domain &domain);
  /// Takes out of the history what none of its shadows has any more.
  void collect(Domain &domain);
  /// `block` is in use until the launch ends or finishBlock.
  void startBlock(BlockClocks &block);
  void finishBlock(BlockClocks &block);

  /// One instruction's accesses, `bytes` at each range; problems are added to `out`.
  /// The lanes of an asynchronous agent's ranges are the agent's.
  void access(Domain &domain, const Touch &touch, const std::vector<Range> &ranges,
              uint64_t bytes, std::vector<Problem> &out);

  /// Checks accesses of a warp (no agent) that are not strong; problems are added to
  /// `out`.
  void access(Domain &domain, const Touch &touch, const LaneRanges &ranges,
              std::vector<Problem> &out);

  /// Fast path for all lanes of a warp, `bytes` each from `first` on: does what the op's
  /// last access did. Returns false, with nothing done, if that is not possible.
  bool repeat(const Domain &domain, BlockClocks &block, uint32_t warp, const void *op,
              Shadow &shadow, uint64_t first, uint32_t bytes);

  /// Work of these lanes that goes on beside them. `async`: one thread of the
  /// asynchronous proxy; else each lane has its own.
  Agent startAgent(BlockClocks &block, uint32_t warp, Mask lanes, bool async);
  /// Whether work that the agent's warp issues now would start as the agent did.
  bool continues(const BlockClocks &block, const Agent &agent) const {
    return agent.async && block.warps[agent.warp].version() == agent.version;
  }
  /// Adds the agent's work to `to`, for threads that acquire it.
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
  World &world;              ///< its own, or one that it shares
  std::vector<Range> single; ///< for one range at a time
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_RACE_ENGINE_H

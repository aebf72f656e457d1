//===- location.h - Whether an access races with earlier ones ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule for one location. An access conflicts with each earlier one of another thread
// if either writes; it races with it if nothing orders the two, unless both are strong
// and each one's scope includes the other's thread. What the asynchronous proxy does
// must be ordered behind a generic write with a proxy fence.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_LOCATION_H
#define KILN_SIM_CHECK_LOCATION_H

#include "runtime/sim/check/shadow.h"

namespace kiln::sim::check {

/// Who accesses: lanes with the same knowledge, or an agent.
struct Actor {
  uint32_t block = 0, cluster = 0;
  uint32_t warp = 0;             ///< that issued it
  uint32_t agent = 0;            ///< its warp index; 0: the lanes themselves
  Epoch epoch = 0;               ///< of the access: of the warp or the agent
  const View *current = nullptr; ///< what they know
  const View *async = nullptr;   ///< and what the asynchronous proxy may see
  uint32_t stamp = 0;
  Manner manner;
  /// Bulk work is one thread; of cp.async each lane has its own.
  bool agentIsOne = false;
};

enum class ProblemKind : uint8_t {
  Race,
  Scope,
  Proxy,
  NonCoherent,
  SameInstruction,
  Exit ///< a block's shared memory is gone before another block is done with it
};

struct Problem {
  ProblemKind kind = ProblemKind::Race;
  Stamp earlier;
  Mask earlierLanes = 0;
  Mask lanes = 0;            ///< of the later access
  uint64_t offset = 0;       ///< of the byte, in its shadow
  const void *tag = nullptr; ///< of the range that it is in
};

/// The accesses of one instruction by one actor, cell after cell.
class Access {
public:
  /// Which cluster a block is in, for scopes.
  using ClusterOf = uint32_t (*)(const void *context, uint32_t block);

  Access(History &history, const Actor &actor, ClusterOf clusterOf, const void *context)
      : history(history), actor(actor), clusterOf(clusterOf), context(context) {}

  void apply(Cell &cell, Mask lanes, uint64_t offset) {
    if (actor.manner.write)
      write(cell, lanes, offset);
    else
      read(cell, lanes, offset);
  }
  std::vector<Problem> problems;
  const void *tag = nullptr; ///< of the range at hand
  /// Some cell held a strong write that is gone now: a flag may have lost its meaning.
  bool overwroteStrong = false;

private:
  void read(Cell &cell, Mask lanes, uint64_t offset);
  void write(Cell &cell, Mask lanes, uint64_t offset);
  void checkAgainst(SetId set, Mask lanes, uint64_t offset);
  struct Entries;
  void survivors(SetId set, Mask lanes, Entries &kept);
  SetId combine(SetId old, const Entries &kept, History::Entry entry);
  SetId remaining(SetId set, Mask lanes);
  SetId addRead(SetId set, Mask lanes);
  bool allKnown(const Stamp &stamp);
  Mask unknownTo(unsigned lane, const View &view, const Stamp &stamp, Mask earlier) const;
  Mask unknown(const View &view, const Stamp &stamp, Mask earlier, Mask lanes) const;
  bool compatible(const Stamp &earlier) const;
  bool supersedes(const Stamp &earlier) const;
  void report(ProblemKind kind, const Stamp &earlier, Mask earlierLanes, Mask lanes,
              uint64_t offset);

  History &history;
  const Actor &actor;
  ClusterOf clusterOf;
  const void *context;
  /// Sets and stamps that the last cells had, known to be in order.
  uint32_t fineStamp = ~0u;
  uint32_t doneReads = ~0u; ///< reads that this one stands for
  SetId fineSet = 0;
  Mask fineLanes = 0;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_LOCATION_H

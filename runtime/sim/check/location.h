//===- location.h - Whether an access races with earlier ones ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule for one location. An access conflicts with each earlier one of another thread
// if either writes; it races with it if nothing orders the two, unless both are strong
// and each one's scope includes the other's thread. An asynchronous access must also be
// ordered after a generic write by a proxy fence.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_LOCATION_H
#define KILN_SIM_CHECK_LOCATION_H

#include "runtime/sim/check/seen.h"
#include "runtime/sim/check/shadow.h"

namespace kiln::sim::check {

/// The threads that access: lanes of a warp with the same knowledge, or an agent.
struct Actor {
  uint32_t block = 0, cluster = 0;
  uint32_t warp = 0;             ///< warp that issued the access
  uint32_t agent = 0;            ///< its warp index; 0: the lanes themselves
  Epoch epoch = 0;               ///< of the access, in the warp's or agent's time
  const View *current = nullptr; ///< what the threads know (happens-before)
  const View *async = nullptr;   ///< what the asynchronous proxy may see
  uint32_t stamp = 0;
  uint32_t domain = 0;   ///< serial number
  uint32_t division = 0; ///< AccessTraits::division
  AccessKind accessKind;
  /// The agent is one thread, as for a bulk copy; with cp.async each lane copies its own
  /// bytes.
  bool agentIsOne = false;
  /// All lanes of the warp (or the agent) have the same knowledge.
  bool whole = false;
  Seen *seen = nullptr; ///< what is known to all of the actor's lanes
};

/// Values that a weak store writes.
class StoredValues {
public:
  virtual ~StoredValues() = default;
  /// Whether all of `lanes` write the same value to these bytes of the range with that
  /// tag.
  virtual bool agree(const void *tag, uint64_t offset, unsigned bytes, Mask lanes) = 0;
  /// Whether the lanes write the value that memory already has.
  virtual bool match(const void *tag, uint64_t offset, unsigned bytes, Mask lanes) = 0;
  /// Lanes of the same store that were checked before; their values are not in memory
  /// yet.
  Mask done = 0;
};

enum class ProblemKind : uint8_t {
  Race,
  Scope,
  Proxy,
  NonCoherent,
  SameInstruction,
  SameValue, ///< a race within one instruction whose lanes store equal values
  Barrier,   ///< an ordinary access to the bytes of a live mbarrier
  Exit       ///< a block exits before another block's accesses to its shared memory are
             ///< complete
};

struct Problem {
  ProblemKind kind = ProblemKind::Race;
  Stamp earlier;
  Mask earlierLanes = 0;
  Mask lanes = 0;            ///< of the later access
  uint64_t offset = 0;       ///< of the byte, in its shadow
  const void *tag = nullptr; ///< of the range that contains it
};

/// Checks the accesses of one instruction by one actor, range by range.
class Access {
public:
  /// Returns the cluster of a block, for scopes.
  using ClusterOf = uint32_t (*)(const void *context, uint32_t block);

  Access(History &history, const Actor &actor, ClusterOf clusterOf, const void *context)
      : history(history), actor(actor), clusterOf(clusterOf), context(context) {}

  /// Checks an access of all lanes to the same bytes.
  void range(Shadow &shadow, uint64_t offset, uint64_t bytes, Mask lanes);
  /// Checks an access of `count` lanes from `lane` on, `bytes` each (1, 2, 4, 8 or 16,
  /// the offset a multiple), contiguous.
  void row(Shadow &shadow, uint64_t offset, uint32_t bytes, unsigned lane,
           unsigned count);

  std::vector<Problem> problems;
  const void *tag = nullptr;      ///< of the current range
  StoredValues *stored = nullptr; ///< null: unknown
  /// A strong write was overwritten by a weak one: a flag may have to be cleared.
  bool overwroteStrong = false;

private:
  using Entry = History::Entry;
  struct Entries;
  void words(Shadow &shadow, uint64_t word, uint64_t count, const Entry &entry);
  size_t evenLine(Shadow::Page &page, uint64_t word, const Entry &entry);
  void wordsOf(Shadow::Page &page, uint64_t word, size_t count, const Entry &entry);
  void wordOf(Shadow::Page &page, uint64_t word, const Entry &entry);
  void bytesOf(Shadow &shadow, uint64_t offset, uint64_t bytes, const Entry &entry);
  bool needsBytes(const Cell &cell, const Entry &entry);
  void apply(Cell &cell, const Entry &entry, uint64_t word, unsigned byte);
  void read(Cell &cell, const Entry &entry, uint64_t word, unsigned byte);
  void write(Cell &cell, const Entry &entry, uint64_t word, unsigned byte);
  bool sameThreads(const Stamp &stamp, const Entry &earlier, const Entry &entry) const;
  bool seen(uint32_t stamp);
  bool fine(SetId set, const Entry &entry);
  bool knowsAll(const View &view, const Stamp &stamp) const;
  bool knowsStamp(const Stamp &stamp) const;
  bool knowsLanes(const Stamp &stamp, const Entry &earlier) const;
  void checkAgainst(SetId set, Mask lanes, uint64_t word, unsigned byte);
  bool sameValue(const Stamp &earlier, Mask earlierLanes, Mask lanes, uint64_t offset);
  void survivors(SetId set, const Entry &entry, uint64_t word, Entries &kept);
  SetId combine(SetId old, const Entries &kept, const Entry &entry);
  bool contains(SetId set, const Entry &entry, uint64_t word);
  SetId added(SetId set, const Entry &entry, uint64_t word);
  SetId pruned(SetId set, const Entry &entry, uint64_t word);
  SetId remaining(SetId set, const Entry &entry, uint64_t word);
  Mask unknownTo(unsigned lane, const View &view, const Stamp &stamp, Mask earlier) const;
  Mask unknown(const View &view, const Stamp &stamp, Mask earlier, Mask lanes) const;
  bool sameDivision(const Stamp &earlier) const;
  bool compatible(const Stamp &earlier) const;
  bool supersedes(const Stamp &earlier) const;
  void report(ProblemKind kind, const Stamp &earlier, Mask earlierLanes, Mask lanes,
              uint64_t offset);

  History &history;
  const Actor &actor;
  ClusterOf clusterOf;
  const void *context;
  /// The last transition of a cell holds for every word with the same sets.
  bool general = true;
  unsigned width = WordBytes; ///< of the current cell, in bytes
  /// A write to the current cell races with earlier writes of the same value: keep those.
  bool keepsEarlier = false;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_LOCATION_H

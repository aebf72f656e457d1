//===- processes.h - Ranks that are processes -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks copy what they give into slots of shared memory, a slot at a time, so that its
// size is the same for all models, and read those of the others. Each element is summed
// once, in the order of the ranks, as by threads: the bits are the same. Ranks of several
// nodes each have a copy of that memory, and links keep it up to date.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_PROCESSES_H
#define KILN_COLLECTIVE_PROCESSES_H

#include "runtime/collective/node_links.h"
#include <memory>
#include <vector>

namespace kiln::rt {

/// Communicator of this process, one rank of a group of processes. The failure of any
/// rank ends the group, as a process that has ended cannot join again.
class ProcessGroup final : public Meeting, public Communicator {
public:
  using Milliseconds = std::chrono::milliseconds;

  /// Waits for the other ranks. timeout: how long it does so later. Errors: as meet.
  static Status join(const Rendezvous &self, Milliseconds timeout,
                     std::unique_ptr<ProcessGroup> &out);

  uint32_t rank() const { return own; }
  /// CPUs of the process, divided by the ranks that may use them, too; at least 1.
  uint32_t cpuShare() const;

  /// Waits until all ranks are ready to run.
  Status ready(Milliseconds within);
  /// Compares what all ranks are about to run: an entry, the code of what is wrong with
  /// its inputs (0: nothing), a hash of these.
  Status begin(uint32_t entry, uint32_t error, uint64_t inputs);
  Status run(const CollectiveCall &given) override;
  void noteStep() override { Meeting::noteStep(own); }
  Status health(uint32_t step) override { return Meeting::health(own, step); }
  Milliseconds patience() const override { return Meeting::patience(); }
  /// Gives all ranks these bytes of rank 0.
  Status broadcast(void *data, size_t size);

  void fail(uint32_t rank, const Failure &what) override;
  std::optional<First> firstFailure() const override;
  /// The error of this group, if it has one: on every rank that of the first rank that
  /// failed.
  Status check() const;

private:
  ProcessGroup(std::unique_ptr<Segment> segment, std::unique_ptr<NodeLinks> links,
               uint32_t rank, Milliseconds timeout);
  std::optional<Failure> lost(uint32_t rank) override;
  uint32_t suspect(uint32_t rank) const override;
  std::string describe(uint32_t rank) const override;
  std::string absence(uint32_t rank) const override;
  std::string lastCollective(uint32_t rank) const;
  template <typename RangeOf> void publish(const Visit *visit, RangeOf rangeOf);
  template <typename RangeOf>
  Status exchange(const void *from, size_t bytes, const Visit *visit, uint32_t step,
                  RangeOf rangeOf);
  template <typename RangeOf, typename Body>
  Status inRounds(const CollectiveCall &call, int64_t count, RangeOf rangeOf, Body body);
  template <typename Body> Status inParts(const CollectiveCall &call, Body body);
  Status allReduce(const CollectiveCall &call);
  Status reduceScatter(const CollectiveCall &call);
  Status allGather(const CollectiveCall &call);
  Status allToAll(const CollectiveCall &call);
  Status handOver(const CollectiveCall &call);

  using Range = NodeLinks::Range;

  std::unique_ptr<Segment> shared; ///< its address stays
  Segment &segment;
  const uint32_t own;
  uint32_t bufferIndex = 0;         ///< 0 or 1: the slot of the round at hand
  std::vector<const void *> slots;  ///< of the round at hand, by rank
  std::vector<const void *> given;  ///< of these, those of the ranks that this one meets
  std::optional<First> noted;       ///< by this rank
  std::vector<Range> ranges;        ///< of the round at hand, by rank
  std::unique_ptr<NodeLinks> links; ///< null: all ranks see one segment
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_PROCESSES_H

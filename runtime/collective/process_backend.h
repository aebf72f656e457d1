//===- process_backend.h - Ranks that are processes -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks copy what they give into staging buffers in shared memory, some of it at a time,
// so that its size is the same for all models, and read those of the others. Each element
// is summed once, in the order of the ranks, as by threads: the bits are the same.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_PROCESS_BACKEND_H
#define KILN_COLLECTIVE_PROCESS_BACKEND_H

#include "runtime/collective/monitored_barrier.h"
#include "runtime/collective/rendezvous.h"
#include <memory>
#include <vector>

namespace kiln::rt {

/// Backend of this process, one rank of a group of processes on one node. The failure of
/// any rank ends the group, as a process that has ended cannot join again.
class ProcessBackend : public MonitoredBarrier, public HostBackend {
public:
  /// Waits for the other ranks. Errors: as rendezvous.
  static Status join(const Rendezvous &self, std::unique_ptr<HostBackend> &out);

  const char *name() const override { return "shared_memory"; }
  Status run(const CollectiveCall &given) override;
  Status health(uint32_t step) override { return MonitoredBarrier::health(own, step); }
  void fail(uint32_t rank, const Failure &what) override;
  std::optional<RankFailure> firstFailure() const override;
  void noteStep() override { MonitoredBarrier::noteStep(own); }
  std::chrono::milliseconds timeout() const override {
    return MonitoredBarrier::timeout();
  }
  void setTimeout(std::chrono::milliseconds wanted) override {
    MonitoredBarrier::setTimeout(wanted);
  }
  /// CPUs of the process, divided by the ranks that may use them, too.
  uint32_t cpusPerRank() const override;

protected:
  using Range = Segment::Range;

  ProcessBackend(std::unique_ptr<Segment> segment, uint32_t rank,
                 std::chrono::milliseconds timeout);
  std::optional<Failure> lost(uint32_t rank) override;
  /// Text of the last collective that a rank has come to.
  std::string lastCollective(uint32_t rank) const;

  // For ranks that see copies of the segment.
  /// Gives each rank its range of this rank's staging buffer, and says that this rank
  /// arrives at its barrier number `arrivals`; call: if it begins a collective, that one.
  virtual void replicate(uint32_t, uint32_t, const CollectiveCall *,
                         std::span<const Range>) {}
  /// Tells the others the failure that the segment has.
  virtual void replicateFailure() {}
  /// Ranks on this machine.
  virtual uint32_t localRanks() const { return ranks; }

  const std::unique_ptr<Segment> segment;
  const uint32_t own;
  std::vector<Range> ranges; ///< to replicate, by rank; empty: all see one segment

private:
  Status check() const;
  template <typename RangeOf> void publish(const CollectiveCall *call, RangeOf rangeOf);
  template <typename RangeOf>
  Status exchange(const void *from, size_t bytes, const CollectiveCall *call,
                  uint32_t step, RangeOf rangeOf);
  template <typename RangeOf, typename Body>
  Status inRounds(const CollectiveCall &call, int64_t count, RangeOf rangeOf, Body body);
  template <typename Body> Status inParts(const CollectiveCall &call, Body body);
  Status allReduce(const CollectiveCall &call);
  Status reduceScatter(const CollectiveCall &call);
  Status allGather(const CollectiveCall &call);
  Status allToAll(const CollectiveCall &call);
  Status broadcastOrPermute(const CollectiveCall &call);

  uint32_t bufferIndex = 0;           ///< 0 or 1: the buffer of the round at hand
  std::vector<const void *> buffers;  ///< of the round at hand, by rank
  std::vector<const void *> operands; ///< of these, those of the ranks of its subgroup
  std::optional<RankFailure> noted;   ///< by this rank
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_PROCESS_BACKEND_H

//===- process_backend.h - Ranks that are processes -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks copy their operands block by block into staging buffers in shared memory, whose
// size is the same for all models, and read the buffers of the others. Each element is
// reduced once, in rank order as in ThreadWorld, so the results have the same bits.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_PROCESS_BACKEND_H
#define KILN_COLLECTIVE_PROCESS_BACKEND_H

#include "runtime/collective/monitored_barrier.h"
#include "runtime/collective/rendezvous.h"
#include <memory>
#include <vector>

namespace kiln::rt {

/// Backend of a process that is one rank of a group on one node. The failure of any rank
/// ends the group: a process that has ended cannot rejoin.
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
  /// CPUs of the process divided by the number of ranks that may use them.
  uint32_t cpusPerRank() const override;

protected:
  using Range = Segment::Range;

  ProcessBackend(std::unique_ptr<Segment> segment, uint32_t rank,
                 std::chrono::milliseconds timeout);
  std::optional<Failure> lost(uint32_t rank) override;
  /// Describes the last collective that a rank has started.
  std::string lastCollective(uint32_t rank) const;

  // Overridden where ranks have copies of the segment.
  /// Sends each rank its range of this rank's staging buffer, and announces that this
  /// rank arrives at its barrier number `arrivals`; call: the collective that begins
  /// there, or null.
  virtual void replicate(uint32_t, uint32_t, const CollectiveCall *,
                         std::span<const Range>) {}
  /// Sends the failure in the segment to the other ranks.
  virtual void replicateFailure() {}
  /// Number of ranks on this machine.
  virtual uint32_t localRanks() const { return ranks; }

  const std::unique_ptr<Segment> segment;
  const uint32_t own;
  std::vector<Range> ranges; ///< to replicate, by rank; empty: no copies

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

  uint32_t bufferIndex = 0;           ///< 0 or 1: staging buffer of this round
  std::vector<const void *> buffers;  ///< staging buffers of this round, by rank
  std::vector<const void *> operands; ///< the buffers of the ranks of its subgroup
  std::optional<RankFailure> noted;   ///< failure that this rank recorded
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_PROCESS_BACKEND_H

//===- process_group.h - Ranks that run a model together --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_PROCESS_GROUP_H
#define KILN_COLLECTIVE_PROCESS_GROUP_H

#include "runtime/collective/backend.h"

namespace kiln::rt {

class StampRecorder;

/// One rank of a group, as sessions use it. Copies refer to the same rank.
class ProcessGroup {
public:
  /// Constructs a group of one rank, without a backend.
  ProcessGroup() = default;
  /// backend: for host memory; must outlive the group.
  ProcessGroup(uint32_t rank, uint32_t size, HostBackend &backend)
      : ownRank(rank), ranks(size), host(&backend) {}
  /// Makes this copy record stamps of its collectives. The recorder must outlive it.
  void recordInto(StampRecorder &recorder) { stamps = &recorder; }

  uint32_t rank() const { return ownRank; }
  uint32_t size() const { return ranks; }
  bool isAlone() const { return !host; }

  // Not for a group of one rank.
  HostBackend &backend() const { return *host; }
  /// Runs a collective on host memory, see HostBackend.
  Status run(const CollectiveCall &call) const;
  /// Waits until all ranks have called it.
  Status barrier(uint32_t step) const;
  /// Gathers the bytes of all ranks, in rank order, on every rank.
  Status allGather(const void *own, void *all, size_t bytes,
                   uint32_t step = noStep) const;
  /// Replaces each word by its maximum over all ranks.
  Status allReduceMax(uint32_t *words, size_t count) const;
  /// Sends the bytes of rank 0 to all ranks.
  Status broadcast(void *data, size_t bytes) const;
  /// Returns the failure of the group, if it has one.
  Status check() const;
  Status health(uint32_t step) const { return host->health(step); }
  void noteStep() const {
    if (host)
      host->noteStep();
  }
  /// Notes that this rank has enqueued a collective on its GPU, and that the oldest
  /// enqueued collective is done.
  void noteEnqueued(const CollectiveCall &call) const;
  void noteDone() const;

private:
  uint32_t ownRank = 0, ranks = 1;
  HostBackend *host = nullptr;
  StampRecorder *stamps = nullptr; ///< null: no stamps are recorded
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_PROCESS_GROUP_H

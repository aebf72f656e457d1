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

/// One rank of a group, as a session sees it. Copies are the same rank.
class ProcessGroup {
public:
  /// A rank that is alone, without a backend.
  ProcessGroup() = default;
  /// backend: of the host's memory; outlives the group.
  ProcessGroup(uint32_t rank, uint32_t size, HostBackend &backend)
      : ownRank(rank), ranks(size), host(&backend) {}
  /// Stamps the collectives of this copy. The recorder outlives it.
  void recordInto(StampRecorder &recorder) { stamps = &recorder; }

  uint32_t rank() const { return ownRank; }
  uint32_t size() const { return ranks; }
  bool isAlone() const { return !host; }

  // Not for a rank that is alone.
  HostBackend &backend() const { return *host; }
  /// Runs a collective on the memory of the host, see HostBackend.
  Status run(const CollectiveCall &call) const;
  /// Waits until all ranks are here.
  Status barrier(uint32_t step) const;
  /// Gives all ranks the bytes of each rank, in the order of the ranks.
  Status allGather(const void *own, void *all, size_t bytes,
                   uint32_t step = noStep) const;
  /// Replaces words by the maxima over all ranks.
  Status allReduceMax(uint32_t *words, size_t count) const;
  /// Gives all ranks the bytes of rank 0.
  Status broadcast(void *data, size_t bytes) const;
  /// Returns the failure of the group, if it has one.
  Status check() const;
  Status health(uint32_t step) const { return host->health(step); }
  void noteStep() const {
    if (host)
      host->noteStep();
  }
  /// Says that this rank has enqueued a collective that its GPU carries out, and that the
  /// oldest of these is done.
  void noteEnqueued(const CollectiveCall &call) const;
  void noteDone() const;

private:
  uint32_t ownRank = 0, ranks = 1;
  HostBackend *host = nullptr;
  StampRecorder *stamps = nullptr; ///< null: there is none
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_PROCESS_GROUP_H

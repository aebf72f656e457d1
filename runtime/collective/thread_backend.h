//===- thread_backend.h - Ranks that are threads of one process -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks are threads that access each other's memory. In an all-reduce each rank reduces
// one chunk of all ranks' tensors and writes the result into the memory of all of them,
// so that every element is summed once, in rank order.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_THREAD_BACKEND_H
#define KILN_COLLECTIVE_THREAD_BACKEND_H

#include "runtime/collective/monitored_barrier.h"
#include <memory>
#include <mutex>

namespace kiln::rt {

/// The backends of all ranks, and their common state.
class ThreadWorld final : public MonitoredBarrier {
public:
  ThreadWorld(uint32_t ranks, std::chrono::milliseconds timeout);
  ~ThreadWorld() override;

  /// Backend for the thread of a rank; lives as long as the world.
  HostBackend &backend(uint32_t rank);

  /// Clears the failure of the last run. To be called before a run, while no rank is in
  /// one.
  void begin();
  void fail(uint32_t rank, const Failure &what) override;
  std::optional<RankFailure> firstFailure() const override;

private:
  class ThreadBackend;

  ThreadWorld(uint32_t ranks, std::chrono::milliseconds timeout,
              std::unique_ptr<RankState[]> states);
  Status run(uint32_t rank, const CollectiveCall &given);
  void allReduce(uint32_t rank, const CollectiveCall &call);
  void reduceScatter(uint32_t rank, const CollectiveCall &call);
  void allGather(uint32_t rank, const CollectiveCall &call);
  void allToAll(uint32_t rank, const CollectiveCall &call);
  void broadcastOrPermute(uint32_t rank, const CollectiveCall &call);
  const CollectiveCall &call(uint32_t rank) const { return states[rank].calls[0]; }

  std::unique_ptr<RankState[]> own;
  std::unique_ptr<ThreadBackend[]> backends; ///< by rank
  std::unique_ptr<const void *[]> sources;   ///< operands, `ranks` of them for each rank
  std::atomic<uint32_t> failed{0};
  mutable std::mutex mutex; ///< guards `first`
  std::optional<RankFailure> first;
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_THREAD_BACKEND_H

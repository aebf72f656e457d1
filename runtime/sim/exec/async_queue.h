//===- async_queue.h - Work that completes later ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction issues cp.async, bulk copies and wgmma; they complete at some later
// time. Each is an AsyncOp in the queue of its cluster, and the schedule decides when it
// is performed: eager at once; late when no warp of the cluster can continue without it;
// random between the two.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_QUEUE_H
#define KILN_SIM_EXEC_ASYNC_QUEUE_H

#include "runtime/sim/exec/schedule.h"

#include <deque>
#include <memory>

namespace kiln::sim::exec {

class AsyncOp {
public:
  virtual ~AsyncOp() = default;
  /// Performs the work: reads, writes, completes bytes of an mbarrier. False after a
  /// fault (reported through the grid). May push more work (a second stage).
  virtual bool perform() = 0;
  bool done() const { return performed; }

private:
  friend class AsyncQueue;
  bool performed = false;
};

class AsyncQueue {
public:
  explicit AsyncQueue(Schedule &schedule) : schedule(schedule) {}
  /// Adds the op; performs it at once under the eager schedule. False after a fault.
  bool push(std::shared_ptr<AsyncOp> op);
  bool empty() const { return pending.empty(); }
  size_t size() const { return pending.size(); }
  /// Number of operations performed so far.
  uint64_t performed() const { return count; }
  /// Performs one operation: the oldest, or any under the random schedule. False after a
  /// fault.
  bool performOne();
  /// Called between time slices: performs some operations under the random schedule.
  bool step();
  /// Performs this op now if it is still pending, when a wait needs it.
  bool perform(const std::shared_ptr<AsyncOp> &op);
  void clear() { pending.clear(); }

private:
  bool performAt(size_t index);
  Schedule &schedule;
  std::deque<std::shared_ptr<AsyncOp>> pending;
  uint64_t count = 0;
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_ASYNC_QUEUE_H

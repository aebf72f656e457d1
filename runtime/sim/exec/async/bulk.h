//===- bulk.h - Bulk copies: what all of them share -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy that loads into shared memory reads and writes in one step, then completes
// bytes of an mbarrier. A copy that stores reads its source in one step (after which
// the source may be reused: wait_group.read) and writes in a second.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_BULK_H
#define KILN_SIM_EXEC_ASYNC_BULK_H

#include "runtime/sim/exec/async/reduce.h"
#include "runtime/sim/exec/async/state.h"

#include <functional>
#include <optional>

namespace kiln::sim::exec::async {

/// Common part: the observer's agent, and the steps of a store.
class BulkBase : public BulkOp, public std::enable_shared_from_this<BulkBase> {
public:
  /// Who performs it. A store in a group has one who reads and one who writes: a wait
  /// with .read is for the first only.
  uint64_t agent = 0, writer = 0;

protected:
  AccessTraits traits(AccessKind kind) const {
    return {.kind = kind, .proxy = Proxy::Async};
  }
  /// Queues the second step of a store.
  bool later(std::function<bool()> step);
};

/// Starts the op: agent, group or none, queue. False after a fault.
bool issue(Warp &warp, const std::shared_ptr<BulkBase> &op, bool grouped);

/// Where a load or remote copy signals its completion.
struct Signal {
  Block *block = nullptr;
  uint32_t offset = 0;
};
/// The mbarrier operand; no block after a fault.
Signal signalAt(const Origin &origin, Space space, uint64_t address);

/// Writes `bytes` (by reduction if there is one) to a place that access found.
void writeOrReduce(uint8_t *to, const uint8_t *from, uint32_t bytes,
                   const std::optional<ReduceStep> &step);

/// Blocks of the cluster that a multicast mask names; empty after a fault.
std::vector<Block *> multicastTargets(const Origin &origin, uint32_t mask);

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_BULK_H

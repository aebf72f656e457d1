//===- bulk.h - Common part of bulk copies ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy into shared memory reads and writes in one step, then completes bytes of an
// mbarrier. A copy from shared memory reads its source in one step (after which the
// source may be reused: wait_group.read) and writes in a second step.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_BULK_H
#define KILN_SIM_EXEC_ASYNC_BULK_H

#include "runtime/sim/exec/async/reduce.h"
#include "runtime/sim/exec/async/state.h"

#include <functional>
#include <optional>

namespace kiln::sim::exec::async {

/// Common part: the observer's agent, and the two steps of a store.
class BulkBase : public BulkOp, public std::enable_shared_from_this<BulkBase> {
public:
  /// Pseudo-threads that perform the copy. A store in a group has one that reads and one
  /// that writes: a wait with .read covers only the first.
  uint64_t agent = 0, writer = 0;

protected:
  AccessTraits traits(AccessKind kind) const {
    return {.kind = kind, .proxy = Proxy::Async};
  }
  /// Queues the second (write) step of a store.
  bool later(std::function<bool()> step);
};

/// Issues the op: creates its agent, adds it to a group if `grouped`, and queues it.
/// False after a fault.
bool issue(Warp &warp, const std::shared_ptr<BulkBase> &op, bool grouped);

/// mbarrier that a load or remote copy signals on completion.
struct Signal {
  Block *block = nullptr;
  uint32_t offset = 0;
};
/// Resolves the mbarrier operand; no block after a fault.
Signal signalAt(const Origin &origin, Space space, uint64_t address);

/// Writes `bytes`, or reduces them into memory if `step` is set, at a checked place.
void writeOrReduce(uint8_t *to, const uint8_t *from, uint32_t bytes,
                   const std::optional<ReduceStep> &step);

/// Returns the cluster's blocks in a multicast mask; empty after a fault.
std::vector<Block *> multicastTargets(const Origin &origin, uint32_t mask);

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_BULK_H

//===- bulk.cpp - Common part of bulk copies ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/bulk.h"

#include "runtime/sim/exec/report.h"

#include <cstring>

namespace kiln::sim::exec::async {

namespace {
class SecondStep final : public AsyncOp {
public:
  explicit SecondStep(std::function<bool()> step) : step(std::move(step)) {}
  bool perform() override { return step(); }

private:
  std::function<bool()> step;
};
} // namespace

bool BulkBase::later(std::function<bool()> step) {
  // The step keeps this op alive, even if its group was dropped.
  auto self = shared_from_this();
  return origin.block->cluster->async.push(
      std::make_shared<SecondStep>([self, step = std::move(step)] { return step(); }));
}

bool issue(Warp &warp, const std::shared_ptr<BulkBase> &op, bool grouped) {
  if (Observer *observer = op->origin.grid().observer) {
    op->agent = op->writer = observer->startAgent(op->origin, Proxy::Async);
    if (grouped)
      op->writer = observer->startAgent(op->origin, Proxy::Async);
  }
  if (grouped)
    stateOf(warp).bulk.issue(op, op->origin.mask);
  warp.changed = true;
  return warp.block->cluster->async.push(op);
}

Signal signalAt(const Origin &origin, Space space, uint64_t address) {
  Place place = resolve(origin, space, address, 8, 8, AccessKind::Atomic);
  if (!place || !findBarrier(origin, place))
    return {};
  return {place.block, uint32_t(place.offset)};
}

void writeOrReduce(uint8_t *to, const uint8_t *from, uint32_t bytes,
                   const std::optional<ReduceStep> &step) {
  if (step)
    reduce(step->op, step->type, to, from, bytes);
  else
    memcpy(to, from, bytes);
}

std::vector<Block *> multicastTargets(const Origin &origin, uint32_t mask) {
  std::vector<Block *> result;
  const std::vector<Block *> &blocks = origin.block->cluster->blocks;
  if (mask == 0 || mask >> blocks.size()) {
    fault(origin, LaunchFailed,
          "a multicast mask of " + hex(mask) + " in a cluster of " +
              std::to_string(blocks.size()) + " blocks",
          "set bits of blocks of the cluster only, and at least one");
    return result;
  }
  for (size_t rank = 0; rank < blocks.size(); ++rank)
    if (mask >> rank & 1)
      result.push_back(blocks[rank]);
  return result;
}

} // namespace kiln::sim::exec::async

//===- async_queue.cpp - Work that completes later -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async_queue.h"

#include <algorithm>

namespace kiln::sim::exec {

bool AsyncQueue::push(std::shared_ptr<AsyncOp> op) {
  if (schedule.async == Schedule::Async::Eager) {
    op->performed = true;
    ++count;
    return op->perform();
  }
  pending.push_back(std::move(op));
  return true;
}

bool AsyncQueue::performAt(size_t index) {
  std::shared_ptr<AsyncOp> op = std::move(pending[index]);
  pending.erase(pending.begin() + ptrdiff_t(index));
  op->performed = true;
  ++count;
  return op->perform();
}

bool AsyncQueue::performOne() {
  if (pending.empty())
    return true;
  bool any = schedule.async == Schedule::Async::Random;
  return performAt(any ? schedule.random(pending.size()) : 0);
}

bool AsyncQueue::step() {
  if (schedule.async != Schedule::Async::Random)
    return true;
  while (!pending.empty() && schedule.random(4) == 0)
    if (!performOne())
      return false;
  return true;
}

bool AsyncQueue::perform(const std::shared_ptr<AsyncOp> &op) {
  auto at = std::find(pending.begin(), pending.end(), op);
  return at == pending.end() || performAt(size_t(at - pending.begin()));
}

} // namespace kiln::sim::exec

//===- process_group.cpp - Ranks that run a model together ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/process_group.h"
#include "runtime/collective/stamps.h"

using namespace kiln::rt;

Status ProcessGroup::run(const CollectiveCall &call) const {
  if (!stamps)
    return host->run(call);
  stamps->begin(call);
  KILN_TRY(host->run(call));
  stamps->end(call);
  return {};
}

Status ProcessGroup::barrier(uint32_t step) const {
  return run({CollectiveKind::AllReduce, Reduction::Sum, KILN_DTYPE_U8, 0, 0, nullptr,
              nullptr, step});
}

Status ProcessGroup::allGather(const void *own, void *all, size_t bytes,
                               uint32_t step) const {
  return run({CollectiveKind::AllGather, Reduction::Sum, KILN_DTYPE_U8, 1,
              static_cast<int64_t>(bytes), own, all, step});
}

Status ProcessGroup::allReduceMax(uint32_t *words, size_t count) const {
  return run({CollectiveKind::AllReduce, Reduction::Max, KILN_DTYPE_U32, 1,
              static_cast<int64_t>(count), words, words, noStep});
}

Status ProcessGroup::broadcast(void *data, size_t bytes) const {
  CollectiveCall call{CollectiveKind::Broadcast,   Reduction::Sum, KILN_DTYPE_U8, 1,
                      static_cast<int64_t>(bytes), data,           data,          noStep};
  call.count = 1; // the only sender is rank 0
  return run(call);
}

Status ProcessGroup::check() const {
  return host->firstFailure() ? host->health(noStep) : Status();
}

void ProcessGroup::noteEnqueued(const CollectiveCall &call) const {
  if (stamps)
    stamps->enqueued(call);
}

void ProcessGroup::noteDone() const {
  if (stamps)
    stamps->done();
}

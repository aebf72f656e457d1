//===- state.cpp - Asynchronous work of blocks and warps ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/state.h"

#include "runtime/sim/exec/async/wgmma_state.h"
#include "runtime/sim/exec/report.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace kiln::sim::exec::async {

void Groups::commit(Mask lanes) {
  trim();
  Group group;
  group.lanes = lanes;
  for (Issued &issued : open)
    if (Mask mine = issued.lanes & lanes) {
      group.work.push_back({issued.op, mine, 0});
      issued.lanes &= ~lanes;
    }
  std::erase_if(open, [](const Issued &issued) { return !issued.lanes; });
  groups.push_back(std::move(group));
}

void Groups::track(Mask lanes) {
  for (Issued &issued : open)
    issued.tracked |= issued.lanes & lanes;
  std::erase_if(open, [this](const Issued &issued) {
    return issued.tracked == issued.lanes && complete(*issued.op);
  });
}

bool Groups::finished(Mask lanes, uint32_t newest,
                      const std::function<bool(const AsyncOp &)> &done) const {
  std::array<uint32_t, WarpSize> seen = {};
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    Mask old = 0;
    forLanes(group->lanes & lanes, [&](unsigned lane) {
      if (seen[lane]++ >= newest)
        old |= Mask(1) << lane;
    });
    for (const Issued &issued : group->work)
      if ((issued.lanes & old) && !done(*issued.op))
        return false;
  }
  return true;
}

bool Groups::allFinished(Mask lanes,
                         const std::function<bool(const AsyncOp &)> &done) const {
  for (const Issued &issued : open)
    if ((issued.lanes & lanes) && !done(*issued.op))
      return false;
  return finished(lanes, 0, done);
}

void Groups::trim() {
  // Drop groups only from the oldest on: a newer empty group still counts in wait_group's
  // N.
  auto over = [this](const Group &group) {
    if (group.lanes & ~group.waited)
      return false;
    return std::all_of(group.work.begin(), group.work.end(),
                       [this](const Issued &issued) { return complete(*issued.op); });
  };
  auto first = std::find_if_not(groups.begin(), groups.end(), over);
  groups.erase(groups.begin(), first);
}

template <class F> void Groups::forOld(Mask lanes, uint32_t newest, F f) {
  std::array<uint32_t, WarpSize> seen = {};
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    Mask old = 0;
    forLanes(group->lanes & lanes, [&](unsigned lane) {
      if (seen[lane]++ >= newest)
        old |= Mask(1) << lane;
    });
    f(*group, old);
  }
}

void Groups::wait(Mask lanes, uint32_t newest,
                  const std::function<void(const AsyncOp &, Mask)> &f, bool readOnly) {
  forOld(lanes, newest, [&](Group &group, Mask old) {
    Mask before = readOnly ? group.waited | group.readWaited : group.waited;
    for (const Issued &issued : group.work)
      if (Mask covered = issued.lanes & old & ~before)
        f(*issued.op, covered);
    (readOnly ? group.readWaited : group.waited) |= old;
  });
}

std::vector<std::shared_ptr<AsyncOp>> Groups::issued(Mask lanes) const {
  std::vector<std::shared_ptr<AsyncOp>> result;
  auto add = [&](const Issued &issued) {
    if (issued.lanes & lanes)
      result.push_back(issued.op);
  };
  for (const Group &group : groups)
    for (const Issued &issued : group.work)
      add(issued);
  for (const Issued &issued : open)
    add(issued);
  return result;
}

const AsyncOp *Groups::unawaited(Mask lanes) const {
  for (const Group &group : groups)
    for (const Issued &issued : group.work)
      if (issued.lanes & lanes & ~(group.waited | group.readWaited))
        return issued.op.get();
  for (const Issued &issued : open)
    if (issued.lanes & lanes)
      return issued.op.get();
  return nullptr;
}

BlockState &stateOf(Block &block) {
  if (!block.asyncState)
    block.asyncState = std::make_shared<BlockState>();
  return *static_cast<BlockState *>(block.asyncState.get());
}

WarpState &stateOf(Warp &warp) {
  if (!warp.asyncState)
    warp.asyncState = std::make_shared<WarpState>();
  return *static_cast<WarpState *>(warp.asyncState.get());
}

/// Reports wgmma instructions that this warp, the last of its warpgroup to exit, executed
/// more or less often than the others.
static bool checkWarpgroup(Warp &warp, const Origin &origin) {
  const std::vector<Warp *> &warps = warp.block->warps;
  unsigned first = warp.index / 4 * 4;
  if (first + 4 > warps.size())
    return true;
  auto products = [](Warp &w) -> uint64_t {
    const WgmmaState *wgmma = w.asyncState ? stateOf(w).wgmma.get() : nullptr;
    return wgmma ? wgmma->issued : 0;
  };
  auto changes = [](Warp &w) -> uint64_t {
    return w.asyncState ? stateOf(w).registerChanges : 0;
  };
  for (unsigned other = first; other < first + 4; ++other)
    if (warps[other] != &warp && warps[other]->live)
      return true; // another warp of the warpgroup is still running
  for (unsigned other = first; other < first + 4; ++other) {
    bool sameProducts = products(*warps[other]) == products(warp);
    if (sameProducts && changes(*warps[other]) == changes(warp))
      continue;
    fault(origin, LaunchFailed,
          std::string("the warps of a warpgroup ran ") +
              (sameProducts ? "setmaxnreg" : "wgmma") +
              " different numbers of times: warp " + std::to_string(other) +
              " not as often as warp " + std::to_string(warp.index) + ", or more often",
          "such instructions need all four warps of the warpgroup");
    return false;
  }
  return true;
}

bool checkExit(Warp &warp, const MicroOp *op, Mask mask) {
  const Checks &checks = warp.block->grid->checks;
  Origin origin = originOf(warp, op, mask);
  if (checks.collectives && mask == warp.live && !checkWarpgroup(warp, origin))
    return false;
  if (!warp.asyncState)
    return true;
  WarpState &state = stateOf(warp);
  const AsyncOp *store = checks.pending ? state.bulk.unawaited(mask) : nullptr;
  if (store) {
    origin.op = static_cast<const BulkOp *>(store)->origin.op;
    fault(origin, LaunchFailed,
          "unawaited: the thread exits without having waited for this bulk store; the "
          "shared memory that it reads may be gone",
          "run cp.async.bulk.commit_group and cp.async.bulk.wait_group.read 0 before");
    return false;
  }
  WgmmaState *wgmma = state.wgmma.get();
  if (checks.pending && wgmma && wgmma->anyInFlight()) {
    origin.op = wgmma->newest();
    fault(origin, LaunchFailed, "unawaited: the warp exits while this wgmma is in flight",
          "run wgmma.commit_group and wgmma.wait_group 0 before");
    return false;
  }
  return true;
}

SyncKey barrierKey(const Place &place, uint64_t phase) {
  return {SyncKey::Kind::Mbarrier, place.bytes, phase};
}

static std::string where(const Place &place) {
  return "mbarrier at shared " + hex(place.offset) + " of the block of rank " +
         std::to_string(place.block->rank);
}

/// Mark in the 8 bytes of a live mbarrier; any other value shows that they were
/// overwritten.
static uint64_t markOf(uint32_t offset) { return 0x6b6d626172000000 ^ offset; }

Mbarrier *findBarrier(const Origin &origin, const Place &place) {
  if (place.space != Space::Shared) {
    fault(origin, 717, "an mbarrier must lie in shared memory");
    return nullptr;
  }
  auto &barriers = stateOf(*place.block).barriers;
  auto found = barriers.find(uint32_t(place.offset));
  if (found == barriers.end()) {
    fault(origin, LaunchFailed,
          "no mbarrier was initialised at shared " + hex(place.offset) +
              " of the block of rank " + std::to_string(place.block->rank),
          "run mbarrier.init there first, and let the other threads wait for it");
    return nullptr;
  }
  uint64_t mark;
  memcpy(&mark, place.bytes, sizeof(mark));
  if (origin.grid().checks.mbarriers && mark != markOf(uint32_t(place.offset))) {
    fault(origin, LaunchFailed, "the bytes of the " + where(place) + " were overwritten",
          "keep other data out of its 8 bytes, or run mbarrier.inval before");
    return nullptr;
  }
  return &found->second;
}

bool initBarrier(const Origin &origin, const Place &place, uint32_t count) {
  if (place.space != Space::Shared) {
    fault(origin, 717, "an mbarrier must lie in shared memory");
    return false;
  }
  auto &barriers = stateOf(*place.block).barriers;
  uint32_t offset = uint32_t(place.offset);
  if (!Mbarrier::validCount(count)) {
    fault(origin, LaunchFailed,
          "mbarrier.init with a count of " + std::to_string(count) +
              "; 1 to 1048575 are possible");
    return false;
  }
  if (origin.grid().checks.mbarriers && barriers.contains(offset)) {
    fault(origin, LaunchFailed, "initialises the " + where(place) + " a second time",
          "run mbarrier.inval before");
    return false;
  }
  barriers.insert_or_assign(offset, Mbarrier(count));
  uint64_t mark = markOf(offset);
  memcpy(place.bytes, &mark, sizeof(mark));
  return true;
}

const Mbarrier *peekBarrier(const Warp &warp, uint64_t address) {
  auto &barriers = stateOf(*warp.block).barriers;
  auto found = barriers.find(uint32_t(address & (SharedStride - 1)));
  return found == barriers.end() ? nullptr : &found->second;
}

bool accept(const Origin &origin, const Place &place, const Mbarrier &barrier,
            MbarrierProblem problem) {
  if (problem == MbarrierProblem::None)
    return true;
  fault(origin, LaunchFailed,
        where(place) + " (" + barrier.text() + "): " + describe(problem));
  return false;
}

bool completeBytes(const Origin &origin, Block &block, uint32_t offset, uint32_t bytes,
                   uint64_t agent) {
  Place place;
  place.bytes = block.shared + offset;
  place.space = Space::Shared;
  place.block = &block;
  place.offset = offset;
  Mbarrier *barrier = findBarrier(origin, place);
  if (!barrier)
    return false;
  uint64_t phase = barrier->currentPhase();
  if (!accept(origin, place, *barrier, barrier->completeBytes(bytes)))
    return false;
  if (Observer *observer = origin.grid().observer)
    observer->finishAgent(agent, barrierKey(place, phase));
  return true;
}

} // namespace kiln::sim::exec::async

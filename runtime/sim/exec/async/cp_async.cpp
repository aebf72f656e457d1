//===- cp_async.cpp - cp.async and its groups -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/async.h"
#include "runtime/sim/exec/async/state.h"
#include "runtime/sim/exec/observer.h"
#include "runtime/sim/exec/report.h"

#include <array>
#include <cstring>

namespace kiln::sim::exec {
using namespace async;

namespace {

struct CopyPlan {
  LaneAddress to, from;
  uint32_t bytes = 0;      ///< per lane: 4, 8 or 16
  bool sized = false;      ///< op->b: bytes to read, the rest is zero
  bool predicated = false; ///< op->c: ignore the source, write zeros
};

/// One cp.async of a warp.
class CopyOp final : public AsyncOp {
public:
  Origin origin;
  const CopyPlan *plan = nullptr;
  uint64_t agent = 0;
  std::array<uint64_t, WarpSize> to, from;
  std::array<uint8_t, WarpSize> read; ///< bytes from the source

  bool perform() override {
    for (Mask left = origin.mask; left; left &= left - 1)
      if (!copy(unsigned(__builtin_ctz(left))))
        return false;
    if (Observer *observer = origin.grid().observer;
        observer && observer->wantsRequests())
      tellRequests(*observer);
    return true;
  }

private:
  /// Counts one sector per aligned copy, even if it reads fewer bytes.
  void tellRequests(Observer &observer) const {
    WarpAccess access{
        origin, {.kind = AccessKind::Write}, plan->to.space, plan->bytes, targets.data()};
    observer.request(access);
    access.traits.kind = AccessKind::Read;
    access.space = plan->from.space;
    access.places = sources.data();
    forLanes(origin.mask, [&](unsigned lane) {
      if (read[lane] == 0)
        access.origin.mask &= ~(Mask(1) << lane);
    });
    if (access.origin.mask)
      observer.request(access);
  }

  bool copy(unsigned lane) {
    Origin one = origin;
    one.mask = Mask(1) << lane;
    uint8_t bytes[16] = {};
    if (read[lane]) {
      Place source = access(one, plan->from.space, from[lane], read[lane], plan->bytes,
                            {.kind = AccessKind::Read}, agent);
      if (!source)
        return false;
      memcpy(bytes, source.bytes, read[lane]);
      sources[lane] = source;
    }
    Place target = access(one, plan->to.space, to[lane], plan->bytes, plan->bytes,
                          {.kind = AccessKind::Write}, agent);
    if (!target)
      return false;
    memcpy(target.bytes, bytes, plan->bytes);
    targets[lane] = target;
    return true;
  }

  std::array<Place, WarpSize> sources, targets; ///< set once performed
};

/// Whether two copies of a thread in one group write the same bytes, which is illegal.
bool overlaps(const CopyOp &a, const CopyOp &b, Mask lanesOfB, unsigned &lane) {
  for (Mask both = a.origin.mask & lanesOfB; both; both &= both - 1) {
    lane = unsigned(__builtin_ctz(both));
    if (a.to[lane] < b.to[lane] + b.plan->bytes &&
        b.to[lane] < a.to[lane] + a.plan->bytes)
      return true;
  }
  return false;
}

bool checkGroup(const CopyOp &op, const Groups &groups) {
  for (const Issued &issued : groups.uncommitted()) {
    const auto &other = static_cast<const CopyOp &>(*issued.op);
    unsigned lane = 0;
    if (!overlaps(op, other, issued.lanes & ~issued.tracked, lane))
      continue;
    Origin origin = op.origin;
    origin.mask = Mask(1) << lane;
    fault(origin, LaunchFailed,
          "two cp.async of one group write to shared " + hex(op.to[lane]) +
              "; the other is " + describeOp(other.origin.op),
          "commit a group between them, and wait for it");
    return false;
  }
  return true;
}

bool startCopy(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<CopyPlan>();
  auto copy = std::make_shared<CopyOp>();
  copy->origin = originOf(warp, op, mask);
  copy->plan = &plan;
  bool good = true;
  forLanes(mask, [&](unsigned lane) {
    copy->to[lane] = plan.to.of(regs, lane);
    copy->from[lane] = plan.from.of(regs, lane);
    uint32_t read = plan.bytes;
    if (plan.sized)
      read = lanes<uint32_t>(regs, op->b)[lane];
    if (plan.predicated && (predicate(regs, op->c) >> lane & 1))
      read = 0;
    if (good && read > plan.bytes) {
      fault(originOf(warp, op, Mask(1) << lane), LaunchFailed,
            "cp.async of " + std::to_string(plan.bytes) +
                " bytes with a source size of " + std::to_string(read),
            "the source size can be 0 up to the copy's size");
      good = false;
    }
    copy->read[lane] = uint8_t(read);
  });
  Groups &groups = stateOf(warp).copies;
  if (!good || (copy->origin.grid().checks.copies && !checkGroup(*copy, groups)))
    return false;
  if (Observer *observer = copy->origin.grid().observer)
    copy->agent = observer->startAgent(copy->origin, Proxy::Generic);
  groups.issue(copy, mask);
  warp.changed = true;
  return warp.block->cluster->async.push(copy);
}

Stop runCpAsync(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!startCopy(op, regs, mask, warp))
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

Stop runCopyCommit(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  stateOf(warp).copies.commit(mask);
  KILN_NEXT(op, regs, mask, warp);
}

bool isDone(const AsyncOp &op) { return op.done(); }

bool copiesFinished(Warp &warp, Mask mask, uint32_t newest) {
  return stateOf(warp).copies.finished(mask, newest, isDone);
}

bool copyWaitIsOver(const Wait &wait, const Warp &warp, const Split &split) {
  return copiesFinished(const_cast<Warp &>(warp), split.mask, uint32_t(wait.a));
}

std::string describeCopyWait(const Wait &wait, const Warp &, const Split &) {
  return "all but the newest " + std::to_string(wait.a) + " groups of cp.async";
}

/// imm: N of wait_group, the groups that may stay pending; flags: commit first.
Stop runCopyWait(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Groups &groups = stateOf(warp).copies;
  if (op->flags && !groups.uncommitted().empty())
    groups.commit(mask);
  if (!copiesFinished(warp, mask, uint32_t(op->imm)))
    return block(warp, op,
                 {.ready = copyWaitIsOver, .describe = describeCopyWait, .a = op->imm});
  Observer *observer = warp.block->grid->observer;
  groups.wait(mask, uint32_t(op->imm), [&](const AsyncOp &work, Mask lanes) {
    if (observer)
      observer->acquireAgent(originOf(warp, op, lanes),
                             static_cast<const CopyOp &>(work).agent);
  });
  groups.trim();
  KILN_NEXT(op, regs, mask, warp);
}

/// Arrives on mbarriers, once per lane, when the lane's earlier copies are done.
class ArriveOp final : public AsyncOp {
public:
  Origin origin;
  std::array<Place, WarpSize> places;
  std::vector<std::shared_ptr<AsyncOp>> copies;

  bool perform() override {
    AsyncQueue &queue = origin.block->cluster->async;
    for (const std::shared_ptr<AsyncOp> &copy : copies)
      if (!copy->done() && !queue.perform(copy))
        return false;
    for (Mask left = origin.mask; left; left &= left - 1)
      if (!arrive(unsigned(__builtin_ctz(left))))
        return false;
    copies.clear();
    return true;
  }

private:
  bool arrive(unsigned lane) {
    Origin one = origin;
    one.mask = Mask(1) << lane;
    Mbarrier *barrier = findBarrier(one, places[lane]);
    if (!barrier)
      return false;
    if (Observer *observer = one.grid().observer)
      for (const std::shared_ptr<AsyncOp> &copy : copies)
        observer->finishAgent(static_cast<const CopyOp &>(*copy).agent,
                              barrierKey(places[lane], barrier->currentPhase()));
    return accept(one, places[lane], *barrier, barrier->arrive(1));
  }
};

struct ArrivePlan {
  LaneAddress address;
  bool increments = false;
};

bool startArrive(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<ArrivePlan>();
  auto arrive = std::make_shared<ArriveOp>();
  arrive->origin = originOf(warp, op, mask);
  for (Mask left = mask; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    Origin one = originOf(warp, op, Mask(1) << lane);
    Place place = resolve(one, plan.address.space, plan.address.of(regs, lane), 8, 8,
                          AccessKind::Atomic);
    Mbarrier *barrier = place ? findBarrier(one, place) : nullptr;
    if (!barrier ||
        (plan.increments && !accept(one, place, *barrier, barrier->addPending())))
      return false;
    arrive->places[lane] = place;
  }
  Groups &groups = stateOf(warp).copies;
  arrive->copies = groups.issued(mask);
  warp.changed = true;
  if (!warp.block->cluster->async.push(arrive))
    return false;
  groups.track(mask);
  return true;
}

Stop runMbarrierArrive(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!startArrive(op, regs, mask, warp))
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeCpAsync(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<CopyPlan>();
  plan->to = laneAddress(decoder, i.operands[0], i.spaces[0]);
  plan->from = laneAddress(decoder, i.operands[1], i.spaces[1]);
  plan->bytes = uint32_t(i.operands[2].bits);
  uint32_t size = 0, ignore = 0;
  // A cache policy operand may follow; it has no effect here.
  size_t policy = i.has(ptx::Mod::L2CacheHint) ? 1 : 0;
  if (i.operands.size() > 3 + policy) {
    const ptx::Operand &extra = i.operands[3];
    plan->predicated = extra.type == ptx::Type::Pred;
    plan->sized = !plan->predicated;
    if (plan->predicated)
      ignore = decoder.readPredicate(extra);
    else
      size = decoder.read(extra, 4);
  }
  decoder.info().payload = plan;
  decoder.emit(runCpAsync, 0, 0, size, ignore);
  return true;
}

bool decodeCopyCommit(Decoder &decoder, const ptx::Instruction &) {
  decoder.emit(runCopyCommit);
  return true;
}

bool decodeCopyWait(Decoder &decoder, const ptx::Instruction &i) {
  bool all = i.opcode == ptx::Opcode::CpAsyncWaitAll;
  MicroOp &op = decoder.emit(runCopyWait);
  op.imm = all ? 0 : i.operands[0].bits;
  op.flags = all;
  return true;
}

bool decodeCopyArrive(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<ArrivePlan>();
  plan->address = laneAddress(decoder, i.operands[0], i.space());
  plan->increments = !i.has(ptx::Mod::Noinc);
  decoder.info().payload = plan;
  decoder.emit(runMbarrierArrive);
  return true;
}

} // namespace

void async::addCpAsync(DecoderTable &table) {
  using ptx::Opcode;
  table[size_t(Opcode::CpAsync)] = decodeCpAsync;
  table[size_t(Opcode::CpAsyncCommit)] = decodeCopyCommit;
  table[size_t(Opcode::CpAsyncWaitGroup)] = decodeCopyWait;
  table[size_t(Opcode::CpAsyncWaitAll)] = decodeCopyWait;
  table[size_t(Opcode::CpAsyncMbarrierArrive)] = decodeCopyArrive;
}

} // namespace kiln::sim::exec

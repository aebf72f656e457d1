//===- mbarrier.cpp - mbarrier instructions -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/async.h"
#include "runtime/sim/exec/async/state.h"
#include "runtime/sim/exec/report.h"

#include <cstring>

namespace kiln::sim::exec {
using namespace async;

namespace {

/// Decoded mbarrier instruction, of any form.
struct BarrierPlan {
  LaneAddress address;
  Scope scope = Scope::Cta;
  bool relaxed = false, parity = false, waits = false, drop = false, noComplete = false;
  bool expects = false, counted = false; ///< op->b: bytes, or a count
};

Origin oneLane(const Warp &warp, const MicroOp *op, unsigned lane) {
  return originOf(warp, op, Mask(1) << lane);
}

Place placeOf(const MicroOp *op, uint8_t *regs, unsigned lane, const Warp &warp,
              const BarrierPlan &plan) {
  return resolve(oneLane(warp, op, lane), plan.address.space, plan.address.of(regs, lane),
                 8, 8, AccessKind::Atomic);
}

/// Runs act(lane, place, barrier) for each lane; false after a fault.
template <class Act>
bool forBarriers(const MicroOp *op, uint8_t *regs, Mask mask, const Warp &warp, Act act) {
  const auto &plan = op->info->as<BarrierPlan>();
  for (; mask; mask &= mask - 1) {
    unsigned lane = unsigned(__builtin_ctz(mask));
    Place place = placeOf(op, regs, lane, warp, plan);
    Mbarrier *barrier = place ? findBarrier(oneLane(warp, op, lane), place) : nullptr;
    if (!barrier || !act(lane, place, *barrier))
      return false;
  }
  return true;
}

/// mbarrier.init. The bytes of a live mbarrier hold a mark; see findBarrier.
Stop runInit(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<BarrierPlan>();
  bool good = true;
  forLanes(mask, [&](unsigned lane) {
    if (!good)
      return;
    Origin origin = oneLane(warp, op, lane);
    Place place = access(origin, plan.address.space, plan.address.of(regs, lane), 8, 8,
                         {.kind = AccessKind::Write, .barrier = BarrierUse::Lives});
    uint32_t count = lanes<uint32_t>(regs, op->b)[lane];
    good = place && initBarrier(origin, place, count);
  });
  warp.changed = true;
  if (!good)
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

Stop runInval(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  bool good = forBarriers(
      op, regs, mask, warp, [&](unsigned lane, const Place &place, Mbarrier &) {
        Origin origin = oneLane(warp, op, lane);
        stateOf(*place.block).barriers.erase(uint32_t(place.offset));
        Observer *observer = origin.grid().observer;
        RangeAccess end{origin,
                        {.kind = AccessKind::Write, .barrier = BarrierUse::Ends},
                        place,
                        sizeof(uint64_t)};
        return !observer || observer->access(end);
      });
  warp.changed = true;
  if (!good)
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

/// mbarrier.arrive in all forms: expect_tx first, then the arrival.
Stop runArrive(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<BarrierPlan>();
  auto arrive = [&](unsigned lane, const Place &place, Mbarrier &barrier) {
    Origin origin = oneLane(warp, op, lane);
    uint32_t operand =
        plan.expects || plan.counted ? lanes<uint32_t>(regs, op->b)[lane] : 1;
    Observer *observer = origin.grid().observer;
    if (observer && !plan.relaxed &&
        !observer->release(origin, barrierKey(place, barrier.currentPhase()), plan.scope))
      return false;
    if (plan.expects && !accept(origin, place, barrier, barrier.expectBytes(operand)))
      return false;
    if (place.block == warp.block)
      barrier.noteArrival(warp.index * WarpSize + lane);
    uint64_t state = barrier.state();
    uint32_t count = plan.expects ? 1 : operand;
    MbarrierProblem problem = plan.noComplete ? barrier.arriveNoComplete(count, plan.drop)
                              : plan.drop     ? barrier.arriveDrop(count)
                                              : barrier.arrive(count);
    if (op->d)
      lanes<uint64_t>(regs, op->d)[lane] = state;
    return accept(origin, place, barrier, problem);
  };
  bool good = forBarriers(op, regs, mask, warp, arrive);
  warp.changed = true;
  if (!good)
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

/// expect_tx and complete_tx; op->flags: complete.
Stop runBytes(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  auto count = [&](unsigned lane, const Place &place, Mbarrier &barrier) {
    uint32_t bytes = lanes<uint32_t>(regs, op->b)[lane];
    return accept(oneLane(warp, op, lane), place, barrier,
                  op->flags ? barrier.completeBytes(bytes) : barrier.expectBytes(bytes));
  };
  bool good = forBarriers(op, regs, mask, warp, count);
  warp.changed = true;
  if (!good)
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

/// Tests the lanes' mbarriers, as an observed access; `complete` gets the lanes whose
/// phase is complete.
bool testLanes(const MicroOp *op, uint8_t *regs, Mask mask, const Warp &warp,
               Mask &complete) {
  const auto &plan = op->info->as<BarrierPlan>();
  complete = 0;
  auto test = [&](unsigned lane, const Place &place, Mbarrier &barrier) {
    Origin origin = oneLane(warp, op, lane);
    if (place.block != warp.block) {
      fault(origin, LaunchFailed, "waits on an mbarrier of another block of the cluster",
            "remote blocks may only arrive; wait on a barrier of the own block");
      return false;
    }
    bool done = false;
    uint32_t parity = plan.parity ? lanes<uint32_t>(regs, op->b)[lane] : 0;
    if (plan.parity && origin.grid().checks.mbarriers &&
        barrier.missed(warp.index * WarpSize + lane, parity))
      return accept(origin, place, barrier, MbarrierProblem::MissedPhase);
    if (plan.parity)
      done = barrier.testParity(parity);
    else if (!accept(origin, place, barrier,
                     barrier.test(lanes<uint64_t>(regs, op->b)[lane], done)))
      return false;
    if (!done)
      return true;
    complete |= Mask(1) << lane;
    Observer *observer = origin.grid().observer;
    return !observer || plan.relaxed || barrier.currentPhase() == 0 ||
           observer->acquire(origin, barrierKey(place, barrier.currentPhase() - 1),
                             plan.scope);
  };
  return forBarriers(op, regs, mask, warp, test);
}

Stop runTestWait(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Mask complete;
  if (!testLanes(op, regs, mask, warp, complete))
    return Stop::Fault;
  Mask &result = predicate(regs, op->d);
  result = (result & ~mask) | complete;
  KILN_NEXT(op, regs, mask, warp);
}

/// Tests for the scheduler, without an observed access; an invalidated mbarrier wakes its
/// waiters.
bool mbarrierWaitIsOver(const Wait &, const Warp &warp, const Split &split) {
  const MicroOp *op = split.pc;
  const auto &plan = op->info->as<BarrierPlan>();
  bool over = false;
  forLanes(split.mask, [&](unsigned lane) {
    if (over)
      return;
    uint8_t *regs = split.frame->registers;
    uint64_t address = plan.address.of(regs, lane);
    const Mbarrier *barrier = peekBarrier(warp, address);
    if (!barrier)
      over = true;
    else if (plan.parity)
      over = barrier->parityComplete(lanes<uint32_t>(regs, op->b)[lane]);
    else
      over = lanes<uint64_t>(regs, op->b)[lane] >> 20 != barrier->currentPhase();
  });
  return over;
}

std::string describeMbarrierWait(const Wait &, const Warp &warp, const Split &split) {
  const MicroOp *op = split.pc;
  unsigned lane = unsigned(__builtin_ctz(split.mask));
  uint8_t *regs = split.frame->registers;
  uint64_t address = op->info->as<BarrierPlan>().address.of(regs, lane);
  const Mbarrier *barrier = peekBarrier(warp, address);
  std::string text = "the mbarrier at shared " + hex(address & (SharedStride - 1));
  return barrier ? text + ": " + barrier->text() : text + ", which is gone";
}

/// try_wait suspends until a lane's phase is complete. Under the random schedule it
/// sometimes fails at once, as its time limit allows.
Stop runTryWait(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Mask complete;
  if (!testLanes(op, regs, mask, warp, complete))
    return Stop::Fault;
  Schedule &schedule = warp.block->cluster->schedule;
  bool givesUp = schedule.async == Schedule::Async::Random && schedule.random(8) == 0;
  if (!complete && !givesUp)
    return block(warp, op,
                 {.ready = mbarrierWaitIsOver, .describe = describeMbarrierWait});
  if (!complete)
    warp.changed = true; // not counted as spinning: the next try may suspend
  Mask &result = predicate(regs, op->d);
  result = (result & ~mask) | complete;
  KILN_NEXT(op, regs, mask, warp);
}

Stop runPendingCount(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  forLanes(mask, [&](unsigned lane) {
    lanes<uint32_t>(regs, op->d)[lane] =
        Mbarrier::pendingOf(lanes<uint64_t>(regs, op->a)[lane]);
  });
  KILN_NEXT(op, regs, mask, warp);
}

std::shared_ptr<BarrierPlan> planOf(Decoder &decoder, const ptx::Instruction &i,
                                    const ptx::Operand &address) {
  auto plan = std::make_shared<BarrierPlan>();
  plan->address = laneAddress(decoder, address, i.space());
  plan->scope = i.scope == ptx::Mod::Cluster ? Scope::Cluster : Scope::Cta;
  plan->relaxed = i.semantics == ptx::Mod::Relaxed;
  plan->parity = i.has(ptx::Mod::Parity);
  plan->noComplete = i.has(ptx::Mod::NoComplete);
  plan->drop = i.opcode == ptx::Opcode::MbarrierArriveDrop;
  plan->expects = i.has(ptx::Mod::ExpectTx);
  decoder.info().payload = plan;
  return plan;
}

bool decodeInit(Decoder &decoder, const ptx::Instruction &i) {
  planOf(decoder, i, i.operands[0]);
  uint32_t count = decoder.read(i.operands[1], 4);
  decoder.emit(runInit, 0, 0, count);
  return true;
}

bool decodeInval(Decoder &decoder, const ptx::Instruction &i) {
  planOf(decoder, i, i.operands[0]);
  decoder.emit(runInval);
  return true;
}

bool decodeBytes(Decoder &decoder, const ptx::Instruction &i) {
  planOf(decoder, i, i.operands[0]);
  uint32_t bytes = decoder.read(i.operands[1], 4);
  decoder.emit(runBytes, 0, 0, bytes).flags = i.opcode == ptx::Opcode::MbarrierCompleteTx;
  return true;
}

bool decodeMbarrierArrive(Decoder &decoder, const ptx::Instruction &i) {
  std::shared_ptr<BarrierPlan> plan = planOf(decoder, i, i.operands[1]);
  plan->counted = i.operands.size() > 2;
  uint32_t operand = plan->counted ? decoder.read(i.operands[2], 4) : 0;
  bool wanted = i.operands[0].kind == ptx::Operand::Kind::Register;
  uint32_t state = wanted ? decoder.write(i.operands[0], 8) : 0;
  decoder.emit(runArrive, state, 0, operand);
  return true;
}

bool decodeMbarrierWait(Decoder &decoder, const ptx::Instruction &i) {
  std::shared_ptr<BarrierPlan> plan = planOf(decoder, i, i.operands[1]);
  plan->waits = true;
  uint32_t phase = decoder.read(i.operands[2], plan->parity ? 4 : 8);
  uint32_t result = decoder.writePredicate(i.operands[0]);
  bool tries = i.opcode == ptx::Opcode::MbarrierTryWait;
  decoder.emit(tries ? runTryWait : runTestWait, result, 0, phase);
  return true;
}

bool decodePendingCount(Decoder &decoder, const ptx::Instruction &i) {
  uint32_t state = decoder.read(i.operands[1], 8);
  uint32_t result = decoder.write(i.operands[0], 4);
  decoder.emit(runPendingCount, result, state);
  return true;
}

} // namespace

void async::addMbarrier(DecoderTable &table) {
  using ptx::Opcode;
  table[size_t(Opcode::MbarrierInit)] = decodeInit;
  table[size_t(Opcode::MbarrierInval)] = decodeInval;
  table[size_t(Opcode::MbarrierExpectTx)] = decodeBytes;
  table[size_t(Opcode::MbarrierCompleteTx)] = decodeBytes;
  table[size_t(Opcode::MbarrierArrive)] = decodeMbarrierArrive;
  table[size_t(Opcode::MbarrierArriveDrop)] = decodeMbarrierArrive;
  table[size_t(Opcode::MbarrierTestWait)] = decodeMbarrierWait;
  table[size_t(Opcode::MbarrierTryWait)] = decodeMbarrierWait;
  table[size_t(Opcode::MbarrierPendingCount)] = decodePendingCount;
}

} // namespace kiln::sim::exec

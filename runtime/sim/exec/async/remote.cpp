//===- remote.cpp - st.async, red.async, st.bulk --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/async.h"
#include "runtime/sim/exec/async/bulk.h"
#include "runtime/sim/exec/async/operands.h"
#include "runtime/sim/exec/report.h"

#include <cstring>

namespace kiln::sim::exec {
using namespace async;

namespace {

struct RemotePlan {
  LaneAddress to, barrier;
  unsigned elementBytes = 4;
  std::optional<ReduceStep> reduction;
};

/// A store or reduction into another block's shared memory, which signals an mbarrier
/// there.
class RemoteOp final : public BulkBase {
public:
  const RemotePlan *plan = nullptr;
  uint64_t to = 0;
  std::array<uint8_t, 32> bytes;
  uint32_t count = 0;
  Signal signal;

  bool perform() override {
    Place target =
        access(origin, plan->to.space, to, count, count,
               traits(plan->reduction ? AccessKind::Atomic : AccessKind::Write), agent);
    if (!target)
      return false;
    writeOrReduce(target.bytes, bytes.data(), count, plan->reduction);
    complete = true;
    return completeBytes(origin, *signal.block, signal.offset, count, agent);
  }
};

bool startRemote(const MicroOp *op, uint8_t *regs, unsigned lane, Warp &warp) {
  const auto &plan = op->info->as<RemotePlan>();
  auto remote = std::make_shared<RemoteOp>();
  remote->origin = originOf(warp, op, Mask(1) << lane);
  remote->plan = &plan;
  remote->to = plan.to.of(regs, lane);
  for (uint32_t line : op->info->operands) {
    memcpy(remote->bytes.data() + remote->count, regs + line + lane * plan.elementBytes,
           plan.elementBytes);
    remote->count += plan.elementBytes;
  }
  remote->signal =
      signalAt(remote->origin, plan.barrier.space, plan.barrier.of(regs, lane));
  return remote->signal.block && issue(warp, remote, false);
}

Stop runRemote(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  for (Mask left = mask; left; left &= left - 1)
    if (!startRemote(op, regs, unsigned(__builtin_ctz(left)), warp))
      return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

/// st.bulk: writes zeros, synchronously.
Stop runStBulk(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<RemotePlan>();
  for (Mask left = mask; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    Origin origin = originOf(warp, op, Mask(1) << lane);
    uint64_t bytes = lanes<uint64_t>(regs, op->b)[lane];
    if (bytes % 8) {
      fault(origin, LaunchFailed, "st.bulk of a size that is no multiple of 8");
      return Stop::Fault;
    }
    Place place = access(origin, plan.to.space, plan.to.of(regs, lane), bytes, 8,
                         {.kind = AccessKind::Write});
    if (!place)
      return Stop::Fault;
    memset(place.bytes, 0, bytes);
  }
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeRemote(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<RemotePlan>();
  plan->to = laneAddress(decoder, i.operands[0], ptx::StateSpace::SharedCluster);
  plan->barrier = laneAddress(decoder, i.operands[2], ptx::StateSpace::SharedCluster);
  plan->elementBytes = ptx::bytes(i.type());
  if (i.opcode == ptx::Opcode::RedAsync) {
    plan->reduction = reductionOf(i);
    if (!plan->reduction)
      return decoder.error("a reduction of a type that PTX does not have");
  }
  const ptx::Operand &value = i.operands[1];
  if (value.kind == ptx::Operand::Kind::Vector) {
    for (const ptx::Operand &element : value.elements) {
      uint32_t line = decoder.read(element, plan->elementBytes);
      decoder.info().operands.push_back(line);
    }
  } else {
    uint32_t line = decoder.read(value, plan->elementBytes);
    decoder.info().operands.push_back(line);
  }
  decoder.info().payload = plan;
  decoder.emit(runRemote);
  return true;
}

bool decodeStBulk(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<RemotePlan>();
  plan->to = laneAddress(decoder, i.operands[0], i.space());
  uint32_t bytes = decoder.read(i.operands[1], 8);
  decoder.info().payload = plan;
  decoder.emit(runStBulk, 0, 0, bytes);
  return true;
}

} // namespace

void async::addRemote(DecoderTable &table) {
  using ptx::Opcode;
  table[size_t(Opcode::StAsync)] = decodeRemote;
  table[size_t(Opcode::RedAsync)] = decodeRemote;
  table[size_t(Opcode::StBulk)] = decodeStBulk;
}

} // namespace kiln::sim::exec

//===- bulk_copy.cpp - cp.async.bulk, cp.reduce.async.bulk, bulk groups ---===//
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

constexpr uint32_t Unit = 16; ///< sizes and addresses must be multiples

struct BulkPlan {
  LaneAddress to, from, barrier;
  bool signals = false;   ///< completes bytes of an mbarrier; otherwise belongs to a bulk
                          ///< group
  bool multicast = false; ///< op->c: mask, b16
  bool byteMask = false;  ///< op->c: mask, b16
  std::optional<ReduceStep> reduction;
};

/// Global to shared memory, of one or several blocks.
class LoadOp final : public BulkBase {
public:
  const BulkPlan *plan = nullptr;
  uint64_t to = 0, from = 0;
  uint32_t bytes = 0;
  Signal signal;
  std::vector<Block *> targets; ///< of a multicast; otherwise empty

  bool perform() override {
    Place source = access(origin, plan->from.space, from, bytes, Unit,
                          traits(AccessKind::Read), agent);
    if (!source)
      return false;
    if (targets.empty()) {
      if (!write(to, plan->to.space, source.bytes) ||
          !completeBytes(origin, *signal.block, signal.offset, bytes, agent))
        return false;
    }
    for (Block *block : targets)
      if (!write(sharedAddress(*block, uint32_t(to % SharedStride)), Space::SharedCluster,
                 source.bytes) ||
          !completeBytes(origin, *block, signal.offset, bytes, agent))
        return false;
    complete = true;
    return true;
  }

private:
  bool write(uint64_t address, Space space, const uint8_t *source) {
    Place target =
        access(origin, space, address, bytes, Unit,
               traits(plan->reduction ? AccessKind::Atomic : AccessKind::Write), agent);
    if (!target)
      return false;
    writeOrReduce(target.bytes, source, bytes, plan->reduction);
    return true;
  }
};

/// Shared to global memory.
class StoreOp final : public BulkBase {
public:
  const BulkPlan *plan = nullptr;
  uint64_t to = 0, from = 0;
  uint32_t bytes = 0, mask = 0xffff; ///< mask: which bytes of each 16

  bool perform() override {
    Place source = access(origin, plan->from.space, from, bytes, Unit,
                          traits(AccessKind::Read), agent);
    if (!source)
      return false;
    staged.assign(source.bytes, source.bytes + bytes);
    return later([this] { return write(); });
  }

private:
  bool write() {
    Place target =
        access(origin, plan->to.space, to, bytes, Unit,
               traits(plan->reduction ? AccessKind::Atomic : AccessKind::Write), writer);
    if (!target)
      return false;
    if (plan->byteMask) {
      for (uint32_t i = 0; i < bytes; ++i)
        if (mask >> i % Unit & 1)
          target.bytes[i] = staged[i];
    } else {
      writeOrReduce(target.bytes, staged.data(), bytes, plan->reduction);
    }
    complete = true;
    std::vector<uint8_t>().swap(staged);
    return true;
  }
  std::vector<uint8_t> staged;
};

bool checkSize(const Origin &origin, uint32_t bytes) {
  if (bytes % Unit == 0)
    return true;
  fault(origin, LaunchFailed,
        "a bulk copy of " + std::to_string(bytes) + " bytes, no multiple of 16",
        "round the size up or down to a multiple of 16");
  return false;
}

Stop runLoad(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<BulkPlan>();
  for (Mask left = mask; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    auto load = std::make_shared<LoadOp>();
    load->origin = originOf(warp, op, Mask(1) << lane);
    load->plan = &plan;
    load->to = plan.to.of(regs, lane);
    load->from = plan.from.of(regs, lane);
    load->bytes = lanes<uint32_t>(regs, op->b)[lane];
    load->signal =
        signalAt(load->origin, plan.barrier.space, plan.barrier.of(regs, lane));
    if (!load->signal.block || !checkSize(load->origin, load->bytes))
      return Stop::Fault;
    if (plan.multicast) {
      load->targets = multicastTargets(load->origin, lanes<uint16_t>(regs, op->c)[lane]);
      if (load->targets.empty())
        return Stop::Fault;
    }
    if (!issue(warp, load, false))
      return Stop::Fault;
  }
  KILN_NEXT(op, regs, mask, warp);
}

Stop runStore(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<BulkPlan>();
  for (Mask left = mask; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    auto store = std::make_shared<StoreOp>();
    store->origin = originOf(warp, op, Mask(1) << lane);
    store->plan = &plan;
    store->to = plan.to.of(regs, lane);
    store->from = plan.from.of(regs, lane);
    store->bytes = lanes<uint32_t>(regs, op->b)[lane];
    if (plan.byteMask)
      store->mask = lanes<uint16_t>(regs, op->c)[lane];
    if (!checkSize(store->origin, store->bytes) || !issue(warp, store, true))
      return Stop::Fault;
  }
  KILN_NEXT(op, regs, mask, warp);
}

/// Checks the address of a prefetch, which is only a hint.
Stop runPrefetch(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<BulkPlan>();
  for (Mask left = mask; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    Origin origin = originOf(warp, op, Mask(1) << lane);
    uint32_t bytes = lanes<uint32_t>(regs, op->b)[lane];
    if (!checkSize(origin, bytes) ||
        !resolve(origin, plan.from.space, plan.from.of(regs, lane), bytes, Unit,
                 AccessKind::Read))
      return Stop::Fault;
  }
  KILN_NEXT(op, regs, mask, warp);
}

Stop runBulkCommit(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  stateOf(warp).bulk.commit(mask);
  KILN_NEXT(op, regs, mask, warp);
}

bool hasRead(const AsyncOp &op) { return op.done(); }
bool isComplete(const AsyncOp &op) { return static_cast<const BulkOp &>(op).complete; }

bool groupsFinished(Warp &warp, Mask mask, uint32_t newest, bool read) {
  return stateOf(warp).bulk.finished(mask, newest, read ? hasRead : isComplete);
}

bool bulkWaitIsOver(const Wait &wait, const Warp &warp, const Split &split) {
  return groupsFinished(const_cast<Warp &>(warp), split.mask, uint32_t(wait.a), wait.b);
}

std::string describeBulkWait(const Wait &wait, const Warp &, const Split &) {
  return "all but the newest " + std::to_string(wait.a) + " groups of bulk copies" +
         (wait.b ? " to have read" : "");
}

/// imm: N of wait_group, the groups that may stay pending; flags: .read.
Stop runBulkWait(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!groupsFinished(warp, mask, uint32_t(op->imm), op->flags))
    return block(warp, op,
                 {.ready = bulkWaitIsOver,
                  .describe = describeBulkWait,
                  .a = op->imm,
                  .b = op->flags});
  Groups &groups = stateOf(warp).bulk;
  Observer *observer = warp.block->grid->observer;
  auto tell = [&](const AsyncOp &work, Mask lanes) {
    if (!observer)
      return;
    auto &bulk = static_cast<const BulkBase &>(work);
    observer->acquireAgent(originOf(warp, op, lanes), bulk.agent);
    if (!op->flags)
      observer->acquireAgent(originOf(warp, op, lanes), bulk.writer);
  };
  groups.wait(mask, uint32_t(op->imm), tell, op->flags);
  groups.trim();
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeBulk(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<BulkPlan>();
  plan->to = laneAddress(decoder, i.operands[0], i.spaces[0]);
  plan->from = laneAddress(decoder, i.operands[1], i.spaces[1]);
  plan->signals = i.has(ptx::Mod::CompleteTxBytes);
  plan->multicast = i.has(ptx::Mod::MulticastCluster);
  plan->byteMask = i.has(ptx::Mod::CpMask);
  if (i.opcode == ptx::Opcode::CpReduceAsyncBulk) {
    plan->reduction = reductionOf(i);
    if (!plan->reduction)
      return decoder.error("a reduction of a type that PTX does not have");
  }
  uint32_t bytes = decoder.read(i.operands[2], 4), mask = 0;
  size_t next = 3;
  if (plan->signals)
    // The mbarrier is in the destination's shared memory.
    plan->barrier =
        laneAddress(decoder, i.operands[next++], ptx::StateSpace::SharedCluster);
  if (plan->multicast)
    mask = decoder.read(i.operands[next++], 2);
  if (plan->byteMask)
    mask = decoder.read(i.operands.back(), 2);
  decoder.info().payload = plan;
  decoder.emit(plan->signals ? runLoad : runStore, 0, 0, bytes, mask);
  return true;
}

bool decodeBulkPrefetch(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<BulkPlan>();
  plan->from = laneAddress(decoder, i.operands[0], ptx::StateSpace::Global);
  uint32_t bytes = decoder.read(i.operands[1], 4);
  decoder.info().payload = plan;
  decoder.emit(runPrefetch, 0, 0, bytes);
  return true;
}

bool decodeBulkCommit(Decoder &decoder, const ptx::Instruction &) {
  decoder.emit(runBulkCommit);
  return true;
}

bool decodeBulkWait(Decoder &decoder, const ptx::Instruction &i) {
  MicroOp &op = decoder.emit(runBulkWait);
  op.imm = i.operands[0].bits;
  op.flags = i.has(ptx::Mod::Read);
  return true;
}

} // namespace

std::optional<ReduceStep> async::reductionOf(const ptx::Instruction &i) {
  ReduceStep step;
  switch (i.operation) {
  case ptx::Mod::Add:
    step.op = Reduction::Add;
    break;
  case ptx::Mod::Min:
    step.op = Reduction::Min;
    break;
  case ptx::Mod::Max:
    step.op = Reduction::Max;
    break;
  case ptx::Mod::Inc:
    step.op = Reduction::Inc;
    break;
  case ptx::Mod::Dec:
    step.op = Reduction::Dec;
    break;
  case ptx::Mod::And:
    step.op = Reduction::And;
    break;
  case ptx::Mod::Or:
    step.op = Reduction::Or;
    break;
  default:
    step.op = Reduction::Xor;
    break;
  }
  if (i.typeCount == 0)
    return step; // for tensor copies the tensor map has the type
  switch (i.type()) {
  case ptx::Type::B32:
    step.type = ReduceType::B32;
    break;
  case ptx::Type::U32:
    step.type = ReduceType::U32;
    break;
  case ptx::Type::S32:
    step.type = ReduceType::S32;
    break;
  case ptx::Type::B64:
    step.type = ReduceType::B64;
    break;
  case ptx::Type::U64:
    step.type = ReduceType::U64;
    break;
  case ptx::Type::S64:
    step.type = ReduceType::S64;
    break;
  case ptx::Type::F16:
    step.type = ReduceType::F16;
    break;
  case ptx::Type::BF16:
    step.type = ReduceType::BF16;
    break;
  case ptx::Type::F32:
    step.type = ReduceType::F32;
    break;
  case ptx::Type::F64:
    step.type = ReduceType::F64;
    break;
  default:
    return std::nullopt;
  }
  return legal(step) ? std::optional(step) : std::nullopt;
}

void async::addBulkCopy(DecoderTable &table) {
  using ptx::Opcode;
  table[size_t(Opcode::CpAsyncBulk)] = decodeBulk;
  table[size_t(Opcode::CpReduceAsyncBulk)] = decodeBulk;
  table[size_t(Opcode::CpAsyncBulkPrefetch)] = decodeBulkPrefetch;
  table[size_t(Opcode::CpAsyncBulkCommit)] = decodeBulkCommit;
  table[size_t(Opcode::CpAsyncBulkWait)] = decodeBulkWait;
}

} // namespace kiln::sim::exec

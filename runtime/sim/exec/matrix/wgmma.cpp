//===- wgmma.cpp - wgmma --------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Each warp of the warpgroup computes its 16 rows of each m64 by itself, when its own
// operations are performed. A check makes sure that the four warps issue the same
// instructions.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/matrix/fragment.h"
#include "runtime/sim/exec/matrix/matrix.h"
#include "runtime/sim/exec/matrix/operands.h"
#include "runtime/sim/exec/matrix/wgmma_check.h"
#include "runtime/sim/exec/matrix/wgmma_descriptor.h"
#include "runtime/sim/exec/report.h"

#include "runtime/sim/profile/profile.h"

#include <algorithm>
#include <cstring>

namespace kiln::sim::exec {
using namespace matrix;
using async::Flight;
using async::stateOf;
using async::WgmmaPlan;
using async::WgmmaState;

namespace {

constexpr unsigned WarpRows = 16, MaxN = 256, MaxK = 32, UnitBytes = 16;
constexpr unsigned GroupWarps = 4;

class WgmmaOp final : public AsyncOp {
public:
  Origin origin;
  uint8_t *regs = nullptr;
  uint64_t descriptorA = 0, descriptorB = 0, agent = 0;
  bool accumulates = false;
  std::shared_ptr<AsyncOp> before; ///< the previous wgmma of the same warp
  WgmmaState *state = nullptr;     ///< of the warp

  bool perform() override {
    AsyncQueue &queue = origin.block->cluster->async;
    if (before && !before->done() && !queue.perform(before))
      return false;
    before.reset();
    const OpInfo &info = *origin.op->info;
    const auto &plan = info.as<WgmmaPlan>();
    a.resize(WarpRows * MaxK);
    b.resize(MaxK * MaxN);
    sums.assign(WarpRows * MaxN, 0);
    if (!(plan.countA ? readRegisters(plan, info) : readA(plan)) || !readB(plan) ||
        !tellReads())
      return false;
    if (accumulates)
      loadSums(plan, info);
    multiply(plan);
    storeSums(plan, info);
    std::vector<uint32_t>().swap(b);
    ++state->performed;
    return true;
  }

private:
  /// Returns the 16 bytes at an offset of the block's shared memory; null after a fault.
  /// tellReads passes all of them to the observer at once.
  const uint8_t *unit(uint32_t offset) {
    Block &block = *origin.block;
    bool plain = offset + UnitBytes <= block.sharedBytes;
    if (plain && block.sharedWritten)
      plain = (block.sharedWritten[offset / 64] >> offset % 64 & 0xffff) == 0xffff;
    if (!plain)
      return access(origin, Space::Shared, sharedAddress(block, offset), UnitBytes,
                    UnitBytes, {.kind = AccessKind::Read, .proxy = Proxy::Async}, agent)
          .bytes;
    units.push_back(offset);
    return block.shared + offset;
  }
  bool tellReads() {
    Observer *observer = origin.grid().observer;
    Place shared;
    shared.space = Space::Shared;
    shared.block = origin.block;
    shared.bytes = origin.block->shared;
    RangeAccess reads{origin,
                      {.kind = AccessKind::Read, .proxy = Proxy::Async},
                      shared,
                      UnitBytes,
                      agent};
    bool fine = !observer || observer->accessEach(reads, units.data(), units.size());
    units.clear();
    return fine;
  }

  static uint32_t element(const uint8_t *from, unsigned bytes) {
    uint32_t value = 0;
    memcpy(&value, from, bytes);
    return value;
  }

  /// Reads `count` rows (along m or n) of k elements each; to(mn, k) returns an element's
  /// destination.
  template <class To>
  bool readMatrix(const WgmmaPlan &plan, uint64_t bits, bool mnMajor, unsigned first,
                  unsigned count, To to) {
    WgmmaDescriptor descriptor(bits);
    unsigned size = plan.elementBytes, perUnit = UnitBytes / size;
    unsigned along = mnMajor ? count : plan.k, across = mnMajor ? plan.k : count;
    for (unsigned line = 0; line < across; ++line)
      for (unsigned at = 0; at < along; at += perUnit) {
        unsigned mn = mnMajor ? at : line, k = mnMajor ? line : at;
        const uint8_t *from = unit(descriptor.unitOf(mnMajor, size, first + mn, k));
        if (!from)
          return false;
        for (unsigned e = 0; e < perUnit; ++e)
          to(mnMajor ? mn + e : mn, mnMajor ? k : k + e) = element(from + e * size, size);
      }
    return true;
  }

  bool readA(const WgmmaPlan &plan) {
    unsigned firstRow = origin.warp % GroupWarps * WarpRows;
    return readMatrix(
        plan, descriptorA, plan.mnMajorA, firstRow, WarpRows,
        [&](unsigned m, unsigned k) -> uint32_t & { return a[m * plan.k + k]; });
  }
  bool readB(const WgmmaPlan &plan) {
    return readMatrix(
        plan, descriptorB, plan.mnMajorB, 0, plan.n,
        [&](unsigned n, unsigned k) -> uint32_t & { return b[k * plan.n + n]; });
  }
  bool readRegisters(const WgmmaPlan &plan, const OpInfo &info) {
    unsigned per = 4 / plan.elementBytes, bits = plan.elementBytes * 8;
    uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
    for (unsigned reg = 0; reg < plan.countA; ++reg)
      for (unsigned lane = 0; lane < WarpSize; ++lane)
        for (unsigned e = 0; e < per; ++e) {
          Cell cell = placeOfA(WarpRows, per, lane, reg, e);
          a[cell.row * plan.k + cell.column] =
              lanes<uint32_t>(regs, plan.a(info)[reg])[lane] >> e * bits & mask;
        }
    return true;
  }

  void loadSums(const WgmmaPlan &plan, const OpInfo &info) {
    unsigned per = plan.f16D ? 2 : 1;
    for (unsigned reg = 0; reg < plan.countD; ++reg)
      for (unsigned lane = 0; lane < WarpSize; ++lane)
        for (unsigned e = 0; e < per; ++e) {
          Cell cell = placeOfC(WarpRows, lane, reg * per + e);
          uint32_t value = lanes<uint32_t>(regs, plan.d(info)[reg])[lane];
          sums[cell.row * plan.n + cell.column] =
              plan.f16D ? value >> e * 16 & 0xffff : value;
        }
  }
  void storeSums(const WgmmaPlan &plan, const OpInfo &info) {
    unsigned per = plan.f16D ? 2 : 1;
    for (unsigned reg = 0; reg < plan.countD; ++reg)
      for (unsigned lane = 0; lane < WarpSize; ++lane) {
        uint32_t value = 0;
        for (unsigned e = 0; e < per; ++e) {
          Cell cell = placeOfC(WarpRows, lane, reg * per + e);
          value |= sums[cell.row * plan.n + cell.column] << e * 16;
        }
        lanes<uint32_t>(regs, plan.d(info)[reg])[lane] = value;
      }
  }

  void multiply(const WgmmaPlan &plan) {
    int n = int(plan.n), k = int(plan.k);
    unsigned count = WarpRows * plan.k, countB = plan.k * plan.n;
    if (plan.formatA) {
      if (plan.negate)
        for (unsigned i = 0; i < count; ++i)
          a[i] ^= uint32_t(plan.formatA->sign());
      arith::multiply(plan.rule, {plan.formatA, plan.formatB, int(WarpRows), n, k,
                                  a.data(), b.data(), sums.data(), sums.data()});
      return;
    }
    for (unsigned i = 0; i < count; ++i)
      a[i] = uint32_t(integerElement(a[i], 8, plan.signedA));
    for (unsigned i = 0; i < countB; ++i)
      b[i] = uint32_t(integerElement(b[i], 8, plan.signedB));
    auto *exact = reinterpret_cast<int32_t *>(sums.data());
    arith::multiplyInt({int(WarpRows), n, k, reinterpret_cast<int32_t *>(a.data()),
                        reinterpret_cast<int32_t *>(b.data()), exact, exact,
                        plan.satfinite});
  }

  std::vector<uint32_t> a, b, sums;
  std::vector<uint32_t> units; ///< offsets of the 16-byte units that were read
};

WgmmaState &wgmmaOf(Warp &warp, const uint8_t *regs) {
  std::shared_ptr<WgmmaState> &state = stateOf(warp).wgmma;
  if (!state)
    state = std::make_shared<WgmmaState>();
  if (state->registers != regs) {
    state->registers = regs;
    state->written.clear();
  }
  return *state;
}

bool uniform(const uint64_t *values) {
  for (unsigned lane = 1; lane < WarpSize; ++lane)
    if (values[lane] != values[0])
      return false;
  return true;
}

/// Reports a warp that issues another wgmma than its warpgroup's other warps at this
/// position.
bool sameInGroup(const Warp &warp, const WgmmaOp &op, WgmmaState &state) {
  unsigned first = warp.index / GroupWarps * GroupWarps;
  const std::vector<Warp *> &warps = warp.block->warps;
  if (first + GroupWarps > warps.size()) {
    fault(op.origin, LaunchFailed,
          "wgmma in a warpgroup of " + std::to_string(warps.size() - first) + " warps",
          "make the block's size a multiple of 128");
    return false;
  }
  async::WgmmaLog &log = stateOf(*warp.block).wgmmaLogs[first];
  async::WgmmaIssue issue = {op.origin.op, op.descriptorA, op.descriptorB,
                             op.accumulates};
  uint64_t index = state.issued++ - log.dropped;
  if (index < log.issues.size()) {
    if (!(log.issues[index].issue == issue)) {
      fault(op.origin, LaunchFailed,
            "the warps of a warpgroup issue different wgmma: another warp ran " +
                describeOp(log.issues[index].issue.op) +
                (log.issues[index].issue.op == issue.op ? " with other descriptors" : ""),
            "let the four warps run the same instruction with the same operands");
      return false;
    }
    if (++log.issues[index].warps == GroupWarps && index == 0) {
      log.issues.pop_front();
      ++log.dropped;
    }
  } else {
    log.issues.push_back({issue, 1});
  }
  return true;
}

/// Returns an agent for the operation: mostly all of one commit group share one.
uint64_t agentFor(Observer &observer, const WgmmaOp &product, const WgmmaState &state) {
  if (!state.open.empty()) {
    uint64_t last = static_cast<const WgmmaOp &>(*state.open.back().op).agent;
    if (observer.continueAgent(product.origin, last))
      return last;
  }
  return observer.startAgent(product.origin, Proxy::Async);
}

bool startWgmma(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<WgmmaPlan>();
  auto product = std::make_shared<WgmmaOp>();
  product->origin = originOf(warp, op, mask);
  product->regs = regs;
  const uint64_t *a = plan.countA ? nullptr : lanes<uint64_t>(regs, op->a);
  const uint64_t *b = lanes<uint64_t>(regs, op->b);
  Mask scale = predicate(regs, op->c);
  if ((a && !uniform(a)) || !uniform(b) || (scale != 0 && scale != AllLanes)) {
    fault(product->origin, LaunchFailed,
          "the lanes give wgmma different descriptors or scale-d",
          "make them the same in all lanes of the warpgroup");
    return false;
  }
  product->descriptorA = a ? a[0] : 0;
  product->descriptorB = b[0];
  product->accumulates = scale != 0;
  WgmmaState &state = wgmmaOf(warp, regs);
  product->state = &state;
  if (!sameInGroup(warp, *product, state) ||
      (warp.block->grid->checks.wgmma && !checkIssue(warp, op, state)))
    return false;
  if (Observer *observer = warp.block->grid->observer)
    product->agent = agentFor(*observer, *product, state);
  product->before = state.last;
  state.last = product;
  state.takeOff({product, op, state.issued - 1});
  warp.changed = true;
  return warp.block->cluster->async.push(product);
}

Stop runWgmma(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp) || !startWgmma(op, regs, mask, warp))
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

Stop runWgmmaFence(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  WgmmaState &state = wgmmaOf(warp, regs);
  state.fenced = true;
  state.written.clear();
  KILN_NEXT(op, regs, mask, warp);
}

Stop runWgmmaCommit(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  WgmmaState &state = wgmmaOf(warp, regs);
  state.groups.push_back(std::move(state.open));
  state.open.clear();
  KILN_NEXT(op, regs, mask, warp);
}

/// Returns the minimum of a counter over the warps of the warpgroup.
uint64_t minOf(const Warp &warp, uint64_t WgmmaState::*count) {
  unsigned first = warp.index / GroupWarps * GroupWarps;
  const std::vector<Warp *> &warps = warp.block->warps;
  uint64_t minimum = ~uint64_t(0);
  for (unsigned i = first; i < first + GroupWarps && i < warps.size(); ++i) {
    const WgmmaState *state =
        warps[i]->asyncState ? stateOf(*warps[i]).wgmma.get() : nullptr;
    minimum = std::min(minimum, state ? state->*count : 0);
  }
  return minimum;
}

/// Number of operations that all four warps have performed: a wgmma is one operation of
/// the entire warpgroup, so a wait completes only when all warps have performed their
/// parts.
uint64_t performedByAll(const Warp &warp) { return minOf(warp, &WgmmaState::performed); }

bool wgmmaWaitIsOver(const Wait &wait, const Warp &warp, const Split &) {
  return stateOf(const_cast<Warp &>(warp)).wgmma->finished(wait.a, performedByAll(warp));
}
std::string describeWgmmaWait(const Wait &wait, const Warp &warp, const Split &) {
  return "all but the newest " + std::to_string(wait.a) +
         " groups of wgmma; all warps of the warpgroup have issued " +
         std::to_string(minOf(warp, &WgmmaState::issued)) + " products";
}

void learnProducts(Observer &observer, const Origin &origin, const WgmmaState &state,
                   size_t newest) {
  uint64_t last = 0;
  for (size_t group = 0; group + newest < state.groups.size(); ++group)
    for (const Flight &flight : state.groups[group]) {
      uint64_t agent = static_cast<const WgmmaOp &>(*flight.op).agent;
      if (agent != last)
        observer.acquireAgent(origin, agent);
      last = agent;
    }
}

Stop runWgmmaWait(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  WgmmaState &state = wgmmaOf(warp, regs);
  if (!state.finished(op->imm, performedByAll(warp)))
    return block(warp, op,
                 {.ready = wgmmaWaitIsOver, .describe = describeWgmmaWait, .a = op->imm});
  if (Observer *observer = warp.block->grid->observer)
    learnProducts(*observer, originOf(warp, op, mask), state, op->imm);
  state.land(op->imm);
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeWgmma(Decoder &decoder, const ptx::Instruction &i) {
  ptx::Type typeD = i.types[0], typeA = i.types[1], typeB = i.types[2];
  bool registersA = i.operands[1].kind == ptx::Operand::Kind::Vector;
  bool integer = typeD == ptx::Type::S32;
  auto flag = [&](size_t index) {
    return index < i.operands.size() && i.operands[index].bits;
  };
  auto minus = [&](size_t index) {
    return index < i.operands.size() && int64_t(i.operands[index].bits) == -1;
  };
  auto plan = std::make_shared<WgmmaPlan>(
      WgmmaPlan{.n = i.shape.n,
                .k = i.shape.k,
                .elementBytes = ptx::bytes(typeA),
                .countD = unsigned(elementsOf(i.operands[0]).size()),
                .countA = registersA ? unsigned(elementsOf(i.operands[1]).size()) : 0,
                .formatA = formatOf(typeA),
                .formatB = formatOf(typeB),
                .f16D = typeD == ptx::Type::F16,
                .satfinite = i.has(ptx::Mod::Satfinite),
                .signedA = ptx::isSigned(typeA),
                .signedB = ptx::isSigned(typeB),
                // The scales are followed by trans-a (not with A in registers), then
                // trans-b.
                .mnMajorA = !registersA && !integer && flag(6),
                .mnMajorB = !integer && flag(registersA ? 6 : 7),
                .negate = !integer && minus(4) != minus(5),
                .rule = {}});
  const DeviceProfile &profile = *decoder.code.profile;
  if (!integer)
    plan->rule = arith::dotRule(
        arith::tensorArch(profile.computeMajor * 10 + profile.computeMinor),
        arith::TensorUnit::Wgmma, *plan->formatA, int(plan->k), plan->f16D);
  appendResults(decoder, i.operands[0], 4);
  uint32_t descriptorA = 0;
  if (registersA)
    appendSources(decoder, i.operands[1], 4);
  else
    descriptorA = decoder.read(i.operands[1], 8);
  uint32_t descriptorB = decoder.read(i.operands[2], 8);
  uint32_t scale = decoder.readPredicate(i.operands[3]);
  decoder.info().payload = plan;
  decoder.emit(runWgmma, 0, descriptorA, descriptorB, scale);
  return true;
}

template <Handler Run> bool decodeImmediate(Decoder &decoder, const ptx::Instruction &i) {
  MicroOp &op = decoder.emit(Run);
  if (!i.operands.empty())
    op.imm = i.operands[0].bits;
  return true;
}

} // namespace

void matrix::addWgmma(DecoderTable &table) {
  using ptx::Opcode;
  table[size_t(Opcode::WgmmaMma)] = decodeWgmma;
  table[size_t(Opcode::WgmmaFence)] = decodeImmediate<runWgmmaFence>;
  table[size_t(Opcode::WgmmaCommit)] = decodeImmediate<runWgmmaCommit>;
  table[size_t(Opcode::WgmmaWait)] = decodeImmediate<runWgmmaWait>;
}

} // namespace kiln::sim::exec

//===- wgmma_check.cpp - Register hazards of wgmma ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/matrix/wgmma_check.h"

#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/matrix/operands.h"
#include "runtime/sim/exec/report.h"

namespace kiln::sim::exec::matrix {

namespace {

using async::Flight;
using async::WgmmaPlan;
using ptx::Operand;

/// Calls visit(register operand) for each register in the operand.
template <class Visit> void forRegisters(const Operand &operand, Visit visit) {
  if (operand.kind == Operand::Kind::Register ||
      (operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Register))
    visit(operand);
  for (const Operand &element : operand.elements)
    forRegisters(element, visit);
}

/// Whether the instruction table says that the first operand is a result.
bool writesFirst(const ptx::Instruction &i) {
  return i.row && !i.row->operands.empty() && i.row->operands.front() == '=';
}

/// Registers that an instruction accesses; it writes the first `written` ones.
struct TouchPlan {
  std::vector<uint32_t> lines;
  size_t written = 0;
};

const MicroOp *flightOf(const async::WgmmaState &state, uint32_t line) {
  auto uses = [line](const Flight &flight) {
    const OpInfo &info = *flight.mma->info;
    for (uint32_t own : info.operands)
      if (own == line)
        return true;
    return false;
  };
  for (const auto &group : state.groups)
    for (const Flight &flight : group)
      if (uses(flight))
        return flight.mma;
  for (const Flight &flight : state.open)
    if (uses(flight))
      return flight.mma;
  return nullptr;
}

Stop runTouch(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  async::WarpState &warpState = async::stateOf(warp);
  async::WgmmaState *state = warpState.wgmma.get();
  if (!state || state->registers != regs)
    KILN_NEXT(op, regs, mask, warp);
  const auto &plan = op->info->as<TouchPlan>();
  for (size_t i = 0; i < plan.lines.size(); ++i) {
    uint32_t line = plan.lines[i];
    bool writes = i < plan.written;
    bool accumulator = state->accumulators.contains(line);
    if (accumulator || (writes && state->inputs.contains(line))) {
      fault(originOf(warp, op, mask), LaunchFailed,
            std::string(writes ? "writes" : "reads") +
                (accumulator ? " an accumulator" : " an input register") + " of " +
                describeOp(flightOf(*state, line)) + ", which is still in flight",
            "commit the group and run wgmma.wait_group before");
      return Stop::Fault;
    }
    if (writes)
      state->written.insert(line);
  }
  KILN_NEXT(op, regs, mask, warp);
}

/// Registers of the function that some wgmma uses as accumulator or as A; empty if
/// there is none.
std::vector<bool> registersOfWgmma(const ptx::Function &function) {
  std::vector<bool> result;
  for (const ptx::Instruction &i : function.code)
    if (i.opcode == ptx::Opcode::WgmmaMma) {
      result.resize(function.registers.size());
      auto add = [&](const Operand &r) { result[r.index] = true; };
      forRegisters(i.operands[0], add);
      if (i.operands[1].kind == Operand::Kind::Vector)
        forRegisters(i.operands[1], add);
    }
  return result;
}

class WgmmaChecks final : public Instrumentation {
public:
  explicit WgmmaChecks(Decoder &decoder)
      : decoder(decoder), registers(registersOfWgmma(decoder.source)) {}
  void before(const ptx::Instruction &instruction) override;

private:
  Decoder &decoder;
  std::vector<bool> registers;
};

void WgmmaChecks::before(const ptx::Instruction &instruction) {
  if (registers.empty() || instruction.opcode == ptx::Opcode::WgmmaMma)
    return;
  auto plan = std::make_shared<TouchPlan>();
  auto add = [&](const Operand &r) {
    if (registers[r.index])
      plan->lines.push_back(decoder.registerLine(r.index));
  };
  size_t first = 0;
  if (writesFirst(instruction)) {
    forRegisters(instruction.operands[0], add);
    plan->written = plan->lines.size();
    first = 1;
  }
  for (size_t i = first; i < instruction.operands.size(); ++i)
    forRegisters(instruction.operands[i], add);
  if (plan->lines.empty())
    return;
  MicroOp &op = decoder.emit(runTouch);
  // The instruction may use its OpInfo's payload itself: copy the OpInfo.
  OpInfo &own = decoder.function.infos.emplace_back(decoder.info());
  own.operands.clear();
  own.payload = plan;
  op.info = &own;
}

} // namespace

std::unique_ptr<Instrumentation> makeWgmmaChecks(Decoder &decoder) {
  return std::make_unique<WgmmaChecks>(decoder);
}

bool checkIssue(const Warp &warp, const MicroOp *op, const async::WgmmaState &state) {
  const OpInfo &info = *op->info;
  const auto &plan = info.as<WgmmaPlan>();
  Origin origin = originOf(warp, op, AllLanes);
  if (!state.fenced) {
    fault(origin, LaunchFailed, "wgmma without any wgmma.fence before it",
          "run wgmma.fence.sync.aligned before the first wgmma.mma_async");
    return false;
  }
  for (uint32_t line : info.operands)
    if (state.written.contains(line)) {
      fault(origin, LaunchFailed,
            "wgmma uses a register that was written since the last wgmma.fence",
            "run wgmma.fence.sync.aligned between the write and the wgmma");
      return false;
    }
  for (uint32_t line : plan.d(info)) {
    const MicroOp *other =
        state.accumulators.contains(line) || state.inputs.contains(line)
            ? flightOf(state, line)
            : nullptr;
    if (!other)
      continue;
    const auto &before = other->info->as<WgmmaPlan>();
    bool same = before.n == plan.n && before.k == plan.k && before.f16D == plan.f16D &&
                !state.inputs.contains(line);
    if (!same) {
      fault(origin, LaunchFailed,
            "wgmma accumulates in a register that " + describeOp(other) +
                " uses in another way and that is still in flight",
            "wait for it with wgmma.wait_group, then run wgmma.fence");
      return false;
    }
  }
  for (uint32_t line : plan.a(info))
    if (state.accumulators.contains(line)) {
      fault(origin, LaunchFailed,
            "wgmma reads A from a register that is an accumulator of " +
                describeOp(flightOf(state, line)) + ", still in flight",
            "wait for it with wgmma.wait_group, then run wgmma.fence");
      return false;
    }
  return true;
}

} // namespace kiln::sim::exec::matrix

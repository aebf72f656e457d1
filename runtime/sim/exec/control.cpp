//===- control.cpp - Branches, calls, returns, exits -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/state.h"
#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/exec/syscalls.h"
#include "runtime/sim/exec/worker.h"

#include <chrono>
#include <cstring>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Operand;

/// Max call depth: any thread's stack would have overflowed before.
constexpr uint32_t MaxDepth = 4096;

/// Continues at `target`, or returns to the scheduler there.
#define KILN_JUMP(target, regs, mask, warp)                                              \
  do {                                                                                   \
    if (--(warp).budget < 0 || (target) >= (warp).limit) {                               \
      (warp).current->pc = (target);                                                     \
      return Stop::Budget;                                                               \
    }                                                                                    \
    [[clang::musttail]] return (target)->run(target, regs, mask, warp);                  \
  } while (false)

Stop runBranch(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  auto *target = reinterpret_cast<const MicroOp *>(op->imm);
  KILN_JUMP(target, regs, mask, warp);
}

template <bool Negated>
Stop runBranchIf(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Mask p = predicate(regs, op->a);
  Mask taken = mask & (Negated ? ~p : p);
  auto *target = reinterpret_cast<const MicroOp *>(op->imm);
  if (taken == mask)
    KILN_JUMP(target, regs, mask, warp);
  if (taken == 0)
    KILN_JUMP(op + 1, regs, mask, warp);
  Split &split = *warp.current;
  split.mask = mask & ~taken;
  split.pc = op + 1;
  warp.addSplit(target, split.frame, taken);
  --warp.budget;
  return Stop::Diverged;
}

Stop runBranchTable(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const uint32_t *index = lanes<uint32_t>(regs, op->a);
  const std::vector<uint32_t> &table = op->info->operands;
  uint32_t first = index[__builtin_ctz(mask)];
  Mask same = 0, wrong = 0;
  forLanes(mask, [&](unsigned lane) {
    wrong |= Mask(index[lane] >= table.size()) << lane;
    same |= Mask(index[lane] == first) << lane;
  });
  if (wrong)
    return fault(originOf(warp, op, wrong), 715,
                 "branch: the index is behind the " + std::to_string(table.size()) +
                     " labels of .branchtargets");
  const MicroOp *target = op->info->function->ops.data() + table[first];
  if (same == mask)
    KILN_JUMP(target, regs, mask, warp);
  Split &split = *warp.current;
  split.mask = same;
  split.pc = target;
  warp.addSplit(op, split.frame, mask & ~same);
  --warp.budget;
  return Stop::Diverged;
}

void copySlot(Frame &to, const ParameterSlot &toSlot, const Frame &from,
              const ParameterSlot &fromSlot, Mask mask) {
  if (toSlot.inRegister && toSlot.bytes == 0) {
    Mask &d = predicate(to.registers, toSlot.offset);
    d = (d & ~mask) | (predicate(from.registers, fromSlot.offset) & mask);
    return;
  }
  auto at = [](const Frame &frame, const ParameterSlot &slot, unsigned lane) {
    return slot.inRegister
               ? frame.registers + slot.offset + lane * slot.bytes
               : frame.parameters + size_t(lane) * frame.function->parameterBytes +
                     slot.offset;
  };
  uint32_t bytes = std::min(toSlot.bytes, fromSlot.bytes);
  forLanes(mask, [&](unsigned lane) {
    memcpy(at(to, toSlot, lane), at(from, fromSlot, lane), bytes);
  });
}

Stop enter(const MicroOp *op, const CallSite &site, const FunctionCode &callee, Mask mask,
           Warp &warp) {
  Frame *caller = warp.current->frame;
  if (site.arguments.size() != callee.parameters.size() ||
      site.results.size() > callee.returns.size())
    return fault(originOf(warp, op, mask), LaunchFailed,
                 "call: it passes " + std::to_string(site.arguments.size()) +
                     " arguments, but " + callee.name + " takes " +
                     std::to_string(callee.parameters.size()));
  if (caller->depth >= MaxDepth)
    return fault(originOf(warp, op, mask), LaunchFailed,
                 "call: nested " + std::to_string(MaxDepth) + " deep: stack overflow");
  uint32_t localTop = caller->localTop();
  Frame *frame = warp.worker->frames.make(callee, warp, caller, mask);
  if (!frame || !growLocal(warp, localTop + callee.localBytes))
    return fault(originOf(warp, op, mask), 2, "host memory ran out for a call");
  frame->returnTo = op + 1;
  frame->site = &site;
  for (size_t i = 0; i < site.arguments.size(); ++i)
    copySlot(*frame, callee.parameters[i], *caller, site.arguments[i], mask);
  warp.current->frame = frame;
  warp.current->pc = callee.ops.data();
  --warp.budget;
  return Stop::Diverged;
}

Stop runCall(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const CallSite &site = op->info->as<CallSite>();
  return enter(op, site, *site.callee, mask, warp);
}

Stop runSystemCall(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const CallSite &site = op->info->as<CallSite>();
  if (!systemCall(op, site, mask, warp))
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

Stop runIndirectCall(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const uint64_t *target = lanes<uint64_t>(regs, op->a);
  uint64_t first = target[__builtin_ctz(mask)];
  Mask same = 0;
  forLanes(mask, [&](unsigned lane) { same |= Mask(target[lane] == first) << lane; });
  auto &code = *static_cast<const ModuleCode *>(warp.block->grid->launch->code);
  const FunctionCode *callee = code.functionAt(first);
  if (!callee)
    return fault(originOf(warp, op, same), 715,
                 "call: " + hex(first) + " is the address of no function");
  if (same != mask) {
    Split &split = *warp.current;
    split.mask = same;
    warp.addSplit(op, split.frame, mask & ~same);
  }
  return enter(op, op->info->as<CallSite>(), *callee, same, warp);
}

Stop runExit(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
#ifdef KILN_SIM_HAS_ASYNC
  if (!async::checkExit(warp, op, mask))
    return Stop::Fault;
#endif
  exitLanes(warp, mask);
  return Stop::Exited;
}

Stop runTrap(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  return fault(originOf(warp, op, mask), LaunchFailed, "trap: the kernel stopped itself");
}

Stop runNothing(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  KILN_NEXT(op, regs, mask, warp);
}

/// Yields to other warps: nanosleep is used in loops that wait.
Stop runNanosleep(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  warp.current->pc = op + 1;
  warp.worker->clock += 100;
  warp.budget = -1;
  return Stop::Budget;
}

bool decodeBra(Decoder &decoder, const Instruction &i) {
  Handler run = runBranch;
  uint32_t guard = 0;
  if (i.guard >= 0) {
    run = i.guardNegated ? runBranchIf<true> : runBranchIf<false>;
    guard = decoder.registerLine(uint32_t(i.guard));
  }
  decoder.emit(run, 0, guard);
  decoder.branchTo(i.operands[0].index);
  return true;
}

bool decodeBrxIdx(Decoder &decoder, const Instruction &i) {
  uint32_t index = decoder.read(i.operands[0], 4);
  decoder.info().operands = decoder.source.branchTables[i.operands[1].index].targets;
  decoder.tableOfTargets();
  decoder.emit(runBranchTable, 0, index);
  return true;
}

/// Returns the location of a caller's argument or result: a .param variable, a register,
/// or a constant.
ParameterSlot callSlot(Decoder &decoder, const Operand &operand, unsigned bytes) {
  if (operand.kind == Operand::Kind::Symbol)
    return decoder.parameterSlot(operand);
  ParameterSlot slot;
  slot.inRegister = true;
  bool predicate = operand.kind == Operand::Kind::Register
                       ? decoder.registerBytes(operand) == 0
                       : operand.type == ptx::Type::Pred;
  slot.bytes = predicate ? 0 : bytes;
  slot.offset = predicate ? decoder.readPredicate(operand) : decoder.read(operand, bytes);
  return slot;
}

unsigned slotBytes(const ptx::Variable &v) {
  return v.type == ptx::Type::Pred ? 0 : uint32_t(v.size ? v.size : ptx::bytes(v.type));
}

std::vector<ParameterSlot> callSlots(Decoder &decoder, const Operand *list,
                                     const std::vector<ptx::Variable> &formals) {
  std::vector<ParameterSlot> slots;
  if (!list)
    return slots;
  for (size_t n = 0; n < list->elements.size(); ++n) {
    const Operand &element = list->elements[n];
    unsigned bytes = n < formals.size() ? slotBytes(formals[n]) : 0;
    slots.push_back(callSlot(decoder, element, bytes));
  }
  return slots;
}

/// Finds the signature of an indirect call.
bool prototypeOf(Decoder &decoder, const Operand &how,
                 std::vector<ptx::Variable> &returns,
                 std::vector<ptx::Variable> &parameters) {
  if (how.kind == Operand::Kind::Prototype) {
    const ptx::Prototype &p = decoder.source.prototypes[how.index];
    returns = p.returns;
    parameters = p.parameters;
    return true;
  }
  const ptx::TargetTable &table = decoder.source.callTables[how.index];
  if (table.targets.empty())
    return decoder.error("the list of .calltargets is empty");
  for (uint32_t target : table.targets)
    decoder.function.callees.push_back(target);
  const ptx::Function &f = decoder.code.module->functions[table.targets[0]];
  returns = f.returns;
  parameters = f.parameters;
  return true;
}

uint32_t resolveAlias(const ptx::Module &module, uint32_t index) {
  while (module.functions[index].alias >= 0)
    index = uint32_t(module.functions[index].alias);
  return index;
}

bool decodeCall(Decoder &decoder, const Instruction &i) {
  const Operand *callee = nullptr, *results = nullptr, *arguments = nullptr,
                *how = nullptr;
  for (const Operand &operand : i.operands) {
    if (operand.kind == Operand::Kind::List)
      (callee ? arguments : results) = &operand;
    else if (!callee)
      callee = &operand;
    else
      how = &operand;
  }
  auto site = std::make_shared<CallSite>();
  std::vector<ptx::Variable> returns, parameters;
  const ptx::Module &module = *decoder.code.module;
  bool direct = callee->kind == Operand::Kind::Symbol;
  uint32_t index = direct ? resolveAlias(module, callee->index) : 0;
  if (direct) {
    returns = module.functions[index].returns;
    parameters = module.functions[index].parameters;
  } else if (!how) {
    return decoder.error("an indirect call needs a .callprototype or .calltargets");
  } else if (!prototypeOf(decoder, *how, returns, parameters)) {
    return false;
  }
  site->arguments = callSlots(decoder, arguments, parameters);
  site->results = callSlots(decoder, results, returns);
  decoder.info().payload = site;
  if (!direct) {
    decoder.function.callsIndirectly = true;
    decoder.emit(runIndirectCall, 0, decoder.read(*callee, 8));
    return true;
  }
  if (module.functions[index].defined) {
    decoder.function.callees.push_back(index);
    site->callee = decoder.code.functions[index].get();
    decoder.emit(runCall);
    return true;
  }
  int number = findSystemCall(module.functions[index].name);
  if (number < 0)
    return decoder.error("function `" + module.functions[index].name +
                         "` is declared but neither defined nor provided");
  decoder.emit(runSystemCall).extra = uint16_t(number);
  return true;
}

template <Handler Run> bool decodePlain(Decoder &decoder, const Instruction &i) {
  decoder.emit(Run);
  return true;
}

uint64_t nanoseconds() {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count());
}
} // namespace

Stop runGuard(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Mask p = predicate(regs, op->a);
  Mask m = mask & (op->flags ? ~p : p);
  const MicroOp *target = m ? op + 1 : op + 1 + op->extra;
  [[clang::musttail]] return target->run(target, regs, m, warp);
}

Stop runEndGuard(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  KILN_NEXT(op, regs, warp.current->mask, warp);
}

Stop runGuardSplit(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Mask p = predicate(regs, op->a);
  Mask m = mask & (op->flags ? ~p : p);
  if (m == mask)
    KILN_NEXT(op, regs, mask, warp);
  const MicroOp *behind = op + 1 + op->extra;
  if (m == 0) [[clang::musttail]]
    return behind->run(behind, regs, mask, warp);
  Split &split = *warp.current;
  split.mask = m;
  split.pc = op + 1;
  warp.addSplit(behind, split.frame, mask & ~m);
  return Stop::Diverged;
}

Stop runJoin(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (op >= warp.limit) {
    warp.current->pc = op;
    return Stop::Budget;
  }
  KILN_NEXT(op, regs, mask, warp);
}

Stop runReturn(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Split &split = *warp.current;
  Frame *frame = split.frame, *parent = frame->parent;
  if (!parent) {
#ifdef KILN_SIM_HAS_ASYNC
    if (!async::checkExit(warp, op, mask))
      return Stop::Fault;
#endif
    exitLanes(warp, mask);
    return Stop::Exited;
  }
  for (size_t i = 0; i < frame->site->results.size(); ++i)
    copySlot(*parent, frame->site->results[i], *frame, frame->function->returns[i], mask);
  split.frame = parent;
  split.pc = frame->returnTo;
  frame->lanes &= ~mask;
  if (!frame->lanes)
    warp.worker->frames.release(frame);
  return Stop::Diverged;
}

Stop runNotPredicate(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  predicate(regs, op->d) = ~predicate(regs, op->a);
  KILN_NEXT(op, regs, mask, warp);
}

Stop runCount(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Executed &executed = warp.worker->executed[op->imm];
  executed.warps += 1;
  executed.lanes += uint64_t(__builtin_popcount(mask));
  KILN_NEXT(op, regs, mask, warp);
}

Stop runReadClock(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  using ptx::Special;
  auto special = Special(op->extra);
  bool timer = special == Special::Globaltimer || special == Special::GlobaltimerLo ||
               special == Special::GlobaltimerHi;
  uint64_t value = timer ? nanoseconds() : ++warp.worker->clock;
  if (special == Special::ClockHi || special == Special::GlobaltimerHi)
    value >>= 32;
  forLanes(mask, [&](unsigned lane) {
    memcpy(regs + op->d + lane * op->flags, &value, op->flags);
  });
  KILN_NEXT(op, regs, mask, warp);
}

void addControlDecoders(DecoderTable &table) {
  using ptx::Opcode;
  table[size_t(Opcode::Bra)] = decodeBra;
  table[size_t(Opcode::BrxIdx)] = decodeBrxIdx;
  table[size_t(Opcode::Call)] = decodeCall;
  table[size_t(Opcode::Ret)] = decodePlain<runReturn>;
  table[size_t(Opcode::Exit)] = decodePlain<runExit>;
  table[size_t(Opcode::Trap)] = decodePlain<runTrap>;
  table[size_t(Opcode::Brkpt)] = decodePlain<runNothing>;
  table[size_t(Opcode::Nanosleep)] = decodePlain<runNanosleep>;
  table[size_t(Opcode::Pmevent)] = decodePlain<runNothing>;
}

} // namespace kiln::sim::exec

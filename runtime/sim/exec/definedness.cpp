//===- definedness.cpp - Registers that nobody wrote -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/definedness.h"

#include "runtime/sim/exec/registers.h"
#include "runtime/sim/exec/worker.h"

#include <set>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

constexpr int Failed = 719;

/// Results of these do not depend on the values of registers that they read.
bool readsMemory(const Instruction &i) {
  return i.opcode == Opcode::Ld || i.opcode == Opcode::Ldu || i.opcode == Opcode::Atom ||
         i.opcode == Opcode::Call || i.opcode >= Opcode::CpAsync;
}

// a: the mask of defined lanes.
Stop runCheckDefined(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (Mask wrong = mask & ~predicate(regs, op->a)) {
    const std::string &use = op->info->function->uses[op->imm];
    return fault(originOf(warp, op, wrong), Failed,
                 "uninitialised: register " + use +
                     ", but nothing was ever written to it",
                 "write it on every way that leads here");
  }
  KILN_NEXT(op, regs, mask, warp);
}
Stop runSetMask(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  predicate(regs, op->d) = AllLanes;
  KILN_NEXT(op, regs, mask, warp);
}
Stop runAndMask(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  predicate(regs, op->d) &= predicate(regs, op->a);
  KILN_NEXT(op, regs, mask, warp);
}
Stop runStoreMask(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Mask &d = predicate(regs, op->d);
  d = (d & ~mask) | (predicate(regs, op->a) & mask);
  KILN_NEXT(op, regs, mask, warp);
}
} // namespace

Definedness::Definedness(Decoder &decoder, const ptx::Function &function)
    : decoder(decoder), function(function), tracked(maybeUndefined(function)),
      masks(function.registers.size()) {
  for (bool t : tracked)
    any |= t;
  // Values flow on until nothing new is reached.
  for (bool changed = any; changed;) {
    changed = false;
    for (const Instruction &i : function.code) {
      bool taints = false;
      if (!readsMemory(i))
        forReadRegisters(i, [&](uint32_t r) { taints |= tracked[r]; });
      if (taints)
        forWrittenRegisters(i, [&](uint32_t r) {
          changed |= !tracked[r];
          tracked[r] = true;
        });
    }
  }
}

uint32_t Definedness::maskOf(uint32_t index) {
  if (!masks[index]) {
    Constant none;
    none.kind = Constant::Kind::Predicate;
    none.variable = index + 1; // one of its own: it changes
    masks[index] = decoder.constant(none);
    for (uint32_t parameter : function.registerParameters)
      if (parameter == index)
        decoder.function.constants.back().value = 1;
  }
  return masks[index];
}

void Definedness::check(uint32_t index, const char *use) {
  if (!tracked[index])
    return;
  std::vector<std::string> &uses = decoder.function.uses;
  uses.push_back(function.registers[index].name + " " + use);
  decoder.emit(runCheckDefined, 0, maskOf(index), 0, 0, uses.size() - 1);
}

void Definedness::beforeGuard(const Instruction &i) {
  if (any && i.guard >= 0)
    check(uint32_t(i.guard), "decides whether this runs");
}

void Definedness::before(const Instruction &i) {
  if (!any)
    return;
  bool stores = i.opcode == Opcode::St || i.opcode == Opcode::Red;
  for (const Operand &operand : i.operands) {
    if (operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Register)
      check(operand.index, "is an address");
    else if ((stores && i.space() != ptx::StateSpace::Param) ||
             i.opcode == Opcode::BrxIdx)
      forOperandRegisters(operand, [&](uint32_t r) {
        check(r, stores ? "is stored" : "decides where to branch");
      });
  }
}

void Definedness::after(const Instruction &i) {
  if (!any)
    return;
  std::set<uint32_t> sources;
  if (!readsMemory(i))
    forReadRegisters(i, [&](uint32_t r) {
      if (tracked[r] && int32_t(r) != i.guard)
        sources.insert(r);
    });
  uint32_t all = 0;
  forWrittenRegisters(i, [&](uint32_t r) {
    if (!tracked[r])
      return;
    if (!all) {
      all = decoder.scratchPredicate();
      decoder.emit(runSetMask, all);
      for (uint32_t source : sources)
        decoder.emit(runAndMask, all, maskOf(source));
    }
    decoder.emit(runStoreMask, maskOf(r), all);
  });
}

} // namespace kiln::sim::exec

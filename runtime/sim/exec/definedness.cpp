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

/// mov.b64 %d, {%a, %b} and the like, and the other way round.
bool packs(const Instruction &i) {
  return i.opcode == Opcode::MovPack && i.operands[0].isRegister();
}
bool unpacks(const Instruction &i) {
  return i.opcode == Opcode::MovUnpack && i.operands[1].isRegister();
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
      packed(function.registers.size()), masks(2 * function.registers.size()) {
  for (const Instruction &i : function.code)
    if (packs(i))
      packed[i.operands[0].index] = true;
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

uint32_t Definedness::maskOf(uint32_t index, bool high) {
  size_t line = high && packed[index] ? function.registers.size() + index : index;
  if (!masks[line]) {
    Constant none;
    none.kind = Constant::Kind::Predicate;
    none.variable = line + 1; // one of its own: it changes
    masks[line] = decoder.constant(none);
    for (uint32_t parameter : function.registerParameters)
      if (parameter == index)
        decoder.function.constants.back().value = 1;
  }
  return masks[line];
}

void Definedness::setMasks(uint32_t index, uint32_t mask) {
  decoder.emit(runStoreMask, maskOf(index, /*high=*/false), mask);
  if (packed[index])
    decoder.emit(runStoreMask, maskOf(index, /*high=*/true), mask);
}

void Definedness::check(uint32_t index, const char *use) {
  if (!tracked[index])
    return;
  std::vector<std::string> &uses = decoder.function.uses;
  uses.push_back(function.registers[index].name + " " + use);
  for (bool high : {false, true})
    if (!high || packed[index])
      decoder.emit(runCheckDefined, 0, maskOf(index, high), 0, 0, uses.size() - 1);
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

void Definedness::afterPack(const Instruction &i) {
  const std::vector<Operand> &parts = i.operands[1].elements;
  for (bool high : {false, true}) {
    uint32_t all = decoder.scratchPredicate();
    decoder.emit(runSetMask, all);
    for (size_t part = 0; part < parts.size(); ++part)
      if ((part >= parts.size() / 2) == high && parts[part].isRegister() &&
          tracked[parts[part].index])
        for (bool half : {false, true})
          decoder.emit(runAndMask, all, maskOf(parts[part].index, half));
    decoder.emit(runStoreMask, maskOf(i.operands[0].index, high), all);
  }
}

void Definedness::afterUnpack(const Instruction &i) {
  const std::vector<Operand> &parts = i.operands[0].elements;
  for (size_t part = 0; part < parts.size(); ++part)
    if (parts[part].isRegister())
      setMasks(parts[part].index, maskOf(i.operands[1].index, part >= parts.size() / 2));
}

void Definedness::after(const Instruction &i) {
  if (!any)
    return;
  if (packs(i) && tracked[i.operands[0].index])
    return afterPack(i);
  if (unpacks(i) && tracked[i.operands[1].index])
    return afterUnpack(i);
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
        for (bool high : {false, true})
          decoder.emit(runAndMask, all, maskOf(source, high));
    }
    setMasks(r, all);
  });
}

} // namespace kiln::sim::exec

//===- definedness.cpp - Uninitialised registers ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/definedness.h"

#include "runtime/sim/exec/byte_flow.h"
#include "runtime/sim/exec/registers.h"
#include "runtime/sim/exec/worker.h"

#include <algorithm>
#include <set>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

/// Whether the results do not depend on the values of the registers that are read.
bool readsMemory(const Instruction &i) {
  return i.opcode == Opcode::Ld || i.opcode == Opcode::Ldu || i.opcode == Opcode::Atom ||
         i.opcode == Opcode::Call || i.opcode >= Opcode::CpAsync;
}

// a: mask of lanes in which the register is defined.
Stop runCheckDefined(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (Mask wrong = mask & ~predicate(regs, op->a)) {
    const std::string &use = op->info->function->uses[op->imm];
    return fault(originOf(warp, op, wrong), LaunchFailed,
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

Definedness::Definedness(Decoder &decoder)
    : decoder(decoder), function(decoder.source), tracked(maybeUndefined(function)),
      masks(function.registers.size()) {
  for (bool t : tracked)
    any |= t;
  // Propagate along data flow until nothing changes.
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

/// Returns the register that holds the defined mask of one byte.
uint32_t Definedness::maskOf(uint32_t index, unsigned byte) {
  std::vector<uint32_t> &lines = masks[index];
  const unsigned bytes = registerBytes(function, index);
  while (lines.size() < bytes) {
    Constant none;
    none.kind = Constant::Kind::Predicate;
    // A constant of its own, not shared: the mask changes.
    none.variable = 1 + index * MaxRegisterBytes + uint32_t(lines.size());
    lines.push_back(decoder.constant(none));
    for (uint32_t parameter : function.registerParameters)
      if (parameter == index)
        decoder.function.constants.back().value = 1;
  }
  return lines[byte];
}

void Definedness::check(uint32_t index, const char *use, unsigned bytes) {
  if (!tracked[index])
    return;
  std::vector<std::string> &uses = decoder.function.uses;
  uses.push_back(function.registers[index].name + " " + use);
  for (unsigned byte = 0; byte < std::min(bytes, registerBytes(function, index)); ++byte)
    decoder.emit(runCheckDefined, 0, maskOf(index, byte), 0, 0, uses.size() - 1);
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
        // A store that is narrower than the register uses only its low bytes.
        bool value = i.opcode == Opcode::St && &operand == &i.operands[1];
        check(r, stores ? "is stored" : "decides where to branch",
              value ? ptx::bytes(i.type()) : MaxRegisterBytes);
      });
  }
}

/// Emits a scratch mask of the lanes in which all of these bytes are defined.
uint32_t Definedness::allDefined(const std::vector<RegisterByte> &bytes) {
  uint32_t all = decoder.scratchPredicate();
  decoder.emit(runSetMask, all);
  for (const RegisterByte &b : bytes)
    if (tracked[b.index])
      decoder.emit(runAndMask, all, maskOf(b.index, b.byte));
  return all;
}

void Definedness::after(const Instruction &i) {
  if (!any)
    return;
  std::vector<ByteFlow> flows;
  if (readsMemory(i) || !byteFlow(function, i, flows))
    return afterAny(i);
  // Read all masks before writing any: results may also be sources.
  std::vector<std::pair<uint32_t, uint32_t>> stores;
  for (const ByteFlow &flow : flows)
    for (unsigned byte = 0; tracked[flow.index] && byte < flow.bytes.size(); ++byte)
      stores.push_back({maskOf(flow.index, byte), allDefined(flow.bytes[byte])});
  for (auto [to, from] : stores)
    decoder.emit(runStoreMask, to, from);
}

/// Makes each byte of the results depend on everything that is read.
void Definedness::afterAny(const Instruction &i) {
  std::set<uint32_t> sources;
  if (!readsMemory(i))
    forReadRegisters(i, [&](uint32_t r) {
      if (tracked[r] && int32_t(r) != i.guard)
        sources.insert(r);
    });
  std::vector<RegisterByte> bytes;
  for (uint32_t source : sources)
    for (unsigned byte = 0; byte < registerBytes(function, source); ++byte)
      bytes.push_back({source, byte});
  uint32_t all = 0;
  forWrittenRegisters(i, [&](uint32_t r) {
    if (!tracked[r])
      return;
    if (!all)
      all = allDefined(bytes);
    for (unsigned byte = 0; byte < registerBytes(function, r); ++byte)
      decoder.emit(runStoreMask, maskOf(r, byte), all);
  });
}

} // namespace kiln::sim::exec

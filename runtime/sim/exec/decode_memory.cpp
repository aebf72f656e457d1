//===- decode_memory.cpp - Decoding loads and stores -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decode_memory.h"

#include "runtime/sim/exec/handlers.h"

#include <cstring>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Operand;
using ptx::StateSpace;
using ptx::Type;

bool isParam(StateSpace space) {
  return space == StateSpace::Param || space == StateSpace::ParamEntry ||
         space == StateSpace::ParamFunc;
}

/// Decodes ld.param of a kernel: parameters are constants of the frame.
bool loadKernelParameter(Decoder &decoder, const Instruction &i) {
  const Operand &from = i.operands[1];
  unsigned bytes = ptx::bytes(i.type());
  std::vector<const Operand *> to = elementsOf(i.operands[0]);
  int64_t offset = decoder.source.parameters[from.index].offset + from.offset;
  if (offset < 0 || uint64_t(offset) + bytes * to.size() > decoder.source.parameterBytes)
    return decoder.error("behind the end of the kernel's parameters");
  for (size_t n = 0; n < to.size(); ++n) {
    Constant c;
    c.kind = Constant::Kind::Param;
    c.bytes = uint8_t(bytes);
    c.value = uint64_t(offset) + n * bytes;
    uint32_t d = decoder.write(*to[n], bytes, ptx::isSigned(i.type()));
    decoder.emit(handlers().integer(IntOp::Mov, bytes * 8, false), d,
                 decoder.constant(c));
  }
  return true;
}

// Parameter memory of functions. imm: the offset, extra: the bytes.
Stop runLoadParameter(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const Frame &frame = *warp.current->frame;
  const uint8_t *from = frame.parameters + op->imm;
  size_t stride = frame.function->parameterBytes;
  forLanes(mask, [&](unsigned lane) {
    memcpy(regs + op->d + lane * op->extra, from + lane * stride, op->extra);
  });
  KILN_NEXT(op, regs, mask, warp);
}
Stop runStoreParameter(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const Frame &frame = *warp.current->frame;
  uint8_t *to = frame.parameters + op->imm;
  size_t stride = frame.function->parameterBytes;
  forLanes(mask, [&](unsigned lane) {
    memcpy(to + lane * stride, regs + op->a + lane * op->extra, op->extra);
  });
  KILN_NEXT(op, regs, mask, warp);
}

bool accessFunctionParameter(Decoder &decoder, const Instruction &i, const Operand &where,
                             const Operand &what, bool load) {
  if (where.base != Operand::Base::Symbol)
    return decoder.error("a .param address in a register is not modelled in functions");
  ParameterSlot slot = decoder.parameterSlot(where);
  unsigned bytes = ptx::bytes(i.type());
  std::vector<const Operand *> elements = elementsOf(what);
  if (where.offset < 0 || uint64_t(where.offset) + bytes * elements.size() > slot.bytes)
    return decoder.error("behind the end of the .param variable");
  for (size_t n = 0; n < elements.size(); ++n) {
    uint64_t offset = slot.offset + uint64_t(where.offset) + n * bytes;
    uint32_t line = load ? decoder.write(*elements[n], bytes, ptx::isSigned(i.type()))
                         : decoder.read(*elements[n], bytes);
    decoder.emit(load ? runLoadParameter : runStoreParameter, line, line, 0, 0, offset)
        .extra = uint16_t(bytes);
  }
  return true;
}

Strength strengthOf(const Instruction &i) {
  switch (i.semantics) {
  case Mod::Relaxed:
    return Strength::Relaxed;
  case Mod::Acquire:
    return Strength::Acquire;
  case Mod::Release:
    return Strength::Release;
  case Mod::AcqRel:
    return Strength::AcquireRelease;
  case Mod::Volatile:
    return Strength::Volatile;
  default:
    return Strength::Weak;
  }
}

bool decodeLoad(Decoder &decoder, const Instruction &i) {
  const Operand &from = i.operands[1];
  if (isParam(i.space())) {
    bool symbol = from.base == Operand::Base::Symbol;
    if (symbol && from.symbolKind == Operand::SymbolKind::Parameter &&
        decoder.source.entry)
      return loadKernelParameter(decoder, i);
    if (symbol || !decoder.source.entry)
      return accessFunctionParameter(decoder, i, from, i.operands[0], true);
  }
  MemoryOperand at = memoryOperand(decoder, from, i.space());
  std::vector<const Operand *> to = elementsOf(i.operands[0]);
  unsigned bytes = ptx::bytes(i.type());
  bool vector = i.operands[0].kind == Operand::Kind::Vector;
  unsigned width = bytes;
  // All elements of a vector go to registers of one width; sinks (_) fit any.
  for (const Operand *operand : to)
    if (operand->isRegister())
      width = std::max(width, decoder.registerBytes(*operand));
  std::vector<uint32_t> lines;
  for (const Operand *operand : to)
    lines.push_back(decoder.write(*operand, width, ptx::isSigned(i.type())));
  Handler run = handlers().load(bytes, width, ptx::isSigned(i.type()), vector);
  AccessTraits traits =
      traitsOf(i, i.has(Mod::Nc) || i.opcode == Opcode::Ldu ? AccessKind::NonCoherentRead
                                                            : AccessKind::Read);
  if (vector)
    decoder.info().operands = lines;
  MicroOp &op = decoder.emit(run, lines[0], at.line, 0, uint32_t(at.space), at.offset);
  op.slot = decoder.newSlot();
  op.flags = packTraits(traits) | packReach(at.reach, watchOf(decoder));
  op.extra = uint16_t(lines.size());
  return true;
}

bool decodeStore(Decoder &decoder, const Instruction &i) {
  const Operand &to = i.operands[0];
  if (isParam(i.space()))
    return accessFunctionParameter(decoder, i, to, i.operands[1], false);
  MemoryOperand at = memoryOperand(decoder, to, i.space());
  std::vector<const Operand *> from = elementsOf(i.operands[1]);
  unsigned bytes = ptx::bytes(i.type());
  std::vector<uint32_t> lines;
  for (const Operand *operand : from)
    lines.push_back(decoder.read(*operand, bytes));
  Handler run = handlers().store(bytes, bytes);
  if (lines.size() > 1)
    decoder.info().operands = lines;
  MicroOp &op = decoder.emit(run, 0, at.line, lines[0], uint32_t(at.space), at.offset);
  op.slot = decoder.newSlot();
  op.flags =
      packTraits(traitsOf(i, AccessKind::Write)) | packReach(at.reach, watchOf(decoder));
  op.extra = uint16_t(lines.size());
  return true;
}

/// Decodes hints to nothing.
bool decodeHint(Decoder &, const Instruction &) { return true; }
} // namespace

/// Returns the operand for an address of kernel parameters: if it was truncated to 32
/// bits, the window is added again.
static MemoryOperand parameterOperand(Decoder &decoder, const Operand &operand) {
  MemoryOperand result;
  result.space = Space::Generic;
  result.reach = Reach::Generic;
  int64_t offset = 0;
  uint32_t line = decoder.addressLine64(operand, offset);
  result.line = decoder.scratch(8);
  result.offset = uint64_t(offset);
  decoder.emit(handlers().integer(IntOp::Or, 64, false), result.line, line,
               decoder.constant(ParamWindow, 8));
  return result;
}

std::vector<const Operand *> elementsOf(const Operand &operand) {
  std::vector<const Operand *> result;
  if (operand.kind != Operand::Kind::Vector)
    return {&operand};
  for (const Operand &element : operand.elements)
    result.push_back(&element);
  return result;
}

MemoryOperand memoryOperand(Decoder &decoder, const Operand &operand, StateSpace space) {
  MemoryOperand result;
  AddressOperand address = decoder.address(operand);
  switch (space) {
  case StateSpace::Shared:
  case StateSpace::SharedCta:
  case StateSpace::SharedCluster:
    result.space =
        space == StateSpace::SharedCluster ? Space::SharedCluster : Space::Shared;
    result.reach = address.narrow ? Reach::Shared32 : Reach::Shared64;
    result.line = address.line;
    result.offset = uint64_t(address.offset);
    return result;
  case StateSpace::Global:
  case StateSpace::Const:
    result.space = Space::Global;
    result.reach = Reach::Global;
    break;
  case StateSpace::Local:
    result.space = Space::Local;
    result.reach = Reach::Local;
    break;
  case StateSpace::Param:
  case StateSpace::ParamEntry:
    return parameterOperand(decoder, operand);
  default:
    result.space = Space::Generic;
    result.reach = Reach::Generic;
    break;
  }
  result.line = address.line;
  result.offset = uint64_t(address.offset);
  if (address.narrow) {
    uint32_t wide = decoder.scratch(8);
    decoder.emit(handlers().resize(8, 4, false), wide, address.line);
    result.line = wide;
  }
  return result;
}

Watch watchOf(const Decoder &decoder) {
  if (decoder.options.observed())
    return Watch::Everything;
  return decoder.options.checks.initialised ? Watch::Initialised : Watch::Nothing;
}

AccessTraits traitsOf(const Instruction &i, AccessKind kind) {
  AccessTraits traits;
  traits.kind = kind;
  traits.strength = strengthOf(i);
  switch (i.scope) {
  case Mod::Cta:
    traits.scope = Scope::Cta;
    break;
  case Mod::Cluster:
    traits.scope = Scope::Cluster;
    break;
  case Mod::Gpu:
    traits.scope = Scope::Gpu;
    break;
  case Mod::Sys:
    traits.scope = Scope::Sys;
    break;
  default:
    break;
  }
  return traits;
}

void addMemoryDecoders(DecoderTable &table) {
  table[size_t(Opcode::Ld)] = decodeLoad;
  table[size_t(Opcode::Ldu)] = decodeLoad;
  table[size_t(Opcode::St)] = decodeStore;
  for (Opcode hint :
       {Opcode::Prefetch, Opcode::Prefetchu, Opcode::Applypriority, Opcode::Discard})
    table[size_t(hint)] = decodeHint;
}

} // namespace kiln::sim::exec

//===- decode_data.cpp - Decoding moves, selections, comparisons, addresses --===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/access.h"
#include "runtime/sim/exec/decode_forms.h"
#include "runtime/sim/exec/decode_half.h"
#include "runtime/sim/exec/handlers.h"
#include "runtime/sim/exec/worker.h"

#include <cstring>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Operand;
using ptx::StateSpace;
using ptx::Type;

void emitMove(Decoder &decoder, uint32_t to, uint32_t from, unsigned bytes) {
  decoder.emit(handlers().integer(IntOp::Mov, bytes * 8, false), to, from);
}

Stop runMovePredicate(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Mask &d = predicate(regs, op->d);
  d = (d & ~mask) | (predicate(regs, op->a) & mask);
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeMov(Decoder &decoder, const Instruction &i) {
  if (i.type() == Type::Pred) {
    decoder.emit(runMovePredicate, decoder.writePredicate(i.operands[0]),
                 decoder.readPredicate(i.operands[1]));
    return true;
  }
  unsigned bytes = ptx::bytes(i.type());
  uint32_t from = decoder.read(i.operands[1], bytes);
  emitMove(decoder, decoder.write(i.operands[0], bytes), from, bytes);
  return true;
}

// Packs elements of any width: imm is the bytes of an element, extra those of the result.
Stop runPack(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const std::vector<uint32_t> &parts = op->info->operands;
  size_t bytes = op->imm;
  forLanes(mask, [&](unsigned lane) {
    uint8_t whole[16];
    for (size_t n = 0; n < parts.size(); ++n)
      memcpy(whole + n * bytes, regs + parts[n] + lane * bytes, bytes);
    memcpy(regs + op->d + lane * op->extra, whole, op->extra);
  });
  KILN_NEXT(op, regs, mask, warp);
}
Stop runUnpack(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const std::vector<uint32_t> &parts = op->info->operands;
  size_t bytes = op->imm;
  forLanes(mask, [&](unsigned lane) {
    uint8_t whole[16];
    memcpy(whole, regs + op->a + lane * op->extra, op->extra);
    for (size_t n = 0; n < parts.size(); ++n)
      memcpy(regs + parts[n] + lane * bytes, whole + n * bytes, bytes);
  });
  KILN_NEXT(op, regs, mask, warp);
}

bool decodePack(Decoder &decoder, const Instruction &i) {
  const std::vector<Operand> &parts = i.operands[1].elements;
  unsigned whole = ptx::bytes(i.type()), bytes = whole / unsigned(parts.size());
  std::vector<uint32_t> lines;
  for (const Operand &part : parts)
    lines.push_back(decoder.read(part, bytes));
  uint32_t d = decoder.write(i.operands[0], whole);
  if (parts.size() == 2 && (whole == 4 || whole == 8)) {
    decoder.emit(whole == 4 ? handlers().packHalves : handlers().packWords, d, lines[0],
                 lines[1]);
    return true;
  }
  decoder.info().operands = lines;
  decoder.emit(runPack, d, 0, 0, 0, bytes).extra = uint16_t(whole);
  return true;
}

bool decodeUnpack(Decoder &decoder, const Instruction &i) {
  const std::vector<Operand> &parts = i.operands[0].elements;
  unsigned whole = ptx::bytes(i.type()), bytes = whole / unsigned(parts.size());
  uint32_t a = decoder.read(i.operands[1], whole);
  std::vector<uint32_t> lines;
  for (const Operand &part : parts)
    lines.push_back(decoder.write(part, bytes));
  if (parts.size() == 2 && (whole == 4 || whole == 8)) {
    decoder.emit(whole == 4 ? handlers().unpackHalves : handlers().unpackWords, lines[0],
                 a, lines[1]);
    return true;
  }
  decoder.info().operands = lines;
  decoder.emit(runUnpack, 0, a, 0, 0, bytes).extra = uint16_t(whole);
  return true;
}

bool decodeSelp(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  uint32_t a = decoder.read(i.operands[1], bytes), b = decoder.read(i.operands[2], bytes);
  uint32_t p = decoder.readPredicate(i.operands[3]);
  decoder.emit(handlers().integer(IntOp::Selp, bytes * 8, false),
               decoder.write(i.operands[0], bytes), a, b, p);
  return true;
}

bool decodeSlct(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  IntOp op = i.types[1] != Type::F32 ? IntOp::Slct
             : i.ftz()               ? IntOp::SlctF32Ftz
                                     : IntOp::SlctF32;
  return emitForm(decoder, i, handlers().integer(op, bytes * 8, false), bytes,
                  {bytes, bytes, 4});
}

CompareOp compareOp(Mod mod) {
  switch (mod) {
  case Mod::Eq:
    return CompareOp::Eq;
  case Mod::Ne:
    return CompareOp::Ne;
  case Mod::Lt:
  case Mod::Lo:
    return CompareOp::Lt;
  case Mod::Le:
  case Mod::Ls:
    return CompareOp::Le;
  case Mod::Gt:
  case Mod::Hi:
    return CompareOp::Gt;
  case Mod::Ge:
  case Mod::Hs:
    return CompareOp::Ge;
  case Mod::Equ:
    return CompareOp::Equ;
  case Mod::Neu:
    return CompareOp::Neu;
  case Mod::Ltu:
    return CompareOp::Ltu;
  case Mod::Leu:
    return CompareOp::Leu;
  case Mod::Gtu:
    return CompareOp::Gtu;
  case Mod::Geu:
    return CompareOp::Geu;
  case Mod::Num:
    return CompareOp::Num;
  default:
    return CompareOp::Nan;
  }
}

CompareType compareType(Type type, bool ftz) {
  if (type == Type::F32)
    return ftz ? CompareType::F32Ftz : CompareType::F32;
  if (type == Type::F64)
    return CompareType::F64;
  switch (ptx::bytes(type)) {
  case 2:
    return ptx::isSigned(type) ? CompareType::S16 : CompareType::B16;
  case 4:
    return ptx::isSigned(type) ? CompareType::S32 : CompareType::B32;
  default:
    return ptx::isSigned(type) ? CompareType::S64 : CompareType::B64;
  }
}

Combine combineOf(const Instruction &i) {
  if (i.has(Mod::And))
    return Combine::And;
  if (i.has(Mod::Or))
    return Combine::Or;
  return i.has(Mod::Xor) ? Combine::Xor : Combine::None;
}

/// Returns the comparison. .lo and .hi compare here; with mul they select halves of the
/// result.
Mod comparisonOf(const Instruction &i) {
  return i.operation != Mod::None ? i.operation : i.has(Mod::Lo) ? Mod::Lo : Mod::Hi;
}

/// Extracts one half of a 32-bit pair, or a 16-bit value, and widens it to f32.
uint32_t widenHalf(Decoder &decoder, uint32_t line, const Instruction &i, Type type) {
  const arith::Format &from = isBrain(type) ? arith::BF16 : arith::F16;
  uint32_t half = line;
  if (i.ftz()) {
    // Subnormals of f16 are normal in f32: flush them before widening.
    half = decoder.scratch(2);
    decoder.emit(handlers().half(HalfOp::Add, false, false, true, false), half, line,
                 decoder.constant(0x8000, 2));
  }
  uint32_t wide = decoder.scratch(4);
  decoder.emit(handlers().floatToFloat(arith::F32, from, false), wide, half);
  return wide;
}

/// Emits a comparison of operands 1 and 2 that writes p and q (0: not wanted).
void emitCompare(Decoder &decoder, const Instruction &i, Type type, uint32_t p,
                 uint32_t q, uint32_t a, uint32_t b, uint32_t c) {
  if (isHalf(type)) {
    a = widenHalf(decoder, a, i, type);
    b = widenHalf(decoder, b, i, type);
    type = Type::F32;
  }
  decoder.emit(handlers().compare(compareOp(comparisonOf(i)), compareType(type, i.ftz()),
                                  combineOf(i)),
               p, a, b, c, q);
}

struct Halves {
  uint32_t low, high;
};
Halves splitPair(Decoder &decoder, uint32_t line) {
  Halves h = {decoder.scratch(2), decoder.scratch(2)};
  decoder.emit(handlers().unpackHalves, h.low, line, h.high);
  return h;
}

bool decodeSetp(Decoder &decoder, const Instruction &i) {
  Type type = i.type();
  unsigned bytes = ptx::bytes(type);
  const Operand &out = i.operands[0];
  bool two = out.kind == Operand::Kind::Pair;
  uint32_t a = decoder.read(i.operands[1], bytes), b = decoder.read(i.operands[2], bytes);
  uint32_t c = i.operands.size() > 3 ? decoder.readPredicate(i.operands[3]) : 0;
  uint32_t p = decoder.writePredicate(two ? out.elements[0] : out);
  uint32_t q = two ? decoder.writePredicate(out.elements[1]) : 0;
  if (!isPair(type)) {
    emitCompare(decoder, i, type, p, q, a, b, c);
    return true;
  }
  Halves x = splitPair(decoder, a), y = splitPair(decoder, b);
  emitCompare(decoder, i, type, p, 0, x.low, y.low, c);
  emitCompare(decoder, i, type, q, 0, x.high, y.high, c);
  return true;
}

/// Value that `set` writes for true.
uint64_t trueValue(Type type) {
  switch (type) {
  case Type::F32:
    return 0x3f800000;
  case Type::F16:
  case Type::F16x2:
    return 0x3c00;
  case Type::BF16:
  case Type::BF16x2:
    return 0x3f80;
  default:
    return ~uint64_t(0);
  }
}

bool decodeSet(Decoder &decoder, const Instruction &i) {
  Type to = i.types[0], type = i.types[1];
  unsigned bytes = ptx::bytes(type), toBytes = ptx::bytes(to);
  uint32_t a = decoder.read(i.operands[1], bytes), b = decoder.read(i.operands[2], bytes);
  uint32_t c = i.operands.size() > 3 ? decoder.readPredicate(i.operands[3]) : 0;
  auto select = [&](uint32_t d, unsigned size, uint32_t x, uint32_t y) {
    uint32_t p = decoder.scratchPredicate();
    emitCompare(decoder, i, type, p, 0, x, y, c);
    decoder.emit(handlers().integer(IntOp::Selp, size * 8, false), d,
                 decoder.constant(trueValue(to), size), decoder.constant(0, size), p);
  };
  uint32_t d = decoder.write(i.operands[0], toBytes);
  if (!isPair(type)) {
    select(d, toBytes, a, b);
    return true;
  }
  // Two 16-bit results, even if the destination is u32 or s32.
  Halves x = splitPair(decoder, a), y = splitPair(decoder, b);
  uint32_t low = decoder.scratch(2), high = decoder.scratch(2);
  select(low, 2, x.low, y.low);
  select(high, 2, x.high, y.high);
  decoder.emit(handlers().packHalves, d, low, high);
  return true;
}

/// Returns the start of a space's window among generic addresses.
uint64_t windowOf(StateSpace space) {
  switch (space) {
  case StateSpace::Shared:
  case StateSpace::SharedCta:
  case StateSpace::SharedCluster:
    return SharedWindow;
  case StateSpace::Local:
    return LocalWindow;
  default:
    return 0; // global and constant addresses are generic; parameters are handled
              // elsewhere
  }
}

bool isKernelParam(StateSpace space) {
  return space == StateSpace::Param || space == StateSpace::ParamEntry;
}

/// Converts between generic and state-space addresses. A 64-bit parameter address is
/// always generic; one that was truncated to 32 bits gets its window added again.
bool decodeCvta(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  uint32_t a = decoder.read(i.operands[1], bytes),
           d = decoder.write(i.operands[0], bytes);
  uint64_t window = windowOf(i.space());
  if (window && bytes != 8)
    return decoder.error("32-bit generic addresses are not modelled");
  if (isKernelParam(i.space()) && bytes == 8 && !i.has(Mod::To))
    decoder.emit(handlers().integer(IntOp::Or, 64, false), d, a,
                 decoder.constant(ParamWindow, 8));
  else if (!window)
    emitMove(decoder, d, a, bytes);
  else
    decoder.emit(handlers().integer(i.has(Mod::To) ? IntOp::Sub : IntOp::Add, 64, false),
                 d, a, decoder.constant(window, 8));
  return true;
}

bool inSpace(const Warp &warp, uint64_t address, StateSpace space) {
  auto within = [&](uint64_t start, uint64_t size) { return address - start < size; };
  bool shared = within(SharedWindow, SharedWindowSize);
  bool local = within(LocalWindow, LocalWindowSize);
  bool param = within(ParamWindow, ParamWindowSize);
  switch (space) {
  case StateSpace::Shared:
  case StateSpace::SharedCta:
    return shared && (address - SharedWindow) / SharedStride == warp.block->rank;
  case StateSpace::SharedCluster:
    return shared;
  case StateSpace::Local:
    return local;
  case StateSpace::Param:
  case StateSpace::ParamEntry:
    return param;
  default:
    break;
  }
  if (shared || local || param)
    return false;
  Allocation *a = warp.worker->find(address);
  bool constant = a && a->kind == Allocation::Kind::Constant;
  return constant == (space == StateSpace::Const);
}

Stop runIsspacep(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const uint64_t *a = lanes<uint64_t>(regs, op->a);
  Mask hit = 0;
  forLanes(mask, [&](unsigned lane) {
    hit |= Mask(inSpace(warp, a[lane], StateSpace(op->imm))) << lane;
  });
  Mask &d = predicate(regs, op->d);
  d = (d & ~mask) | hit;
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeIsspacep(Decoder &decoder, const Instruction &i) {
  uint32_t a = decoder.read(i.operands[1], 8);
  decoder.emit(runIsspacep, decoder.writePredicate(i.operands[0]), a, 0, 0,
               uint64_t(i.space()));
  return true;
}

// Same offset in another block: the rank is stored above the offset, also in generic
// addresses.
uint64_t mapaLane(const void *, uint64_t a, uint64_t b, uint64_t) {
  return (a & ~((SharedWindowSize - 1) & ~(SharedStride - 1))) | b * SharedStride;
}
uint64_t rankLane(const void *, uint64_t a, uint64_t, uint64_t) {
  return (a & (SharedWindowSize - 1)) / SharedStride;
}

bool decodeMapa(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  LaneForm form{mapaLane, nullptr, bytes, {bytes, 4}};
  return emitLaneForm(decoder, i, form);
}
bool decodeGetctarank(Decoder &decoder, const Instruction &i) {
  LaneForm form{rankLane, nullptr, 4, {ptx::bytes(i.type())}};
  return emitLaneForm(decoder, i, form);
}

/// Emits a zero for a cache policy: policies have no effect here.
bool decodePolicy(Decoder &decoder, const Instruction &i) {
  emitMove(decoder, decoder.write(i.operands[0], 8), decoder.constant(0, 8), 8);
  return true;
}
} // namespace

void addDataDecoders(DecoderTable &table) {
  auto add = [&](Opcode opcode, DecodeFunction decode) {
    table[size_t(opcode)] = decode;
  };
  add(Opcode::Mov, decodeMov);
  add(Opcode::MovPack, decodePack);
  add(Opcode::MovUnpack, decodeUnpack);
  add(Opcode::Selp, decodeSelp);
  add(Opcode::Slct, decodeSlct);
  add(Opcode::Set, decodeSet);
  add(Opcode::Setp, decodeSetp);
  add(Opcode::Cvta, decodeCvta);
  add(Opcode::Isspacep, decodeIsspacep);
  add(Opcode::Mapa, decodeMapa);
  add(Opcode::Getctarank, decodeGetctarank);
  add(Opcode::CreatepolicyFractional, decodePolicy);
  add(Opcode::CreatepolicyRange, decodePolicy);
  add(Opcode::CreatepolicyCvt, decodePolicy);
}

} // namespace kiln::sim::exec

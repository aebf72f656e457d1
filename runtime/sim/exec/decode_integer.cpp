//===- decode_integer.cpp - Decoding integer and bit instructions ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decode_forms.h"
#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/handlers.h"

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Type;

/// Decodes d = op(sources...), all of the instruction's first type.
bool plain(Decoder &decoder, const Instruction &i, IntOp op, unsigned sources) {
  unsigned bytes = ptx::bytes(i.type());
  Handler run = handlers().integer(op, bytes * 8, ptx::isSigned(i.type()));
  return emitForm(decoder, i, run, bytes, std::vector<unsigned>(sources, bytes));
}

bool isPacked(Type type) { return type == Type::U16x2 || type == Type::S16x2; }

bool decodeAdd(Decoder &decoder, const Instruction &i) {
  if (ptx::isFloat(i.type()))
    return decodeFloatArithmetic(decoder, i);
  if (isPacked(i.type()))
    return plain(decoder, i, IntOp::Add2, 2);
  return plain(decoder, i, i.sat() ? IntOp::AddSat : IntOp::Add, 2);
}

bool decodeSub(Decoder &decoder, const Instruction &i) {
  if (ptx::isFloat(i.type()))
    return decodeFloatArithmetic(decoder, i);
  return plain(decoder, i, i.sat() ? IntOp::SubSat : IntOp::Sub, 2);
}

bool decodeMul(Decoder &decoder, const Instruction &i) {
  if (ptx::isFloat(i.type()))
    return decodeFloatArithmetic(decoder, i);
  if (i.has(Mod::Lo))
    return plain(decoder, i, IntOp::MulLo, 2);
  if (i.has(Mod::Hi))
    return plain(decoder, i, IntOp::MulHi, 2);
  unsigned bytes = ptx::bytes(i.type());
  Handler run = handlers().integer(IntOp::MulWide, bytes * 8, ptx::isSigned(i.type()));
  return emitForm(decoder, i, run, bytes * 2, {bytes, bytes});
}

bool decodeMad(Decoder &decoder, const Instruction &i) {
  if (i.has(Mod::Lo))
    return plain(decoder, i, IntOp::MadLo, 3);
  if (i.has(Mod::Hi))
    return plain(decoder, i, i.sat() ? IntOp::MadHiSat : IntOp::MadHi, 3);
  unsigned bytes = ptx::bytes(i.type());
  Handler run = handlers().integer(IntOp::MadWide, bytes * 8, ptx::isSigned(i.type()));
  return emitForm(decoder, i, run, bytes * 2, {bytes, bytes, bytes * 2});
}

bool decodeMul24(Decoder &decoder, const Instruction &i) {
  return plain(decoder, i, i.has(Mod::Lo) ? IntOp::Mul24Lo : IntOp::Mul24Hi, 2);
}

bool decodeMad24(Decoder &decoder, const Instruction &i) {
  IntOp high = i.sat() ? IntOp::Mad24HiSat : IntOp::Mad24Hi;
  return plain(decoder, i, i.has(Mod::Lo) ? IntOp::Mad24Lo : high, 3);
}

template <IntOp Op, unsigned Sources>
bool decodeSimple(Decoder &decoder, const Instruction &i) {
  return plain(decoder, i, Op, Sources);
}

/// Decodes an instruction with integer and floating-point forms.
template <IntOp Op, unsigned Sources>
bool decodeEither(Decoder &decoder, const Instruction &i) {
  if (ptx::isFloat(i.type()))
    return decodeFloatArithmetic(decoder, i);
  return plain(decoder, i, Op, Sources);
}

template <bool Max> bool decodeMinMax(Decoder &decoder, const Instruction &i) {
  if (ptx::isFloat(i.type()))
    return decodeFloatArithmetic(decoder, i);
  bool relu = i.has(Mod::Relu);
  if (isPacked(i.type()))
    return plain(decoder, i,
                 Max ? (relu ? IntOp::Max2Relu : IntOp::Max2)
                     : (relu ? IntOp::Min2Relu : IntOp::Min2),
                 2);
  return plain(decoder, i,
               Max ? (relu ? IntOp::MaxRelu : IntOp::Max)
                   : (relu ? IntOp::MinRelu : IntOp::Min),
               2);
}

/// Decodes op with a b32 result and a source of the instruction's type.
bool counted(Decoder &decoder, const Instruction &i, IntOp op) {
  unsigned bytes = ptx::bytes(i.type());
  Handler run = handlers().integer(op, bytes * 8, ptx::isSigned(i.type()));
  return emitForm(decoder, i, run, 4, {bytes});
}

bool decodePopc(Decoder &decoder, const Instruction &i) {
  return counted(decoder, i, IntOp::Popc);
}
bool decodeClz(Decoder &decoder, const Instruction &i) {
  return counted(decoder, i, IntOp::Clz);
}
bool decodeBfind(Decoder &decoder, const Instruction &i) {
  return counted(decoder, i, i.has(Mod::Shiftamt) ? IntOp::BfindShift : IntOp::Bfind);
}

/// Decodes op whose sources have the instruction's type, but for trailing b32 ones.
bool withWords(Decoder &decoder, const Instruction &i, IntOp op,
               std::vector<unsigned> sources) {
  unsigned bytes = ptx::bytes(i.type());
  Handler run = handlers().integer(op, bytes * 8, ptx::isSigned(i.type()));
  return emitForm(decoder, i, run, bytes, sources);
}

bool decodeShl(Decoder &decoder, const Instruction &i) {
  return withWords(decoder, i, IntOp::Shl, {ptx::bytes(i.type()), 4});
}
bool decodeShr(Decoder &decoder, const Instruction &i) {
  return withWords(decoder, i, IntOp::Shr, {ptx::bytes(i.type()), 4});
}
bool decodeBfe(Decoder &decoder, const Instruction &i) {
  return withWords(decoder, i, IntOp::Bfe, {ptx::bytes(i.type()), 4, 4});
}
bool decodeSzext(Decoder &decoder, const Instruction &i) {
  return withWords(decoder, i, i.has(Mod::Clamp) ? IntOp::SzextClamp : IntOp::SzextWrap,
                   {4, 4});
}
bool decodeBmsk(Decoder &decoder, const Instruction &i) {
  return withWords(decoder, i, i.has(Mod::Clamp) ? IntOp::BmskClamp : IntOp::BmskWrap,
                   {4, 4});
}
bool decodeFns(Decoder &decoder, const Instruction &i) {
  return withWords(decoder, i, IntOp::Fns, {4, 4, 4});
}

bool decodeBfi(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  uint32_t a = decoder.read(i.operands[1], bytes), b = decoder.read(i.operands[2], bytes);
  uint32_t c = decoder.read(i.operands[3], 4), n = decoder.read(i.operands[4], 4);
  uint32_t d = decoder.write(i.operands[0], bytes);
  decoder.emit(handlers().integer(IntOp::Bfi, bytes * 8, false), d, a, b, c, n);
  return true;
}

bool dotProduct(Decoder &decoder, const Instruction &i, IntOp op) {
  uint64_t how =
      (ptx::isSigned(i.types[0]) ? 1 : 0) | (ptx::isSigned(i.types[1]) ? 2 : 0);
  if (!emitForm(decoder, i, handlers().integer(op, 32, false), 4, {4, 4, 4}))
    return false;
  decoder.function.ops.back().imm = how;
  return true;
}
bool decodeDp4a(Decoder &decoder, const Instruction &i) {
  return dotProduct(decoder, i, IntOp::Dp4a);
}
bool decodeDp2a(Decoder &decoder, const Instruction &i) {
  return dotProduct(decoder, i, i.has(Mod::Lo) ? IntOp::Dp2aLo : IntOp::Dp2aHi);
}

bool decodeAddc(Decoder &decoder, const Instruction &i) {
  return plain(decoder, i, i.has(Mod::Cc) ? IntOp::AddcCc : IntOp::Addc, 2);
}
bool decodeSubc(Decoder &decoder, const Instruction &i) {
  return plain(decoder, i, i.has(Mod::Cc) ? IntOp::SubcCc : IntOp::Subc, 2);
}
bool decodeMadCc(Decoder &decoder, const Instruction &i) {
  return plain(decoder, i, i.has(Mod::Lo) ? IntOp::MadLoCc : IntOp::MadHiCc, 3);
}
bool decodeMadc(Decoder &decoder, const Instruction &i) {
  bool out = i.has(Mod::Cc);
  return plain(decoder, i,
               i.has(Mod::Lo) ? (out ? IntOp::MadcLoCc : IntOp::MadcLo)
                              : (out ? IntOp::MadcHiCc : IntOp::MadcHi),
               3);
}

// Predicates are masks: one 32-bit operation computes all lanes.
template <char Op>
Stop runLogic(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Mask a = predicate(regs, op->a), b = predicate(regs, op->b);
  Mask result = Op == '&' ? a & b : Op == '|' ? a | b : Op == '^' ? a ^ b : ~a;
  Mask &d = predicate(regs, op->d);
  d = (d & ~mask) | (result & mask);
  KILN_NEXT(op, regs, mask, warp);
}

template <char Op, IntOp Bits, unsigned Sources>
bool decodeLogic(Decoder &decoder, const Instruction &i) {
  if (i.type() != Type::Pred)
    return plain(decoder, i, Bits, Sources);
  uint32_t a = decoder.readPredicate(i.operands[1]);
  uint32_t b = Sources == 2 ? decoder.readPredicate(i.operands[2]) : a;
  decoder.emit(runLogic<Op>, decoder.writePredicate(i.operands[0]), a, b);
  return true;
}

bool decodeLop3(Decoder &decoder, const Instruction &i) {
  bool combined = i.has(Mod::And) || i.has(Mod::Or);
  const ptx::Operand &out = i.operands[0];
  const ptx::Operand &d = combined ? out.elements[0] : out;
  uint32_t a = decoder.read(i.operands[1], 4), b = decoder.read(i.operands[2], 4);
  uint32_t c = decoder.read(i.operands[3], 4), to = decoder.write(d, 4);
  decoder.emit(handlers().integer(IntOp::Lop3, 32, false), to, a, b, c,
               i.operands[4].bits & 0xff);
  if (!combined)
    return true;
  // p = (d != 0) op q
  uint32_t q = decoder.readPredicate(i.operands[5]);
  Combine how = i.has(Mod::And) ? Combine::And : Combine::Or;
  decoder.emit(handlers().compare(CompareOp::Ne, CompareType::B32, how),
               decoder.writePredicate(out.elements[1]), to, decoder.constant(0, 4), q);
  return true;
}

bool decodeShf(Decoder &decoder, const Instruction &i) {
  bool clamp = i.has(Mod::Clamp);
  IntOp op = i.has(Mod::Left) ? (clamp ? IntOp::ShfLeftClamp : IntOp::ShfLeftWrap)
                              : (clamp ? IntOp::ShfRightClamp : IntOp::ShfRightWrap);
  return plain(decoder, i, op, 3);
}

bool decodePrmt(Decoder &decoder, const Instruction &i) {
  static constexpr std::pair<Mod, IntOp> modes[] = {
      {Mod::F4e, IntOp::PrmtF4e}, {Mod::B4e, IntOp::PrmtB4e},
      {Mod::Rc8, IntOp::PrmtRc8}, {Mod::Ecl, IntOp::PrmtEcl},
      {Mod::Ecr, IntOp::PrmtEcr}, {Mod::Rc16, IntOp::PrmtRc16}};
  IntOp op = IntOp::Prmt;
  for (auto [mod, mode] : modes)
    if (i.has(mod))
      op = mode;
  return plain(decoder, i, op, 3);
}
} // namespace

bool emitForm(Decoder &decoder, const Instruction &i, Handler run, unsigned bytes,
              const std::vector<unsigned> &sources) {
  uint32_t lines[3] = {};
  for (size_t n = 0; n < sources.size(); ++n)
    lines[n] = decoder.read(i.operands[n + 1], sources[n]);
  uint32_t d = decoder.write(i.operands[0], bytes);
  decoder.emit(run, d, lines[0], lines[1], lines[2]);
  return true;
}

void addIntegerDecoders(DecoderTable &table) {
  auto add = [&](Opcode opcode, DecodeFunction decode) {
    table[size_t(opcode)] = decode;
  };
  add(Opcode::Add, decodeAdd);
  add(Opcode::Sub, decodeSub);
  add(Opcode::Mul, decodeMul);
  add(Opcode::Mad, decodeMad);
  add(Opcode::Mul24, decodeMul24);
  add(Opcode::Mad24, decodeMad24);
  add(Opcode::Sad, decodeSimple<IntOp::Sad, 3>);
  add(Opcode::Div, decodeEither<IntOp::Div, 2>);
  add(Opcode::Rem, decodeSimple<IntOp::Rem, 2>);
  add(Opcode::Abs, decodeEither<IntOp::Abs, 1>);
  add(Opcode::Neg, decodeEither<IntOp::Neg, 1>);
  add(Opcode::Min, decodeMinMax<false>);
  add(Opcode::Max, decodeMinMax<true>);
  add(Opcode::Popc, decodePopc);
  add(Opcode::Clz, decodeClz);
  add(Opcode::Bfind, decodeBfind);
  add(Opcode::Fns, decodeFns);
  add(Opcode::Brev, decodeSimple<IntOp::Brev, 1>);
  add(Opcode::Bfe, decodeBfe);
  add(Opcode::Bfi, decodeBfi);
  add(Opcode::Szext, decodeSzext);
  add(Opcode::Bmsk, decodeBmsk);
  add(Opcode::Dp4a, decodeDp4a);
  add(Opcode::Dp2a, decodeDp2a);
  add(Opcode::AddCc, decodeSimple<IntOp::AddCc, 2>);
  add(Opcode::Addc, decodeAddc);
  add(Opcode::SubCc, decodeSimple<IntOp::SubCc, 2>);
  add(Opcode::Subc, decodeSubc);
  add(Opcode::MadCc, decodeMadCc);
  add(Opcode::Madc, decodeMadc);
  add(Opcode::And, decodeLogic<'&', IntOp::And, 2>);
  add(Opcode::Or, decodeLogic<'|', IntOp::Or, 2>);
  add(Opcode::Xor, decodeLogic<'^', IntOp::Xor, 2>);
  add(Opcode::Not, decodeLogic<'~', IntOp::Not, 1>);
  add(Opcode::Cnot, decodeSimple<IntOp::Cnot, 1>);
  add(Opcode::Lop3, decodeLop3);
  add(Opcode::Shf, decodeShf);
  add(Opcode::Shl, decodeShl);
  add(Opcode::Shr, decodeShr);
  add(Opcode::Prmt, decodePrmt);
}

} // namespace kiln::sim::exec

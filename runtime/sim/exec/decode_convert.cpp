//===- decode_convert.cpp - Decoding cvt -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/arith/convert.h"
#include "runtime/sim/exec/decode_forms.h"
#include "runtime/sim/exec/decode_half.h"
#include "runtime/sim/exec/handlers.h"

namespace kiln::sim::exec {

namespace {
using arith::Format;
using arith::IntType;
using arith::Rounding;
using arith::RoundTo;
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Type;

/// Returns the format of an element, also of packed types; null for types that are not
/// floating-point.
const Format *formatOf(Type type) {
  switch (type) {
  case Type::F64:
    return &arith::F64;
  case Type::F32:
    return &arith::F32;
  case Type::TF32:
    return &arith::TF32;
  case Type::F16:
  case Type::F16x2:
    return &arith::F16;
  case Type::BF16:
  case Type::BF16x2:
    return &arith::BF16;
  case Type::E4M3x2:
  case Type::E4M3x4:
    return &arith::E4M3;
  case Type::E5M2x2:
  case Type::E5M2x4:
    return &arith::E5M2;
  case Type::E2M3x2:
  case Type::E2M3x4:
    return &arith::E2M3;
  case Type::E3M2x2:
  case Type::E3M2x4:
    return &arith::E3M2;
  case Type::E2M1x2:
  case Type::E2M1x4:
    return &arith::E2M1;
  default:
    return nullptr;
  }
}

/// Returns the bits of an element in a packed register: six-bit formats take a byte.
unsigned elementBits(Type type) { return ptx::bits(type) / ptx::lanes(type); }

IntType intType(Type type) { return {uint8_t(ptx::bits(type)), ptx::isSigned(type)}; }

RoundTo roundTo(const Instruction &i) {
  RoundTo how;
  how.mode = roundingOf(i.rounding);
  how.ftz = i.ftz();
  how.sat = i.sat();
  how.relu = i.has(Mod::Relu);
  how.satfinite = i.has(Mod::Satfinite);
  return how;
}

struct CvtHow {
  const Format *to, *from;
  IntType toInt, fromInt;
  RoundTo round;
  unsigned toBits = 0, fromBits = 0;
};

uint64_t intLane(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const CvtHow *>(how);
  return arith::convertInt(h.toInt, h.fromInt, a, h.round.sat);
}
uint64_t fromIntLane(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const CvtHow *>(how);
  return arith::convertFromInt(*h.to, h.fromInt, a, h.round);
}
uint64_t toIntLane(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const CvtHow *>(how);
  return arith::convertToInt(h.toInt, *h.from, a, h.round.mode, h.round.ftz);
}
uint64_t floatLane(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const CvtHow *>(how);
  return arith::convertFloat(*h.to, *h.from, a, h.round);
}
uint64_t integralLane(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const CvtHow *>(how);
  return arith::roundToIntegral(*h.from, a, h.round.mode, h.round);
}
/// Converts two scalars to a packed pair; the first becomes the upper element.
uint64_t packLane(const void *how, uint64_t a, uint64_t b, uint64_t) {
  auto &h = *static_cast<const CvtHow *>(how);
  return arith::convertFloat(*h.to, *h.from, a, h.round) << h.toBits |
         arith::convertFloat(*h.to, *h.from, b, h.round);
}
/// Converts a packed pair to a packed pair.
uint64_t convertPairLane(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const CvtHow *>(how);
  uint64_t mask = (uint64_t(1) << h.fromBits) - 1;
  return arith::convertFloat(*h.to, *h.from, a >> h.fromBits & mask, h.round)
             << h.toBits |
         arith::convertFloat(*h.to, *h.from, a & mask, h.round);
}
uint64_t scalesLane(const void *how, uint64_t a, uint64_t b, uint64_t) {
  auto &h = *static_cast<const CvtHow *>(how);
  auto one = [&](uint64_t v) -> uint64_t {
    return arith::convertToUe8m0(*h.from, v, h.round.mode, h.round.satfinite);
  };
  if (h.fromBits == 16)
    return one(a >> 16 & 0xffff) << 8 | one(a & 0xffff);
  return one(a) << 8 | one(b);
}
uint64_t fromScalesLane(const void *, uint64_t a, uint64_t, uint64_t) {
  return uint64_t(arith::ue8m0ToBf16(uint8_t(a >> 8))) << 16 |
         arith::ue8m0ToBf16(uint8_t(a));
}

bool emitCvt(Decoder &decoder, const Instruction &i, LaneFunction function, CvtHow how,
             unsigned bytes, std::vector<unsigned> sources, bool isSigned = false) {
  LaneForm form;
  form.function = function;
  form.how = std::make_shared<CvtHow>(how);
  form.bytes = bytes;
  form.sources = std::move(sources);
  return emitLaneForm(decoder, i, form, isSigned);
}

/// Emits one vector op from operand 1 to operand 0.
bool emitFast(Decoder &decoder, const Instruction &i, Handler run) {
  Type to = i.types[0], from = i.types[1];
  uint32_t a = decoder.read(i.operands[1], ptx::bytes(from));
  decoder.emit(run, decoder.write(i.operands[0], ptx::bytes(to), ptx::isSigned(to)), a);
  return true;
}

bool integers(Decoder &decoder, const Instruction &i, const CvtHow &how) {
  Type to = i.types[0], from = i.types[1];
  if (!i.sat())
    return emitFast(
        decoder, i,
        handlers().resize(ptx::bytes(to), ptx::bytes(from), ptx::isSigned(from)));
  return emitCvt(decoder, i, intLane, how, ptx::bytes(to), {ptx::bytes(from)},
                 ptx::isSigned(to));
}

bool intToFloat(Decoder &decoder, const Instruction &i, const CvtHow &how) {
  Type to = i.types[0], from = i.types[1];
  if (how.round.mode == Rounding::Rn && !i.sat())
    if (Handler run =
            handlers().intToFloat(ptx::bits(to), ptx::bits(from), ptx::isSigned(from)))
      return emitFast(decoder, i, run);
  return emitCvt(decoder, i, fromIntLane, how, ptx::bytes(to), {ptx::bytes(from)});
}

bool floatToInt(Decoder &decoder, const Instruction &i, const CvtHow &how) {
  Type to = i.types[0], from = i.types[1];
  if (how.round.mode == Rounding::Rz)
    if (Handler run = handlers().floatToInt(ptx::bits(to), ptx::isSigned(to),
                                            ptx::bits(from), i.ftz()))
      return emitFast(decoder, i, run);
  return emitCvt(decoder, i, toIntLane, how, ptx::bytes(to), {ptx::bytes(from)},
                 ptx::isSigned(to));
}

bool isPlain(const CvtHow &how) {
  return how.round.mode == Rounding::Rn && !how.round.sat && !how.round.relu &&
         !how.round.satfinite;
}

bool scalarFloats(Decoder &decoder, const Instruction &i, const CvtHow &how) {
  Type to = i.types[0], from = i.types[1];
  unsigned toBytes = ptx::bytes(to), fromBytes = ptx::bytes(from);
  bool integral = i.rounding == Mod::Rni || i.rounding == Mod::Rzi ||
                  i.rounding == Mod::Rmi || i.rounding == Mod::Rpi;
  if (integral)
    return emitCvt(decoder, i, integralLane, how, toBytes, {fromBytes});
  if (isPlain(how))
    if (Handler run = handlers().floatToFloat(*how.to, *how.from, i.ftz()))
      return emitFast(decoder, i, run);
  return emitCvt(decoder, i, floatLane, how, toBytes, {fromBytes});
}

/// cvt.rn.f16x2.f32 and bf16x2: two fast conversions and a pack.
bool halvesFromSingles(Decoder &decoder, const Instruction &i, const CvtHow &how) {
  Handler run = handlers().floatToFloat(*how.to, *how.from, i.ftz());
  uint32_t high = decoder.scratch(2), low = decoder.scratch(2);
  decoder.emit(run, high, decoder.read(i.operands[1], 4));
  decoder.emit(run, low, decoder.read(i.operands[2], 4));
  decoder.emit(handlers().packHalves, decoder.write(i.operands[0], 4), low, high);
  return true;
}

bool packedFloats(Decoder &decoder, const Instruction &i, CvtHow how) {
  Type to = i.types[0], from = i.types[1];
  how.toBits = elementBits(to);
  how.fromBits = elementBits(from);
  unsigned bytes = ptx::bytes(to);
  if (i.rounding == Mod::Rs)
    return decoder.error("stochastic rounding is not modelled");
  if (to == Type::UE8M0x2)
    return emitCvt(decoder, i, scalesLane, how, bytes,
                   from == Type::F32 ? std::vector<unsigned>{4, 4}
                                     : std::vector<unsigned>{4});
  if (from == Type::UE8M0x2)
    return emitCvt(decoder, i, fromScalesLane, how, bytes, {2});
  if (ptx::lanes(from) > 1)
    return emitCvt(decoder, i, convertPairLane, how, bytes, {ptx::bytes(from)});
  if (isPlain(how) && isHalf(to))
    return halvesFromSingles(decoder, i, how);
  return emitCvt(decoder, i, packLane, how, bytes, {4, 4});
}

bool decodeCvt(Decoder &decoder, const Instruction &i) {
  Type to = i.types[0], from = i.types[1];
  CvtHow how = {};
  how.to = formatOf(to);
  how.from = formatOf(from);
  how.toInt = intType(to);
  how.fromInt = intType(from);
  how.round = roundTo(i);
  if (ptx::lanes(to) > 1 || ptx::lanes(from) > 1)
    return packedFloats(decoder, i, how);
  bool toInteger = ptx::isInteger(to), fromInteger = ptx::isInteger(from);
  if (toInteger)
    return fromInteger ? integers(decoder, i, how) : floatToInt(decoder, i, how);
  return fromInteger ? intToFloat(decoder, i, how) : scalarFloats(decoder, i, how);
}

/// cvt.pack: two saturated integers, a above b; c shifted up fills the rest.
struct PackHow {
  unsigned bits;
  bool isSigned, shiftsIn;
};
uint64_t packIntegers(const void *how, uint64_t a, uint64_t b, uint64_t c) {
  auto &h = *static_cast<const PackHow *>(how);
  int64_t low = h.isSigned ? -(int64_t(1) << (h.bits - 1)) : 0;
  int64_t high = (int64_t(1) << (h.isSigned ? h.bits - 1 : h.bits)) - 1;
  auto clamp = [&](uint64_t v) {
    int64_t value = int32_t(uint32_t(v));
    value = value < low ? low : value > high ? high : value;
    return uint64_t(value) & ((uint64_t(1) << h.bits) - 1);
  };
  uint64_t packed = clamp(a) << h.bits | clamp(b);
  return h.shiftsIn ? c << (2 * h.bits) | packed : packed;
}

bool decodeCvtPack(Decoder &decoder, const Instruction &i) {
  bool three = i.operands.size() == 4;
  LaneForm form;
  form.function = packIntegers;
  form.how = std::make_shared<PackHow>(
      PackHow{ptx::bits(i.types[0]), ptx::isSigned(i.types[0]), three});
  form.bytes = 4;
  form.sources.assign(three ? 3 : 2, 4);
  return emitLaneForm(decoder, i, form);
}
} // namespace

void addConvertDecoders(DecoderTable &table) {
  table[size_t(Opcode::Cvt)] = decodeCvt;
  table[size_t(Opcode::CvtPack)] = decodeCvtPack;
}

} // namespace kiln::sim::exec

//===- decode_float.cpp - Decoding floating-point instructions -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/arith/approx.h"
#include "runtime/sim/arith/float_ops.h"
#include "runtime/sim/exec/decode_forms.h"
#include "runtime/sim/exec/decode_half.h"
#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/handlers.h"

namespace kiln::sim::exec {

namespace {
using arith::Approx;
using arith::FloatOp;
using arith::Rounding;
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Type;

F32Op baseOp(const Instruction &i) {
  bool nan = i.has(Mod::PropagateNan);
  switch (i.opcode) {
  case Opcode::Add:
    return F32Op::Add;
  case Opcode::Sub:
    return F32Op::Sub;
  case Opcode::Mul:
    return F32Op::Mul;
  case Opcode::Fma:
    return F32Op::Fma;
  case Opcode::Div:
    return F32Op::Div;
  case Opcode::Sqrt:
    return F32Op::Sqrt;
  case Opcode::Rcp:
    return F32Op::Rcp;
  case Opcode::Min:
    return nan ? F32Op::MinNan : F32Op::Min;
  case Opcode::Max:
    return nan ? F32Op::MaxNan : F32Op::Max;
  case Opcode::Abs:
    return F32Op::Abs;
  default:
    return F32Op::Neg;
  }
}

/// How to compute two f32 packed in a 64-bit register.
struct PairHow {
  FloatOp op;
  Rounding rounding;
  bool ftz;
};
uint64_t pairLane(const void *how, uint64_t a, uint64_t b, uint64_t c) {
  auto &h = *static_cast<const PairHow *>(how);
  auto half = [&](unsigned shift) -> uint64_t {
    return arith::slowF32(h.op, uint32_t(a >> shift), uint32_t(b >> shift),
                          uint32_t(c >> shift), h.rounding, h.ftz, false);
  };
  return half(0) | half(32) << 32;
}

bool decodePair(Decoder &decoder, const Instruction &i) {
  FloatOp op = i.opcode == Opcode::Add   ? FloatOp::Add
               : i.opcode == Opcode::Sub ? FloatOp::Sub
               : i.opcode == Opcode::Mul ? FloatOp::Mul
                                         : FloatOp::Fma;
  LaneForm form;
  form.function = pairLane;
  form.how = std::make_shared<PairHow>(PairHow{op, roundingOf(i.rounding), i.ftz()});
  form.bytes = 8;
  form.sources.assign(i.operands.size() - 1, 8);
  return emitLaneForm(decoder, i, form);
}

/// add.f32.f16 and the like: 16-bit operands are widened first.
bool decodeMixed(Decoder &decoder, const Instruction &i) {
  const arith::Format &from = i.types[1] == Type::F16 ? arith::F16 : arith::BF16;
  uint32_t lines[3] = {};
  for (size_t n = 1; n < i.operands.size(); ++n) {
    const ptx::Operand &operand = i.operands[n];
    bool narrow = ptx::bytes(operand.type) == 2;
    lines[n - 1] = decoder.read(operand, narrow ? 2 : 4);
    if (!narrow)
      continue;
    uint32_t wide = decoder.scratch(4);
    decoder.emit(handlers().floatToFloat(arith::F32, from, false), wide, lines[n - 1]);
    lines[n - 1] = wide;
  }
  Handler run = handlers().f32(baseOp(i), roundingOf(i.rounding), false, i.sat());
  decoder.emit(run, decoder.write(i.operands[0], 4), lines[0], lines[1], lines[2]);
  return true;
}

/// How to compute min and max with three operands or .xorsign.abs.
struct OrderHow {
  bool max, ftz, nan, abs, xorsign, three;
};
uint64_t orderLane(const void *how, uint64_t a, uint64_t b, uint64_t c) {
  auto &h = *static_cast<const OrderHow *>(how);
  auto two = [&](uint32_t x, uint32_t y) {
    auto pick = [&]<bool Ftz, bool Nan>() {
      return h.max ? arith::minMaxF32<true, Ftz, Nan>(x, y)
                   : arith::minMaxF32<false, Ftz, Nan>(x, y);
    };
    if (h.ftz)
      return h.nan ? pick.template operator()<true, true>()
                   : pick.template operator()<true, false>();
    return h.nan ? pick.template operator()<false, true>()
                 : pick.template operator()<false, false>();
  };
  uint32_t drop = h.abs || h.xorsign ? 0x7fffffff : ~0u;
  uint32_t result = two(uint32_t(a) & drop, uint32_t(b) & drop);
  if (h.three)
    result = two(result, uint32_t(c) & drop);
  if (h.xorsign && !arith::isNanF32(result))
    result |= uint32_t(a ^ b) & 0x80000000;
  return result;
}

bool decodeOrder(Decoder &decoder, const Instruction &i) {
  OrderHow how = {i.opcode == Opcode::Max,  i.ftz(),
                  i.has(Mod::PropagateNan), i.has(Mod::Abs),
                  i.has(Mod::Xorsign),      i.operands.size() == 4};
  LaneForm form;
  form.function = orderLane;
  form.how = std::make_shared<OrderHow>(how);
  form.bytes = 4;
  form.sources.assign(i.operands.size() - 1, 4);
  return emitLaneForm(decoder, i, form);
}

// f32 approximations, all lanes in one call. imm: the function, flags: ftz.
Stop runApprox(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  uint32_t out[WarpSize];
  arith::approxLanes(Approx(op->imm), lanes<uint32_t>(regs, op->a),
                     lanes<uint32_t>(regs, op->b), out, WarpSize, op->flags,
                     arith::chosenApproxMode());
  uint32_t *d = lanes<uint32_t>(regs, op->d);
  forLanes(mask, [&](unsigned lane) { d[lane] = out[lane]; });
  KILN_NEXT(op, regs, mask, warp);
}

bool approximate(Decoder &decoder, const Instruction &i, Approx function) {
  uint32_t a = decoder.read(i.operands[1], 4);
  uint32_t b = i.operands.size() > 2 ? decoder.read(i.operands[2], 4) : a;
  decoder.emit(runApprox, decoder.write(i.operands[0], 4), a, b, 0, uint64_t(function))
      .flags = i.ftz();
  return true;
}

struct ApproxHow {
  Approx function;
  bool ftz;
};
uint64_t approxLane64(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const ApproxHow *>(how);
  return arith::approxF64(h.function, a, h.ftz, arith::chosenApproxMode());
}

bool approximate64(Decoder &decoder, const Instruction &i, Approx function) {
  LaneForm form;
  form.function = approxLane64;
  form.how = std::make_shared<ApproxHow>(ApproxHow{function, i.ftz()});
  form.bytes = 8;
  form.sources = {8};
  return emitLaneForm(decoder, i, form);
}

template <Approx Function> bool decodeApprox(Decoder &decoder, const Instruction &i) {
  if (isHalf(i.type()))
    return decodeHalfApprox(decoder, i, Function);
  if (i.type() == Type::F64)
    return approximate64(decoder, i, Function);
  return approximate(decoder, i, Function);
}

/// Decodes rcp and sqrt, approximate or rounded.
template <Approx Function> bool decodeRoot(Decoder &decoder, const Instruction &i) {
  if (i.rounding == Mod::Approx)
    return decodeApprox<Function>(decoder, i);
  return decodeFloatArithmetic(decoder, i);
}

uint64_t copysignLane(const void *how, uint64_t a, uint64_t b, uint64_t) {
  uint64_t sign = *static_cast<const uint64_t *>(how);
  return (b & ~sign) | (a & sign);
}

bool decodeCopysign(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  LaneForm form;
  form.function = copysignLane;
  form.how = std::make_shared<uint64_t>(uint64_t(1) << (bytes * 8 - 1));
  form.bytes = bytes;
  form.sources = {bytes, bytes};
  return emitLaneForm(decoder, i, form);
}

struct ClassHow {
  Mod test;
  bool isDouble;
};
uint64_t classLane(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const ClassHow *>(how);
  uint64_t top = h.isDouble ? 0x7ff0000000000000 : 0x7f800000;
  uint64_t magnitude = a & (h.isDouble ? ~uint64_t(0) >> 1 : 0x7fffffff);
  uint64_t exponent = magnitude & top;
  switch (h.test) {
  case Mod::Finite:
    return magnitude < top;
  case Mod::Infinite:
    return magnitude == top;
  case Mod::Number:
    return magnitude <= top;
  case Mod::Notanumber:
    return magnitude > top;
  case Mod::Normal:
    return exponent != 0 && exponent != top;
  default: // subnormal
    return exponent == 0 && magnitude != 0;
  }
}

bool decodeTestp(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  LaneForm form;
  form.function = classLane;
  form.how = std::make_shared<ClassHow>(ClassHow{i.operation, bytes == 8});
  form.bytes = 4;
  form.sources = {bytes};
  uint32_t hit = decoder.scratch(4);
  emitLanes(decoder, form, hit, {decoder.read(i.operands[1], bytes)});
  decoder.emit(handlers().compare(CompareOp::Ne, CompareType::B32, Combine::None),
               decoder.writePredicate(i.operands[0]), hit, decoder.constant(0, 4));
  return true;
}

uint64_t readLane(const uint8_t *line, unsigned bytes, unsigned lane) {
  switch (bytes) {
  case 1:
    return line[lane];
  case 2:
    return reinterpret_cast<const uint16_t *>(line)[lane];
  case 4:
    return reinterpret_cast<const uint32_t *>(line)[lane];
  default:
    return reinterpret_cast<const uint64_t *>(line)[lane];
  }
}

void writeLane(uint8_t *line, unsigned bytes, unsigned lane, uint64_t value) {
  switch (bytes) {
  case 1:
    line[lane] = uint8_t(value);
    break;
  case 2:
    reinterpret_cast<uint16_t *>(line)[lane] = uint16_t(value);
    break;
  case 4:
    reinterpret_cast<uint32_t *>(line)[lane] = uint32_t(value);
    break;
  default:
    reinterpret_cast<uint64_t *>(line)[lane] = value;
  }
}

// imm: the function; flags: log2 of the sizes of d, a, b, c, two bits each.
Stop runLanes(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  auto function = reinterpret_cast<LaneFunction>(op->imm);
  const void *how = op->info->payload.get();
  auto width = [&](unsigned n) { return 1u << (op->flags >> (2 * n) & 3); };
  forLanes(mask, [&](unsigned lane) {
    uint64_t value = function(how, readLane(regs + op->a, width(1), lane),
                              readLane(regs + op->b, width(2), lane),
                              readLane(regs + op->c, width(3), lane));
    writeLane(regs + op->d, width(0), lane, value);
  });
  KILN_NEXT(op, regs, mask, warp);
}
} // namespace

Rounding roundingOf(Mod mod) {
  switch (mod) {
  case Mod::Rz:
  case Mod::Rzi:
    return Rounding::Rz;
  case Mod::Rm:
  case Mod::Rmi:
    return Rounding::Rm;
  case Mod::Rp:
  case Mod::Rpi:
    return Rounding::Rp;
  case Mod::Rna:
    return Rounding::Rna;
  case Mod::Rs:
    return Rounding::Rs;
  default:
    return Rounding::Rn;
  }
}

void emitLanes(Decoder &decoder, const LaneForm &form, uint32_t d,
               const std::vector<uint32_t> &lines) {
  auto line = [&](size_t n) { return n < lines.size() ? lines[n] : lines[0]; };
  auto code = [&](size_t n) {
    unsigned bytes = n < form.sources.size() ? form.sources[n] : form.sources[0];
    return unsigned(__builtin_ctz(bytes));
  };
  decoder.info().payload = form.how;
  MicroOp &op = decoder.emit(runLanes, d, line(0), line(1), line(2),
                             uint64_t(reinterpret_cast<uintptr_t>(form.function)));
  op.flags = uint16_t(unsigned(__builtin_ctz(form.bytes)) | code(0) << 2 | code(1) << 4 |
                      code(2) << 6);
}

bool emitLaneForm(Decoder &decoder, const Instruction &i, const LaneForm &form,
                  bool isSigned) {
  std::vector<uint32_t> lines;
  for (size_t n = 0; n < form.sources.size(); ++n)
    lines.push_back(decoder.read(i.operands[n + 1], form.sources[n]));
  emitLanes(decoder, form, decoder.write(i.operands[0], form.bytes, isSigned), lines);
  return true;
}

bool decodeFloatArithmetic(Decoder &decoder, const Instruction &i) {
  unsigned sources = unsigned(i.operands.size()) - 1;
  if (i.typeCount > 1)
    return decodeMixed(decoder, i);
  if (isHalf(i.type()))
    return decodeHalfArithmetic(decoder, i);
  if (i.type() == Type::F32x2)
    return decodePair(decoder, i);
  if (i.opcode == Opcode::Div && i.rounding == Mod::Approx)
    return approximate(decoder, i, Approx::Div);
  if (i.opcode == Opcode::Div && i.rounding == Mod::Full)
    return approximate(decoder, i, Approx::DivFull);
  bool order = i.opcode == Opcode::Min || i.opcode == Opcode::Max;
  if (order && (sources == 3 || i.has(Mod::Xorsign)))
    return decodeOrder(decoder, i);
  if (i.type() == Type::F64)
    return emitForm(decoder, i, handlers().f64(baseOp(i), roundingOf(i.rounding)), 8,
                    std::vector<unsigned>(sources, 8));
  Handler run = handlers().f32(baseOp(i), roundingOf(i.rounding), i.ftz(), i.sat());
  return emitForm(decoder, i, run, 4, std::vector<unsigned>(sources, 4));
}

void addFloatDecoders(DecoderTable &table) {
  auto add = [&](Opcode opcode, DecodeFunction decode) {
    table[size_t(opcode)] = decode;
  };
  add(Opcode::Fma, decodeFloatArithmetic);
  add(Opcode::Rcp, decodeRoot<Approx::Rcp>);
  add(Opcode::Sqrt, decodeRoot<Approx::Sqrt>);
  add(Opcode::Rsqrt, decodeApprox<Approx::Rsqrt>);
  add(Opcode::Sin, decodeApprox<Approx::Sin>);
  add(Opcode::Cos, decodeApprox<Approx::Cos>);
  add(Opcode::Lg2, decodeApprox<Approx::Lg2>);
  add(Opcode::Ex2, decodeApprox<Approx::Ex2>);
  add(Opcode::Tanh, decodeApprox<Approx::Tanh>);
  add(Opcode::Testp, decodeTestp);
  add(Opcode::Copysign, decodeCopysign);
}

} // namespace kiln::sim::exec

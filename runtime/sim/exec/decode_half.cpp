//===- decode_half.cpp - Decoding f16 and bf16 instructions ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decode_half.h"

#include "runtime/sim/arith/half.h"
#include "runtime/sim/exec/decode_forms.h"
#include "runtime/sim/exec/handlers.h"

namespace kiln::sim::exec {

namespace {
using arith::FloatOp;
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;

/// Selects vector code for the common forms; other forms run lane by lane.
HalfOp halfOp(const Instruction &i) {
  bool nan = i.has(Mod::PropagateNan);
  switch (i.opcode) {
  case Opcode::Add:
    return HalfOp::Add;
  case Opcode::Sub:
    return HalfOp::Sub;
  case Opcode::Mul:
    return HalfOp::Mul;
  case Opcode::Fma:
    return i.has(Mod::Relu) ? HalfOp::FmaRelu : HalfOp::Fma;
  case Opcode::Min:
    return nan ? HalfOp::MinNan : HalfOp::Min;
  case Opcode::Max:
    return nan ? HalfOp::MaxNan : HalfOp::Max;
  case Opcode::Abs:
    return HalfOp::Abs;
  default:
    return HalfOp::Neg;
  }
}

using Element = uint32_t (*)(uint32_t a, uint32_t b, uint32_t c);
struct HalfHow {
  Element element;
  bool pair;
};

uint64_t halfLane(const void *how, uint64_t a, uint64_t b, uint64_t c) {
  auto &h = *static_cast<const HalfHow *>(how);
  uint32_t low = h.element(a & 0xffff, b & 0xffff, c & 0xffff);
  if (!h.pair)
    return low;
  auto high = [](uint64_t v) { return uint32_t(v >> 16 & 0xffff); };
  return low | h.element(high(a), high(b), high(c)) << 16;
}

template <bool Bf, bool Relu>
uint32_t fmaOutOfBounds(uint32_t a, uint32_t b, uint32_t c) {
  if (a == arith::OutOfBoundsNan || b == arith::OutOfBoundsNan ||
      c == arith::OutOfBoundsNan)
    return 0;
  return arith::opHalf<FloatOp::Fma, Bf, false, false, Relu>(a, b, c);
}

template <bool Max, bool Bf, bool Ftz, bool Nan>
uint32_t orderBySign(uint32_t a, uint32_t b, uint32_t) {
  return arith::minMaxHalf<Max, Bf, Ftz, Nan, true>(a, b);
}

template <bool Max, bool Bf> Element signOrder(bool ftz, bool nan) {
  if (ftz)
    return nan ? orderBySign<Max, Bf, true, true> : orderBySign<Max, Bf, true, false>;
  return nan ? orderBySign<Max, Bf, false, true> : orderBySign<Max, Bf, false, false>;
}

/// Returns the function for fma.oob and .xorsign.abs; null for other instructions.
Element rareElement(const Instruction &i) {
  bool bf = isBrain(i.type());
  if (i.has(Mod::Oob)) {
    if (i.has(Mod::Relu))
      return bf ? fmaOutOfBounds<true, true> : fmaOutOfBounds<false, true>;
    return bf ? fmaOutOfBounds<true, false> : fmaOutOfBounds<false, false>;
  }
  if (!i.has(Mod::Xorsign))
    return nullptr;
  bool nan = i.has(Mod::PropagateNan);
  if (i.opcode == Opcode::Max)
    return bf ? signOrder<true, true>(i.ftz(), nan)
              : signOrder<true, false>(i.ftz(), nan);
  return bf ? signOrder<false, true>(i.ftz(), nan)
            : signOrder<false, false>(i.ftz(), nan);
}

struct HalfApproxHow {
  arith::Approx function;
  bool brain, ftz, pair;
};
uint64_t halfApproxLane(const void *how, uint64_t a, uint64_t, uint64_t) {
  auto &h = *static_cast<const HalfApproxHow *>(how);
  auto one = [&](uint64_t v) {
    return arith::approxHalf(h.function, h.brain, uint32_t(v & 0xffff), h.ftz,
                             arith::chosenApproxMode());
  };
  return h.pair ? one(a) | one(a >> 16) << 16 : one(a);
}
} // namespace

bool decodeHalfArithmetic(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  std::vector<unsigned> sources(i.operands.size() - 1, bytes);
  if (Element element = rareElement(i)) {
    LaneForm form;
    form.function = halfLane;
    form.how = std::make_shared<HalfHow>(HalfHow{element, isPair(i.type())});
    form.bytes = bytes;
    form.sources = sources;
    return emitLaneForm(decoder, i, form);
  }
  Handler run =
      handlers().half(halfOp(i), isBrain(i.type()), isPair(i.type()), i.ftz(), i.sat());
  return emitForm(decoder, i, run, bytes, sources);
}

bool decodeHalfApprox(Decoder &decoder, const Instruction &i, arith::Approx function) {
  unsigned bytes = ptx::bytes(i.type());
  LaneForm form;
  form.function = halfApproxLane;
  form.how = std::make_shared<HalfApproxHow>(
      HalfApproxHow{function, isBrain(i.type()), i.ftz(), isPair(i.type())});
  form.bytes = bytes;
  form.sources = {bytes};
  return emitLaneForm(decoder, i, form);
}

} // namespace kiln::sim::exec

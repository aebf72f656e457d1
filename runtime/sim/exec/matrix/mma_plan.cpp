//===- mma_plan.cpp - Decoded form of mma.sync ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/matrix/mma_plan.h"
#include "runtime/sim/exec/decode_half.h"
#include "runtime/sim/ptx/match.h"

namespace kiln::sim::exec {
using namespace matrix;

namespace {

/// Distance in bits between elements of a register.
unsigned placeBits(const ptx::Instruction &i, ptx::Type type) {
  if (type == ptx::Type::F64)
    return 32;
  return ptx::padsToBytes(i) ? 8 : ptx::bits(type);
}

/// Extracts an element from its place: a 4-bit element is in the middle of its byte, a
/// 6-bit one at the low end. The bits around them are ignored.
uint32_t element(uint32_t place, unsigned placeBits, const arith::Format &format) {
  if (placeBits != 8 || format.bits == 8)
    return place;
  uint32_t low = format.bits == 4 ? place >> 2 : place;
  return low & ((1u << format.bits) - 1);
}

} // namespace

std::shared_ptr<MmaPlan> matrix::makePlan(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<MmaPlan>();
  ptx::Type typeD = i.types[0], typeA = i.types[1], typeB = i.types[2],
            typeC = i.types[3];
  bool integer = typeD == ptx::Type::S32;
  *plan = {.m = i.shape.m,
           .n = i.shape.n,
           .k = i.shape.k,
           .bitsA = placeBits(i, typeA),
           .bitsB = placeBits(i, typeB),
           .formatA = formatOf(typeA),
           .formatB = formatOf(typeB),
           .f16C = typeC == ptx::Type::F16,
           .f16D = typeD == ptx::Type::F16,
           .satfinite = i.has(ptx::Mod::Satfinite),
           .signedA = ptx::isSigned(typeA),
           .signedB = ptx::isSigned(typeB),
           .columnA = i.layouts[0] == ptx::Mod::Col,
           .columnB = i.layouts[1] == ptx::Mod::Col,
           .rule = {},
           .rounding = roundingOf(i.rounding),
           .countD = unsigned(elementsOf(i.operands[0]).size()),
           .countA = unsigned(elementsOf(i.operands[1]).size()),
           .countB = unsigned(elementsOf(i.operands[2]).size()),
           .countC = unsigned(elementsOf(i.operands[3]).size())};
  if (!integer && (!plan->formatA || !plan->formatB)) {
    decoder.error("element types that are not modelled");
    return nullptr;
  }
  unsigned bytes = typeD == ptx::Type::F64 ? 8 : 4;
  appendResults(decoder, i.operands[0], bytes);
  for (unsigned operand = 1; operand < 4; ++operand)
    appendSources(decoder, i.operands[operand], bytes);
  return plan;
}

void matrix::loadFactors(const MmaPlan &plan, const OpInfo &info, const uint8_t *regs,
                         uint32_t *a, uint32_t *b) {
  forA(plan, [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
    uint32_t place = packed(regs, plan.a(info, reg), lane, e, plan.bitsA);
    a[p.row * plan.k + p.column] = element(place, plan.bitsA, *plan.formatA);
  });
  forB(plan, [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
    uint32_t place = packed(regs, plan.b(info, reg), lane, e, plan.bitsB);
    b[p.row * plan.n + p.column] = element(place, plan.bitsB, *plan.formatB);
  });
}

void matrix::loadAccumulators(const MmaPlan &plan, const OpInfo &info,
                              const uint8_t *regs, uint32_t *c) {
  forC(plan, plan.countC, plan.f16C,
       [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
         c[p.row * plan.n + p.column] =
             packed(regs, plan.c(info, reg), lane, e, plan.f16C ? 16 : 32);
       });
}

void matrix::storeAccumulators(const MmaPlan &plan, const OpInfo &info, uint8_t *regs,
                               const uint32_t *sums) {
  if (!plan.f16D) {
    forC(plan, plan.countD, false, [&](unsigned lane, unsigned reg, unsigned, Cell p) {
      lanes<uint32_t>(regs, plan.d(info, reg))[lane] = sums[p.row * plan.n + p.column];
    });
    return;
  }
  forC(plan, plan.countD, true, [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
    uint32_t &to = lanes<uint32_t>(regs, plan.d(info, reg))[lane];
    uint32_t value = sums[p.row * plan.n + p.column];
    to = e ? (to & 0xffff) | value << 16 : value;
  });
}

} // namespace kiln::sim::exec

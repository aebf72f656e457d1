//===- mma.cpp - mma.sync -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/matrix/fragment.h"
#include "runtime/sim/exec/matrix/matrix.h"
#include "runtime/sim/exec/matrix/operands.h"

#include "runtime/sim/profile/profile.h"

namespace kiln::sim::exec {
using namespace matrix;

namespace {

/// One mma.sync; the registers are in OpInfo::operands: D, A, B, C.
struct MmaPlan {
  unsigned m, n, k;
  unsigned bitsA, bitsB; ///< of an element
  const arith::Format *formatA, *formatB;
  bool f16C, f16D, satfinite, signedA, signedB, columnA, columnB;
  arith::DotRule rule;
  arith::Rounding rounding;
  unsigned countD, countA, countB, countC;
  uint32_t d(const OpInfo &info, unsigned i) const { return info.operands[i]; }
  uint32_t a(const OpInfo &info, unsigned i) const { return info.operands[countD + i]; }
  uint32_t b(const OpInfo &info, unsigned i) const {
    return info.operands[countD + countA + i];
  }
  uint32_t c(const OpInfo &info, unsigned i) const {
    return info.operands[countD + countA + countB + i];
  }
};

constexpr unsigned MaxM = 16, MaxN = 8, MaxK = 64;

uint32_t packed(const uint8_t *regs, uint32_t line, unsigned lane, unsigned element,
                unsigned bits) {
  uint32_t value = reinterpret_cast<const uint32_t *>(regs + line)[lane];
  return bits == 32 ? value : value >> (element * bits) & ((1u << bits) - 1);
}

/// visit(lane, register, element, place) for all of A or B.
template <class Visit> void forA(const MmaPlan &plan, Visit visit) {
  unsigned per = 32 / plan.bitsA;
  for (unsigned reg = 0; reg < plan.countA; ++reg)
    for (unsigned lane = 0; lane < WarpSize; ++lane)
      for (unsigned e = 0; e < per; ++e)
        visit(lane, reg, e, placeOfA(plan.m, per, lane, reg, e));
}
template <class Visit> void forB(const MmaPlan &plan, Visit visit) {
  unsigned per = 32 / plan.bitsB;
  for (unsigned reg = 0; reg < plan.countB; ++reg)
    for (unsigned lane = 0; lane < WarpSize; ++lane)
      for (unsigned e = 0; e < per; ++e)
        visit(lane, reg, e, placeOfB(per, lane, reg, e));
}

/// Accumulators of f16 (two in a register) or 32 bits.
template <class Visit>
void forC(const MmaPlan &plan, unsigned count, bool f16, Visit visit) {
  unsigned per = f16 ? 2 : 1;
  for (unsigned reg = 0; reg < count; ++reg)
    for (unsigned lane = 0; lane < WarpSize; ++lane)
      for (unsigned e = 0; e < per; ++e)
        visit(lane, reg, e, placeOfC(plan.m, lane, reg * per + e));
}

void storeAccumulators(const MmaPlan &plan, const OpInfo &info, uint8_t *regs,
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

Stop runMma(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const OpInfo &info = *op->info;
  const MmaPlan &plan = info.as<MmaPlan>();
  uint32_t a[MaxM * MaxK], b[MaxK * MaxN], c[MaxM * MaxN];
  forA(plan, [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
    a[p.row * plan.k + p.column] = packed(regs, plan.a(info, reg), lane, e, plan.bitsA);
  });
  forB(plan, [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
    b[p.row * plan.n + p.column] = packed(regs, plan.b(info, reg), lane, e, plan.bitsB);
  });
  forC(plan, plan.countC, plan.f16C,
       [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
         c[p.row * plan.n + p.column] =
             packed(regs, plan.c(info, reg), lane, e, plan.f16C ? 16 : 32);
       });
  multiplyMixed(
      plan.rule,
      {plan.formatA, plan.formatB, int(plan.m), int(plan.n), int(plan.k), a, b, c, c},
      plan.f16C, plan.f16D);
  storeAccumulators(plan, info, regs, c);
  KILN_NEXT(op, regs, mask, warp);
}

Stop runMmaInt(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const OpInfo &info = *op->info;
  const MmaPlan &plan = info.as<MmaPlan>();
  int32_t a[MaxM * MaxK], b[MaxK * MaxN];
  uint32_t c[MaxM * MaxN];
  forA(plan, [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
    a[p.row * plan.k + p.column] = integerElement(
        packed(regs, plan.a(info, reg), lane, e, plan.bitsA), plan.bitsA, plan.signedA);
  });
  forB(plan, [&](unsigned lane, unsigned reg, unsigned e, Cell p) {
    b[p.row * plan.n + p.column] = integerElement(
        packed(regs, plan.b(info, reg), lane, e, plan.bitsB), plan.bitsB, plan.signedB);
  });
  forC(plan, plan.countC, false, [&](unsigned lane, unsigned reg, unsigned, Cell p) {
    c[p.row * plan.n + p.column] = lanes<uint32_t>(regs, plan.c(info, reg))[lane];
  });
  auto *sums = reinterpret_cast<int32_t *>(c);
  arith::multiplyInt(
      {int(plan.m), int(plan.n), int(plan.k), a, b, sums, sums, plan.satfinite});
  storeAccumulators(plan, info, regs, c);
  KILN_NEXT(op, regs, mask, warp);
}

Stop runMmaF64(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const OpInfo &info = *op->info;
  const MmaPlan &plan = info.as<MmaPlan>();
  uint64_t a[MaxM * 16], b[16 * MaxN], c[MaxM * MaxN];
  for (unsigned lane = 0; lane < WarpSize; ++lane) {
    for (unsigned reg = 0; reg < plan.countA; ++reg) {
      Cell p = placeOfA(plan.m, 1, lane, reg, 0);
      a[p.row * plan.k + p.column] = lanes<uint64_t>(regs, plan.a(info, reg))[lane];
    }
    for (unsigned reg = 0; reg < plan.countB; ++reg) {
      Cell p = placeOfB(1, lane, reg, 0);
      b[p.row * plan.n + p.column] = lanes<uint64_t>(regs, plan.b(info, reg))[lane];
    }
    for (unsigned reg = 0; reg < plan.countC; ++reg) {
      Cell p = placeOfC(plan.m, lane, reg);
      c[p.row * plan.n + p.column] = lanes<uint64_t>(regs, plan.c(info, reg))[lane];
    }
  }
  arith::multiplyF64(int(plan.m), int(plan.n), int(plan.k), a, b, c, c, plan.rounding);
  for (unsigned lane = 0; lane < WarpSize; ++lane)
    for (unsigned reg = 0; reg < plan.countD; ++reg) {
      Cell p = placeOfC(plan.m, lane, reg);
      lanes<uint64_t>(regs, plan.d(info, reg))[lane] = c[p.row * plan.n + p.column];
    }
  KILN_NEXT(op, regs, mask, warp);
}

/// mma.m8n8k4 of f16: one 8x8x4 product of each quad pair.
Stop runMmaQuadPairs(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const OpInfo &info = *op->info;
  const MmaPlan &plan = info.as<MmaPlan>();
  uint32_t a[4][8 * 4], b[4][4 * 8], c[4][8 * 8];
  auto lookup = [&](uint32_t line, unsigned lane, unsigned e) {
    return packed(regs, line, lane, e, 16);
  };
  for (unsigned lane = 0; lane < WarpSize; ++lane) {
    unsigned quad = lane / 4 % 4, place = lane % 4;
    bool high = lane >= 16;
    for (unsigned i = 0; i < 4; ++i) {
      Cell pa = quadPairA(plan.columnA, high, place, i);
      a[quad][pa.row * 4 + pa.column] = lookup(plan.a(info, i / 2), lane, i % 2);
      Cell pb = quadPairB(plan.columnB, high, place, i);
      b[quad][pb.row * 8 + pb.column] = lookup(plan.b(info, i / 2), lane, i % 2);
    }
    for (unsigned i = 0; i < 8; ++i) {
      Cell p = quadPairC(!plan.f16C, high, place, i);
      c[quad][p.row * 8 + p.column] = plan.f16C
                                          ? lookup(plan.c(info, i / 2), lane, i % 2)
                                          : lanes<uint32_t>(regs, plan.c(info, i))[lane];
    }
  }
  for (unsigned quad = 0; quad < 4; ++quad)
    multiplyMixed(
        plan.rule,
        {plan.formatA, plan.formatB, 8, 8, 4, a[quad], b[quad], c[quad], c[quad]},
        plan.f16C, plan.f16D);
  for (unsigned lane = 0; lane < WarpSize; ++lane)
    for (unsigned i = 0; i < 8; ++i) {
      Cell p = quadPairC(!plan.f16D, lane >= 16, lane % 4, i);
      uint32_t value = c[lane / 4 % 4][p.row * 8 + p.column];
      uint32_t &to = lanes<uint32_t>(regs, plan.d(info, plan.f16D ? i / 2 : i))[lane];
      to = !plan.f16D ? value : i % 2 ? (to & 0xffff) | value << 16 : value;
    }
  KILN_NEXT(op, regs, mask, warp);
}

arith::Rounding roundingOf(ptx::Mod mod) {
  switch (mod) {
  case ptx::Mod::Rz:
    return arith::Rounding::Rz;
  case ptx::Mod::Rm:
    return arith::Rounding::Rm;
  case ptx::Mod::Rp:
    return arith::Rounding::Rp;
  default:
    return arith::Rounding::Rn;
  }
}

bool decodeMma(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<MmaPlan>();
  ptx::Type typeD = i.types[0], typeA = i.types[1], typeB = i.types[2],
            typeC = i.types[3];
  bool f64 = typeD == ptx::Type::F64, integer = typeD == ptx::Type::S32;
  *plan = {.m = i.shape.m,
           .n = i.shape.n,
           .k = i.shape.k,
           .bitsA = f64 ? 32 : ptx::bits(typeA),
           .bitsB = f64 ? 32 : ptx::bits(typeB),
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
  if (!integer && (!plan->formatA || !plan->formatB))
    return decoder.error("element types that are not modelled");
  const DeviceProfile &profile = *decoder.code.profile;
  if (!integer)
    plan->rule = arith::dotRule(
        arith::tensorArch(profile.computeMajor * 10 + profile.computeMinor),
        arith::TensorUnit::Mma, *plan->formatA, int(plan->k), plan->f16D);
  unsigned bytes = f64 ? 8 : 4;
  appendResults(decoder, i.operands[0], bytes);
  for (unsigned operand = 1; operand < 4; ++operand)
    appendSources(decoder, i.operands[operand], bytes);
  decoder.info().payload = plan;
  bool quadPairs = i.shape == ptx::Shape{8, 8, 4} && !f64;
  decoder.emit(f64         ? runMmaF64
               : integer   ? runMmaInt
               : quadPairs ? runMmaQuadPairs
                           : runMma);
  return true;
}

} // namespace

void matrix::addMma(DecoderTable &table) { table[size_t(ptx::Opcode::Mma)] = decodeMma; }

} // namespace kiln::sim::exec

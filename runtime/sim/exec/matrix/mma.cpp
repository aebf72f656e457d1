//===- mma.cpp - mma.sync -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/matrix/matrix.h"
#include "runtime/sim/exec/matrix/mma_plan.h"

#include "runtime/sim/profile/profile.h"

namespace kiln::sim::exec {
using namespace matrix;

namespace {

Stop runMma(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const OpInfo &info = *op->info;
  const MmaPlan &plan = info.as<MmaPlan>();
  uint32_t a[MaxM * MaxK], b[MaxK * MaxN], c[MaxM * MaxN];
  loadFactors(plan, info, regs, a, b);
  loadAccumulators(plan, info, regs, c);
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

/// mma.m8n8k4 of f16: one 8x8x4 MMA per quad pair.
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

bool decodeMma(Decoder &decoder, const ptx::Instruction &i) {
  std::shared_ptr<MmaPlan> plan = makePlan(decoder, i);
  if (!plan)
    return false;
  bool f64 = i.types[0] == ptx::Type::F64, integer = i.types[0] == ptx::Type::S32;
  const DeviceProfile &profile = *decoder.code.profile;
  if (!integer)
    plan->rule = arith::dotRule(
        arith::tensorArch(profile.computeMajor * 10 + profile.computeMinor),
        arith::TensorUnit::Mma, *plan->formatA, int(plan->k), plan->f16D);
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

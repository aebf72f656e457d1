//===- mma_plan.h - Decoded form of mma.sync --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_MATRIX_MMA_PLAN_H
#define KILN_SIM_EXEC_MATRIX_MMA_PLAN_H

#include "runtime/sim/exec/matrix/fragment.h"
#include "runtime/sim/exec/matrix/operands.h"

namespace kiln::sim::exec::matrix {

/// One mma.sync. OpInfo::operands has the registers of D, A, B, C, then those of its
/// kind.
struct MmaPlan {
  unsigned m, n, k;
  unsigned bitsA, bitsB; ///< bits per element in a register
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
  uint32_t more(const OpInfo &info, unsigned i) const {
    return info.operands[countD + countA + countB + countC + i];
  }
};

constexpr unsigned MaxM = 16, MaxN = 8, MaxK = 64;

/// Makes the plan and appends the registers of D, A, B and C to info().operands; null
/// after an error.
std::shared_ptr<MmaPlan> makePlan(Decoder &decoder, const ptx::Instruction &i);

inline uint32_t packed(const uint8_t *regs, uint32_t line, unsigned lane,
                       unsigned element, unsigned bits) {
  uint32_t value = reinterpret_cast<const uint32_t *>(regs + line)[lane];
  return bits == 32 ? value : value >> (element * bits) & ((1u << bits) - 1);
}

/// Calls visit(lane, register, element, place) for all elements of A or B.
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

/// Visits accumulators: f16 (two per register) or 32 bits.
template <class Visit>
void forC(const MmaPlan &plan, unsigned count, bool f16, Visit visit) {
  unsigned per = f16 ? 2 : 1;
  for (unsigned reg = 0; reg < count; ++reg)
    for (unsigned lane = 0; lane < WarpSize; ++lane)
      for (unsigned e = 0; e < per; ++e)
        visit(lane, reg, e, placeOfC(plan.m, lane, reg * per + e));
}

/// Loads the bits of the floating-point elements of A (m x k) and B (k x n).
void loadFactors(const MmaPlan &plan, const OpInfo &info, const uint8_t *regs,
                 uint32_t *a, uint32_t *b);
void loadAccumulators(const MmaPlan &plan, const OpInfo &info, const uint8_t *regs,
                      uint32_t *c);
void storeAccumulators(const MmaPlan &plan, const OpInfo &info, uint8_t *regs,
                       const uint32_t *sums);

} // namespace kiln::sim::exec::matrix

#endif // KILN_SIM_EXEC_MATRIX_MMA_PLAN_H

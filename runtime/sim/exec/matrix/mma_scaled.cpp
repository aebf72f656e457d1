//===- mma_scaled.cpp - mma.sync with block scales ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After D, A, B and C there are, for A and then for B, a register with up to four scales,
// one per byte, and a selector {byte, thread}. Lanes of group r % 8 hold the scales of
// row r of A: thread 0 selects the group's lanes 0 and 1, thread 1 its lanes 2 and 3; the
// first lane of the pair is for rows below 8. Lane `thread` of group c holds the scales
// of column c of B. `byte` is the position of the first scale in the register; the next
// ones are above it.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/arith/tensor_scaled.h"
#include "runtime/sim/exec/matrix/matrix.h"
#include "runtime/sim/exec/matrix/mma_plan.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/ptx/match.h"

namespace kiln::sim::exec {
using namespace matrix;

namespace {

constexpr unsigned MaxScales = 4, GroupLanes = 4, GroupRows = 8;
struct ScaledPlan : MmaPlan {
  unsigned scales; ///< along k, per row of A and column of B
  arith::ScaledUnit unit;
  arith::ScaleType type;
};

/// Indices into MmaPlan::more.
enum More : unsigned { ScalesA, ByteA, ThreadA, ScalesB, ByteB, ThreadB };

struct Selector {
  unsigned byte, thread;
};

/// Reads a selector and checks that it is the same in all lanes and within its limits.
bool readSelector(const MicroOp *op, uint8_t *regs, Warp &warp, const ScaledPlan &plan,
                  unsigned first, unsigned threads, Selector &selector) {
  const auto *bytes = lanes<uint32_t>(regs, plan.more(*op->info, first));
  const auto *thread = lanes<uint32_t>(regs, plan.more(*op->info, first + 1));
  Mask differ = 0;
  for (unsigned lane = 0; lane < WarpSize; ++lane)
    if (bytes[lane] != bytes[0] || thread[lane] != thread[0])
      differ |= Mask(1) << lane;
  std::string which = first == ByteA ? "A" : "B";
  if (differ) {
    fault(originOf(warp, op, differ), LaunchFailed,
          "the selector of the scales of " + which + " in " + describeLanes(differ) +
              " is not that of lane 0",
          "give all lanes the same byte and thread");
    return false;
  }
  selector = {bytes[0], thread[0]};
  if (selector.byte <= MaxScales - plan.scales && selector.byte % plan.scales == 0 &&
      selector.thread < threads)
    return true;
  fault(originOf(warp, op, AllLanes), LaunchFailed,
        "the selector of the scales of " + which + " is {" +
            std::to_string(selector.byte) + ", " + std::to_string(selector.thread) + "}",
        "take a byte that is a multiple of the " + std::to_string(plan.scales) +
            " scale(s), below 4, and a thread below " + std::to_string(threads));
  return false;
}

/// Extracts the scales of one row or column from its lane's register.
void takeScales(uint32_t word, unsigned byte, unsigned count, uint8_t *to) {
  for (unsigned i = 0; i < count; ++i)
    to[i] = uint8_t(word >> (byte + i) * 8);
}

Stop runMmaScaled(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const OpInfo &info = *op->info;
  const ScaledPlan &plan = info.as<ScaledPlan>();
  constexpr unsigned pairs = 2;
  Selector ofA, ofB;
  if (!readSelector(op, regs, warp, plan, ByteA, pairs, ofA) ||
      !readSelector(op, regs, warp, plan, ByteB, GroupLanes, ofB))
    return Stop::Fault;
  uint8_t scaleA[MaxM * MaxScales], scaleB[MaxN * MaxScales];
  const auto *wordsA = lanes<uint32_t>(regs, plan.more(info, ScalesA));
  const auto *wordsB = lanes<uint32_t>(regs, plan.more(info, ScalesB));
  for (unsigned row = 0; row < plan.m; ++row) {
    unsigned lane = row % GroupRows * GroupLanes + ofA.thread * pairs + row / GroupRows;
    takeScales(wordsA[lane], ofA.byte, plan.scales, scaleA + row * plan.scales);
  }
  for (unsigned column = 0; column < plan.n; ++column)
    takeScales(wordsB[column * GroupLanes + ofB.thread], ofB.byte, plan.scales,
               scaleB + column * plan.scales);
  uint32_t a[MaxM * MaxK], b[MaxK * MaxN], c[MaxM * MaxN];
  loadFactors(plan, info, regs, a, b);
  loadAccumulators(plan, info, regs, c);
  arith::Product product = {
      plan.formatA, plan.formatB, int(plan.m), int(plan.n), int(plan.k), a, b, c, c};
  arith::multiplyScaled(
      {product, plan.unit, plan.type, int(plan.scales), scaleA, scaleB});
  storeAccumulators(plan, info, regs, c);
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeMmaScaled(Decoder &decoder, const ptx::Instruction &i) {
  std::shared_ptr<MmaPlan> shape = makePlan(decoder, i);
  if (!shape)
    return false;
  constexpr unsigned firstMore = 4;
  for (unsigned operand = firstMore; operand < i.operands.size(); ++operand)
    appendSources(decoder, i.operands[operand], 4);
  auto plan = std::make_shared<ScaledPlan>();
  static_cast<MmaPlan &>(*plan) = *shape;
  plan->scales = ptx::scalesOf(i);
  plan->unit = i.has(ptx::Mod::KindMxf8f6f4) ? arith::ScaledUnit::Mxf8f6f4
                                             : arith::ScaledUnit::Mxf4;
  plan->type =
      i.types[4] == ptx::Type::UE4M3 ? arith::ScaleType::UE4M3 : arith::ScaleType::UE8M0;
  decoder.info().payload = plan;
  decoder.emit(runMmaScaled);
  return true;
}

} // namespace

void matrix::addMmaScaled(DecoderTable &table) {
  table[size_t(ptx::Opcode::MmaBlockScale)] = decodeMmaScaled;
}

} // namespace kiln::sim::exec

//===- wmma.cpp - wmma.load, wmma.mma, wmma.store -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// PTX leaves open which lane holds which element, as long as load, mma and store of one
// shape agree. Here lane l holds the elements [l * E, (l + 1) * E) of the matrix in
// row-major order, E = elements / 32. Fragments with more registers than needed (f16)
// hold the elements several times.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decode_half.h"
#include "runtime/sim/exec/matrix/matrix.h"
#include "runtime/sim/exec/matrix/operands.h"

#include "runtime/sim/profile/profile.h"

#include <cstring>

namespace kiln::sim::exec {
using namespace matrix;

namespace {

/// The registers of one matrix.
struct WmmaFragment {
  unsigned rows = 0, columns = 0;
  unsigned bits = 0;             ///< of an element
  unsigned count = 0, first = 0; ///< registers: number, and first index in
                                 ///< OpInfo::operands
  unsigned run() const { return rows * columns / WarpSize; }
  unsigned perRegister() const { return bits == 64 ? 1 : 32 / bits; }
  unsigned slots() const { return count * perRegister(); }
};

constexpr unsigned MaxElements = 32 * 16;
using Elements = uint64_t[MaxElements];

WmmaFragment fragmentOf(const ptx::Shape &shape, char which, ptx::Type type) {
  unsigned bits = ptx::bits(type);
  switch (which) {
  case 'A':
    return {shape.m, shape.k, bits};
  case 'B':
    return {shape.k, shape.n, bits};
  default:
    return {shape.m, shape.n, bits};
  }
}

void readFragment(const WmmaFragment &f, const OpInfo &info, const uint8_t *regs,
                  uint64_t *elements) {
  for (unsigned lane = 0; lane < WarpSize; ++lane)
    for (unsigned i = 0; i < f.run(); ++i) {
      const uint8_t *line = regs + info.operands[f.first + i / f.perRegister()];
      uint64_t value = f.bits == 64 ? reinterpret_cast<const uint64_t *>(line)[lane]
                                    : reinterpret_cast<const uint32_t *>(line)[lane];
      unsigned shift = i % f.perRegister() * f.bits;
      uint64_t mask = f.bits == 64 ? ~uint64_t(0) : (uint64_t(1) << f.bits) - 1;
      elements[lane * f.run() + i] = value >> shift & mask;
    }
}

void writeFragment(const WmmaFragment &f, const OpInfo &info, uint8_t *regs,
                   const uint64_t *elements) {
  for (unsigned reg = 0; reg < f.count; ++reg)
    for (unsigned lane = 0; lane < WarpSize; ++lane) {
      uint64_t value = 0;
      for (unsigned e = 0; e < f.perRegister(); ++e) {
        unsigned i = (reg * f.perRegister() + e) % f.run();
        value |= elements[lane * f.run() + i] << (e * f.bits % 64);
      }
      uint32_t line = info.operands[f.first + reg];
      if (f.bits == 64)
        lanes<uint64_t>(regs, line)[lane] = value;
      else
        lanes<uint32_t>(regs, line)[lane] = uint32_t(value);
    }
}

struct WmmaMemoryPlan {
  WmmaFragment fragment;
  bool columnMajor, narrow;
  bool accumulator = false; ///< C or D
  ptx::Type type = {};
  Space space;
  uint32_t stride = 0; ///< register, b32, in elements
};

uint64_t addressOf(const MicroOp *op, uint8_t *regs, const WmmaMemoryPlan &plan,
                   unsigned lane) {
  uint64_t base = plan.narrow ? lanes<uint32_t>(regs, op->a)[lane]
                              : lanes<uint64_t>(regs, op->a)[lane];
  return base + op->imm;
}

/// Checks that all lanes give the same address and stride.
bool sameMatrix(const MicroOp *op, uint8_t *regs, Mask mask, const Warp &warp,
                const WmmaMemoryPlan &plan) {
  const uint32_t *strides = lanes<uint32_t>(regs, plan.stride);
  for (unsigned lane = 1; lane < WarpSize; ++lane)
    if (addressOf(op, regs, plan, lane) != addressOf(op, regs, plan, 0) ||
        strides[lane] != strides[0]) {
      fault(originOf(warp, op, mask), LaunchFailed,
            "lane " + std::to_string(lane) +
                " gives another address or stride than lane 0",
            "give all lanes of the warp the same matrix");
      return false;
    }
  return true;
}

/// Sets an id of how the lanes divide an accumulator in memory: C and D of one shape and
/// type have the same layout, so with in-place loads and stores each lane accesses only
/// its own elements. Elements of A and B may be held by several lanes. False after a
/// fault.
bool nameDivision(const Origin &origin, uint8_t *regs, const WmmaMemoryPlan &plan,
                  uint64_t address, AccessTraits &traits) {
  const WmmaFragment &f = plan.fragment;
  if (!plan.accumulator || !origin.grid().observer)
    return true;
  Place place = resolve(origin, plan.space, address, f.bits / 8, f.bits / 8, traits.kind);
  if (!place)
    return false;
  uint64_t name = reinterpret_cast<uintptr_t>(place.bytes);
  for (uint64_t part :
       {uint64_t(lanes<uint32_t>(regs, plan.stride)[0]), uint64_t(f.rows),
        uint64_t(f.columns), uint64_t(plan.type), uint64_t(plan.columnMajor)})
    name = (name ^ part) * 0x9e3779b97f4a7c15u ^ name >> 29;
  traits.division = uint32_t(name >> 32) | 1;
  return true;
}

/// Calls visit(place, first element, step between elements, count) for each row or column
/// that is contiguous in memory; false after a fault.
template <class Visit>
bool forLines(const MicroOp *op, uint8_t *regs, const Warp &warp,
              const WmmaMemoryPlan &plan, AccessKind kind, Visit visit) {
  const WmmaFragment &f = plan.fragment;
  unsigned lines = plan.columnMajor ? f.columns : f.rows;
  unsigned length = plan.columnMajor ? f.rows : f.columns;
  uint64_t stride = lanes<uint32_t>(regs, plan.stride)[0];
  unsigned alignment = f.bits < 8 ? 1 : f.bits / 8;
  Origin origin = originOf(warp, op, AllLanes);
  AccessTraits traits{.kind = kind};
  if (!nameDivision(origin, regs, plan, addressOf(op, regs, plan, 0), traits))
    return false;
  for (unsigned line = 0; line < lines; ++line) {
    uint64_t at = addressOf(op, regs, plan, 0) + line * stride * f.bits / 8;
    Place place = access(origin, plan.space, at, length * f.bits / 8, alignment, traits);
    if (!place)
      return false;
    if (plan.columnMajor)
      visit(place.bytes, line, f.columns, length);
    else
      visit(place.bytes, line * f.columns, 1u, length);
  }
  return true;
}

Stop runWmmaLoad(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<WmmaMemoryPlan>();
  if (!wholeWarp(op, mask, warp) || !sameMatrix(op, regs, mask, warp, plan))
    return Stop::Fault;
  unsigned bits = plan.fragment.bits;
  Elements elements;
  auto load = [&](const uint8_t *bytes, unsigned first, unsigned step, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      uint64_t value = 0;
      memcpy(&value, bytes + i * bits / 8, (bits + 7) / 8);
      elements[first + i * step] = bits == 4 ? value >> (i % 2 * 4) & 15 : value;
    }
  };
  if (!forLines(op, regs, warp, plan, AccessKind::Read, load))
    return Stop::Fault;
  writeFragment(plan.fragment, *op->info, regs, elements);
  KILN_NEXT(op, regs, mask, warp);
}

Stop runWmmaStore(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<WmmaMemoryPlan>();
  if (!wholeWarp(op, mask, warp) || !sameMatrix(op, regs, mask, warp, plan))
    return Stop::Fault;
  warp.changed = true;
  Elements elements;
  readFragment(plan.fragment, *op->info, regs, elements);
  unsigned bytesEach = plan.fragment.bits / 8;
  auto store = [&](uint8_t *bytes, unsigned first, unsigned step, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      memcpy(bytes + i * bytesEach, &elements[first + i * step], bytesEach);
  };
  if (!forLines(op, regs, warp, plan, AccessKind::Write, store))
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

struct WmmaPlan {
  unsigned m, n, k;
  WmmaFragment d, a, b, c;
  const arith::Format *formatA, *formatB;
  bool f16C, f16D, satfinite, signedA, signedB;
  arith::DotRule rule;
  arith::Rounding rounding;
};

Stop runWmmaMma(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const OpInfo &info = *op->info;
  const auto &plan = info.as<WmmaPlan>();
  Elements a, b, c;
  readFragment(plan.a, info, regs, a);
  readFragment(plan.b, info, regs, b);
  readFragment(plan.c, info, regs, c);
  int m = int(plan.m), n = int(plan.n), k = int(plan.k);
  if (plan.d.bits == 64) {
    arith::multiplyF64(m, n, k, a, b, c, c, plan.rounding);
  } else {
    uint32_t narrowA[MaxElements], narrowB[MaxElements], sums[MaxElements];
    for (int i = 0; i < m * k; ++i)
      narrowA[i] =
          plan.formatA
              ? uint32_t(a[i])
              : uint32_t(integerElement(uint32_t(a[i]), plan.a.bits, plan.signedA));
    for (int i = 0; i < k * n; ++i)
      narrowB[i] =
          plan.formatB
              ? uint32_t(b[i])
              : uint32_t(integerElement(uint32_t(b[i]), plan.b.bits, plan.signedB));
    for (int i = 0; i < m * n; ++i)
      sums[i] = uint32_t(c[i]);
    if (plan.formatA) {
      multiplyMixed(plan.rule,
                    {plan.formatA, plan.formatB, m, n, k, narrowA, narrowB, sums, sums},
                    plan.f16C, plan.f16D);
    } else {
      auto *exact = reinterpret_cast<int32_t *>(sums);
      arith::multiplyInt({m, n, k, reinterpret_cast<int32_t *>(narrowA),
                          reinterpret_cast<int32_t *>(narrowB), exact, exact,
                          plan.satfinite});
    }
    for (int i = 0; i < m * n; ++i)
      c[i] = sums[i];
  }
  writeFragment(plan.d, info, regs, c);
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeMemory(Decoder &decoder, const ptx::Instruction &i, bool load) {
  auto plan = std::make_shared<WmmaMemoryPlan>();
  char which = i.has(ptx::Mod::MatrixA) ? 'A' : i.has(ptx::Mod::MatrixB) ? 'B' : 'C';
  const ptx::Operand &matrix = i.operands[load ? 0 : 1];
  const ptx::Operand &address = i.operands[load ? 1 : 0];
  WmmaFragment &f = plan->fragment;
  f = fragmentOf(i.shape, which, i.type());
  f.count = unsigned(elementsOf(matrix).size());
  unsigned bytes = f.bits == 64 ? 8 : 4;
  if (load)
    appendResults(decoder, matrix, bytes);
  else
    appendSources(decoder, matrix, bytes);
  plan->accumulator = which == 'C';
  plan->type = i.type();
  plan->columnMajor = i.layouts[0] == ptx::Mod::Col;
  plan->space = i.space() == ptx::StateSpace::Generic  ? Space::Generic
                : i.space() == ptx::StateSpace::Global ? Space::Global
                                                       : Space::Shared;
  plan->stride = i.operands.size() > 2
                     ? decoder.read(i.operands[2], 4)
                     : decoder.constant(plan->columnMajor ? f.rows : f.columns, 4);
  AddressOperand at = decoder.address(address);
  plan->narrow = at.narrow;
  decoder.info().payload = plan;
  decoder.emit(load ? runWmmaLoad : runWmmaStore, 0, at.line, 0, 0, uint64_t(at.offset));
  return true;
}

bool decodeWmmaLoad(Decoder &decoder, const ptx::Instruction &i) {
  return decodeMemory(decoder, i, true);
}
bool decodeWmmaStore(Decoder &decoder, const ptx::Instruction &i) {
  return decodeMemory(decoder, i, false);
}

bool decodeWmmaMma(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<WmmaPlan>();
  bool brief = i.typeCount == 2; // .dtype.ctype: A and B are f16
  ptx::Type typeD = i.types[0];
  ptx::Type typeA = brief ? ptx::Type::F16 : i.types[1];
  ptx::Type typeB = brief ? ptx::Type::F16 : i.types[2];
  ptx::Type typeC = brief ? i.types[1] : i.types[3];
  *plan = {.m = i.shape.m,
           .n = i.shape.n,
           .k = i.shape.k,
           .d = fragmentOf(i.shape, 'D', typeD),
           .a = fragmentOf(i.shape, 'A', typeA),
           .b = fragmentOf(i.shape, 'B', typeB),
           .c = fragmentOf(i.shape, 'C', typeC),
           .formatA = formatOf(typeA),
           .formatB = formatOf(typeB),
           .f16C = typeC == ptx::Type::F16,
           .f16D = typeD == ptx::Type::F16,
           .satfinite = i.has(ptx::Mod::Satfinite),
           .signedA = ptx::isSigned(typeA),
           .signedB = ptx::isSigned(typeB),
           .rule = {},
           .rounding = roundingOf(i.rounding)};
  const DeviceProfile &profile = *decoder.code.profile;
  if (plan->formatA)
    plan->rule = arith::dotRule(
        arith::tensorArch(profile.computeMajor * 10 + profile.computeMinor),
        arith::TensorUnit::Mma, *plan->formatA, int(plan->k), plan->f16D);
  WmmaFragment *fragments[] = {&plan->d, &plan->a, &plan->b, &plan->c};
  unsigned first = 0;
  for (unsigned operand = 0; operand < 4; ++operand) {
    WmmaFragment &f = *fragments[operand];
    f.count = unsigned(elementsOf(i.operands[operand]).size());
    f.first = first;
    first += f.count;
    if (f.slots() < f.run() || f.rows * f.columns > MaxElements)
      return decoder.error("a fragment of a size that is not modelled");
    unsigned bytes = f.bits == 64 ? 8 : 4;
    if (operand == 0)
      appendResults(decoder, i.operands[operand], bytes);
    else
      appendSources(decoder, i.operands[operand], bytes);
  }
  decoder.info().payload = plan;
  decoder.emit(runWmmaMma);
  return true;
}

} // namespace

void matrix::addWmma(DecoderTable &table) {
  table[size_t(ptx::Opcode::WmmaLoad)] = decodeWmmaLoad;
  table[size_t(ptx::Opcode::WmmaStore)] = decodeWmmaStore;
  table[size_t(ptx::Opcode::WmmaMma)] = decodeWmmaMma;
}

} // namespace kiln::sim::exec

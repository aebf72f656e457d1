//===- lanes/compare.cpp - Handlers of comparisons -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/lanes/lookups.h"
#include "runtime/sim/exec/warp.h"

#include <type_traits>

#include "runtime/sim/exec/lanes/build.h"

namespace kiln::sim::exec::KILN_SIM_BUILD {
namespace {
#include "runtime/sim/exec/lanes/loops.h"

typedef uint8_t ByteLanes __attribute__((vector_size(WarpSize)));
typedef bool BoolLanes __attribute__((ext_vector_type(WarpSize)));

Mask toMask(const uint8_t *hits) {
  ByteLanes bytes = *reinterpret_cast<const ByteLanes *>(hits);
  BoolLanes bits = __builtin_convertvector(bytes != 0, BoolLanes);
  return __builtin_bit_cast(Mask, bits);
}

/// Evaluates a comparison. The unordered forms (equ, ltu, ...) are true if an operand is
/// NaN.
template <CompareOp Op, class T> bool holds(T a, T b) {
  switch (Op) {
  case CompareOp::Eq:
    return a == b;
  case CompareOp::Ne:
    return std::is_floating_point_v<T> ? a < b || a > b : a != b;
  case CompareOp::Lt:
    return a < b;
  case CompareOp::Le:
    return a <= b;
  case CompareOp::Gt:
    return a > b;
  case CompareOp::Ge:
    return a >= b;
  case CompareOp::Equ:
    return !(a < b || a > b);
  case CompareOp::Neu:
    return a != b;
  case CompareOp::Ltu:
    return !(a >= b);
  case CompareOp::Leu:
    return !(a > b);
  case CompareOp::Gtu:
    return !(a <= b);
  case CompareOp::Geu:
    return !(a < b);
  case CompareOp::Num:
    return a == a && b == b;
  case CompareOp::Nan:
    return a != a || b != b;
  }
}

template <class T> struct Plain {
  using type = T;
  static T load(T v) { return v; }
};
struct Flushed {
  using type = uint32_t;
  static float load(uint32_t v) {
    return __builtin_bit_cast(float, (v & 0x7f800000) == 0 ? v & 0x80000000 : v);
  }
};

template <Combine How> Mask combine(Mask hit, Mask other) {
  switch (How) {
  case Combine::None:
    return hit;
  case Combine::And:
    return hit & other;
  case Combine::Or:
    return hit | other;
  case Combine::Xor:
    return hit ^ other;
  }
}

template <CompareOp Op, class Load, Combine How>
Stop compare(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  using T = typename Load::type;
  const T *a = lanes<T>(regs, op->a), *b = lanes<T>(regs, op->b);
  alignas(WarpSize) uint8_t hits[WarpSize];
  KILN_LANES hits[i] = holds<Op>(Load::load(a[i]), Load::load(b[i]));
  const Mask hit = toMask(hits);
  const Mask other = How == Combine::None ? 0 : predicate(regs, op->c);
  Mask &d = predicate(regs, op->d);
  d = (d & ~mask) | (combine<How>(hit, other) & mask);
  if (op->imm) {
    Mask &q = predicate(regs, uint32_t(op->imm));
    q = (q & ~mask) | (combine<How>(~hit, other) & mask);
  }
  KILN_NEXT(op, regs, mask, warp);
}

template <CompareOp Op, class Load> Handler byCombine(Combine how) {
  switch (how) {
  case Combine::None:
    return compare<Op, Load, Combine::None>;
  case Combine::And:
    return compare<Op, Load, Combine::And>;
  case Combine::Or:
    return compare<Op, Load, Combine::Or>;
  case Combine::Xor:
    return compare<Op, Load, Combine::Xor>;
  }
}

template <class Load> Handler byOp(CompareOp op, Combine how) {
  switch (op) {
  case CompareOp::Eq:
    return byCombine<CompareOp::Eq, Load>(how);
  case CompareOp::Ne:
    return byCombine<CompareOp::Ne, Load>(how);
  case CompareOp::Lt:
    return byCombine<CompareOp::Lt, Load>(how);
  case CompareOp::Le:
    return byCombine<CompareOp::Le, Load>(how);
  case CompareOp::Gt:
    return byCombine<CompareOp::Gt, Load>(how);
  case CompareOp::Ge:
    return byCombine<CompareOp::Ge, Load>(how);
  default:
    break;
  }
  if constexpr (std::is_floating_point_v<decltype(Load::load({}))>) {
    switch (op) {
    case CompareOp::Equ:
      return byCombine<CompareOp::Equ, Load>(how);
    case CompareOp::Neu:
      return byCombine<CompareOp::Neu, Load>(how);
    case CompareOp::Ltu:
      return byCombine<CompareOp::Ltu, Load>(how);
    case CompareOp::Leu:
      return byCombine<CompareOp::Leu, Load>(how);
    case CompareOp::Gtu:
      return byCombine<CompareOp::Gtu, Load>(how);
    case CompareOp::Geu:
      return byCombine<CompareOp::Geu, Load>(how);
    case CompareOp::Num:
      return byCombine<CompareOp::Num, Load>(how);
    case CompareOp::Nan:
      return byCombine<CompareOp::Nan, Load>(how);
    default:
      break;
    }
  }
  return nullptr;
}

} // namespace

Handler compareHandler(CompareOp op, CompareType type, Combine how) {
  switch (type) {
  case CompareType::B16:
    return byOp<Plain<uint16_t>>(op, how);
  case CompareType::B32:
    return byOp<Plain<uint32_t>>(op, how);
  case CompareType::B64:
    return byOp<Plain<uint64_t>>(op, how);
  case CompareType::S16:
    return byOp<Plain<int16_t>>(op, how);
  case CompareType::S32:
    return byOp<Plain<int32_t>>(op, how);
  case CompareType::S64:
    return byOp<Plain<int64_t>>(op, how);
  case CompareType::F32:
    return byOp<Plain<float>>(op, how);
  case CompareType::F32Ftz:
    return byOp<Flushed>(op, how);
  case CompareType::F64:
    return byOp<Plain<double>>(op, how);
  }
}

} // namespace kiln::sim::exec::KILN_SIM_BUILD

#pragma clang attribute pop

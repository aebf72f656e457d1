//===- lanes/half.cpp - Handlers of f16 and bf16 arithmetic ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/arith/half.h"
#include "runtime/sim/exec/lanes/lookups.h"
#include "runtime/sim/exec/warp.h"

#include "runtime/sim/exec/lanes/build.h"

namespace kiln::sim::exec::KILN_SIM_BUILD {
namespace {
#include "runtime/sim/exec/lanes/loops.h"

using arith::FloatOp;

template <HalfOp Op, bool Bf, bool Ftz, bool Sat> struct Element {
  static uint32_t apply(uint32_t a, uint32_t b = 0, uint32_t c = 0) {
    switch (Op) {
    case HalfOp::Add:
      return arith::opHalf<FloatOp::Add, Bf, Ftz, Sat, false>(a, b, c);
    case HalfOp::Sub:
      return arith::opHalf<FloatOp::Sub, Bf, Ftz, Sat, false>(a, b, c);
    case HalfOp::Mul:
      return arith::opHalf<FloatOp::Mul, Bf, Ftz, Sat, false>(a, b, c);
    case HalfOp::Fma:
      return arith::opHalf<FloatOp::Fma, Bf, Ftz, Sat, false>(a, b, c);
    case HalfOp::FmaRelu:
      return arith::opHalf<FloatOp::Fma, Bf, Ftz, Sat, true>(a, b, c);
    case HalfOp::Min:
      return arith::minMaxHalf<false, Bf, Ftz, false>(a, b);
    case HalfOp::Max:
      return arith::minMaxHalf<true, Bf, Ftz, false>(a, b);
    case HalfOp::MinNan:
      return arith::minMaxHalf<false, Bf, Ftz, true>(a, b);
    case HalfOp::MaxNan:
      return arith::minMaxHalf<true, Bf, Ftz, true>(a, b);
    case HalfOp::Abs:
      return arith::absHalf<Bf, Ftz>(a);
    case HalfOp::Neg:
      return arith::negHalf<Bf, Ftz>(a);
    }
  }
};

template <class E> struct Single {
  static uint16_t apply(uint16_t a) { return uint16_t(E::apply(a)); }
  static uint16_t apply(uint16_t a, uint16_t b) { return uint16_t(E::apply(a, b)); }
  static uint16_t apply(uint16_t a, uint16_t b, uint16_t c) {
    return uint16_t(E::apply(a, b, c));
  }
};
template <class E> struct Pair {
  static uint32_t apply(uint32_t a) {
    return E::apply(a & 0xffff) | E::apply(a >> 16) << 16;
  }
  static uint32_t apply(uint32_t a, uint32_t b) {
    return E::apply(a & 0xffff, b & 0xffff) | E::apply(a >> 16, b >> 16) << 16;
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    return E::apply(a & 0xffff, b & 0xffff, c & 0xffff) |
           E::apply(a >> 16, b >> 16, c >> 16) << 16;
  }
};

template <HalfOp Op, class F, class T> Handler arity() {
  if constexpr (Op == HalfOp::Fma || Op == HalfOp::FmaRelu)
    return ternary<F, T, T, T, T>;
  else if constexpr (Op == HalfOp::Abs || Op == HalfOp::Neg)
    return unary<F, T, T>;
  else
    return binary<F, T, T, T>;
}

template <HalfOp Op, bool Bf, bool Ftz, bool Sat> Handler shape(bool pair) {
  using E = Element<Op, Bf, Ftz, Sat>;
  return pair ? arity<Op, Pair<E>, uint32_t>() : arity<Op, Single<E>, uint16_t>();
}

constexpr bool saturates(HalfOp op) { return op <= HalfOp::Fma; }

template <HalfOp Op> Handler formats(bool bf, bool pair, bool ftz, bool sat) {
  if (bf)
    return ftz || sat ? nullptr : shape<Op, true, false, false>(pair);
  if constexpr (saturates(Op))
    if (sat)
      return ftz ? shape<Op, false, true, true>(pair)
                 : shape<Op, false, false, true>(pair);
  return ftz ? shape<Op, false, true, false>(pair) : shape<Op, false, false, false>(pair);
}

} // namespace

Handler halfHandler(HalfOp op, bool bf, bool pair, bool ftz, bool sat) {
  switch (op) {
  case HalfOp::Add:
    return formats<HalfOp::Add>(bf, pair, ftz, sat);
  case HalfOp::Sub:
    return formats<HalfOp::Sub>(bf, pair, ftz, sat);
  case HalfOp::Mul:
    return formats<HalfOp::Mul>(bf, pair, ftz, sat);
  case HalfOp::Fma:
    return formats<HalfOp::Fma>(bf, pair, ftz, sat);
  case HalfOp::FmaRelu:
    return formats<HalfOp::FmaRelu>(bf, pair, ftz, sat);
  case HalfOp::Min:
    return formats<HalfOp::Min>(bf, pair, ftz, sat);
  case HalfOp::Max:
    return formats<HalfOp::Max>(bf, pair, ftz, sat);
  case HalfOp::MinNan:
    return formats<HalfOp::MinNan>(bf, pair, ftz, sat);
  case HalfOp::MaxNan:
    return formats<HalfOp::MaxNan>(bf, pair, ftz, sat);
  case HalfOp::Abs:
    return formats<HalfOp::Abs>(bf, pair, ftz, sat);
  case HalfOp::Neg:
    return formats<HalfOp::Neg>(bf, pair, ftz, sat);
  }
}

} // namespace kiln::sim::exec::KILN_SIM_BUILD

#pragma clang attribute pop

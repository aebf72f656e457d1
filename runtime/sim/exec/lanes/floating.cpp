//===- lanes/floating.cpp - Handlers of f32 and f64 arithmetic -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/arith/float_ops.h"
#include "runtime/sim/exec/lanes/lookups.h"
#include "runtime/sim/exec/warp.h"

#include "runtime/sim/exec/lanes/build.h"

namespace kiln::sim::exec::KILN_SIM_BUILD {
namespace {
#include "runtime/sim/exec/lanes/loops.h"

using arith::FloatOp;
using arith::Rounding;

template <FloatOp Op, Rounding R, bool Ftz, bool Sat> struct Single {
  static uint32_t apply(uint32_t a) { return arith::opF32<Op, R, Ftz, Sat>(a); }
  static uint32_t apply(uint32_t a, uint32_t b) {
    return arith::opF32<Op, R, Ftz, Sat>(a, b);
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    return arith::opF32<Op, R, Ftz, Sat>(a, b, c);
  }
};
template <FloatOp Op, Rounding R> struct Double {
  static uint64_t apply(uint64_t a) { return arith::opF64<Op, R>(a); }
  static uint64_t apply(uint64_t a, uint64_t b) { return arith::opF64<Op, R>(a, b); }
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    return arith::opF64<Op, R>(a, b, c);
  }
};
template <bool Max, bool Ftz, bool Nan> struct SingleMinMax {
  static uint32_t apply(uint32_t a, uint32_t b) {
    return arith::minMaxF32<Max, Ftz, Nan>(a, b);
  }
};
template <bool Max> struct DoubleMinMax {
  static uint64_t apply(uint64_t a, uint64_t b) { return arith::minMaxF64<Max>(a, b); }
};
template <bool Ftz> struct SingleAbs {
  static uint32_t apply(uint32_t a) { return arith::absF32<Ftz>(a); }
};
template <bool Ftz> struct SingleNeg {
  static uint32_t apply(uint32_t a) { return arith::negF32<Ftz>(a); }
};
struct DoubleAbs {
  static uint64_t apply(uint64_t a) { return a & ~(uint64_t(1) << 63); }
};
struct DoubleNeg {
  static uint64_t apply(uint64_t a) { return a ^ uint64_t(1) << 63; }
};

/// Selects the handler by the number of operands.
template <FloatOp Op, class F, class T> Handler arity() {
  if constexpr (Op == FloatOp::Fma)
    return ternary<F, T, T, T, T>;
  else if constexpr (Op == FloatOp::Sqrt || Op == FloatOp::Rcp)
    return unary<F, T, T>;
  else
    return binary<F, T, T, T>;
}

template <FloatOp Op, Rounding R> Handler single(bool ftz, bool sat) {
  if (ftz)
    return sat ? arity<Op, Single<Op, R, true, true>, uint32_t>()
               : arity<Op, Single<Op, R, true, false>, uint32_t>();
  return sat ? arity<Op, Single<Op, R, false, true>, uint32_t>()
             : arity<Op, Single<Op, R, false, false>, uint32_t>();
}

template <FloatOp Op> Handler single(Rounding rounding, bool ftz, bool sat) {
  switch (rounding) {
  case Rounding::Rn:
    return single<Op, Rounding::Rn>(ftz, sat);
  case Rounding::Rz:
    return single<Op, Rounding::Rz>(ftz, sat);
  case Rounding::Rm:
    return single<Op, Rounding::Rm>(ftz, sat);
  case Rounding::Rp:
    return single<Op, Rounding::Rp>(ftz, sat);
  default:
    return nullptr;
  }
}

template <FloatOp Op> Handler twice(Rounding rounding) {
  switch (rounding) {
  case Rounding::Rn:
    return arity<Op, Double<Op, Rounding::Rn>, uint64_t>();
  case Rounding::Rz:
    return arity<Op, Double<Op, Rounding::Rz>, uint64_t>();
  case Rounding::Rm:
    return arity<Op, Double<Op, Rounding::Rm>, uint64_t>();
  case Rounding::Rp:
    return arity<Op, Double<Op, Rounding::Rp>, uint64_t>();
  default:
    return nullptr;
  }
}

template <bool Ftz> Handler signOrOrder(F32Op op) {
  using U = uint32_t;
  switch (op) {
  case F32Op::Min:
    return binary<SingleMinMax<false, Ftz, false>, U, U, U>;
  case F32Op::Max:
    return binary<SingleMinMax<true, Ftz, false>, U, U, U>;
  case F32Op::MinNan:
    return binary<SingleMinMax<false, Ftz, true>, U, U, U>;
  case F32Op::MaxNan:
    return binary<SingleMinMax<true, Ftz, true>, U, U, U>;
  case F32Op::Abs:
    return unary<SingleAbs<Ftz>, U, U>;
  case F32Op::Neg:
    return unary<SingleNeg<Ftz>, U, U>;
  default:
    return nullptr;
  }
}

} // namespace

Handler f32Handler(F32Op op, Rounding rounding, bool ftz, bool sat) {
  switch (op) {
  case F32Op::Add:
    return single<FloatOp::Add>(rounding, ftz, sat);
  case F32Op::Sub:
    return single<FloatOp::Sub>(rounding, ftz, sat);
  case F32Op::Mul:
    return single<FloatOp::Mul>(rounding, ftz, sat);
  case F32Op::Fma:
    return single<FloatOp::Fma>(rounding, ftz, sat);
  case F32Op::Div:
    return single<FloatOp::Div>(rounding, ftz, sat);
  case F32Op::Sqrt:
    return single<FloatOp::Sqrt>(rounding, ftz, sat);
  case F32Op::Rcp:
    return single<FloatOp::Rcp>(rounding, ftz, sat);
  default:
    return ftz ? signOrOrder<true>(op) : signOrOrder<false>(op);
  }
}

Handler f64Handler(F32Op op, Rounding rounding) {
  using U = uint64_t;
  switch (op) {
  case F32Op::Add:
    return twice<FloatOp::Add>(rounding);
  case F32Op::Sub:
    return twice<FloatOp::Sub>(rounding);
  case F32Op::Mul:
    return twice<FloatOp::Mul>(rounding);
  case F32Op::Fma:
    return twice<FloatOp::Fma>(rounding);
  case F32Op::Div:
    return twice<FloatOp::Div>(rounding);
  case F32Op::Sqrt:
    return twice<FloatOp::Sqrt>(rounding);
  case F32Op::Rcp:
    return twice<FloatOp::Rcp>(rounding);
  case F32Op::Min:
    return binary<DoubleMinMax<false>, U, U, U>;
  case F32Op::Max:
    return binary<DoubleMinMax<true>, U, U, U>;
  case F32Op::Abs:
    return unary<DoubleAbs, U, U>;
  case F32Op::Neg:
    return unary<DoubleNeg, U, U>;
  default:
    return nullptr;
  }
}

} // namespace kiln::sim::exec::KILN_SIM_BUILD

#pragma clang attribute pop

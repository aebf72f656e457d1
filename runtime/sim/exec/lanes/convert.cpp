//===- lanes/convert.cpp - Handlers of the common conversions --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions with rounding rn (to a float) or rzi (to an integer); arith/convert.h does
// the others lane by lane.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/arith/fast.h"
#include "runtime/sim/exec/lanes/lookups.h"
#include "runtime/sim/exec/warp.h"

#include <limits>
#include <type_traits>

#include "runtime/sim/exec/lanes/build.h"

namespace kiln::sim::exec::KILN_SIM_BUILD {
namespace {
#include "runtime/sim/exec/lanes/loops.h"

template <class D> struct Resize {
  template <class A> static D apply(A a) { return D(a); }
};

template <class A> Handler resizeFrom(unsigned bytes) {
  switch (bytes) {
  case 1:
    return unary<Resize<uint8_t>, uint8_t, A>;
  case 2:
    return unary<Resize<uint16_t>, uint16_t, A>;
  case 4:
    return unary<Resize<uint32_t>, uint32_t, A>;
  case 8:
    return unary<Resize<uint64_t>, uint64_t, A>;
  case 16:
    return unary<Resize<unsigned __int128>, unsigned __int128, A>;
  default:
    return nullptr;
  }
}

template <class F, class A> Handler toFloat() { return unary<Resize<F>, F, A>; }

template <class F> Handler toFloatFrom(unsigned bits, bool isSigned) {
  switch (bits) {
  case 8:
    return isSigned ? toFloat<F, int8_t>() : toFloat<F, uint8_t>();
  case 16:
    return isSigned ? toFloat<F, int16_t>() : toFloat<F, uint16_t>();
  case 32:
    return isSigned ? toFloat<F, int32_t>() : toFloat<F, uint32_t>();
  case 64:
    return isSigned ? toFloat<F, int64_t>() : toFloat<F, uint64_t>();
  default:
    return nullptr;
  }
}

/// Truncates and clamps; flushing subnormals changes nothing, as they all give 0.
template <class I, class F> struct Truncate {
  static I apply(F a) {
    constexpr F low = F(std::numeric_limits<I>::min());
    // The first value above the range is a power of two, so it is exact.
    constexpr F above = F(std::numeric_limits<I>::max() / 2 + 1) * 2;
    constexpr bool highBit = sizeof(I) == 8 || sizeof(F) == 8;
    constexpr I nan =
        highBit ? I(std::make_unsigned_t<I>(1) << (sizeof(I) * 8 - 1)) : I(0);
    F inside = a >= low && a < above ? a : F(0);
    I result = I(inside);
    result = a >= above ? std::numeric_limits<I>::max() : result;
    result = a < low ? std::numeric_limits<I>::min() : result;
    return a != a ? nan : result;
  }
};

template <class F> Handler toInt(unsigned bits, bool isSigned) {
  switch (bits) {
  case 32:
    return isSigned ? unary<Truncate<int32_t, F>, int32_t, F>
                    : unary<Truncate<uint32_t, F>, uint32_t, F>;
  case 64:
    return isSigned ? unary<Truncate<int64_t, F>, int64_t, F>
                    : unary<Truncate<uint64_t, F>, uint64_t, F>;
  default:
    return nullptr;
  }
}

template <bool Ftz> uint32_t flushed(uint32_t a) {
  return Ftz && (a & 0x7f800000) == 0 ? a & 0x80000000 : a;
}

struct HalfToSingle {
  static uint32_t apply(uint16_t h) { return arith::f16ToF32(h); }
};
template <bool Ftz> struct BrainToSingle {
  static uint32_t apply(uint16_t h) { return flushed<Ftz>(arith::bf16ToF32(h)); }
};
template <bool Ftz> struct SingleToHalf {
  static uint16_t apply(uint32_t a) { return uint16_t(arith::f32ToF16(flushed<Ftz>(a))); }
};
template <bool Ftz> struct SingleToBrain {
  static uint16_t apply(uint32_t a) {
    return uint16_t(arith::f32ToBf16(flushed<Ftz>(a)));
  }
};

template <class W, class H> struct Join {
  static W apply(H low, H high) { return W(low) | W(high) << (sizeof(H) * 8); }
};

template <class W, class H>
Stop unpack(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const W *a = lanes<W>(regs, op->a);
  H *low = lanes<H>(regs, op->d), *high = lanes<H>(regs, op->b);
  KILN_LANES {
    W value = a[i];
    bool on = mask & laneBits[i];
    low[i] = on ? H(value) : low[i];
    high[i] = on ? H(value >> (sizeof(H) * 8)) : high[i];
  }
  KILN_NEXT(op, regs, mask, warp);
}

} // namespace

Stop packHalves(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  [[clang::musttail]] return binary<Join<uint32_t, uint16_t>, uint32_t, uint16_t,
                                    uint16_t>(op, regs, mask, warp);
}
Stop unpackHalves(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  [[clang::musttail]] return unpack<uint32_t, uint16_t>(op, regs, mask, warp);
}
Stop packWords(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  [[clang::musttail]] return binary<Join<uint64_t, uint32_t>, uint64_t, uint32_t,
                                    uint32_t>(op, regs, mask, warp);
}
Stop unpackWords(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  [[clang::musttail]] return unpack<uint64_t, uint32_t>(op, regs, mask, warp);
}

Handler resizeHandler(unsigned toBytes, unsigned fromBytes, bool isSigned) {
  switch (fromBytes) {
  case 1:
    return isSigned ? resizeFrom<int8_t>(toBytes) : resizeFrom<uint8_t>(toBytes);
  case 2:
    return isSigned ? resizeFrom<int16_t>(toBytes) : resizeFrom<uint16_t>(toBytes);
  case 4:
    return isSigned ? resizeFrom<int32_t>(toBytes) : resizeFrom<uint32_t>(toBytes);
  case 8:
    return isSigned ? resizeFrom<int64_t>(toBytes) : resizeFrom<uint64_t>(toBytes);
  case 16:
    return resizeFrom<unsigned __int128>(toBytes);
  default:
    return nullptr;
  }
}

Handler intToFloatHandler(unsigned toBits, unsigned fromBits, bool isSigned) {
  switch (toBits) {
  case 32:
    return toFloatFrom<float>(fromBits, isSigned);
  case 64:
    return toFloatFrom<double>(fromBits, isSigned);
  default:
    return nullptr;
  }
}

Handler floatToIntHandler(unsigned toBits, bool isSigned, unsigned fromBits, bool ftz) {
  switch (fromBits) {
  case 32:
    return toInt<float>(toBits, isSigned);
  case 64:
    return toInt<double>(toBits, isSigned);
  default:
    return nullptr;
  }
}

Handler floatToFloatHandler(const arith::Format &to, const arith::Format &from,
                            bool ftz) {
  auto is = [](const arith::Format &a, const arith::Format &b) { return &a == &b; };
  if (is(to, arith::F32) && is(from, arith::F16))
    return unary<HalfToSingle, uint32_t, uint16_t>;
  if (is(to, arith::F32) && is(from, arith::BF16))
    return ftz ? unary<BrainToSingle<true>, uint32_t, uint16_t>
               : unary<BrainToSingle<false>, uint32_t, uint16_t>;
  if (is(to, arith::F16) && is(from, arith::F32))
    return ftz ? unary<SingleToHalf<true>, uint16_t, uint32_t>
               : unary<SingleToHalf<false>, uint16_t, uint32_t>;
  if (is(to, arith::BF16) && is(from, arith::F32))
    return ftz ? unary<SingleToBrain<true>, uint16_t, uint32_t>
               : unary<SingleToBrain<false>, uint16_t, uint32_t>;
  return nullptr;
}

} // namespace kiln::sim::exec::KILN_SIM_BUILD

#pragma clang attribute pop

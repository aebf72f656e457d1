//===- lanes/integer.cpp - Handlers of integer instructions ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/lanes/lookups.h"
#include "runtime/sim/exec/warp.h"

#include <limits>
#include <type_traits>

#include "runtime/sim/exec/lanes/build.h"

namespace kiln::sim::exec::KILN_SIM_BUILD {
namespace {
#include "runtime/sim/exec/lanes/integer_ops.h"
#include "runtime/sim/exec/lanes/bit_ops.h"
#include "runtime/sim/exec/lanes/loops.h"

template <class F, class T> Handler un() { return unary<F, T, T>; }
template <class F, class T> Handler bin() { return binary<F, T, T, T>; }
template <class F, class T> Handler tri() { return ternary<F, T, T, T, T>; }

template <class T> Stop selp(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const T *a = lanes<T>(regs, op->a), *b = lanes<T>(regs, op->b);
  T *d = lanes<T>(regs, op->d);
  const Mask p = predicate(regs, op->c);
  if (mask == AllLanes) [[likely]] {
    KILN_LANES d[i] = p & laneBits[i] ? a[i] : b[i];
  } else {
    KILN_LANES {
      T value = p & laneBits[i] ? a[i] : b[i];
      d[i] = mask & laneBits[i] ? value : d[i];
    }
  }
  KILN_NEXT(op, regs, mask, warp);
}

template <class T> Stop bfi(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const T *a = lanes<T>(regs, op->a), *b = lanes<T>(regs, op->b);
  const uint32_t *c = lanes<uint32_t>(regs, op->c);
  const uint32_t *n = lanes<uint32_t>(regs, uint32_t(op->imm));
  T *d = lanes<T>(regs, op->d);
  KILN_LANES {
    T value = insertField<T>(a[i], b[i], c[i], n[i]);
    d[i] = mask & laneBits[i] ? value : d[i];
  }
  KILN_NEXT(op, regs, mask, warp);
}

// Carry chains add three terms at double width. A difference is a + ~b + carry: the carry
// flag is the inverted borrow, so chains may mix both.
enum class Chain { Add, Sub, MadLo, MadHi };
template <Chain Kind, bool In, bool Out, class T>
Stop carry(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  using W = Wider<T>;
  const T *a = lanes<T>(regs, op->a), *b = lanes<T>(regs, op->b),
          *c = lanes<T>(regs, op->c);
  T *d = lanes<T>(regs, op->d);
  Mask &flags = predicate(regs, CarryOffset);
  const Mask in = flags;
  Mask out = 0;
  for (unsigned i = 0; i < WarpSize; ++i) {
    W carried = In ? in >> i & 1 : Kind == Chain::Sub, sum;
    if constexpr (Kind == Chain::Add)
      sum = W(a[i]) + b[i] + carried;
    else if constexpr (Kind == Chain::Sub)
      sum = W(a[i]) + T(~b[i]) + carried;
    else if constexpr (Kind == Chain::MadLo)
      sum = W(T(W(a[i]) * b[i])) + c[i] + carried;
    else
      sum = (W(a[i]) * b[i] >> BitsOf<T>)+c[i] + carried;
    out |= Mask(sum >> BitsOf<T> & 1) << i;
    d[i] = mask & laneBits[i] ? T(sum) : d[i];
  }
  if (Out)
    flags = (in & ~mask) | (out & mask);
  KILN_NEXT(op, regs, mask, warp);
}

template <class T> Handler carryHandler(IntOp op) {
  switch (op) {
  case IntOp::AddCc:
    return carry<Chain::Add, false, true, T>;
  case IntOp::AddcCc:
    return carry<Chain::Add, true, true, T>;
  case IntOp::Addc:
    return carry<Chain::Add, true, false, T>;
  case IntOp::SubCc:
    return carry<Chain::Sub, false, true, T>;
  case IntOp::SubcCc:
    return carry<Chain::Sub, true, true, T>;
  case IntOp::Subc:
    return carry<Chain::Sub, true, false, T>;
  case IntOp::MadLoCc:
    return carry<Chain::MadLo, false, true, T>;
  case IntOp::MadHiCc:
    return carry<Chain::MadHi, false, true, T>;
  case IntOp::MadcLo:
    return carry<Chain::MadLo, true, false, T>;
  case IntOp::MadcHi:
    return carry<Chain::MadHi, true, false, T>;
  case IntOp::MadcLoCc:
    return carry<Chain::MadLo, true, true, T>;
  case IntOp::MadcHiCc:
    return carry<Chain::MadHi, true, true, T>;
  default:
    return nullptr;
  }
}

/// Handlers of operations that have the same form for every width; T has the type's sign.
template <class T> Handler common(IntOp op) {
  switch (op) {
  case IntOp::Add:
    return bin<AddOp, Unsigned<T>>();
  case IntOp::Sub:
    return bin<SubOp, Unsigned<T>>();
  case IntOp::MulLo:
    return bin<MulLoOp, Unsigned<T>>();
  case IntOp::MulHi:
    return bin<MulHiOp, T>();
  case IntOp::MadLo:
    return tri<MadLoOp, Unsigned<T>>();
  case IntOp::MadHi:
    return tri<MadHiOp, T>();
  case IntOp::Sad:
    return tri<SadOp, T>();
  case IntOp::Div:
    return bin<DivOp, T>();
  case IntOp::Rem:
    return bin<RemOp, T>();
  case IntOp::Neg:
    return un<NegOp, Unsigned<T>>();
  case IntOp::Abs:
    return un<AbsOp, Signed<T>>();
  case IntOp::Min:
    return bin<MinOp, T>();
  case IntOp::Max:
    return bin<MaxOp, T>();
  case IntOp::And:
    return bin<AndOp, Unsigned<T>>();
  case IntOp::Or:
    return bin<OrOp, Unsigned<T>>();
  case IntOp::Xor:
    return bin<XorOp, Unsigned<T>>();
  case IntOp::Not:
    return un<NotOp, Unsigned<T>>();
  case IntOp::Cnot:
    return un<CnotOp, Unsigned<T>>();
  case IntOp::Mov:
    return un<MovOp, Unsigned<T>>();
  case IntOp::Shl:
    return binary<ShlOp, Unsigned<T>, Unsigned<T>, uint32_t>;
  case IntOp::Shr:
    return binary<ShrOp, T, T, uint32_t>;
  case IntOp::Selp:
    return selp<Unsigned<T>>;
  case IntOp::Slct:
    return ternary<SlctOp, Unsigned<T>, Unsigned<T>, Unsigned<T>, int32_t>;
  case IntOp::SlctF32:
    return ternary<SlctF32Op<false>, Unsigned<T>, Unsigned<T>, Unsigned<T>, uint32_t>;
  case IntOp::SlctF32Ftz:
    return ternary<SlctF32Op<true>, Unsigned<T>, Unsigned<T>, Unsigned<T>, uint32_t>;
  default:
    return nullptr;
  }
}

/// Handlers of widening multiplications, for T of 16 and 32 bits only.
template <class T> Handler wide(IntOp op) {
  switch (op) {
  case IntOp::MulWide:
    return binary<MulWideOp, Wider<T>, T, T>;
  case IntOp::MadWide:
    return ternary<MadWideOp, Wider<T>, T, T, Wider<T>>;
  default:
    return nullptr;
  }
}

/// Handlers of bit-field and carry operations, for T of 32 and 64 bits only.
template <class T> Handler bitField(IntOp op) {
  using U = Unsigned<T>;
  switch (op) {
  case IntOp::Popc:
    return unary<PopcOp, uint32_t, U>;
  case IntOp::Clz:
    return unary<ClzOp, uint32_t, U>;
  case IntOp::Bfind:
    return unary<BfindOp<false>, uint32_t, T>;
  case IntOp::BfindShift:
    return unary<BfindOp<true>, uint32_t, T>;
  case IntOp::Brev:
    return un<BrevOp, U>();
  case IntOp::Bfe:
    return ternary<BfeOp, T, T, uint32_t, uint32_t>;
  case IntOp::Bfi:
    return bfi<U>;
  default:
    return carryHandler<U>(op);
  }
}

template <class T> Handler only32(IntOp op) {
  switch (op) {
  case IntOp::Mul24Lo:
    return bin<Mul24LoOp, T>();
  case IntOp::Mul24Hi:
    return bin<Mul24HiOp, T>();
  case IntOp::Mad24Lo:
    return tri<Mad24LoOp, T>();
  case IntOp::Mad24Hi:
    return tri<Mad24HiOp, T>();
  case IntOp::SzextClamp:
    return binary<SzextOp<true>, T, T, uint32_t>;
  case IntOp::SzextWrap:
    return binary<SzextOp<false>, T, T, uint32_t>;
  default:
    return nullptr;
  }
}

Handler word(IntOp op) {
  using U = uint32_t;
  using S = int32_t;
  switch (op) {
  case IntOp::AddSat:
    return bin<AddSatOp, S>();
  case IntOp::SubSat:
    return bin<SubSatOp, S>();
  case IntOp::MadHiSat:
    return tri<MadHiSatOp, S>();
  case IntOp::Mad24HiSat:
    return tri<Mad24HiSatOp, S>();
  case IntOp::MinRelu:
    return bin<MinReluOp, S>();
  case IntOp::MaxRelu:
    return bin<MaxReluOp, S>();
  case IntOp::Lop3:
    return ternaryImm<Lop3Op, U, U, U, U>;
  case IntOp::ShfLeftWrap:
    return tri<ShfOp<true, false>, U>();
  case IntOp::ShfLeftClamp:
    return tri<ShfOp<true, true>, U>();
  case IntOp::ShfRightWrap:
    return tri<ShfOp<false, false>, U>();
  case IntOp::ShfRightClamp:
    return tri<ShfOp<false, true>, U>();
  case IntOp::Fns:
    return ternary<FnsOp, U, U, U, S>;
  case IntOp::BmskClamp:
    return bin<BmskOp<true>, U>();
  case IntOp::BmskWrap:
    return bin<BmskOp<false>, U>();
  case IntOp::Dp4a:
    return ternaryImm<Dp4aOp, U, U, U, U>;
  case IntOp::Dp2aLo:
    return ternaryImm<Dp2aOp<false>, U, U, U, U>;
  case IntOp::Dp2aHi:
    return ternaryImm<Dp2aOp<true>, U, U, U, U>;
  case IntOp::Prmt:
    return tri<PrmtOp, U>();
  case IntOp::PrmtF4e:
    return tri<PrmtModeOp<IntOp::PrmtF4e>, U>();
  case IntOp::PrmtB4e:
    return tri<PrmtModeOp<IntOp::PrmtB4e>, U>();
  case IntOp::PrmtRc8:
    return tri<PrmtModeOp<IntOp::PrmtRc8>, U>();
  case IntOp::PrmtEcl:
    return tri<PrmtModeOp<IntOp::PrmtEcl>, U>();
  case IntOp::PrmtEcr:
    return tri<PrmtModeOp<IntOp::PrmtEcr>, U>();
  case IntOp::PrmtRc16:
    return tri<PrmtModeOp<IntOp::PrmtRc16>, U>();
  default:
    return nullptr;
  }
}

template <class H> Handler packed(IntOp op) {
  switch (op) {
  case IntOp::Add2:
    return bin<PackedOp<AddOp, H>, uint32_t>();
  case IntOp::Min2:
    return bin<PackedOp<MinOp, H>, uint32_t>();
  case IntOp::Max2:
    return bin<PackedOp<MaxOp, H>, uint32_t>();
  case IntOp::Min2Relu:
    return bin<PackedOp<MinRelu16, H>, uint32_t>();
  case IntOp::Max2Relu:
    return bin<PackedOp<MaxRelu16, H>, uint32_t>();
  default:
    return nullptr;
  }
}

template <class T> Handler all(IntOp op) {
  Handler found = common<T>(op);
  if constexpr (sizeof(T) < 8)
    found = found ? found : wide<T>(op);
  if constexpr (sizeof(T) > 2)
    found = found ? found : bitField<T>(op);
  if constexpr (sizeof(T) == 4) {
    found = found ? found : only32<T>(op);
    found = found ? found : word(op);
    found = found
                ? found
                : packed<std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>>(op);
  }
  return found;
}

} // namespace

Handler integerHandler(IntOp op, unsigned bits, bool isSigned) {
  switch (bits) {
  case 8:
    return op == IntOp::Mov ? un<MovOp, uint8_t>() : nullptr;
  case 16:
    return isSigned ? all<int16_t>(op) : all<uint16_t>(op);
  case 32:
    return isSigned ? all<int32_t>(op) : all<uint32_t>(op);
  case 64:
    return isSigned ? all<int64_t>(op) : all<uint64_t>(op);
  case 128:
    return op == IntOp::Mov ? un<MovOp, unsigned __int128>() : nullptr;
  default:
    return nullptr;
  }
}

} // namespace kiln::sim::exec::KILN_SIM_BUILD

#pragma clang attribute pop

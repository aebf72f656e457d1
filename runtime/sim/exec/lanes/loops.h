//===- lanes/loops.h - Loops over the lanes of a warp ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included inside the region that is compiled for one instruction set, after all other
// headers: nothing here may be shared with other instruction sets.
//
//===----------------------------------------------------------------------===//

#define KILN_LANES                                                                       \
  _Pragma("clang loop vectorize(assume_safety) unroll(disable)") for (unsigned i = 0;    \
                                                                      i < WarpSize; ++i)

alignas(128) inline constexpr uint32_t laneBits[WarpSize] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

// F::apply computes one lane. A destination may be one of the sources.
template <class F, class D, class A>
Stop unary(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const A *a = lanes<A>(regs, op->a);
  D *d = lanes<D>(regs, op->d);
  if (mask == AllLanes) [[likely]] {
    KILN_LANES d[i] = F::apply(a[i]);
  } else {
    KILN_LANES d[i] = mask & laneBits[i] ? F::apply(a[i]) : d[i];
  }
  KILN_NEXT(op, regs, mask, warp);
}

template <class F, class D, class A, class B>
Stop binary(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const A *a = lanes<A>(regs, op->a);
  const B *b = lanes<B>(regs, op->b);
  D *d = lanes<D>(regs, op->d);
  if (mask == AllLanes) [[likely]] {
    KILN_LANES d[i] = F::apply(a[i], b[i]);
  } else {
    KILN_LANES d[i] = mask & laneBits[i] ? F::apply(a[i], b[i]) : d[i];
  }
  KILN_NEXT(op, regs, mask, warp);
}

template <class F, class D, class A, class B, class C>
Stop ternary(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const A *a = lanes<A>(regs, op->a);
  const B *b = lanes<B>(regs, op->b);
  const C *c = lanes<C>(regs, op->c);
  D *d = lanes<D>(regs, op->d);
  if (mask == AllLanes) [[likely]] {
    KILN_LANES d[i] = F::apply(a[i], b[i], c[i]);
  } else {
    KILN_LANES d[i] = mask & laneBits[i] ? F::apply(a[i], b[i], c[i]) : d[i];
  }
  KILN_NEXT(op, regs, mask, warp);
}

/// Like ternary, with op->imm passed to F::apply.
template <class F, class D, class A, class B, class C>
Stop ternaryImm(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const A *a = lanes<A>(regs, op->a);
  const B *b = lanes<B>(regs, op->b);
  const C *c = lanes<C>(regs, op->c);
  D *d = lanes<D>(regs, op->d);
  const uint64_t imm = op->imm;
  KILN_LANES d[i] = mask & laneBits[i] ? F::apply(a[i], b[i], c[i], imm) : d[i];
  KILN_NEXT(op, regs, mask, warp);
}

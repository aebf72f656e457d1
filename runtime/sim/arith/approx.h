//===- approx.h - The approximate functions of PTX -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX only bounds the error of these functions. Two modes choose the result:
// - Correct: the correctly rounded result.
// - WorstLegal: a result at an edge of PTX's bound, chosen by a seed and the operand
//   bits. The same operands give the same result, as on hardware. A kernel that only
//   passes its test under Correct relies on luck.
// KILN_SIM_APPROX=correct|worst[:seed] chooses. Special values follow PTX's tables in
// both modes, and exact results are exact in both (ex2 of whole numbers). Outside [-100
// pi, 100 pi] PTX promises nothing for sin and cos: there WorstLegal errs by up to
// 2^-14.7 too.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_APPROX_H
#define KILN_SIM_ARITH_APPROX_H

#include <cstdint>
#include <string>

namespace kiln::sim::arith {

enum class Approx : uint8_t {
  Ex2,
  Lg2,
  Rcp,
  Sqrt,
  Rsqrt,
  Tanh,
  Sin,
  Cos,
  Div,    ///< div.approx: 2 ulp for |b| in [2^-126, 2^126], above that zero
  DivFull ///< div.full: 2 ulp
};

struct ApproxMode {
  bool worst = false;
  uint64_t seed = 0;
};

/// "correct", "worst", "worst:7"; false for any other text.
bool parseApproxMode(const std::string &text, ApproxMode &mode);
/// From KILN_SIM_APPROX, read once; Correct if unset or not understood.
const ApproxMode &chosenApproxMode();

/// Takes and returns f32 bits. Only Div and DivFull use `b`.
uint32_t approxF32(Approx function, uint32_t a, uint32_t b, bool ftz,
                   const ApproxMode &mode);

/// `count` lanes of f32; same bits as approxF32, vector code where it pays.
void approxLanes(Approx function, const uint32_t *a, const uint32_t *b, uint32_t *out,
                 int count, bool ftz, const ApproxMode &mode);

/// ex2.approx and tanh.approx of f16 and bf16. PTX bounds: ex2.f16 2^-9.9 relative,
/// ex2.bf16 2^-7, tanh.f16 2^-10.987 absolute, tanh.bf16 2^-8 absolute.
uint32_t approxHalf(Approx function, bool bf16, uint32_t a, bool ftz,
                    const ApproxMode &mode);

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: the high word of the result from the
/// high word of the operand, low word 0. rsqrt.approx.f64 (no ftz) is full precision:
/// `ftz` false, Rsqrt only. PTX bounds the error of neither; both modes give the nearest
/// of those values, which the library's Newton steps start from.
uint64_t approxF64(Approx function, uint64_t a, bool ftz, const ApproxMode &mode);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_APPROX_H

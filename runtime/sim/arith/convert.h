//===- convert.h - Conversions of PTX's cvt ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any format to any format, any rounding. The common forms have fast inline versions
// in fast.h that give the same bits.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_CONVERT_H
#define KILN_SIM_ARITH_CONVERT_H

#include "runtime/sim/arith/exact.h"

namespace kiln::sim::arith {

struct IntType {
  uint8_t bits; ///< 8, 16, 32 or 64
  bool isSigned;
};

/// Float to float. `how.ftz` flushes subnormals of an f32 source and of an f32 result,
/// nothing else. A NaN becomes the destination's canonical one, but f64 keeps the
/// payload of an f32 or f64 source.
uint64_t convertFloat(const Format &to, const Format &from, uint64_t bits,
                      const RoundTo &how);

/// Float to integer: rounded, then clamped to the integer's range. A NaN gives 0, or only
/// the highest bit set if the source is f64 or the destination has 64 bits. The result is
/// sign- or zero-extended to 64 bits.
uint64_t convertToInt(IntType to, const Format &from, uint64_t bits, Rounding mode,
                      bool ftz);

/// Integer to float; `value` is read at the width of its type.
uint64_t convertFromInt(const Format &to, IntType from, uint64_t value,
                        const RoundTo &how);

/// Integer to integer: extension, truncation, or clamping with `sat`. The result is
/// extended to 64 bits by the destination's signedness.
uint64_t convertInt(IntType to, IntType from, uint64_t value, bool sat);

/// Float to an integral value of the same format (cvt.rni.f32.f32 and the like).
uint64_t roundToIntegral(const Format &format, uint64_t bits, Rounding mode,
                         const RoundTo &how);

/// Converts to the scale format UE8M0: 2^(e-127), 0xff is NaN. Takes f32 or bf16 with rz
/// or rp; drops the sign. Zero and values that are too small give 0; too large ones give
/// 0xfe with satfinite, else NaN.
uint8_t convertToUe8m0(const Format &from, uint64_t bits, Rounding mode, bool satfinite);
/// Converts to bf16, which represents every UE8M0 value; 0 is the subnormal 2^-127.
uint16_t ue8m0ToBf16(uint8_t scale);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_CONVERT_H

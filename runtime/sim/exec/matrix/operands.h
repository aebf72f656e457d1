//===- operands.h - Registers of matrix instructions ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_MATRIX_OPERANDS_H
#define KILN_SIM_EXEC_MATRIX_OPERANDS_H

#include "runtime/sim/arith/tensor.h"
#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/whole_warp.h"

#include <span>

namespace kiln::sim::exec::matrix {

/// Returns the registers of a vector operand, or the operand itself if it is no vector.
std::span<const ptx::Operand> elementsOf(const ptx::Operand &operand);

/// Appends the offsets of the operand's registers, each of `bytes`, to info().operands.
void appendSources(Decoder &decoder, const ptx::Operand &operand, unsigned bytes);
void appendResults(Decoder &decoder, const ptx::Operand &operand, unsigned bytes);

/// Returns the arithmetic format of a floating-point element type; null for others.
const arith::Format *formatOf(ptx::Type type);

/// Multiplies with the given types of D and C: mixed f16 and f32 accumulators are
/// conversions around an MMA with f32 accumulators. `d` may be `c`.
void multiplyMixed(const arith::DotRule &rule, const arith::Product &product, bool f16C,
                   bool f16D);

/// Sign- or zero-extends the low `bits` of an element.
inline int32_t integerElement(uint32_t value, unsigned bits, bool isSigned) {
  uint32_t shifted = value << (32 - bits);
  return isSigned ? static_cast<int32_t>(shifted) >> (32 - bits)
                  : static_cast<int32_t>(shifted >> (32 - bits));
}

} // namespace kiln::sim::exec::matrix

#endif // KILN_SIM_EXEC_MATRIX_OPERANDS_H

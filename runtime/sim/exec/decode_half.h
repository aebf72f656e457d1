//===- decode_half.h - Decoding f16 and bf16 instructions --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_DECODE_HALF_H
#define KILN_SIM_EXEC_DECODE_HALF_H

#include "runtime/sim/arith/approx.h"
#include "runtime/sim/arith/format.h"
#include "runtime/sim/exec/decoder.h"

namespace kiln::sim::exec {

/// Whether the type is f16, bf16 or a pair of them.
inline bool isHalf(ptx::Type type) {
  using ptx::Type;
  return type == Type::F16 || type == Type::F16x2 || type == Type::BF16 ||
         type == Type::BF16x2;
}
inline bool isBrain(ptx::Type type) {
  return type == ptx::Type::BF16 || type == ptx::Type::BF16x2;
}
inline bool isPair(ptx::Type type) {
  return type == ptx::Type::F16x2 || type == ptx::Type::BF16x2;
}

arith::Rounding roundingOf(ptx::Mod mod);

bool decodeHalfArithmetic(Decoder &decoder, const ptx::Instruction &instruction);
bool decodeHalfApprox(Decoder &decoder, const ptx::Instruction &instruction,
                      arith::Approx function);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_DECODE_HALF_H

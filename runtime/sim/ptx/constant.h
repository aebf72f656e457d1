//===- constant.h - Constants of PTX -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_CONSTANT_H
#define KILN_SIM_PTX_CONSTANT_H

#include "runtime/sim/ptx/instruction.h"

namespace kiln::sim::ptx {

/// A constant before its operand's type is known: type S64, U64, F64 or, from 0f..., F32.
struct Constant {
  Type type = Type::S64;
  uint64_t bits = 0;
};

/// Whether the constant may be used for a value of `type`. `constant` is an Immediate
/// whose type is that of a Constant.
bool constantFits(const Operand &constant, Type type);
/// Converts the constant to a type that it fits: see Operand::bits.
uint64_t convert(Constant constant, Type type);
inline void convertConstant(Operand &operand, Type type) {
  operand.bits = convert({operand.type, operand.bits}, type);
}

/// Apply operators of constant expressions. Return null on success, otherwise the error.
const char *applyUnary(std::string_view op, Constant &value);
const char *applyBinary(std::string_view op, Constant &left, Constant right);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_CONSTANT_H

//===- registers.h - How many registers a function needs ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_REGISTERS_H
#define KILN_SIM_EXEC_REGISTERS_H

#include "runtime/sim/ptx/module.h"

#include <functional>

namespace kiln::sim::exec {

/// Estimates 32-bit registers per thread: the max that are live at once, plus the code
/// generator's overhead. ptxas may need more or fewer.
uint32_t estimateRegisters(const ptx::Function &function);

using RegisterVisitor = std::function<void(uint32_t index)>;
/// Visits the registers in an operand, including elements and bases of addresses.
void forOperandRegisters(const ptx::Operand &operand, const RegisterVisitor &visit);
/// Visit the registers that an instruction writes, and those it reads, including its
/// guard.
void forWrittenRegisters(const ptx::Instruction &i, const RegisterVisitor &visit);
void forReadRegisters(const ptx::Instruction &i, const RegisterVisitor &visit);

/// Registers that some path may read before anything writes them.
std::vector<bool> maybeUndefined(const ptx::Function &function);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_REGISTERS_H

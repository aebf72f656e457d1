//===- registers.h - How many registers a function needs ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_REGISTERS_H
#define KILN_SIM_EXEC_REGISTERS_H

#include "runtime/sim/ptx/module.h"

namespace kiln::sim::exec {

/// 32-bit registers per thread: the most that are live at once, and what a code
/// generator keeps for itself. An estimate: ptxas may do better or worse.
uint32_t estimateRegisters(const ptx::Function &function);

/// Registers that some path may read before anything writes them.
std::vector<bool> maybeUndefined(const ptx::Function &function);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_REGISTERS_H

//===- syscalls.h - Functions that the simulator provides to kernels ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vprintf, malloc, free and __assertfail: what the CUDA runtime's device library calls.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_SYSCALLS_H
#define KILN_SIM_EXEC_SYSCALLS_H

#include "runtime/sim/exec/function_code.h"

#include <string_view>

namespace kiln::sim::exec {

/// Returns the number of a system call, -1 if there is none with that name.
int findSystemCall(std::string_view name);
/// Executes system call op->extra for the lanes. False after a fault.
bool systemCall(const MicroOp *op, const CallSite &site, Mask mask, Warp &warp);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_SYSCALLS_H

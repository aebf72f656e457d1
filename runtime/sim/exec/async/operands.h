//===- operands.h - Operands of asynchronous instructions -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_OPERANDS_H
#define KILN_SIM_EXEC_ASYNC_OPERANDS_H

#include "runtime/sim/exec/async/bulk.h"
#include "runtime/sim/ptx/instruction.h"

namespace kiln::sim::exec::async {

/// Returns the reduction that the instruction names; none if it does not exist for the
/// type. If the instruction has no type, the caller must set it.
std::optional<ReduceStep> reductionOf(const ptx::Instruction &instruction);

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_OPERANDS_H

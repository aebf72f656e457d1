//===- wgmma_check.h - Hazards of registers that wgmma uses -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_MATRIX_WGMMA_CHECK_H
#define KILN_SIM_EXEC_MATRIX_WGMMA_CHECK_H

#include "runtime/sim/exec/matrix/wgmma_state.h"
#include "runtime/sim/ptx/module.h"

namespace kiln::sim::exec {
class Decoder;
}

namespace kiln::sim::exec::matrix {

/// Registers of the function that some wgmma uses as accumulator or as A; empty if
/// there is none.
std::vector<bool> registersOfWgmma(const ptx::Function &function);

/// Emits a check in front of an instruction that touches such registers: reports
/// accumulators that are still in flight, and A registers that are overwritten.
void emitWgmmaChecks(Decoder &decoder, const ptx::Instruction &instruction,
                     const std::vector<bool> &registers);

/// The wgmma's own registers: fence missing, in flight with another shape or role.
bool checkIssue(const Warp &warp, const MicroOp *op, const async::WgmmaState &state);

} // namespace kiln::sim::exec::matrix

#endif // KILN_SIM_EXEC_MATRIX_WGMMA_CHECK_H

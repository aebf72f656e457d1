//===- wgmma_check.h - Register hazards of wgmma ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_MATRIX_WGMMA_CHECK_H
#define KILN_SIM_EXEC_MATRIX_WGMMA_CHECK_H

#include "runtime/sim/exec/async/state.h"
#include "runtime/sim/exec/async/wgmma_state.h"
#include "runtime/sim/ptx/module.h"

namespace kiln::sim::exec {
class Decoder;
class Instrumentation;
} // namespace kiln::sim::exec

namespace kiln::sim::exec::matrix {

/// Emits a check before each instruction that accesses registers which some wgmma of the
/// function uses as accumulator or as A. It reports accumulators that are still in flight
/// and A registers that are overwritten.
std::unique_ptr<Instrumentation> makeWgmmaChecks(Decoder &decoder);

/// Checks a wgmma's own registers: a missing fence, or in flight with another shape or
/// use.
bool checkIssue(const Warp &warp, const MicroOp *op, const async::WgmmaState &state);

} // namespace kiln::sim::exec::matrix

#endif // KILN_SIM_EXEC_MATRIX_WGMMA_CHECK_H

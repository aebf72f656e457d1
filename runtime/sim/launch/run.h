//===- run.h - Runs a launch under the detectors ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connects the interpreter (exec/) with the detectors (check/): the interpreter only
// knows the Observer interface, which the detectors implement.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_LAUNCH_RUN_H
#define KILN_SIM_LAUNCH_RUN_H

#include "runtime/sim/exec/launch.h"

namespace kiln::sim {

/// Runs the launch to its end in the calling thread (and helpers), under the detectors
/// that KILN_SIM_CHECK names. Errors: 700 ILLEGAL_ADDRESS, 716 MISALIGNED_ADDRESS, 715
/// ILLEGAL_INSTRUCTION, 717 INVALID_ADDRESS_SPACE, 719 LAUNCH_FAILED (trap, deadlock,
/// detector reports), 702 LAUNCH_TIMEOUT. All errors are sticky: the driver layer poisons
/// the context.
Outcome run(const Launch &launch);

} // namespace kiln::sim

#endif // KILN_SIM_LAUNCH_RUN_H

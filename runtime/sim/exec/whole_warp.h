//===- whole_warp.h - Instructions that need all lanes -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_WHOLE_WARP_H
#define KILN_SIM_EXEC_WHOLE_WARP_H

#include "runtime/sim/exec/access.h"

namespace kiln::sim::exec {

/// Whether all 32 lanes are at this instruction, as .sync.aligned demands; reports.
bool wholeWarp(const MicroOp *op, Mask mask, const Warp &warp);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WHOLE_WARP_H

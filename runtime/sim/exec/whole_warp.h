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

/// Whether all 32 lanes execute this instruction, as .sync.aligned requires; reports if
/// not.
bool wholeWarp(const MicroOp *op, Mask mask, const Warp &warp);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WHOLE_WARP_H

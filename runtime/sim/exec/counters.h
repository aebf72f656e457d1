//===- counters.h - Detectors and counters of a launch -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_COUNTERS_H
#define KILN_SIM_EXEC_COUNTERS_H

#include "runtime/sim/exec/code.h"
#include "runtime/sim/exec/observer.h"

namespace kiln::sim::exec {

/// What watches the launch; null if nothing was asked for.
std::unique_ptr<Observer> makeObserver(Grid &grid, const Options &options);
/// Writes the counters of the launch, if they were asked for.
void finishObserver(Grid &grid, const Options &options, Observer *observer);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_COUNTERS_H

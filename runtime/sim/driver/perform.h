//===- perform.h - The parts of perform() -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_PERFORM_H
#define KILN_SIM_DRIVER_PERFORM_H

#include "runtime/sim/driver/work.h"

namespace kiln::sim::driver {

Result performKernel(const KernelWork &work, const OverBlocks &known);
Result performCopy(const CopyWork &work, const Device &device);
Result performFill(const FillWork &work, const Device &device);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_PERFORM_H

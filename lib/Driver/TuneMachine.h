//===- TuneMachine.h - kiln tune --machine ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_TUNEMACHINE_H
#define KILN_LIB_DRIVER_TUNEMACHINE_H

#include "llvm/Support/Error.h"

namespace kiln::driver {

/// Measures the machine and prints its row of the table of CPUs beside the one that
/// target native uses. Returns the exit status. Errors: KILN-E0401, KILN-E0700.
llvm::Expected<int> tuneMachine();

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TUNEMACHINE_H

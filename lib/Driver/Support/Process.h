//===- Process.h - End of a command -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_PROCESS_H
#define KILN_LIB_DRIVER_SUPPORT_PROCESS_H

#include "kiln/Support/Process.h"

namespace kiln::driver {

/// Flushes stdout; an output that could not be written changes `status` to 4, but a
/// reader that closed the pipe (`kiln inspect m | head`) does not.
int finishProcess(int status);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_PROCESS_H

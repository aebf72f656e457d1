//===- Process.h - Process exit and crashes ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_PROCESS_H
#define KILN_LIB_DRIVER_SUPPORT_PROCESS_H

#include "llvm/ADT/StringRef.h"

namespace kiln::driver {

/// Installs handlers that convert fatal events to a coded error and an exit status:
/// exhausted memory, fatal errors of LLVM, crashes, a closed pipe. The environment
/// variable KILN_CORE disables them for crashes, for a debugger.
void prepareProcess();

/// Ends the process immediately, after removing partially written files.
[[noreturn]] void leave(int status);

/// Flushes stdout; an output that could not be written changes `status` to 4, but a
/// reader that closed the pipe (`kiln inspect m | head`) does not.
int finishProcess(int status);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_PROCESS_H

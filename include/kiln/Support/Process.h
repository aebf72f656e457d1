//===- Process.h - Ends of a tool -------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_PROCESS_H
#define KILN_SUPPORT_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace kiln {

/// Turns all that would end the process by a signal into a coded error and an exit
/// status: exhausted memory, fatal errors of LLVM, crashes, a closed pipe. Behind a
/// crash there is a file in the folder for temporary files, which the message names: the
/// command, and the text of the input where the command names one. `arguments` are those
/// behind the name of the tool. With the environment variable KILN_CORE crashes print
/// LLVM's stack and end by their signal, for a debugger.
void prepareProcess(llvm::StringRef tool, llvm::ArrayRef<const char *> arguments = {});

/// Ends the process at once, without half-written files.
[[noreturn]] void leave(int status);

} // namespace kiln

#endif // KILN_SUPPORT_PROCESS_H

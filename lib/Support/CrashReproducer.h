//===- CrashReproducer.h - Command and input behind a crash -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_SUPPORT_CRASHREPRODUCER_H
#define KILN_LIB_SUPPORT_CRASHREPRODUCER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace kiln {

/// Notes the command for writeReproducer.
void prepareReproducer(llvm::StringRef tool, llvm::ArrayRef<const char *> arguments);

/// Writes a file with the command and, if the command names one, the text of its input.
/// May be called by a signal handler. Returns its path, or null if it cannot be written.
const char *writeReproducer();

} // namespace kiln

#endif // KILN_LIB_SUPPORT_CRASHREPRODUCER_H

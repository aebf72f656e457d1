//===- Completion.h - Shell completion --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_COMPLETION_H
#define KILN_LIB_DRIVER_COMPLETION_H

#include "kiln/Driver/Driver.h"

namespace kiln::driver {

/// Prints the script of `kiln completion bash|zsh`, generated from the option tables of
/// `commands`.
int printCompletion(llvm::ArrayRef<Command> commands, Arguments arguments);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_COMPLETION_H

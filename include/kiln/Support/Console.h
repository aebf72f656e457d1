//===- Console.h - Reports for people ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_CONSOLE_H
#define KILN_SUPPORT_CONSOLE_H

#include "llvm/Support/raw_ostream.h"

namespace kiln {

/// Where reports for people go: stdout, or nowhere after `--quiet`. What an option
/// asks for (JSON, IR, a list) goes to stdout in any case.
llvm::raw_ostream &text();
bool isQuiet();
/// Called by the options of every command.
void setQuiet(bool quiet);

} // namespace kiln

#endif // KILN_SUPPORT_CONSOLE_H

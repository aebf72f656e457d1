//===- Console.h - Text output for people -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_CONSOLE_H
#define KILN_SUPPORT_CONSOLE_H

#include "llvm/Support/raw_ostream.h"

namespace kiln {

/// Stream of text for people: stdout, or a null stream after `--quiet`. Output that an
/// option requests (JSON, IR, a list) always goes to stdout.
llvm::raw_ostream &text();
bool isQuiet();
/// Called by the option parser of every command.
void setQuiet(bool quiet);

} // namespace kiln

#endif // KILN_SUPPORT_CONSOLE_H

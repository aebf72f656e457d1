//===- ErrorPages.h - The pages of docs/errors ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_ERRORPAGES_H
#define KILN_LIB_DRIVER_ERRORPAGES_H

#include "llvm/ADT/StringRef.h"

namespace kiln::driver {

/// Whether the text is "KILN-E0604" or a variant of it: "kiln-e0604", "E0604", "604".
bool isErrorCode(llvm::StringRef text);
/// Prints the page of a code. Pages are compiled into the program, so no file is needed.
int printErrorPage(llvm::StringRef text);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_ERRORPAGES_H

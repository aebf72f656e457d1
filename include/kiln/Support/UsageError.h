//===- UsageError.h - Errors of options -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_USAGEERROR_H
#define KILN_SUPPORT_USAGEERROR_H

#include "kiln/Support/Error.h"
#include "llvm/ADT/Twine.h"

namespace kiln {

/// Makes a usage error of `where` ("kiln run: --dims").
llvm::Error usageError(const llvm::Twine &where, const llvm::Twine &what,
                       const llvm::Twine &expected, const llvm::Twine &found,
                       const llvm::Twine &fix);

} // namespace kiln

/// Returns from a function of type llvm::Error if `expr` failed.
#define KILN_CHECK(expr)                                                                 \
  do {                                                                                   \
    if (llvm::Error kilnError = (expr))                                                  \
      return kilnError;                                                                  \
  } while (false)

#endif // KILN_SUPPORT_USAGEERROR_H

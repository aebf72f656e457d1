//===- Status.h - Errors of the runtime -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_STATUS_H
#define KILN_EXECUTION_STATUS_H

#include "kiln/Support/Error.h"
#include "kiln/runtime.h"

namespace kiln::execution {

/// Converts a runtime status to an error and frees it; success for nullptr.
llvm::Error toError(kiln_status *status);

} // namespace kiln::execution

#endif // KILN_EXECUTION_STATUS_H

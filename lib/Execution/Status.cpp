//===- Status.cpp - Errors of the runtime ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Status.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

Error execution::toError(kiln_status *status) {
  if (!status)
    return Error::success();
  auto part = [&](kiln_status_part p) { return std::string(kiln_status_get(status, p)); };
  Diagnosis diagnosis{static_cast<ErrorCode::ID>(kiln_status_code(status)),
                      part(KILN_STATUS_WHERE),
                      part(KILN_STATUS_WHAT),
                      part(KILN_STATUS_EXPECTED),
                      part(KILN_STATUS_FOUND),
                      part(KILN_STATUS_FIX)};
  kiln_status_free(status);
  return makeError(std::move(diagnosis));
}

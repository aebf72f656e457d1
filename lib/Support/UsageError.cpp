//===- UsageError.cpp - Usage errors --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/UsageError.h"
#include "kiln/ErrorCodes/Usage.h"

using namespace kiln;
using namespace llvm;

Error kiln::usageError(const Twine &where, const Twine &what, const Twine &expected,
                       const Twine &found, const Twine &fix) {
  return makeError({ErrorCode::BadUsage, where.str(), what.str(), expected.str(),
                    found.str(), fix.str()});
}

//===- PassOptions.cpp - Checks of options and inputs of passes -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/PassOptions.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace mlir;

LogicalResult kiln::refuseOption(const Pass &pass, StringRef option,
                                 const Twine &expected, const Twine &found,
                                 MLIRContext *context) {
  return emitError(UnknownLoc::get(context),
                   {ErrorCode::BadUsage, (pass.getArgument() + ": " + option).str(),
                    "the option has no such value", expected.str(), found.str(),
                    "kiln-opt --help lists the options of passes"});
}

void kiln::warnOfNothing(const Pass &pass, Operation *op, StringRef what) {
  op->emitWarning() << pass.getArgument() << " has nothing to work on: there is no "
                    << what;
}

//===- Command.h - Execution of a subcommand --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_COMMAND_H
#define KILN_LIB_DRIVER_COMMAND_H

#include "lib/Driver/Support/Options.h"
#include "lib/Driver/Support/Report.h"

namespace kiln::driver {

/// Parses the arguments into Settings, prints help or calls `run`, and reports the error.
/// Returns the exit status, that of `run` if it succeeded.
template <typename Settings>
int runCommand(Arguments arguments,
               llvm::Expected<OptionTable::Outcome> (*parse)(Arguments, Settings &),
               llvm::Expected<int> (*run)(Settings &)) {
  Settings settings;
  llvm::Expected<OptionTable::Outcome> outcome = parse(arguments, settings);
  if (!outcome)
    return report(outcome.takeError());
  if (*outcome == OptionTable::Outcome::HelpPrinted)
    return 0;
  llvm::Expected<int> status = run(settings);
  return status ? *status : report(status.takeError());
}

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_COMMAND_H

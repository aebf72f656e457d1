//===- TimeLimit.h - Time limit of a compile --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_TIMELIMIT_H
#define KILN_LIB_DRIVER_SUPPORT_TIMELIMIT_H

#include "PhaseTimer.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kiln::driver {

/// Parses "10min", "90s", "500ms", "2h"; a plain number is seconds.
llvm::Expected<double> parseSeconds(llvm::StringRef where, llvm::StringRef text);

/// Ends the process with KILN-E0310 after the time limit, because a running phase cannot
/// be cancelled. Outputs are written atomically, so no partial files remain.
class TimeLimit {
public:
  /// seconds: 0 means no limit.
  explicit TimeLimit(double seconds);

  /// Begins a phase; the error names the current phase.
  void begin(llvm::StringRef phase) { timer.begin(phase); }

private:
  PhaseTimer timer;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_TIMELIMIT_H

//===- TimeLimit.h - An end to a compile that takes too long ----*- C++ -*-===//
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

/// "10min", "90s", "500ms", "2h"; a number alone is seconds.
llvm::Expected<double> parseSeconds(llvm::StringRef where, llvm::StringRef text);

/// Ends the process with KILN-E0310 when time is up: no phase can be left from outside,
/// and a pass may be anywhere. Outputs appear whole or not at all, so nothing is left
/// behind.
class TimeLimit {
public:
  /// 0: no limit.
  explicit TimeLimit(double seconds);

  /// Begins a phase: the one that the error names when time is up.
  void begin(llvm::StringRef phase) { timer.begin(phase); }

private:
  PhaseTimer timer;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_TIMELIMIT_H

//===- Progress.h - Progress messages ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_PROGRESS_H
#define KILN_LIB_DRIVER_SUPPORT_PROGRESS_H

#include "PhaseTimer.h"
#include "llvm/ADT/StringRef.h"

namespace kiln::driver {

/// Prints the current phase to stderr if that is a terminal, at most once a second and
/// only after a change. Quick work prints nothing.
class Progress {
public:
  /// always: prints every phase when it begins.
  explicit Progress(bool always);
  void begin(llvm::StringRef phase);

private:
  void print(llvm::StringRef phase);

  bool always, printed = true; // also written by the timer's thread, under its lock
  double birth;
  PhaseTimer timer; // last member: its thread must end before the members that it uses
                    // are destroyed
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_PROGRESS_H

//===- Progress.h - A word on anything over a second ------------*- C++ -*-===//
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

/// Prints what is going on to stderr if that is a terminal, once a second at most and
/// only when something new is to be said. Quick work prints nothing.
class Progress {
public:
  /// always: print every phase as it begins.
  explicit Progress(bool always);
  void begin(llvm::StringRef phase);

private:
  void print(llvm::StringRef phase);

  bool always, printed = true; // written by the timer's thread too, under its lock
  double birth;
  PhaseTimer timer; // last: its thread ends before what it uses
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_PROGRESS_H

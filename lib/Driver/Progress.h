//===- Progress.h - A word on anything over a second ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_PROGRESS_H
#define KILN_LIB_DRIVER_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <pthread.h>
#include <string>

namespace kiln::driver {

/// Prints what is going on to stderr if that is a terminal, once a second at most and
/// only when something new is to be said. Quick work prints nothing.
class Progress {
public:
  /// always: print every phase as it begins.
  explicit Progress(bool always);
  ~Progress();
  void begin(llvm::StringRef phase);

private:
  static void *watch(void *self);
  void printLocked();

  bool always, started = false, stopping = false, printed = true;
  double birth;
  std::string phase;
  pthread_t thread;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

/// Monotonic seconds.
double now();

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_PROGRESS_H

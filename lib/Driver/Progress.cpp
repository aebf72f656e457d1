//===- Progress.cpp - A word on anything over a second --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of pthread and not of the standard library: where none can be
// started, work goes on without progress lines instead of ending.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace kiln::driver;

double kiln::driver::now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Progress::Progress(bool always) : always(always), birth(now()) {
  // A line in a log file tells nobody that work goes on.
  started = !always && !isQuiet() && llvm::errs().is_displayed() &&
            pthread_create(&thread, nullptr, watch, this) == 0;
}

Progress::~Progress() {
  if (!started)
    return;
  pthread_mutex_lock(&mutex);
  stopping = true;
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, nullptr);
}

void Progress::printLocked() {
  if (printed)
    return;
  llvm::errs() << llvm::format("[%5.1f s] ", now() - birth) << phase << " ...\n";
  printed = true;
}

void Progress::begin(llvm::StringRef next) {
  pthread_mutex_lock(&mutex);
  phase = next.str();
  printed = false;
  if (always)
    printLocked();
  pthread_mutex_unlock(&mutex);
}

void *Progress::watch(void *argument) {
  auto *self = static_cast<Progress *>(argument);
  pthread_mutex_lock(&self->mutex);
  while (!self->stopping) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    // A signal before the second is over means that the work is done.
    if (pthread_cond_timedwait(&self->wake, &self->mutex, &until) != 0 && !self->stopping)
      self->printLocked();
  }
  pthread_mutex_unlock(&self->mutex);
  return nullptr;
}

//===- PhaseTimer.cpp - A timer that knows the current phase --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseTimer.h"
#include <ctime>

using namespace kiln::driver;

void PhaseTimer::start(std::function<double()> nextTime,
                       std::function<void(llvm::StringRef)> callback) {
  next = std::move(nextTime);
  expired = std::move(callback);
  started = pthread_create(&thread, nullptr, wait, this) == 0;
}

PhaseTimer::~PhaseTimer() {
  if (!started)
    return;
  pthread_mutex_lock(&mutex);
  stopping = true;
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, nullptr);
}

void PhaseTimer::begin(llvm::StringRef name, llvm::function_ref<void()> entered) {
  pthread_mutex_lock(&mutex);
  phase = name.str();
  entered();
  pthread_mutex_unlock(&mutex);
}

/// Returns the time `seconds` from now; handles limits of years.
static timespec timeIn(double seconds) {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  double end = static_cast<double>(time.tv_nsec) + seconds * 1e9;
  time.tv_sec += static_cast<time_t>(end / 1e9);
  time.tv_nsec = static_cast<long>(end) % 1000000000;
  return time;
}

void *PhaseTimer::wait(void *argument) {
  auto *self = static_cast<PhaseTimer *>(argument);
  pthread_mutex_lock(&self->mutex);
  while (!self->stopping) {
    timespec until = timeIn(self->next());
    int status = 0;
    // The wait may end spuriously; only `stopping` ends it early.
    while (!self->stopping && status == 0)
      status = pthread_cond_timedwait(&self->wake, &self->mutex, &until);
    if (!self->stopping)
      self->expired(self->phase);
  }
  pthread_mutex_unlock(&self->mutex);
  return nullptr;
}

//===- Interrupt.cpp - Handling of Ctrl-C ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"
#include "Process.h"
#include <atomic>

using namespace kiln;
using namespace kiln::driver;

static std::atomic<bool> isNoted{false};

static void note(int signal) {
  if (isNoted.exchange(true))
    leave(128 + signal);
}

InterruptWatch::InterruptWatch() {
  isNoted = false;
  struct sigaction action = {};
  action.sa_handler = note;
  sigaction(SIGINT, &action, &before);
}

InterruptWatch::~InterruptWatch() { sigaction(SIGINT, &before, nullptr); }

bool InterruptWatch::isInterrupted() const { return isNoted; }

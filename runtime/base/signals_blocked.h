//===- signals_blocked.h - For threads of the library -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_SIGNALS_BLOCKED_H
#define KILN_BASE_SIGNALS_BLOCKED_H

#include <csignal>

namespace kiln::rt {

/// Blocks signals in the current thread during its lifetime, so that threads created
/// meanwhile inherit the mask: signals are for the program's own threads. Faults are not
/// blocked: a fault in a thread that blocks it ends the process, even where a handler
/// (bus_guard.h) could continue.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    for (int fault : {SIGBUS, SIGSEGV, SIGFPE, SIGILL})
      sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
  sigset_t before;
};

} // namespace kiln::rt

#endif // KILN_BASE_SIGNALS_BLOCKED_H

//===- file_size_signal.h - Writing under a limit of files ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_FILE_SIZE_SIGNAL_H
#define KILN_BASE_FILE_SIZE_SIGNAL_H

#include <cerrno>
#include <csignal>
#include <ctime>

namespace kiln::rt {

/// Blocks SIGXFSZ in this thread: a file size limit (ulimit -f) would otherwise end the
/// process. The write fails with EFBIG instead.
class NoFileSizeSignal {
public:
  NoFileSizeSignal() {
    sigset_t pending;
    sigemptyset(&signal);
    sigaddset(&signal, SIGXFSZ);
    sigpending(&pending);
    wasPending = sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal, &before);
  }
  ~NoFileSizeSignal() {
    int error = errno;
    const timespec now{};
    if (!wasPending)
      sigtimedwait(&signal, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
  }

private:
  sigset_t signal, before;
  bool wasPending;
};

} // namespace kiln::rt

#endif // KILN_BASE_FILE_SIZE_SIGNAL_H

//===- Interrupt.h - Handling of Ctrl-C -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_INTERRUPT_H
#define KILN_LIB_DRIVER_SUPPORT_INTERRUPT_H

#include <csignal>

namespace kiln::driver {

/// During its lifetime the first SIGINT only sets a flag, so that work can stop with its
/// results so far. The second SIGINT ends the process.
class InterruptWatch {
public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch &) = delete;
  InterruptWatch &operator=(const InterruptWatch &) = delete;

  bool isInterrupted() const;

private:
  struct sigaction before;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_INTERRUPT_H

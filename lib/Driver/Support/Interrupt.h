//===- Interrupt.h - Ctrl-C as an answer ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_INTERRUPT_H
#define KILN_LIB_DRIVER_SUPPORT_INTERRUPT_H

#include <csignal>

namespace kiln::driver {

/// While it lives, the first SIGINT is only noted, for work that says what it has when it
/// is stopped. The second ends the process.
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

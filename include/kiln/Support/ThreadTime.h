//===- ThreadTime.h - CPU time of a thread ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_THREADTIME_H
#define KILN_SUPPORT_THREADTIME_H

namespace kiln {

/// Adds the CPU seconds that the thread uses during the object's lifetime to `seconds`;
/// they exclude other work of the machine.
class ThreadTime {
public:
  explicit ThreadTime(double &seconds) : seconds(seconds), begin(now()) {}
  ~ThreadTime() { seconds += now() - begin; }
  ThreadTime(const ThreadTime &) = delete;

private:
  static double now();

  double &seconds;
  double begin;
};

} // namespace kiln

#endif // KILN_SUPPORT_THREADTIME_H

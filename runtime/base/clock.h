//===- clock.h - The clock of deadlines and durations -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_CLOCK_H
#define KILN_BASE_CLOCK_H

#include <cstdint>
#include <ctime>

namespace kiln::rt {

/// Returns the nanoseconds of CLOCK_MONOTONIC.
inline uint64_t monotonicNow() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u +
         static_cast<uint64_t>(t.tv_nsec);
}

} // namespace kiln::rt

#endif // KILN_BASE_CLOCK_H

//===- waiting.h - How threads wait for each other --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_WAITING_H
#define KILN_DEVICE_HOST_WAITING_H

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kiln::rt {

// Number of pauses of 20 to 60 ns each: about a millisecond while a model runs, some tens
// of microseconds after it, which bridges the gap between two requests in a loop.
inline constexpr uint32_t spinsWhileActive = 20000;
inline constexpr uint32_t spinsWhileIdle = 1000;

inline constexpr size_t workerStackBytes = 512 * 1024;

/// Pauses in step `spins` of a spinning loop. After many steps it also yields the CPU, as
/// the awaited thread may need it.
inline void spinPause(uint32_t spins) {
#if defined(__x86_64__)
  _mm_pause();
#endif
  if (spins > spinsWhileIdle && spins % 256 == 0)
    sched_yield();
}

inline void setDefaultFloatEnvironment() {
#if defined(__x86_64__)
  _mm_setcsr(0x1f80); // round to nearest, denormals kept, no traps
#endif
}

inline void futexWait(std::atomic<uint32_t> &word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

inline void futexWake(std::atomic<uint32_t> &word, int count = 1) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_WAITING_H

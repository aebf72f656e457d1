//===- written.h - Tracking of written bytes --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One bit per byte of an allocation, of shared and of local memory.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_WRITTEN_H
#define KILN_SIM_EXEC_WRITTEN_H

#include <cstdint>

namespace kiln::sim::exec {

/// Whether `count` bits from `at` on are all set.
inline bool allSet(const uint64_t *bits, uint64_t at, uint64_t count) {
  while (count) {
    uint64_t bit = at % 64, here = 64 - bit < count ? 64 - bit : count;
    uint64_t ones = (here == 64 ? ~uint64_t(0) : (uint64_t(1) << here) - 1) << bit;
    if (~__atomic_load_n(bits + at / 64, __ATOMIC_RELAXED) & ones)
      return false;
    at += here;
    count -= here;
  }
  return true;
}

/// Sets `count` bits. `concurrent`: other threads may set bits in the same words.
inline void setAll(uint64_t *bits, uint64_t at, uint64_t count, bool concurrent) {
  while (count) {
    uint64_t bit = at % 64, here = 64 - bit < count ? 64 - bit : count;
    uint64_t ones = (here == 64 ? ~uint64_t(0) : (uint64_t(1) << here) - 1) << bit;
    uint64_t *word = bits + at / 64;
    uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (~old & ones) {
      if (concurrent)
        __atomic_fetch_or(word, ones, __ATOMIC_RELAXED);
      else
        *word = old | ones;
    }
    at += here;
    count -= here;
  }
}

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WRITTEN_H

//===- allocation.cpp - Tracking of written bytes -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits are set with relaxed atomics: several host threads run blocks of one kernel, and
// two of them may write bytes whose bits are in the same word.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/memory/memory.h"
#include <bit>

using namespace kiln::sim;

namespace {

constexpr auto Relaxed = std::memory_order_relaxed;

/// Mask of the bits of word `word` that are in [begin, end).
uint64_t maskOf(uint64_t word, uint64_t begin, uint64_t end) {
  uint64_t first = word * 64, mask = ~0ull;
  if (begin > first)
    mask &= ~0ull << (begin - first);
  if (end < first + 64)
    mask &= ~0ull >> (first + 64 - end);
  return mask;
}

} // namespace

void Allocation::markWritten(uint64_t offset, uint64_t count) {
  if (!written || !count)
    return;
  uint64_t end = offset + count, last = (end - 1) / 64;
  for (uint64_t word = offset / 64; word <= last; word++) {
    uint64_t mask = maskOf(word, offset, end);
    // Most writes go to bytes that were written before: avoid the atomic operation.
    if ((written[word].load(Relaxed) & mask) == mask)
      continue;
    if (mask == ~0ull)
      written[word].store(mask, Relaxed);
    else
      written[word].fetch_or(mask, Relaxed);
  }
}

bool Allocation::allWritten(uint64_t offset, uint64_t count) const {
  return firstUnwritten(offset, count) == count;
}

uint64_t Allocation::firstUnwritten(uint64_t offset, uint64_t count) const {
  if (!written || !count)
    return count;
  uint64_t end = offset + count, last = (end - 1) / 64;
  for (uint64_t word = offset / 64; word <= last; word++)
    if (uint64_t missing = ~written[word].load(Relaxed) & maskOf(word, offset, end))
      return word * 64 + std::countr_zero(missing) - offset;
  return count;
}

//===- reduce.h - Sums over ranks -------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_REDUCE_H
#define KILN_COLLECTIVE_REDUCE_H

#include "runtime/package/plan.h"
#include <algorithm>

namespace kiln::rt {

/// Computes to[at + i] = from[0][begin + i] + from[1][begin + i] + ... for `count`
/// elements, always in rank order, whichever rank computes them. f16 and bf16 are summed
/// in f32 and rounded once; integers wrap. `to` may be one of the sources.
using Combine = void (*)(void *to, int64_t at, const void *const *from, uint32_t ranks,
                         int64_t begin, int64_t count);

/// Returns NULL if the type has no arithmetic (bool and non-integer types of at most 8
/// bits), or not this reduction (mean of integers).
Combine findCombine(kiln_dtype dtype, Reduction reduction);

/// First element of a rank's chunk (and end of the previous rank's) when ranks divide the
/// reduction of `count` elements. Chunks begin at multiples of 64 elements, so that no
/// two chunks have a cache line in common.
inline int64_t chunkBegin(int64_t count, uint32_t ranks, uint32_t rank) {
  constexpr int64_t step = 64;
  int64_t chunk = (count + ranks - 1) / ranks;
  return std::min(count, (chunk + step - 1) / step * step * rank);
}

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_REDUCE_H

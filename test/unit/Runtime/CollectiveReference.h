//===- CollectiveReference.h - Expected results -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes results row by row from the operands of all ranks, as plan.fbs defines them.
// Reductions use reduce.h, which ReduceTest tests.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_COLLECTIVEREFERENCE_H
#define KILN_TEST_RUNTIME_COLLECTIVEREFERENCE_H

#include "runtime/collective/collective_call.h"
#include "runtime/collective/reduce.h"
#include <cstring>

namespace kiln::test {

using Bytes = std::vector<uint8_t>;

/// Number of elements of a rank's operand and of its result. `call` has its defaults
/// resolved, here and below.
inline int64_t operandCount(const rt::CollectiveCall &call) {
  bool hasParts = call.kind == rt::CollectiveKind::ReduceScatter ||
                  call.kind == rt::CollectiveKind::AllToAll;
  return call.outer * call.inner * (hasParts ? call.members : 1);
}
inline int64_t resultCount(const rt::CollectiveCall &call) {
  bool hasParts = call.kind == rt::CollectiveKind::AllGather ||
                  call.kind == rt::CollectiveKind::AllToAll;
  return call.outer * call.inner * (hasParts ? call.members : 1);
}

/// Writes the result of a rank. `operands`: those of all ranks. Ranks without a result
/// keep their memory's contents.
inline void writeResult(const rt::CollectiveCall &call, uint32_t rank,
                        const std::vector<const void *> &operands, void *to) {
  if (!call.receives(rank))
    return;
  auto size = static_cast<int64_t>(kiln_dtype_size(call.dtype));
  // Copies or reduces a row: `inner` elements from position `source` on.
  auto copy = [&](int64_t at, uint32_t from, int64_t source) {
    if (call.inner)
      std::memcpy(static_cast<char *>(to) + at * size,
                  static_cast<const char *>(operands[from]) + source * size,
                  static_cast<size_t>(call.inner * size));
  };
  std::vector<const void *> mine;
  for (uint32_t i = 0; call.inGroup(rank) && i < call.members; ++i)
    mine.push_back(operands[call.member(rank, i)]);
  auto combine = [&](int64_t at, int64_t source) {
    rt::findCombine(call.dtype, call.reduction)(to, at, mine.data(), call.members, source,
                                                call.inner);
  };
  uint32_t own = call.indexOf(rank);
  for (int64_t o = 0; o < call.outer; ++o) {
    int64_t at = o * call.inner;
    auto inPart = [&](uint32_t part) { return (o * call.members + part) * call.inner; };
    switch (call.kind) {
    case rt::CollectiveKind::AllReduce:
      combine(at, at);
      break;
    case rt::CollectiveKind::ReduceScatter:
      combine(at, inPart(own));
      break;
    case rt::CollectiveKind::AllGather:
      for (uint32_t part = 0; part < call.members; ++part)
        copy(inPart(part), call.member(rank, part), at);
      break;
    case rt::CollectiveKind::AllToAll:
      for (uint32_t part = 0; part < call.members; ++part)
        copy(inPart(part), call.member(rank, part), inPart(own));
      break;
    case rt::CollectiveKind::Broadcast:
    case rt::CollectiveKind::Permute:
      copy(at, call.source(rank), at);
      break;
    }
  }
}

/// Returns finite floats, or any integers; different ones on each rank.
inline Bytes operandOf(const rt::CollectiveCall &call, uint32_t rank) {
  Bytes bytes(static_cast<size_t>(operandCount(call)) * kiln_dtype_size(call.dtype));
  uint64_t state = rank * 77 + 5;
  for (uint8_t &byte : bytes) {
    state = state * 6364136223846793005 + 1442695040888963407;
    byte = static_cast<uint8_t>(state >> 56) & 0xb7; // no exponent is all ones
  }
  return bytes;
}

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_COLLECTIVEREFERENCE_H

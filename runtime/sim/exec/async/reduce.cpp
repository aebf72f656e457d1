//===- reduce.cpp - Reductions in memory by asynchronous copies -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/reduce.h"

#include "runtime/sim/arith/half.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace kiln::sim::exec::async {

namespace {

template <class T> T combineInteger(Reduction op, T a, T b) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
  case Reduction::Add:
    return T(U(a) + U(b));
  case Reduction::Min:
    return std::min(a, b);
  case Reduction::Max:
    return std::max(a, b);
  case Reduction::Inc:
    return a >= b ? 0 : T(a + 1);
  case Reduction::Dec:
    return a == 0 || a > b ? b : T(a - 1);
  case Reduction::And:
    return T(a & b);
  case Reduction::Or:
    return T(a | b);
  case Reduction::Xor:
    return T(a ^ b);
  }
  return a;
}

template <bool Bf> uint16_t combineHalf(Reduction op, uint16_t a, uint16_t b) {
  using namespace arith;
  if (op == Reduction::Min)
    return uint16_t(minMaxHalf<false, Bf, false, false>(a, b));
  if (op == Reduction::Max)
    return uint16_t(minMaxHalf<true, Bf, false, false>(a, b));
  return uint16_t(opHalf<FloatOp::Add, Bf, false, false, false>(a, b));
}

/// Reduces atomically: other host threads may run blocks that reduce into the same
/// elements.
template <class T, class Combine>
void forElements(uint8_t *to, const uint8_t *from, uint32_t bytes, Combine combine) {
  for (uint32_t at = 0; at < bytes; at += sizeof(T)) {
    T *place = reinterpret_cast<T *>(to + at), b;
    memcpy(&b, from + at, sizeof(T));
    T old = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(place, &old, T(combine(old, b)), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
  }
}

template <class T>
void integers(Reduction op, uint8_t *to, const uint8_t *from, uint32_t bytes) {
  forElements<T>(to, from, bytes, [op](T a, T b) { return combineInteger<T>(op, a, b); });
}

} // namespace

bool legal(const ReduceStep &step) {
  ReduceType t = step.type;
  bool bits = t == ReduceType::B32 || t == ReduceType::B64;
  switch (step.op) {
  case Reduction::And:
  case Reduction::Or:
  case Reduction::Xor:
    return bits;
  case Reduction::Inc:
  case Reduction::Dec:
    return t == ReduceType::U32;
  case Reduction::Min:
  case Reduction::Max:
    return !bits && t != ReduceType::F32 && t != ReduceType::F64;
  case Reduction::Add:
    return !bits && t != ReduceType::S64;
  }
  return false;
}

void reduce(Reduction op, ReduceType type, uint8_t *to, const uint8_t *from,
            uint32_t bytes) {
  using namespace arith;
  switch (type) {
  case ReduceType::B32:
  case ReduceType::U32:
    return integers<uint32_t>(op, to, from, bytes);
  case ReduceType::S32:
    return integers<int32_t>(op, to, from, bytes);
  case ReduceType::B64:
  case ReduceType::U64:
    return integers<uint64_t>(op, to, from, bytes);
  case ReduceType::S64:
    return integers<int64_t>(op, to, from, bytes);
  case ReduceType::F16:
    return forElements<uint16_t>(to, from, bytes, [op](uint16_t a, uint16_t b) {
      return combineHalf<false>(op, a, b);
    });
  case ReduceType::BF16:
    return forElements<uint16_t>(to, from, bytes, [op](uint16_t a, uint16_t b) {
      return combineHalf<true>(op, a, b);
    });
  case ReduceType::F32:
    return forElements<uint32_t>(to, from, bytes, [](uint32_t a, uint32_t b) {
      return opF32<FloatOp::Add, Rounding::Rn, true, false>(a, b);
    });
  case ReduceType::F64:
    return forElements<uint64_t>(to, from, bytes, [](uint64_t a, uint64_t b) {
      return opF64<FloatOp::Add, Rounding::Rn>(a, b);
    });
  }
}

} // namespace kiln::sim::exec::async

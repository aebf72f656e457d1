//===- sums.cpp - Reductions over modelled ranks ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/nccl/sums.h"
#include <bit>
#include <cstdint>
#include <type_traits>

using namespace kiln::sim;

namespace {

struct Type {
  const char *name;
  size_t bytes;
};
/// Types by NCCL's number.
const Type types[] = {{"int8", 1},    {"uint8", 1},   {"int32", 4},   {"uint32", 4},
                      {"int64", 8},   {"uint64", 8},  {"float16", 2}, {"float32", 4},
                      {"float64", 8}, {"bfloat16", 2}};
const char *const ops[] = {"sum", "prod", "max", "min", "avg"};
enum Op { Sum, Prod, Max, Min, Avg };

template <typename T> struct Plain {
  using Stored = T;
  using Wide = T;
  static Wide load(Stored x) { return x; }
  static Stored store(Wide x) { return x; }
};

struct Half {
  using Stored = _Float16;
  using Wide = float;
  static Wide load(Stored x) { return static_cast<float>(x); }
  static Stored store(Wide x) { return static_cast<Stored>(x); }
};

struct Brain {
  using Stored = uint16_t;
  using Wide = float;
  static Wide load(Stored x) { return std::bit_cast<float>(uint32_t(x) << 16); }
  static Stored store(Wide x) {
    auto bits = std::bit_cast<uint32_t>(x);
    if (x != x)
      return static_cast<Stored>(bits >> 16 | 0x40);
    return static_cast<Stored>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

template <typename T> T apply(int op, T a, T b) {
  switch (op) {
  case Max:
    return b > a || b != b ? b : a;
  case Min:
    return b < a || b != b ? b : a;
  default:
    if constexpr (std::is_integral_v<T>) // wraps around
      return static_cast<T>(op == Prod ? uint64_t(a) * uint64_t(b)
                                       : uint64_t(a) + uint64_t(b));
    else
      return op == Prod ? a * b : a + b;
  }
}

template <typename T>
void combineAs(int op, void *to, const std::vector<const void *> &from, size_t begin,
               size_t count) {
  using Stored = typename T::Stored;
  for (size_t i = 0; i < count; ++i) {
    auto value = T::load(static_cast<const Stored *>(from[0])[begin + i]);
    for (size_t rank = 1; rank < from.size(); ++rank)
      value =
          apply(op, value, T::load(static_cast<const Stored *>(from[rank])[begin + i]));
    if (op == Avg)
      value /= static_cast<typename T::Wide>(from.size());
    static_cast<Stored *>(to)[i] = T::store(value);
  }
}

} // namespace

const char *nccl::typeName(int type) {
  return type >= 0 && type < 10 ? types[type].name : nullptr;
}

size_t nccl::typeBytes(int type) { return types[type].bytes; }

const char *nccl::opName(int op) { return op >= 0 && op < 5 ? ops[op] : nullptr; }

void nccl::combine(int type, int op, void *to, const std::vector<const void *> &from,
                   size_t begin, size_t count) {
  using Combine = void(int, void *, const std::vector<const void *> &, size_t, size_t);
  static Combine *const table[] = {combineAs<Plain<int8_t>>,  combineAs<Plain<uint8_t>>,
                                   combineAs<Plain<int32_t>>, combineAs<Plain<uint32_t>>,
                                   combineAs<Plain<int64_t>>, combineAs<Plain<uint64_t>>,
                                   combineAs<Half>,           combineAs<Plain<float>>,
                                   combineAs<Plain<double>>,  combineAs<Brain>};
  table[type](op, to, from, begin, count);
}

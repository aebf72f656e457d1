//===- reduce.cpp - Sums over ranks ---------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/reduce.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

using namespace kiln::rt;

namespace {
/// A type that is computed in its own precision.
template <typename T> struct Own {
  using Stored = T;
  using Wide = T;
  static Wide load(Stored x) { return x; }
  static Stored store(Wide x) { return x; }
};

/// bf16, converted to and from f32; rounds to nearest even.
struct BFloat16 {
  using Stored = uint16_t;
  using Wide = float;
  static Wide load(Stored x) { return std::bit_cast<float>(uint32_t(x) << 16); }
  static Stored store(Wide x) {
    uint32_t bits = std::bit_cast<uint32_t>(x);
    if (std::isnan(x))
      return static_cast<Stored>(bits >> 16 | 0x40);
    return static_cast<Stored>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

/// IEEE binary16; converts by exact multiplications with powers of two.
struct Float16 {
  using Stored = uint16_t;
  using Wide = float;
  static Wide load(Stored x) {
    uint32_t sign = uint32_t(x & 0x8000) << 16, rest = x & 0x7fff;
    if (rest >= 0x7c00) // infinite or NaN
      return std::bit_cast<float>(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  static Stored store(Wide x) {
    uint32_t bits = std::bit_cast<uint32_t>(x), sign = bits >> 16 & 0x8000;
    float magnitude = std::fabs(x);
    if (std::isnan(x))
      return static_cast<Stored>(sign | 0x7e00);
    if (magnitude >= 65520) // halfway to the next number, if there were one
      return static_cast<Stored>(sign | 0x7c00);
    if (magnitude < 0x1p-14f) // subnormal: in units of 2^-24
      return static_cast<Stored>(sign | uint32_t(std::nearbyintf(magnitude * 0x1p24f)));
    uint32_t rest = std::bit_cast<uint32_t>(magnitude) - (112u << 23);
    return static_cast<Stored>(sign | (rest + 0xfff + (rest >> 13 & 1)) >> 13);
  }
};

// Reductions: a NaN of any rank makes the result NaN.
struct Sum {
  template <typename T> static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>) // wraps; T may be promoted
      return static_cast<T>(uint64_t(a) + uint64_t(b));
    else
      return a + b;
  }
};
struct Prod {
  template <typename T> static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(uint64_t(a) * uint64_t(b));
    else
      return a * b;
  }
};
struct Max {
  template <typename T> static T apply(T a, T b) { return b > a || b != b ? b : a; }
};
struct Min {
  template <typename T> static T apply(T a, T b) { return b < a || b != b ? b : a; }
};

template <typename Type, typename Op, bool isMean>
void combine(void *to, int64_t at, const void *const *from, uint32_t ranks, int64_t begin,
             int64_t count) {
  using Stored = typename Type::Stored;
  using Wide = typename Type::Wide;
  // Elements of a block: they fit into the L1 cache and suffice for vector loops.
  constexpr int64_t block = 512;
  Wide sums[block];
  for (int64_t done = 0; done < count; done += block) {
    int64_t n = std::min(block, count - done);
    auto *first = static_cast<const Stored *>(from[0]) + begin + done;
    for (int64_t i = 0; i < n; ++i)
      sums[i] = Type::load(first[i]);
    for (uint32_t rank = 1; rank < ranks; ++rank) {
      auto *next = static_cast<const Stored *>(from[rank]) + begin + done;
      for (int64_t i = 0; i < n; ++i)
        sums[i] = Op::apply(sums[i], Type::load(next[i]));
    }
    if constexpr (isMean)
      for (int64_t i = 0; i < n; ++i)
        sums[i] /= static_cast<Wide>(ranks);
    auto *result = static_cast<Stored *>(to) + at + done;
    for (int64_t i = 0; i < n; ++i)
      result[i] = Type::store(sums[i]);
  }
}

template <typename Type> Combine of(Reduction reduction) {
  switch (reduction) {
  case Reduction::Sum:
    return combine<Type, Sum, false>;
  case Reduction::Mean:
    if constexpr (std::is_floating_point_v<typename Type::Wide>)
      return combine<Type, Sum, true>;
    return nullptr;
  case Reduction::Max:
    return combine<Type, Max, false>;
  case Reduction::Min:
    return combine<Type, Min, false>;
  case Reduction::Prod:
    return combine<Type, Prod, false>;
  }
  return nullptr;
}
} // namespace

Combine kiln::rt::findCombine(kiln_dtype dtype, Reduction reduction) {
  switch (dtype) {
  case KILN_DTYPE_F32:
    return of<Own<float>>(reduction);
  case KILN_DTYPE_F16:
    return of<Float16>(reduction);
  case KILN_DTYPE_BF16:
    return of<BFloat16>(reduction);
  case KILN_DTYPE_F64:
    return of<Own<double>>(reduction);
  case KILN_DTYPE_I8:
    return of<Own<int8_t>>(reduction);
  case KILN_DTYPE_I16:
    return of<Own<int16_t>>(reduction);
  case KILN_DTYPE_I32:
    return of<Own<int32_t>>(reduction);
  case KILN_DTYPE_I64:
    return of<Own<int64_t>>(reduction);
  case KILN_DTYPE_U8:
    return of<Own<uint8_t>>(reduction);
  case KILN_DTYPE_U16:
    return of<Own<uint16_t>>(reduction);
  case KILN_DTYPE_U32:
    return of<Own<uint32_t>>(reduction);
  case KILN_DTYPE_U64:
    return of<Own<uint64_t>>(reduction);
  default:
    return nullptr;
  }
}

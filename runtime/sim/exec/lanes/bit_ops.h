//===- lanes/bit_ops.h - Instructions on bits and bytes, one lane each ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Continues integer_ops.h, in the namespace of one instruction set.
//
//===----------------------------------------------------------------------===//

struct AndOp {
  template <class T> static T apply(T a, T b) { return a & b; }
};
struct OrOp {
  template <class T> static T apply(T a, T b) { return a | b; }
};
struct XorOp {
  template <class T> static T apply(T a, T b) { return a ^ b; }
};
struct NotOp {
  template <class T> static T apply(T a) { return T(~a); }
};
struct CnotOp {
  template <class T> static T apply(T a) { return a == 0; }
};
struct MovOp {
  template <class T> static T apply(T a) { return a; }
};
struct Lop3Op {
  static uint32_t bit(uint64_t table, unsigned n) {
    return uint32_t(0) - uint32_t(table >> n & 1);
  }
  static uint32_t pick(uint32_t s, uint32_t one, uint32_t zero) {
    return (s & one) | (~s & zero);
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint64_t t) {
    return pick(a, pick(b, pick(c, bit(t, 7), bit(t, 6)), pick(c, bit(t, 5), bit(t, 4))),
                pick(b, pick(c, bit(t, 3), bit(t, 2)), pick(c, bit(t, 1), bit(t, 0))));
  }
};
struct ShlOp {
  template <class T> static T apply(T a, uint32_t n) {
    Wrap<T> shifted = Wrap<T>(a) << (n & (BitsOf<Wrap<T>> - 1));
    return n >= BitsOf<T> ? T(0) : T(shifted);
  }
};
struct ShrOp {
  template <class T> static T apply(T a, uint32_t n) {
    if constexpr (std::is_signed_v<T>)
      return T(a >> (n >= BitsOf<T> ? BitsOf<T> - 1 : n));
    T shifted = T(Wrap<T>(a) >> (n & (BitsOf<Wrap<T>> - 1)));
    return n >= BitsOf<T> ? T(0) : shifted;
  }
};
template <bool Left, bool Clamp> struct ShfOp {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t n = Clamp ? (c < 32 ? c : 32) : c & 31;
    uint64_t both = uint64_t(b) << 32 | a;
    return Left ? uint32_t(both << n >> 32) : uint32_t(both >> n);
  }
};
struct PopcOp {
  template <class T> static uint32_t apply(T a) {
    return uint32_t(__builtin_popcountll(a));
  }
};
struct ClzOp {
  template <class T> static uint32_t apply(T a) {
    return a ? uint32_t(__builtin_clzll(a)) - (64 - BitsOf<T>) : BitsOf<T>;
  }
};
template <bool Shift> struct BfindOp {
  template <class T> static uint32_t apply(T value) {
    using U = Unsigned<T>;
    U a = std::is_signed_v<T> && value < 0 ? U(~value) : U(value);
    if (a == 0)
      return ~0u;
    uint32_t lead = ClzOp::apply<U>(a);
    return Shift ? lead : BitsOf<T> - 1 - lead;
  }
};
struct BrevOp {
  template <class T> static T apply(T a) {
    if constexpr (sizeof(T) == 8)
      return __builtin_bitreverse64(a);
    else
      return __builtin_bitreverse32(a);
  }
};
struct BfeOp {
  template <class T> static T apply(T a, uint32_t b, uint32_t c) {
    using U = Unsigned<T>;
    const uint32_t pos = b & 0xff, len = c & 0xff, top = BitsOf<T> - 1;
    uint32_t last = pos + len - 1 < top ? pos + len - 1 : top;
    bool fill = std::is_signed_v<T> && len != 0 && (U(a) >> last & 1);
    U bits = pos > top ? 0 : U(a) >> pos;
    // Bits from `len` on, and those beyond the top of the value, are copies of the sign.
    uint32_t valid = pos > top ? 0 : len < BitsOf<T> - pos ? len : BitsOf<T> - pos;
    U keep = valid >= BitsOf<T> ? ~U(0) : (U(1) << valid) - 1;
    return T((bits & keep) | (fill ? ~keep : 0));
  }
};
template <class T> inline T insertField(T a, T b, uint32_t c, uint32_t d) {
  const uint32_t pos = c & 0xff, len = d & 0xff;
  if (pos >= BitsOf<T> || len == 0)
    return b;
  T ones = len >= BitsOf<T> ? ~T(0) : (T(1) << len) - 1;
  T field = ones << pos;
  return (b & ~field) | (a << pos & field);
}
struct FnsOp {
  static uint32_t apply(uint32_t mask, uint32_t base, int32_t offset) {
    base &= 31;
    if (offset == 0)
      return mask >> base & 1 ? base : ~0u;
    int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
    for (int at = int(base); at >= 0 && at < 32; at += step)
      if (mask >> at & 1 && --left == 0)
        return uint32_t(at);
    return ~0u;
  }
};
template <bool Clamp> struct BmskOp {
  static uint32_t apply(uint32_t a, uint32_t b) {
    if (!Clamp) {
      a &= 31;
      b &= 31;
    }
    uint32_t ones = b >= 32 ? ~0u : (1u << b) - 1;
    return a >= 32 ? 0 : ones << a;
  }
};
template <bool Clamp> struct SzextOp {
  template <class T> static T apply(T a, uint32_t n) {
    if (!Clamp)
      n &= 31;
    if (n >= 32)
      return a;
    if (n == 0)
      return 0;
    return T(Wrap<T>(a) << (32 - n)) >> (32 - n);
  }
};
inline int64_t byteOf(uint32_t v, unsigned n, bool isSigned) {
  uint32_t b = v >> (8 * n) & 0xff;
  return isSigned ? int8_t(b) : int64_t(b);
}
struct Dp4aOp {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint64_t how) {
    int64_t sum = 0;
    for (unsigned n = 0; n < 4; ++n)
      sum += byteOf(a, n, how & 1) * byteOf(b, n, how & 2);
    return uint32_t(sum) + c;
  }
};
template <bool High> struct Dp2aOp {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint64_t how) {
    int64_t sum = 0;
    for (unsigned n = 0; n < 2; ++n) {
      uint32_t half = a >> (16 * n) & 0xffff;
      sum += (how & 1 ? int16_t(half) : int64_t(half)) *
             byteOf(b, n + (High ? 2 : 0), how & 2);
    }
    return uint32_t(sum) + c;
  }
};
inline uint32_t pickByte(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t both = uint64_t(b) << 32 | a;
  return uint32_t(both >> (8 * (selector & 7))) & 0xff;
}
struct PrmtOp {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t result = 0;
    for (unsigned n = 0; n < 4; ++n) {
      uint32_t s = c >> (4 * n) & 15, byte = pickByte(a, b, s);
      // The selector's top bit replicates the byte's sign bit.
      uint32_t signs = 0 - (byte >> 7);
      result |= ((s & 8 ? signs : byte) & 0xff) << (8 * n);
    }
    return result;
  }
};
/// prmt modes: selectors of result bytes 0..3 for each value of c & 3.
template <IntOp Mode> struct PrmtModeOp {
  static uint32_t selector(unsigned n, unsigned c) {
    switch (Mode) {
    case IntOp::PrmtF4e:
      return c + n;
    case IntOp::PrmtB4e:
      return (c - n) & 7;
    case IntOp::PrmtRc8:
      return c;
    case IntOp::PrmtEcl:
      return n > c ? n : c;
    case IntOp::PrmtEcr:
      return n < c ? n : c;
    default:
      return (c & 1) * 2 + (n & 1); // rc16
    }
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t result = 0;
    for (unsigned n = 0; n < 4; ++n)
      result |= pickByte(a, b, selector(n, c & 3)) << (8 * n);
    return result;
  }
};
struct SlctOp {
  template <class T> static T apply(T a, T b, int32_t c) { return c >= 0 ? a : b; }
};
template <bool Ftz> struct SlctF32Op {
  template <class T> static T apply(T a, T b, uint32_t c) {
    // c >= 0: either zero counts, a NaN does not.
    bool nan = (c & 0x7fffffff) > 0x7f800000;
    bool zero = Ftz ? (c & 0x7f800000) == 0 : (c & 0x7fffffff) == 0;
    return !nan && (zero || !(c >> 31)) ? a : b;
  }
};
template <class F> struct Packed2 {
  template <class H> static uint32_t halves(uint32_t a, uint32_t b) {
    uint32_t lo = uint16_t(F::template apply<H>(H(a), H(b)));
    uint32_t hi = uint16_t(F::template apply<H>(H(a >> 16), H(b >> 16)));
    return lo | hi << 16;
  }
};
template <class F, class H> struct PackedOp {
  static uint32_t apply(uint32_t a, uint32_t b) {
    return Packed2<F>::template halves<H>(a, b);
  }
};
struct MinRelu16 {
  template <class T> static T apply(T a, T b) {
    return MaxOp::apply<T>(MinOp::apply<T>(a, b), 0);
  }
};
struct MaxRelu16 {
  template <class T> static T apply(T a, T b) {
    return MaxOp::apply<T>(MaxOp::apply<T>(a, b), 0);
  }
};

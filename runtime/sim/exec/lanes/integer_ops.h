//===- lanes/integer_ops.h - Integer instructions, one lane each ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

template <class T> using Signed = std::make_signed_t<T>;
template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T> struct WiderOf;
template <> struct WiderOf<uint16_t> {
  using type = uint32_t;
};
template <> struct WiderOf<int16_t> {
  using type = int32_t;
};
template <> struct WiderOf<uint32_t> {
  using type = uint64_t;
};
template <> struct WiderOf<int32_t> {
  using type = int64_t;
};
template <> struct WiderOf<uint64_t> {
  using type = unsigned __int128;
};
template <> struct WiderOf<int64_t> {
  using type = __int128;
};
template <class T> using Wider = typename WiderOf<T>::type;
template <class T> inline constexpr unsigned BitsOf = sizeof(T) * 8;

// Wraparound arithmetic: computed as unsigned integers of at least 32 bits.
template <class T> using Wrap = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

struct AddOp {
  template <class T> static T apply(T a, T b) { return T(Wrap<T>(a) + Wrap<T>(b)); }
};
struct SubOp {
  template <class T> static T apply(T a, T b) { return T(Wrap<T>(a) - Wrap<T>(b)); }
};
template <class T> inline T saturate(int64_t v) {
  constexpr int64_t lo = std::numeric_limits<T>::min(),
                    hi = std::numeric_limits<T>::max();
  return T(v < lo ? lo : v > hi ? hi : v);
}
struct AddSatOp {
  static int32_t apply(int32_t a, int32_t b) { return saturate<int32_t>(int64_t(a) + b); }
};
struct SubSatOp {
  static int32_t apply(int32_t a, int32_t b) { return saturate<int32_t>(int64_t(a) - b); }
};
struct MulLoOp {
  template <class T> static T apply(T a, T b) { return T(Wrap<T>(a) * Wrap<T>(b)); }
};
struct MulHiOp {
  template <class T> static T apply(T a, T b) {
    return T((Wider<T>(a) * Wider<T>(b)) >> BitsOf<T>);
  }
};
struct MulWideOp {
  template <class T> static Wider<T> apply(T a, T b) { return Wider<T>(a) * Wider<T>(b); }
};
struct MadLoOp {
  template <class T> static T apply(T a, T b, T c) {
    return T(Wrap<T>(a) * Wrap<T>(b) + Wrap<T>(c));
  }
};
struct MadHiOp {
  template <class T> static T apply(T a, T b, T c) {
    return AddOp::apply<T>(MulHiOp::apply<T>(a, b), c);
  }
};
struct MadHiSatOp {
  static int32_t apply(int32_t a, int32_t b, int32_t c) {
    return saturate<int32_t>(int64_t(MulHiOp::apply<int32_t>(a, b)) + c);
  }
};
struct MadWideOp {
  template <class T> static Wider<T> apply(T a, T b, Wider<T> c) {
    using U = Unsigned<Wider<T>>;
    return Wider<T>(U(Wider<T>(a) * Wider<T>(b)) + U(c));
  }
};
template <class T> inline int64_t product24(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    return int64_t(int32_t(uint32_t(a) << 8) >> 8) * (int32_t(uint32_t(b) << 8) >> 8);
  else
    return int64_t(uint64_t(a & 0xffffff) * (b & 0xffffff));
}
struct Mul24LoOp {
  template <class T> static T apply(T a, T b) { return T(product24(a, b)); }
};
struct Mul24HiOp {
  template <class T> static T apply(T a, T b) { return T(product24(a, b) >> 16); }
};
struct Mad24LoOp {
  template <class T> static T apply(T a, T b, T c) {
    return AddOp::apply<T>(T(product24(a, b)), c);
  }
};
struct Mad24HiOp {
  template <class T> static T apply(T a, T b, T c) {
    return AddOp::apply<T>(T(product24(a, b) >> 16), c);
  }
};
struct Mad24HiSatOp {
  static int32_t apply(int32_t a, int32_t b, int32_t c) {
    return saturate<int32_t>(int64_t(int32_t(product24(a, b) >> 16)) + c);
  }
};
struct SadOp {
  template <class T> static T apply(T a, T b, T c) {
    Wrap<T> d = a < b ? Wrap<T>(b) - Wrap<T>(a) : Wrap<T>(a) - Wrap<T>(b);
    return T(d + Wrap<T>(c));
  }
};
// Division by zero gives all ones, and the dividend as the remainder, as hardware does.
struct DivOp {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return T(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return SubOp::apply<T>(0, a);
    return T(a / b);
  }
};
struct RemOp {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return 0;
    return T(a % b);
  }
};
struct AbsOp {
  template <class T> static T apply(T a) { return a < 0 ? SubOp::apply<T>(0, a) : a; }
};
struct NegOp {
  template <class T> static T apply(T a) { return SubOp::apply<T>(0, a); }
};
struct MinOp {
  template <class T> static T apply(T a, T b) { return a < b ? a : b; }
};
struct MaxOp {
  template <class T> static T apply(T a, T b) { return a > b ? a : b; }
};
struct MinReluOp {
  static int32_t apply(int32_t a, int32_t b) {
    return MaxOp::apply<int32_t>(MinOp::apply<int32_t>(a, b), 0);
  }
};
struct MaxReluOp {
  static int32_t apply(int32_t a, int32_t b) {
    return MaxOp::apply<int32_t>(MaxOp::apply<int32_t>(a, b), 0);
  }
};

//===- integer_test.cpp - Integer instructions against host arithmetic -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/operations.h"

#include <bit>
#include <functional>

namespace kiln::sim::test {

namespace {
using Wide = __int128;
using UnsignedWide = unsigned __int128;

template <class T> struct Case {
  std::string text;
  std::function<T(T, T, T)> expected;
};

template <class T> void check(const std::vector<Case<T>> &cases) {
  std::vector<T> values = edges<T>();
  for (const Case<T> &c : cases) {
    Operands<T> in = combinations(values);
    std::vector<T> out = apply<T>(c.text, in);
    ASSERT_EQ(out.size(), in.a.size()) << c.text;
    for (size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], c.expected(in.a[i], in.b[i], in.c[i]))
          << c.text << " of " << +in.a[i] << ", " << +in.b[i] << ", " << +in.c[i];
  }
}

/// Runs the cases of one width; S and U are its signed and unsigned type.
template <class S, class U> void checkWidth(const std::string &bits) {
  const std::string s = ".s" + bits, u = ".u" + bits, b = ".b" + bits;
  constexpr unsigned width = sizeof(U) * 8;
  check<U>({
      {"add" + u, [](U x, U y, U) { return U(x + y); }},
      {"sub" + s, [](U x, U y, U) { return U(x - y); }},
      {"mul.lo" + s, [](U x, U y, U) { return U(UnsignedWide(x) * y); }},
      {"mul.hi" + u, [](U x, U y, U) { return U(UnsignedWide(x) * y >> width); }},
      {"mad.lo" + u, [](U x, U y, U z) { return U(U(UnsignedWide(x) * y) + z); }},
      {"sad" + u, [](U x, U y, U z) { return U(z + (x > y ? x - y : y - x)); }},
      {"min" + u, [](U x, U y, U) { return std::min(x, y); }},
      {"max" + u, [](U x, U y, U) { return std::max(x, y); }},
      {"div" + u, [](U x, U y, U) { return y ? U(x / y) : U(-1); }},
      {"rem" + u, [](U x, U y, U) { return y ? U(x % y) : x; }},
      {"and" + b, [](U x, U y, U) { return U(x & y); }},
      {"or" + b, [](U x, U y, U) { return U(x | y); }},
      {"xor" + b, [](U x, U y, U) { return U(x ^ y); }},
      {"not" + b, [](U x, U, U) { return U(~x); }},
      {"cnot" + b, [](U x, U, U) { return U(!x); }},
  });
  check<S>({
      {"mul.hi" + s, [](S x, S y, S) { return S(Wide(x) * y >> width); }},
      {"min" + s, [](S x, S y, S) { return std::min(x, y); }},
      {"max" + s, [](S x, S y, S) { return std::max(x, y); }},
      {"abs" + s, [](S x, S, S) { return x < 0 ? S(-U(x)) : x; }},
      {"neg" + s, [](S x, S, S) { return S(-U(x)); }},
      {"div" + s, [](S x, S y, S) { return y ? S(Wide(x) / y) : S(-1); }},
      {"rem" + s, [](S x, S y, S) { return y ? S(Wide(x) % y) : x; }},
  });
}
} // namespace

TEST(Integer, Width16) { checkWidth<int16_t, uint16_t>("16"); }
TEST(Integer, Width32) { checkWidth<int32_t, uint32_t>("32"); }
TEST(Integer, Width64) { checkWidth<int64_t, uint64_t>("64"); }

TEST(Integer, Saturation) {
  auto clamp = [](int64_t v) {
    return int32_t(std::clamp<int64_t>(v, INT32_MIN, INT32_MAX));
  };
  check<int32_t>({
      {"add.sat.s32",
       [=](int32_t x, int32_t y, int32_t) { return clamp(int64_t(x) + y); }},
      {"sub.sat.s32",
       [=](int32_t x, int32_t y, int32_t) { return clamp(int64_t(x) - y); }},
      {"mad.hi.sat.s32", [=](int32_t x, int32_t y,
                             int32_t z) { return clamp((int64_t(x) * y >> 32) + z); }},
  });
}

TEST(Integer, Bits32) {
  using U = uint32_t;
  check<U>({
      {"popc.b32", [](U x, U, U) { return U(std::popcount(x)); }},
      {"clz.b32", [](U x, U, U) { return U(std::countl_zero(x)); }},
      {"brev.b32",
       [](U x, U, U) {
         U r = 0;
         for (int i = 0; i < 32; ++i)
           r |= (x >> i & 1) << (31 - i);
         return r;
       }},
      {"bfind.u32", [](U x, U, U) { return x ? 31 - U(std::countl_zero(x)) : ~0u; }},
      {"shl.b32", [](U x, U y, U) { return y > 31 ? 0 : x << y; }},
      {"shr.u32", [](U x, U y, U) { return y > 31 ? 0 : x >> y; }},
      {"shr.s32", [](U x, U y, U) { return U(int32_t(x) >> std::min(y, 31u)); }},
      {"shf.l.wrap.b32",
       [](U x, U y, U z) { return U((uint64_t(y) << 32 | x) << (z & 31) >> 32); }},
      {"shf.r.clamp.b32",
       [](U x, U y, U z) { return U((uint64_t(y) << 32 | x) >> std::min(z, 32u)); }},
      {"bfe.u32",
       [](U x, U y, U z) {
         uint64_t r = 0;
         for (U i = 0; i < (z & 255) && i < 32; ++i)
           if ((y & 255) + i < 32)
             r |= uint64_t(x >> ((y & 255) + i) & 1) << i;
         return U(r);
       }},
      {"prmt.b32",
       [](U x, U y, U z) {
         uint8_t bytes[8];
         memcpy(bytes, &x, 4);
         memcpy(bytes + 4, &y, 4);
         U r = 0;
         for (int i = 0; i < 4; ++i) {
           U s = z >> (4 * i) & 15, v = bytes[s & 7];
           r |= (s & 8 ? (v & 128 ? 255u : 0u) : v) << (8 * i);
         }
         return r;
       }},
  });
}

TEST(Integer, Lop3HasEveryTable) {
  using U = uint32_t;
  for (unsigned table : {0x00u, 0x80u, 0x96u, 0xe8u, 0xcau, 0x1du, 0xffu}) {
    Operands<U> in = combinations(edges<U>());
    std::string immediate = "lop3.b32 %r3, %r0, %r1, %r2, " + std::to_string(table) + ";";
    std::vector<U> out = applyBody<U>(immediate, in);
    for (size_t i = 0; i < out.size(); ++i) {
      U expected = 0;
      for (int bit = 0; bit < 32; ++bit) {
        unsigned at =
            (in.a[i] >> bit & 1) << 2 | (in.b[i] >> bit & 1) << 1 | (in.c[i] >> bit & 1);
        expected |= (table >> at & 1) << bit;
      }
      ASSERT_EQ(out[i], expected) << table;
    }
  }
}

TEST(Integer, CarryChains) {
  // 64-bit additions and subtractions by halves; the carry flag of a subtraction is no
  // borrow.
  using U = uint64_t;
  Operands<U> in = combinations(edges<U>());
  std::string halves = "mov.b64 {%r0, %r1}, %d0; mov.b64 {%r2, %r3}, %d1;\n";
  std::string join = "mov.b64 %d3, {%r4, %r5};";
  auto sum = applyBody<U>(
      halves + "add.cc.u32 %r4, %r0, %r2; addc.u32 %r5, %r1, %r3;" + join, in);
  auto difference = applyBody<U>(
      halves + "sub.cc.u32 %r4, %r0, %r2; subc.u32 %r5, %r1, %r3;" + join, in);
  auto noBorrow = applyBody<U>(halves +
                                   "sub.cc.u32 %r4, %r0, %r2; subc.cc.u32 %r5, %r1, %r3;"
                                   "addc.u32 %r4, 0, 0; mov.u32 %r5, 0;" +
                                   join,
                               in);
  for (size_t i = 0; i < sum.size(); ++i) {
    ASSERT_EQ(sum[i], in.a[i] + in.b[i]);
    ASSERT_EQ(difference[i], in.a[i] - in.b[i]);
    ASSERT_EQ(noBorrow[i], in.a[i] >= in.b[i]);
  }
}

TEST(Integer, PredicatedLanesKeepTheirValues) {
  using U = uint32_t;
  Operands<U> in = combinations(edges<U>());
  auto out = applyBody<U>("mov.u32 %r3, %r2; setp.lt.u32 %p0, %r0, %r1;\n"
                          "@%p0 add.u32 %r3, %r0, %r1;\n@!%p0 sub.u32 %r3, %r3, %r1;",
                          in);
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], in.a[i] < in.b[i] ? in.a[i] + in.b[i] : in.c[i] - in.b[i]);
}

} // namespace kiln::sim::test

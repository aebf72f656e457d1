//===- float_test.cpp - Floating-point instructions against the host -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/sim/arith tests the arithmetic; here each form must call it with its operands in
// the right order.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/operations.h"

#include <bit>
#include <cmath>

namespace kiln::sim::test {

namespace {
std::vector<uint32_t> singles() {
  return {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40490fdb,
          0x7f7fffff, 0x00000001, 0x00800000, 0x807fffff, 0x7f800000,
          0xff800000, 0x7fc00000, 0x4b000001, 0x3eaaaaab, 0xc2c80000};
}

using F = float;
uint32_t bitsOf(F value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits;
}

void check(const std::string &text, F (*expected)(F, F, F)) {
  Operands<uint32_t> in = combinations(singles());
  std::vector<uint32_t> out = apply<uint32_t>(text, in);
  ASSERT_EQ(out.size(), in.a.size());
  for (size_t i = 0; i < out.size(); ++i) {
    F a = std::bit_cast<F>(in.a[i]), b = std::bit_cast<F>(in.b[i]),
      c = std::bit_cast<F>(in.c[i]);
    ASSERT_EQ(out[i], bitsOf(expected(a, b, c)))
        << text << " " << a << " " << b << " " << c;
  }
}
} // namespace

TEST(Float, Single) {
  check("add.rn.f32", [](F a, F b, F) { return a + b; });
  check("sub.f32", [](F a, F b, F) { return a - b; });
  check("mul.rn.f32", [](F a, F b, F) { return a * b; });
  check("fma.rn.f32", [](F a, F b, F c) { return std::fma(a, b, c); });
  check("div.rn.f32", [](F a, F b, F) { return a / b; });
  check("sqrt.rn.f32", [](F a, F, F) { return std::sqrt(a); });
  check("rcp.rn.f32", [](F a, F, F) { return 1 / a; });
}

TEST(Float, SingleToEveryInteger) {
  Operands<uint32_t> in = combinations(singles());
  auto out = applyBody<uint32_t>("cvt.rzi.s32.f32 %r3, %r0;", in);
  for (size_t i = 0; i < out.size(); ++i) {
    F a = std::bit_cast<F>(in.a[i]);
    int32_t expected = std::isnan(a)  ? 0
                       : a >= 0x1p31f ? INT32_MAX
                       : a < -0x1p31f ? INT32_MIN
                                      : int32_t(a);
    ASSERT_EQ(int32_t(out[i]), expected) << a;
  }
}

TEST(Float, Comparisons) {
  Operands<uint32_t> in = combinations(singles());
  struct {
    const char *name;
    bool (*holds)(F, F);
  } cases[] = {
      {"eq", [](F a, F b) { return a == b; }},
      {"ne", [](F a, F b) { return a < b || a > b; }},
      {"lt", [](F a, F b) { return a < b; }},
      {"ge", [](F a, F b) { return a >= b; }},
      {"equ", [](F a, F b) { return !(a < b || a > b); }},
      {"neu", [](F a, F b) { return a != b; }},
      {"ltu", [](F a, F b) { return !(a >= b); }},
      {"gtu", [](F a, F b) { return !(a <= b); }},
      {"num", [](F a, F b) { return a == a && b == b; }},
      {"nan", [](F a, F b) { return a != a || b != b; }},
  };
  for (const auto &c : cases) {
    auto out =
        applyBody<uint32_t>("setp." + std::string(c.name) +
                                ".f32 %p0|%p1, %r0, %r1;\n"
                                "selp.u32 %r3, 1, 0, %p0; @%p1 add.u32 %r3, %r3, 2;",
                            in);
    for (size_t i = 0; i < out.size(); ++i) {
      bool holds = c.holds(std::bit_cast<F>(in.a[i]), std::bit_cast<F>(in.b[i]));
      ASSERT_EQ(out[i], holds ? 1u : 2u) << c.name << " " << in.a[i] << " " << in.b[i];
    }
  }
}

} // namespace kiln::sim::test

//===- approx_rows_test.cpp - Approximate functions ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the C library in long double, rounded once; near a rounding boundary either
// neighbour is accepted. test/sim/arith/approx_test.cpp checks both modes of
// KILN_SIM_APPROX against PTX's bounds; here each form must call those functions.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

namespace kiln::sim::test {

namespace {
using Long = long double;
using Function = Long (*)(Long);

struct Approximate {
  const char *row, *name;
  bool ftz; ///< has .ftz
  Function f;
};
Long root(Long x) { return std::sqrt(x); }
Long inverseRoot(Long x) { return 1 / std::sqrt(x); }
const Approximate functions[] = {
    {"rcp.approx", "rcp.approx", true, [](Long x) { return 1 / x; }},
    {"sqrt.approx", "sqrt.approx", true, root},
    {"rsqrt.f32", "rsqrt.approx", true, inverseRoot},
    {"sin", "sin.approx", true, [](Long x) { return std::sin(x); }},
    {"cos", "cos.approx", true, [](Long x) { return std::cos(x); }},
    {"lg2", "lg2.approx", true, [](Long x) { return std::log2(x); }},
    {"ex2.f32", "ex2.approx", true, [](Long x) { return std::exp2(x); }},
    {"tanh.f32", "tanh.approx", false, [](Long x) { return std::tanh(x); }}};

/// Whether two magnitudes differ by at most one in the last place.
bool neighbours(uint64_t got, uint64_t expected) {
  return got == expected || (got + 1 == expected && expected != 0x7fffffff) ||
         (expected + 1 == got && got != 0x7fffffff);
}

std::vector<In> operands() {
  std::vector<In> sets = operandSets(singleEdges(), 32, 3000);
  for (int n = -80; n <= 80; ++n) // the range in which the results vary
    for (float step : {0.0f, 0.0625f, 0.3f})
      sets.push_back(
          {bitsOf(float(n) * 0.5f + step), bitsOf(float(n) * 1.7f - step), 0, 0});
  return sets;
}

uint64_t singleOf(Long x, bool ftz) {
  float result = float(x);
  return bitsOf(ftz ? flushed(result) : result);
}

/// Returns the quotient; div.approx has no result for divisors beyond 2^126.
uint64_t quotient(const In &i, bool ftz, bool full) {
  float a = single(i[0]), b = single(i[1]);
  if (ftz) {
    a = flushed(a);
    b = flushed(b);
  }
  if (!full && std::isfinite(b) && std::fabs(b) > 0x1p126f && !std::isnan(a))
    return std::isinf(a) ? SingleNan : (std::signbit(a) != std::signbit(b)) * 0x80000000;
  return singleOf(Long(a) / Long(b), ftz);
}
} // namespace

TEST(ApproxRows, Single) {
  std::vector<Form> forms;
  for (const Approximate &a : functions)
    for (bool ftz : {false, true}) {
      if (ftz && !a.ftz)
        continue;
      forms.push_back({a.row,
                       std::string(a.name) + (ftz ? ".ftz" : "") + ".f32 %r9, %r0;", 'r',
                       [=, &a](const In &i) {
                         float x = ftz ? flushed(single(i[0])) : single(i[0]);
                         return singleOf(a.f(x), ftz);
                       },
                       neighbours});
    }
  for (bool ftz : {false, true})
    for (bool full : {false, true})
      forms.push_back({full ? "div.full" : "div.approx",
                       std::string(full ? "div.full" : "div.approx") +
                           (ftz ? ".ftz" : "") + ".f32 %r9, %r0, %r1;",
                       'r', [=](const In &i) { return quotient(i, ftz, full); },
                       neighbours});
  checkForms(forms, operands());
}

TEST(ApproxRows, Double) {
  // .ftz: at least 20 correct bits, computed from the high words; PTX leaves the last
  // place open.
  auto coarse = [](uint64_t got, uint64_t expected) {
    double x = number(got), y = number(expected);
    if (std::isnan(y) || std::isinf(y) || y == 0)
      return std::isnan(y) ? std::isnan(x) : got == expected;
    return (got & 0xffffffff) == 0 && std::fabs(x - y) <= std::fabs(y) * 0x1p-20;
  };
  auto operand = [](const In &i) {
    double x = std::isnan(number(i[0])) ? NAN : number(i[0] & 0xffffffff00000000);
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0, x) : x;
  };
  auto flush = [](double x) {
    return std::bit_cast<uint64_t>(
        std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0, x) : x);
  };
  checkForms({{"rcp.approx.f64", "rcp.approx.ftz.f64 %d9, %d0;", 'd',
               [=](const In &i) { return flush(1 / operand(i)); }, coarse},
              {"rsqrt.f64", "rsqrt.approx.ftz.f64 %d9, %d0;", 'd',
               [=](const In &i) { return flush(1 / std::sqrt(operand(i))); }, coarse},
              {"rsqrt.f64", "rsqrt.approx.f64 %d9, %d0;", 'd',
               [](const In &i) {
                 return std::bit_cast<uint64_t>(double(inverseRoot(number(i[0]))));
               },
               [](uint64_t got, uint64_t expected) {
                 return neighbours(got, expected) ||
                        (std::isnan(number(got)) && std::isnan(number(expected)));
               }}},
             operandSets(doubleEdges(), 64, 3000));
}

TEST(ApproxRows, Halves) {
  for (const HalfType &t : halfTypes) {
    bool bf = t.one == 0x3f80;
    std::vector<Form> forms;
    for (const Approximate &a : functions) {
      bool ex2 = a.name == std::string("ex2.approx");
      if (!ex2 && a.name != std::string("tanh.approx"))
        continue;
      bool ftz = ex2 && bf;
      auto one = [=, &t, &a](uint64_t x) -> uint64_t {
        Long y = a.f(t.decode(ftz ? t.flushed(x) : x & 0xffff));
        double near = double(y);
        // Rounding to f64 must not land on a boundary unless the value is exact.
        if (std::isfinite(near) && Long(near) != y &&
            !(std::bit_cast<uint64_t>(near) & 1))
          near = std::nextafter(near, y > near ? HUGE_VAL : -HUGE_VAL);
        uint64_t code = t.encode(near);
        return ftz && code != t.nan ? t.flushed(code) : code;
      };
      std::string head = std::string(a.name) + (ftz ? ".ftz." : ".") + t.name;
      const char *row =
          ex2 ? (bf ? "ex2.bf16" : "ex2.f16") : (bf ? "tanh.bf16" : "tanh.f16");
      forms.push_back(
          {row, head + " %h9, %h0;", 'h', [=](const In &i) { return one(i[0]); }});
      forms.push_back({row, head + "x2 %r9, %r0;", 'r', [=](const In &i) {
                         return one(i[0] & 0xffff) | one(i[0] >> 16 & 0xffff) << 16;
                       }});
    }
    std::vector<In> all = allValues(16);
    for (In &set : all)
      set[0] |= set[1] << 16;
    checkForms(forms, all);
  }
}

} // namespace kiln::sim::test

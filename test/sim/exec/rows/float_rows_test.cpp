//===- float_rows_test.cpp - f32 and f64 rows ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the host's floating-point unit in its own rounding modes. The interpreter uses
// that unit only for round-to-nearest; its other roundings are integer code.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

namespace kiln::sim::test {

namespace {
/// One operation in f32 and f64.
struct Operation {
  const char *name;
  unsigned operands;
  bool saturates; ///< has .sat
  bool optional;  ///< rounding may be left out
  float (*single)(float, float, float);
  double (*twice)(double, double, double);
};
const Operation operations[] = {
    {"add", 2, true, true, [](float a, float b, float) { return a + b; },
     [](double a, double b, double) { return a + b; }},
    {"sub", 2, true, true, [](float a, float b, float) { return a - b; },
     [](double a, double b, double) { return a - b; }},
    {"mul", 2, true, true, [](float a, float b, float) { return a * b; },
     [](double a, double b, double) { return a * b; }},
    {"fma", 3, true, false, [](float a, float b, float c) { return std::fma(a, b, c); },
     [](double a, double b, double c) { return std::fma(a, b, c); }},
    {"mad", 3, true, false, [](float a, float b, float c) { return std::fma(a, b, c); },
     [](double a, double b, double c) { return std::fma(a, b, c); }},
    {"div", 2, false, false, [](float a, float b, float) { return a / b; },
     [](double a, double b, double) { return a / b; }},
    {"sqrt", 1, false, false, [](float a, float, float) { return std::sqrt(a); },
     [](double a, double, double) { return std::sqrt(a); }},
    {"rcp", 1, false, false, [](float a, float, float) { return 1 / a; },
     [](double a, double, double) { return 1 / a; }}};

const char *keptFloat(const std::string &id) {
  static std::set<std::string> ids;
  return ids.insert(id).first->c_str();
}

std::string operands(char letter, unsigned count) {
  std::string text = std::string(" %") + letter + "9";
  for (unsigned n = 0; n < count; ++n)
    text += std::string(", %") + letter + std::to_string(n);
  return text + ";";
}

/// Computes f in the rounding mode, with the modifiers' flushing and clamping.
float computed(const Operation &o, int mode, bool ftz, bool sat, float a, float b,
               float c) {
  volatile float x = ftz ? flushed(a) : a, y = ftz ? flushed(b) : b,
                 z = ftz ? flushed(c) : c;
  float result = rounded(mode, [&] { return o.single(x, y, z); });
  result = ftz ? flushed(result) : result;
  return sat ? saturated(result) : result;
}

/// A NaN of f64 may carry any payload.
bool sameDouble(uint64_t got, uint64_t expected) {
  return got == expected || (std::isnan(number(got)) && std::isnan(number(expected)));
}
bool sameSingle(uint64_t got, uint64_t expected) {
  return got == expected || (std::isnan(single(got)) && std::isnan(single(expected)));
}

std::vector<Form> singleForms(const Operation &o) {
  std::vector<Form> forms;
  auto add = [&](const std::string &rounding, int mode) {
    for (bool ftz : {false, true})
      for (bool sat : {false, true}) {
        if (sat && !o.saturates)
          continue;
        std::string text = o.name + rounding + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") +
                           ".f32" + operands('r', o.operands);
        forms.push_back(
            {keptFloat(o.name + std::string(".f32")), text, 'r', [=, &o](const In &i) {
               return bitsOf(
                   computed(o, mode, ftz, sat, single(i[0]), single(i[1]), single(i[2])));
             }});
      }
  };
  for (const RoundName &r : rounds)
    add(std::string(".") + r.name, r.host);
  if (o.optional)
    add("", FE_TONEAREST);
  return forms;
}

std::vector<Form> doubleForms(const Operation &o) {
  std::vector<Form> forms;
  auto add = [&](const std::string &rounding, int mode) {
    forms.push_back({keptFloat(o.name + std::string(".f64")),
                     o.name + rounding + ".f64" + operands('d', o.operands), 'd',
                     [=, &o](const In &i) {
                       volatile double x = number(i[0]), y = number(i[1]),
                                       z = number(i[2]);
                       return std::bit_cast<uint64_t>(
                           double(rounded(mode, [&] { return o.twice(x, y, z); })));
                     },
                     sameDouble});
  };
  for (const RoundName &r : rounds)
    add(std::string(".") + r.name, r.host);
  if (o.optional)
    add("", FE_TONEAREST);
  return forms;
}

/// Minimum or maximum of up to three operands, as PTX defines it; -0 is less than +0.
struct Extreme {
  bool most, nan, absolute, xorSign;
  template <class T> bool better(T a, T b) const {
    if (a == b)
      return most ? !std::signbit(a) : std::signbit(a);
    return most ? a > b : a < b;
  }
  template <class T> T of(T a, T b) const {
    bool sign = std::signbit(a) != std::signbit(b);
    if (absolute) {
      a = std::fabs(a);
      b = std::fabs(b);
    }
    if (std::isnan(a) || std::isnan(b)) {
      if (nan || (std::isnan(a) && std::isnan(b)))
        return std::numeric_limits<T>::quiet_NaN();
      a = std::isnan(a) ? b : a;
    } else {
      a = better(a, b) ? a : b;
    }
    return xorSign ? std::copysign(a, sign ? T(-1) : T(1)) : a;
  }
};
} // namespace

TEST(FloatRows, Single) {
  std::vector<In> operands = operandTriples(
      {0, 0x80000000, 1, 0x807fffff, 0x00800000, 0x3f800000, 0xbf7fffff, 0x7f7fffff,
       0x33800000, 0x7f800000, 0xff800000, 0x7f800001, 0x40490fdb});
  for (const In &set : operandSets(singleEdges(), 32, 2000))
    operands.push_back(set);
  for (const Operation &o : operations)
    checkForms(singleForms(o), operands);
}

TEST(FloatRows, Double) {
  std::vector<In> operands = operandSets(doubleEdges(), 64, 3000);
  for (const Operation &o : operations)
    checkForms(doubleForms(o), operands);
}

TEST(FloatRows, PairsOfSingles) {
  std::vector<Form> forms;
  for (const Operation &o : operations) {
    if (o.optional || std::string(o.name) == "fma")
      for (const RoundName &r : rounds)
        for (bool ftz : {false, true})
          forms.push_back(
              {keptFloat(o.name + std::string(".f32x2")),
               std::string(o.name) + "." + r.name + (ftz ? ".ftz" : "") + ".f32x2" +
                   operands('d', o.operands),
               'd', [=, &o, &r](const In &i) {
                 uint64_t both = 0;
                 for (unsigned at : {0u, 32u})
                   both |= bitsOf(computed(o, r.host, ftz, false, single(i[0] >> at),
                                           single(i[1] >> at), single(i[2] >> at)))
                           << at;
                 return both;
               }});
  }
  std::vector<uint64_t> edges = singleEdges(), pairs;
  for (size_t n = 0; n < edges.size(); ++n)
    pairs.push_back(edges[n] << 32 | edges[(n * 4 + 3) % edges.size()]);
  checkForms(forms, operandSets(pairs, 64, 1000), "sm_100a");
}

TEST(FloatRows, MixedOperands) {
  for (const HalfType &half : halfTypes) {
    std::vector<Form> forms;
    for (const RoundName &r : rounds)
      for (bool sat : {false, true}) {
        std::string how =
            std::string(".") + r.name + (sat ? ".sat" : "") + ".f32." + half.name;
        auto narrow = [&half](uint64_t x) { return float(half.decode(x)); };
        auto add = [&](const Operation &o, const char *row, const std::string &text,
                       auto value) {
          forms.push_back({row, text, 'r', [=, &o, &r](const In &i) {
                             auto [a, b, c] = value(i);
                             return bitsOf(computed(o, r.host, false, sat, a, b, c));
                           }});
        };
        auto sum = [=](const In &i) {
          return std::array{narrow(i[0]), single(i[1]), 0.0f};
        };
        add(operations[0], "add.mixed", "add" + how + " %r9, %h0, %r1;", sum);
        add(operations[1], "sub.mixed", "sub" + how + " %r9, %h0, %r1;", sum);
        add(operations[3], "fma.mixed", "fma" + how + " %r9, %h0, %h1, %r2;",
            [=](const In &i) {
              return std::array{narrow(i[0]), narrow(i[1]), single(i[2])};
            });
      }
    // The low half of an f32 edge value is a valid half too.
    std::vector<uint64_t> values = singleEdges();
    for (uint64_t edge : half.one == 0x3c00 ? halfEdges() : bfloatEdges())
      values.push_back(edge << 16 | edge);
    checkForms(forms, operandSets(values, 32, 1000), "sm_100a");
  }
}

TEST(FloatRows, LeastAndGreatest) {
  std::vector<Form> forms, three;
  for (bool most : {false, true})
    for (bool nan : {false, true})
      for (bool ftz : {false, true}) {
        std::string name = most ? "max" : "min",
                    how = std::string(ftz ? ".ftz" : "") + (nan ? ".NaN" : "");
        auto value = [=](const In &i, unsigned n) {
          return ftz ? flushed(single(i[n])) : single(i[n]);
        };
        auto two = [=](bool absolute) {
          return [=](const In &i) {
            return bitsOf(
                Extreme{most, nan, absolute, absolute}.of(value(i, 0), value(i, 1)));
          };
        };
        forms.push_back({keptFloat(name + (nan ? ".f32.nan" : ".f32")),
                         name + how + ".f32 %r9, %r0, %r1;", 'r', two(false)});
        forms.push_back({keptFloat(name + ".f32.xorsign"),
                         name + how + ".xorsign.abs.f32 %r9, %r0, %r1;", 'r', two(true)});
        for (bool absolute : {false, true})
          three.push_back(
              {keptFloat(name + ".f32.three"),
               name + how + (absolute ? ".abs" : "") + ".f32 %r9, %r0, %r1, %r2;", 'r',
               [=](const In &i) {
                 Extreme e{most, nan, absolute, false};
                 return bitsOf(e.of(e.of(value(i, 0), value(i, 1)), value(i, 2)));
               }});
      }
  checkForms(forms, operandSets(singleEdges(), 32, 1000));
  checkForms(three,
             operandTriples({0, 0x80000000, 1, 0x80000001, 0x3f800000, 0xbf800000,
                             0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x40490fdb}),
             "sm_100a");
  for (bool most : {false, true})
    checkForms({{most ? "max.f64" : "min.f64",
                 (most ? "max" : "min") + std::string(".f64 %d9, %d0, %d1;"), 'd',
                 [=](const In &i) {
                   return std::bit_cast<uint64_t>(
                       Extreme{most, false, false, false}.of(number(i[0]), number(i[1])));
                 },
                 sameDouble}},
               operandSets(doubleEdges(), 64));
}

TEST(FloatRows, Signs) {
  checkForms(
      {{"abs.f32", "abs.f32 %r9, %r0;", 'r',
        [](const In &i) { return bitsOf(std::fabs(single(i[0]))); }, sameSingle},
       {"abs.f32", "abs.ftz.f32 %r9, %r0;", 'r',
        [](const In &i) { return bitsOf(std::fabs(flushed(single(i[0])))); }, sameSingle},
       {"neg.f32", "neg.f32 %r9, %r0;", 'r',
        [](const In &i) { return bitsOf(-single(i[0])); }, sameSingle},
       {"neg.f32", "neg.ftz.f32 %r9, %r0;", 'r',
        [](const In &i) { return bitsOf(-flushed(single(i[0]))); }, sameSingle},
       {"copysign", "copysign.f32 %r9, %r0, %r1;", 'r',
        [](const In &i) { return (i[0] & 0x80000000) | (i[1] & 0x7fffffff); }}},
      operandSets(singleEdges(), 32));
  constexpr uint64_t sign = uint64_t(1) << 63;
  checkForms({{"abs.f64", "abs.f64 %d9, %d0;", 'd',
               [](const In &i) { return i[0] & ~sign; }, sameDouble},
              {"neg.f64", "neg.f64 %d9, %d0;", 'd',
               [](const In &i) { return i[0] ^ sign; }, sameDouble},
              {"copysign", "copysign.f64 %d9, %d0, %d1;", 'd',
               [](const In &i) { return (i[0] & sign) | (i[1] & ~sign); }}},
             operandSets(doubleEdges(), 64));
}

} // namespace kiln::sim::test

//===- convert_rows_test.cpp - cvt between integers and floats -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: values in the host's long double, which represents every integer and f64
// exactly; the host's own conversions and rounding modes for f32 and f64 results, the
// formats of host.h for f16 and bf16.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

#include <algorithm>

namespace kiln::sim::test {

namespace {
using Long = long double;

struct Number {
  const char *name;
  unsigned bits;
  enum Kind { Unsigned, Signed, Float } kind;
  const HalfType *half = nullptr;

  /// Letter of a register for the type; bytes use 32-bit registers.
  char letter() const { return bits == 16 ? 'h' : bits == 64 ? 'd' : 'r'; }
  uint64_t mask() const { return bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0); }
  bool isFloat() const { return kind == Float; }
  bool isSingle() const { return isFloat() && bits == 32; }
  bool isBf() const { return half && half->one == 0x3f80; }
  Long lowest() const { return kind == Signed ? -std::ldexp(Long(1), int(bits) - 1) : 0; }
  Long highest() const { return std::ldexp(Long(1), int(bits) - (kind == Signed)) - 1; }
  Long value(uint64_t x) const {
    x &= mask();
    if (half)
      return half->decode(x);
    if (isFloat())
      return bits == 32 ? single(x) : number(x);
    unsigned up = 64 - bits;
    return kind == Signed ? Long(int64_t(x << up) >> up) : Long(x);
  }
  /// Returns an integer as a register holds it: bytes are extended to 32 bits.
  uint64_t integer(Long x) const {
    uint64_t whole = kind == Signed ? uint64_t(int64_t(x)) : uint64_t(x);
    return whole & (bits == 8 ? 0xffffffff : mask());
  }
};
const Number integers[] = {{"u8", 8, Number::Unsigned},   {"u16", 16, Number::Unsigned},
                           {"u32", 32, Number::Unsigned}, {"u64", 64, Number::Unsigned},
                           {"s8", 8, Number::Signed},     {"s16", 16, Number::Signed},
                           {"s32", 32, Number::Signed},   {"s64", 64, Number::Signed}};
const Number floats[] = {{"f32", 32, Number::Float},
                         {"f64", 64, Number::Float},
                         {"f16", 16, Number::Float, &halfTypes[0]},
                         {"bf16", 16, Number::Float, &halfTypes[1]}};

const char *kept(const std::string &id) {
  static std::set<std::string> ids;
  return ids.insert(id).first->c_str();
}

std::vector<In> operandsOf(const Number &t) {
  std::vector<uint64_t> values;
  if (!t.isFloat())
    values = integerEdges(t.bits);
  else if (t.half)
    values = t.isBf() ? bfloatEdges() : halfEdges();
  else
    values = t.bits == 32 ? singleEdges() : doubleEdges();
  // Values at and around the limits of integers, and midpoints between integers.
  for (int power : {0, 1, 7, 8, 15, 16, 31, 32, 63, 64})
    for (Long step : {-1.0L, -0.5L, 0.0L, 0.5L, 1.0L, 1.5L, 2.5L})
      for (int sign : {1, -1}) {
        Long x = sign * (std::ldexp(Long(1), power) + step);
        if (t.isSingle())
          values.push_back(bitsOf(float(x)));
        else if (t.half)
          values.push_back(t.half->encode(double(x)));
        else if (t.isFloat())
          values.push_back(std::bit_cast<uint64_t>(double(x)));
      }
  // Bits above a byte are ignored.
  std::vector<In> sets = operandSets({}, t.bits == 8 ? 32 : t.bits, 2000);
  for (uint64_t value : values)
    sets.push_back({value, 0, 0, 0});
  return sets;
}

std::string spelled(const std::string &how, const Number &to, const Number &from) {
  return "cvt" + how + "." + to.name + "." + from.name + " %" + to.letter() + "9, %" +
         from.letter() + "0;";
}

Long whole(Long x, Round mode) {
  switch (mode) {
  case Round::Zero:
    return std::trunc(x);
  case Round::Down:
    return std::floor(x);
  case Round::Up:
    return std::ceil(x);
  default:
    return std::nearbyint(x);
  }
}

Long flushIf(bool ftz, const Number &t, Long x) {
  return ftz && t.isSingle() ? Long(flushed(float(x))) : x;
}

/// Rounds to float in the mode; `x` is exact.
uint64_t toFloat(const Number &to, Long x, const RoundName &r, bool ftz, bool sat) {
  volatile Long operand = sat ? (x >= 1 ? 1 : x > 0 ? x : 0) : x;
  if (to.isSingle()) {
    float result = rounded(r.host, [&] { return float(operand); });
    return bitsOf(ftz ? flushed(result) : result);
  }
  if (!to.half)
    return std::bit_cast<uint64_t>(
        double(rounded(r.host, [&] { return double(operand); })));
  double near = double(operand);
  Long rest = operand - Long(near);
  if (std::isfinite(rest) && rest != 0 && !(std::bit_cast<uint64_t>(near) & 1)) // round
                                                                                // to odd
    near = std::nextafter(near, rest > 0 ? HUGE_VAL : -HUGE_VAL);
  return to.half->encode(near, r.mode);
}

uint64_t toInteger(const Number &to, const Number &from, Long x, Round mode) {
  if (std::isnan(x)) {
    if (from.bits != 64 && to.bits != 64)
      return 0;
    return to.integer(to.kind == Number::Signed ? to.lowest()
                                                : std::ldexp(Long(1), to.bits - 1));
  }
  return to.integer(std::clamp(whole(x, mode), to.lowest(), to.highest()));
}

bool sameFloat(const Number &t, uint64_t got, uint64_t expected) {
  // PTX does not define NaN payloads of f64.
  return got == expected ||
         (t.bits == 64 && std::isnan(number(got)) && std::isnan(number(expected)));
}

Form floatForm(const char *row, const std::string &how, const Number &to,
               const Number &from, const Oracle &expected) {
  return {row, spelled(how, to, from), to.letter(), expected,
          [&to](uint64_t got, uint64_t want) { return sameFloat(to, got, want); }};
}

/// .ftz is legal if f32 takes part and the result is not bf16.
std::vector<bool> flushes(bool legal) {
  return legal ? std::vector{false, true} : std::vector{false};
}
} // namespace

TEST(ConvertRows, IntegersToIntegers) {
  for (const Number &from : integers) {
    std::vector<Form> forms;
    for (const Number &to : integers)
      for (bool sat : {false, true}) {
        if (sat && to.name == from.name)
          continue;
        forms.push_back({"cvt.int", spelled(sat ? ".sat" : "", to, from), to.letter(),
                         [=, &to, &from](const In &i) {
                           Long x = from.value(i[0]);
                           if (sat)
                             return to.integer(std::clamp(x, to.lowest(), to.highest()));
                           uint64_t cut = uint64_t(__int128(x)) & to.mask();
                           return to.integer(to.value(cut));
                         }});
      }
    checkForms(forms, operandsOf(from));
  }
}

TEST(ConvertRows, FloatsToIntegers) {
  for (const Number &from : floats) {
    std::vector<Form> forms;
    for (const Number &to : integers)
      for (const RoundName &r : rounds)
        for (bool ftz : flushes(from.isSingle()))
          for (bool sat : {false, true}) {
            if (sat && from.isBf())
              continue;
            std::string how = std::string(".") + r.name + "i" + (ftz ? ".ftz" : "") +
                              (sat ? ".sat" : "");
            forms.push_back({kept(std::string("cvt.int.") + from.name),
                             spelled(how, to, from), to.letter(),
                             [=, &to, &from, &r](const In &i) {
                               Long x = flushIf(ftz, from, from.value(i[0]));
                               return toInteger(to, from, x, r.mode);
                             }});
          }
    checkForms(forms, operandsOf(from));
  }
}

TEST(ConvertRows, IntegersToFloats) {
  for (const Number &from : integers) {
    std::vector<Form> forms;
    for (const Number &to : floats)
      for (const RoundName &r : rounds)
        for (bool sat : {false, true}) {
          if (sat && to.isBf())
            continue;
          forms.push_back(floatForm(kept(std::string("cvt.") + to.name + ".int"),
                                    std::string(".") + r.name + (sat ? ".sat" : ""), to,
                                    from, [=, &to, &from, &r](const In &i) {
                                      return toFloat(to, from.value(i[0]), r, false, sat);
                                    }));
        }
    checkForms(forms, operandsOf(from));
  }
}

TEST(ConvertRows, FloatsToWiderFloats) {
  const RoundName &nearest = rounds[0];
  for (const Number &from : floats) {
    std::vector<Form> forms;
    for (const Number &to : floats) {
      if (to.bits <= from.bits)
        continue;
      for (bool ftz : flushes(to.isSingle() || from.isSingle()))
        for (bool sat : {false, true}) {
          if (sat && from.isBf())
            continue;
          forms.push_back(floatForm(kept(std::string("cvt.") + to.name + "." + from.name),
                                    std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : ""),
                                    to, from, [=, &to, &from](const In &i) {
                                      return toFloat(to,
                                                     flushIf(ftz, from, from.value(i[0])),
                                                     nearest, ftz, sat);
                                    }));
        }
    }
    if (!forms.empty())
      checkForms(forms, from.bits == 16 ? allValues(16) : operandsOf(from));
  }
}

TEST(ConvertRows, FloatsToNarrowerFloats) {
  for (const Number &from : floats) {
    std::vector<Form> forms;
    for (const Number &to : floats) {
      if (to.bits > from.bits || to.name == from.name)
        continue;
      for (const RoundName &r : rounds)
        for (bool ftz : flushes((to.isSingle() || from.isSingle()) && !to.isBf()))
          for (bool sat : {false, true}) {
            if (sat && (to.isBf() || from.isBf()))
              continue;
            bool directed = r.mode == Round::Down || r.mode == Round::Up;
            const char *row =
                kept(std::string("cvt.") + to.name + "." + from.name +
                     (to.isBf() && from.isSingle() && directed ? ".rm" : ""));
            forms.push_back(floatForm(
                row,
                std::string(".") + r.name + (ftz ? ".ftz" : "") + (sat ? ".sat" : ""), to,
                from, [=, &to, &from, &r](const In &i) {
                  return toFloat(to, flushIf(ftz, from, from.value(i[0])), r, ftz, sat);
                }));
          }
    }
    if (!forms.empty())
      checkForms(forms, from.bits == 16 ? allValues(16) : operandsOf(from));
  }
}

TEST(ConvertRows, FloatsToWholeFloats) {
  const RoundName &nearest = rounds[0];
  for (const Number &t : floats) {
    std::vector<Form> forms;
    for (int n = 0; n < 5; ++n)
      for (bool ftz : flushes(t.isSingle()))
        for (bool sat : {false, true}) {
          if (t.isBf() && (sat || n == 4))
            continue;
          std::string how = (n < 4 ? std::string(".") + rounds[n].name + "i" : "") +
                            (ftz ? ".ftz" : "") + (sat ? ".sat" : "");
          forms.push_back(floatForm(kept(std::string("cvt.") + t.name + "." + t.name),
                                    how, t, t, [=, &t](const In &i) {
                                      Long x = flushIf(ftz, t, t.value(i[0]));
                                      x = n < 4 ? whole(x, rounds[n].mode) : x;
                                      return toFloat(t, x, nearest, ftz, sat);
                                    }));
        }
    checkForms(forms, t.half ? allValues(16) : operandsOf(t));
  }
}

} // namespace kiln::sim::test

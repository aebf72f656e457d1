//===- half_rows_test.cpp - f16 and bf16 rows ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the exact result in f64 (rounded to odd if f64 is too short), then rounded once
// by the formats that are compared with the CUDA toolkit's headers.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

namespace kiln::sim::test {

namespace {
struct How {
  bool ftz = false, sat = false, relu = false, oob = false;
  std::string text() const {
    return std::string(oob ? ".oob" : "") + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") +
           (relu ? ".relu" : "");
  }
};

constexpr uint32_t OutOfBounds = 0xffff; ///< out-of-bounds fill of tensor copies

/// Computes one lane: modifiers around an exact function of doubles.
template <class F>
uint64_t lane(const HalfType &t, const How &how, uint64_t a, uint64_t b, uint64_t c,
              F f) {
  if (how.oob && (a == OutOfBounds || b == OutOfBounds || c == OutOfBounds))
    return 0;
  auto value = [&](uint64_t x) { return t.decode(how.ftz ? t.flushed(x) : x); };
  uint64_t bits = t.encode(f(value(a), value(b), value(c)));
  bool nan = bits == t.nan;
  if (how.ftz && !nan)
    bits = t.flushed(bits);
  if (how.sat)
    return nan || bits >= 0x8000 ? 0 : std::min<uint64_t>(bits, t.one);
  return how.relu && !nan && bits >= 0x8000 ? 0 : bits;
}

const char *keptHalf(const std::string &id) {
  static std::set<std::string> ids;
  return ids.insert(id).first->c_str();
}

/// Adds the scalar form and the packed form.
template <class F>
void addForms(std::vector<Form> &forms, const HalfType &t, const std::string &row,
              const std::string &head, unsigned operands, F value) {
  std::string h = " %h9", r = " %r9";
  for (unsigned n = 0; n < operands; ++n) {
    h += ", %h" + std::to_string(n);
    r += ", %r" + std::to_string(n);
  }
  forms.push_back({keptHalf(row), head + "." + t.name + h + ";", 'h', [=](const In &i) {
                     return uint64_t(value(i[0] & 0xffff, i[1] & 0xffff, i[2] & 0xffff));
                   }});
  forms.push_back(
      {keptHalf(row), head + "." + t.name + "x2" + r + ";", 'r', [=](const In &i) {
         auto at = [&](unsigned up) {
           return value(i[0] >> up & 0xffff, i[1] >> up & 0xffff, i[2] >> up & 0xffff);
         };
         return at(0) | at(16) << 16;
       }});
}

bool isBf(const HalfType &t) { return t.one == 0x3f80; }

std::vector<In> pairSets(const HalfType &t, size_t random) {
  std::vector<uint64_t> edges = isBf(t) ? bfloatEdges() : halfEdges(), pairs;
  edges.push_back(OutOfBounds);
  for (size_t n = 0; n < edges.size(); ++n)
    pairs.push_back(edges[n] << 16 | edges[(n * 9 + 5) % edges.size()]);
  std::vector<In> sets = operandSets(pairs, 32, random);
  // Operands of equal magnitude, for cancellation.
  for (size_t n = sets.size() - random; n < sets.size(); ++n)
    if (n % 2)
      sets[n][1] = sets[n][0] ^ (sets[n][1] & 0x83ff83ff);
  return sets;
}

double product(double a, double b, double) { return a * b; }
double sum(double a, double b, double) { return oddSum(a, b); }
double difference(double a, double b, double) { return oddSum(a, -b); }
double fused(double a, double b, double c) { return oddSum(a * b, c); }

uint64_t extreme(const HalfType &t, bool most, bool nan, bool xorSign, uint64_t a,
                 uint64_t b) {
  uint64_t sign = (a ^ b) & 0x8000;
  if (xorSign) {
    a &= 0x7fff;
    b &= 0x7fff;
  }
  double x = t.decode(a), y = t.decode(b);
  bool nanX = std::isnan(x), nanY = std::isnan(y);
  if ((nan && (nanX || nanY)) || (nanX && nanY))
    return t.nan;
  bool first = nanY || (!nanX && (x == y ? (std::signbit(x) != most) : (x > y) == most));
  return (first ? a : b) | (xorSign ? sign : 0);
}
} // namespace

TEST(HalfRows, Arithmetic) {
  using F = double (*)(double, double, double);
  const std::pair<const char *, F> operations[] = {
      {"add", sum}, {"sub", difference}, {"mul", product}};
  for (const HalfType &t : halfTypes) {
    std::vector<Form> forms;
    for (auto [name, f] : operations)
      for (const char *rounding : {"", ".rn"})
        for (int n = 0; n < (isBf(t) ? 1 : 4); ++n) {
          How how{.ftz = bool(n & 1), .sat = bool(n & 2)};
          addForms(forms, t, std::string(name) + "." + t.name,
                   name + (rounding + how.text()), 2,
                   [=, &t, f = f](uint64_t a, uint64_t b, uint64_t) {
                     return lane(t, how, a, b, 0, f);
                   });
        }
    checkForms(forms, pairSets(t, 4000));
  }
}

TEST(HalfRows, Fused) {
  for (const HalfType &t : halfTypes) {
    std::vector<Form> forms;
    for (bool ftz : {false, true})
      for (int n = 0; n < 5; ++n) {
        How how{.ftz = ftz, .sat = n == 1, .relu = n == 2 || n == 4, .oob = n >= 3};
        if ((ftz && (isBf(t) || how.oob)) || (how.sat && isBf(t)))
          continue;
        std::string row = how.oob                ? "fma.oob"
                          : how.relu && !isBf(t) ? "fma.f16.relu"
                                                 : std::string("fma.") + t.name;
        addForms(forms, t, row, "fma.rn" + how.text(), 3,
                 [=, &t](uint64_t a, uint64_t b, uint64_t c) {
                   return lane(t, how, a, b, c, fused);
                 });
      }
    checkForms(forms, pairSets(t, 4000));
  }
}

TEST(HalfRows, Signs) {
  for (const HalfType &t : halfTypes)
    for (bool ftz : {false, true}) {
      if (ftz && isBf(t))
        continue;
      std::vector<Form> forms;
      auto value = [=, &t](uint64_t a) { return ftz ? t.flushed(a) : a; };
      std::string how = ftz ? ".ftz" : "";
      addForms(forms, t, std::string("abs.") + t.name, "abs" + how, 1,
               [=](uint64_t a, uint64_t, uint64_t) { return value(a) & 0x7fff; });
      addForms(forms, t, std::string("neg.") + t.name, "neg" + how, 1,
               [=](uint64_t a, uint64_t, uint64_t) { return value(a) ^ 0x8000; });
      checkForms(forms, allValues(16));
    }
}

TEST(HalfRows, LeastAndGreatest) {
  for (const HalfType &t : halfTypes) {
    std::vector<Form> forms;
    for (int n = 0; n < 16; ++n) {
      bool most = n & 1, nan = n & 2, xorSign = n & 4, ftz = n & 8;
      if (ftz && isBf(t))
        continue;
      addForms(forms, t,
               std::string(most ? "max." : "min.") + t.name + (xorSign ? ".xorsign" : ""),
               std::string(most ? "max" : "min") + (ftz ? ".ftz" : "") +
                   (nan ? ".NaN" : "") + (xorSign ? ".xorsign.abs" : ""),
               2, [=, &t](uint64_t a, uint64_t b, uint64_t) {
                 return extreme(t, most, nan, xorSign, ftz ? t.flushed(a) : a,
                                ftz ? t.flushed(b) : b);
               });
    }
    checkForms(forms, pairSets(t, 1000));
  }
}

} // namespace kiln::sim::test

//===- integer_rows_test.cpp - Integer arithmetic rows ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: exact arithmetic in the compiler's 128-bit integers, truncated to the type.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/rows.h"

#include <algorithm>

namespace kiln::sim::test {

namespace {
using Wide = __int128;

struct IntegerType {
  std::string name;
  unsigned bits;
  bool isSigned;
  char letter() const { return bits == 16 ? 'h' : bits == 32 ? 'r' : 'd'; }
  uint64_t mask() const { return bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0); }
  Wide value(uint64_t x) const {
    x &= mask();
    return isSigned && (x >> (bits - 1)) ? Wide(x) - (Wide(1) << bits) : Wide(x);
  }
  uint64_t cut(Wide x) const { return uint64_t(x) & mask(); }
  Wide lowest() const { return isSigned ? -(Wide(1) << (bits - 1)) : Wide(0); }
  Wide highest() const { return (Wide(1) << (bits - isSigned)) - 1; }
};
const IntegerType integerTypes[] = {{"u16", 16, false}, {"u32", 32, false},
                                    {"u64", 64, false}, {"s16", 16, true},
                                    {"s32", 32, true},  {"s64", 64, true}};

/// Returns "add.u16 %h9, %h0, %h1;": result and `count` operands of one width.
std::string spelled(const std::string &name, char letter, unsigned count) {
  std::string text = name + " %" + letter + "9";
  for (unsigned n = 0; n < count; ++n)
    text += std::string(", %") + letter + char('0' + n);
  return text + ";";
}

using Exact = std::function<Wide(Wide, Wide, Wide)>;
Form exactly(const char *row, const std::string &name, const IntegerType &t,
             unsigned count, const Exact &f) {
  return {
      row, spelled(name + "." + t.name, t.letter(), count), t.letter(),
      [=](const In &i) { return t.cut(f(t.value(i[0]), t.value(i[1]), t.value(i[2]))); }};
}

/// Makes divisors nonzero, as PTX leaves division by zero undefined.
Form divided(const char *row, const std::string &name, const IntegerType &t,
             const Exact &f) {
  Form form = exactly(row, name, t, 2, [=](Wide x, Wide y, Wide z) {
    return y == 0 ? Wide(0) : f(x, y, z);
  });
  form.text = "setp.eq." + t.name + " %p8, %" + t.letter() + "1, 0;\n" + form.text +
              "\n@%p8 mov.b" + std::to_string(t.bits) + " %" + t.letter() + "9, 0;";
  return form;
}

Wide magnitude(Wide x) { return x < 0 ? -x : x; }

std::vector<Form> arithmetic(const IntegerType &t) {
  unsigned bits = t.bits;
  std::vector<Form> forms = {
      exactly("add.int", "add", t, 2, [](Wide x, Wide y, Wide) { return x + y; }),
      exactly("sub.int", "sub", t, 2, [](Wide x, Wide y, Wide) { return x - y; }),
      exactly("mul.lo", "mul.lo", t, 2,
              [](Wide x, Wide y, Wide) {
                return Wide((unsigned __int128)(x) * (unsigned __int128)(y));
              }),
      exactly("mul.hi", "mul.hi", t, 2,
              [=](Wide x, Wide y, Wide) {
                return t.isSigned
                           ? x * y >> bits
                           : Wide((unsigned __int128)(x) * (unsigned __int128)(y) >>
                                  bits);
              }),
      exactly("mad.lo", "mad.lo", t, 3,
              [](Wide x, Wide y, Wide z) {
                using U = unsigned __int128;
                return Wide(U(x) * U(y) + U(z));
              }),
      exactly("mad.hi", "mad.hi", t, 3,
              [=](Wide x, Wide y, Wide z) {
                return (t.isSigned
                            ? x * y >> bits
                            : Wide((unsigned __int128)(x) * (unsigned __int128)(y) >>
                                   bits)) +
                       z;
              }),
      exactly("sad", "sad", t, 3,
              [](Wide x, Wide y, Wide z) { return z + magnitude(x - y); }),
      exactly("min.int", "min", t, 2,
              [](Wide x, Wide y, Wide) { return std::min(x, y); }),
      exactly("max.int", "max", t, 2,
              [](Wide x, Wide y, Wide) { return std::max(x, y); }),
      divided("div.int", "div", t, [](Wide x, Wide y, Wide) { return x / y; }),
      divided("rem", "rem", t, [](Wide x, Wide y, Wide) { return x % y; }),
  };
  if (t.isSigned) {
    forms.push_back(
        exactly("abs.int", "abs", t, 1, [](Wide x, Wide, Wide) { return magnitude(x); }));
    forms.push_back(
        exactly("neg.int", "neg", t, 1, [](Wide x, Wide, Wide) { return -x; }));
  }
  return forms;
}

/// Forms of mul.wide and mad.wide: the result has twice the bits.
std::vector<Form> widening(const IntegerType &t) {
  char narrow = t.letter(), wide = t.bits == 16 ? 'r' : 'd';
  uint64_t mask = t.bits == 16 ? 0xffffffff : ~uint64_t(0);
  std::string from = std::string(", %") + narrow + "0, %" + narrow + "1",
              to = std::string(" %") + wide + "9";
  return {
      {"mul.wide", "mul.wide." + t.name + to + from + ";", wide,
       [=](const In &i) { return uint64_t(t.value(i[0]) * t.value(i[1])) & mask; }},
      {"mad.wide", "mad.wide." + t.name + to + from + ", %" + wide + "2;", wide,
       [=](const In &i) {
         return uint64_t(t.value(i[0]) * t.value(i[1]) + i[2]) & mask;
       }},
  };
}

uint64_t clamp32(Wide x) { return uint32_t(std::clamp<Wide>(x, INT32_MIN, INT32_MAX)); }

/// Applies f to both halves of packed operands.
template <class F> uint64_t halves(const In &i, bool isSigned, F f) {
  uint64_t result = 0;
  for (unsigned at : {0u, 16u}) {
    IntegerType t{"", 16, isSigned};
    result |= t.cut(f(t.value(i[0] >> at), t.value(i[1] >> at))) << at;
  }
  return result;
}
} // namespace

TEST(IntegerRows, EveryWidth) {
  for (const IntegerType &t : integerTypes)
    checkForms(arithmetic(t), operandSets(integerEdges(t.bits), t.bits));
}

TEST(IntegerRows, Widening) {
  for (const IntegerType &t : integerTypes)
    if (t.bits < 64)
      checkForms(widening(t), operandSets(integerEdges(t.bits), 64));
}

TEST(IntegerRows, Saturating) {
  const IntegerType t = integerTypes[4];
  auto v = [=](uint64_t x) { return t.value(x); };
  checkForms(
      {
          {"add.sat", "add.sat.s32 %r9, %r0, %r1;", 'r',
           [=](const In &i) { return clamp32(v(i[0]) + v(i[1])); }},
          {"sub.sat", "sub.sat.s32 %r9, %r0, %r1;", 'r',
           [=](const In &i) { return clamp32(v(i[0]) - v(i[1])); }},
          {"mad.hi.sat", "mad.hi.sat.s32 %r9, %r0, %r1, %r2;", 'r',
           [=](const In &i) { return clamp32((v(i[0]) * v(i[1]) >> 32) + v(i[2])); }},
          {"min.relu", "min.relu.s32 %r9, %r0, %r1;", 'r',
           [=](const In &i) {
             return clamp32(std::max<Wide>(0, std::min(v(i[0]), v(i[1]))));
           }},
          {"max.relu", "max.relu.s32 %r9, %r0, %r1;", 'r',
           [=](const In &i) {
             return clamp32(std::max<Wide>(0, std::max(v(i[0]), v(i[1]))));
           }},
      },
      operandSets(integerEdges(32), 32));
}

TEST(IntegerRows, PackedHalves) {
  auto least = [](Wide x, Wide y) { return std::min(x, y); };
  auto most = [](Wide x, Wide y) { return std::max(x, y); };
  auto sum = [](Wide x, Wide y) { return x + y; };
  std::vector<Form> forms;
  for (bool isSigned : {false, true}) {
    std::string type = isSigned ? "s16x2" : "u16x2", operands = " %r9, %r0, %r1;";
    auto add = [&](const char *row, const std::string &name, auto f) {
      forms.push_back({row, name + "." + type + operands, 'r',
                       [=](const In &i) { return halves(i, isSigned, f); }});
    };
    add("add.x2", "add", sum);
    add("min.x2", "min", least);
    add("max.x2", "max", most);
    if (isSigned) {
      add("min.relu", "min.relu",
          [](Wide x, Wide y) { return std::max<Wide>(0, std::min(x, y)); });
      add("max.relu", "max.relu",
          [](Wide x, Wide y) { return std::max<Wide>(0, std::max(x, y)); });
    }
  }
  std::vector<uint64_t> packed;
  std::vector<uint64_t> edges = integerEdges(16);
  for (size_t n = 0; n < edges.size(); ++n)
    packed.push_back(edges[n] << 16 | edges[(n * 7 + 2) % edges.size()]);
  checkForms(forms, operandSets(packed, 32));
}

TEST(IntegerRows, TwentyFourBits) {
  std::vector<Form> forms;
  for (const IntegerType &t : {integerTypes[1], integerTypes[4]}) {
    IntegerType narrow{"", 24, t.isSigned};
    auto product = [=](const In &i) { return narrow.value(i[0]) * narrow.value(i[1]); };
    for (unsigned shift : {0u, 16u}) {
      std::string half = shift ? ".hi." : ".lo.";
      forms.push_back({"mul24", "mul24" + half + t.name + " %r9, %r0, %r1;", 'r',
                       [=](const In &i) { return t.cut(product(i) >> shift); }});
      forms.push_back(
          {"mad24", "mad24" + half + t.name + " %r9, %r0, %r1, %r2;", 'r',
           [=](const In &i) { return t.cut((product(i) >> shift) + t.value(i[2])); }});
    }
    if (t.isSigned)
      forms.push_back(
          {"mad24.sat", "mad24.hi.sat.s32 %r9, %r0, %r1, %r2;", 'r',
           [=](const In &i) { return clamp32((product(i) >> 16) + t.value(i[2])); }});
  }
  std::vector<uint64_t> values = integerEdges(32);
  for (uint64_t edge : integerEdges(24))
    values.push_back(edge);
  checkForms(forms, operandSets(values, 32));
}

TEST(IntegerRows, DotProducts) {
  std::vector<Form> forms;
  for (bool signA : {false, true})
    for (bool signB : {false, true}) {
      std::string suffix =
                      std::string(signA ? ".s32" : ".u32") + (signB ? ".s32" : ".u32"),
                  operands = " %r9, %r0, %r1, %r2;";
      IntegerType byteA{"", 8, signA}, byteB{"", 8, signB}, halfA{"", 16, signA};
      forms.push_back({"dp4a", "dp4a" + suffix + operands, 'r', [=](const In &i) {
                         Wide sum = i[2];
                         for (unsigned n = 0; n < 4; ++n)
                           sum += byteA.value(i[0] >> 8 * n) * byteB.value(i[1] >> 8 * n);
                         return uint64_t(uint32_t(sum));
                       }});
      for (unsigned first : {0u, 2u})
        forms.push_back({"dp2a", (first ? "dp2a.hi" : "dp2a.lo") + suffix + operands, 'r',
                         [=](const In &i) {
                           Wide sum = i[2];
                           for (unsigned n = 0; n < 2; ++n)
                             sum += halfA.value(i[0] >> 16 * n) *
                                    byteB.value(i[1] >> 8 * (first + n));
                           return uint64_t(uint32_t(sum));
                         }});
    }
  checkForms(forms, operandSets(integerEdges(32), 32));
}

/// Adds, subtracts and multiplies values of twice the width by halves.
TEST(IntegerRows, CarryChains) {
  using U = unsigned __int128;
  for (unsigned bits : {32u, 64u}) {
    const std::string l = bits == 32 ? "%r" : "%d", n = std::to_string(bits);
    const uint64_t mask = bits == 32 ? 0xffffffff : ~uint64_t(0);
    auto join = [=](const In &i, int low, int high) {
      return U(i[high]) << bits | i[low];
    };
    auto high = [=](U x) { return uint64_t(x >> bits) & mask; };
    char letter = l[1];
    std::vector<Form> forms;
    for (const std::string &type : {"u" + n, "s" + n}) {
      auto chain = [&](const std::string &first, const std::string &second) {
        return first + type + " " + l + "8, " + l + "0, " + l + "2; " + second + type +
               " " + l + "9, " + l + "1, " + l + "3;";
      };
      // %9 gets the high half; one more addc reads the carry flag.
      std::string flag = " addc." + type + " " + l + "9, 0, 0;";
      auto sum = [=](const In &i) { return join(i, 0, 1) + join(i, 2, 3); };
      auto carry = [=](const In &i) {
        // The exact sum may have 129 bits.
        U low = (U(i[0]) + i[2]) >> bits;
        return uint64_t((U(i[1]) + i[3] + low) >> bits);
      };
      forms.push_back({"addc", chain("add.cc.", "addc."), letter,
                       [=](const In &i) { return high(sum(i)); }});
      forms.push_back({"add.cc", chain("add.cc.", "addc.cc.") + flag, letter, carry});
      forms.push_back({"subc", chain("sub.cc.", "subc."), letter,
                       [=](const In &i) { return high(join(i, 0, 1) - join(i, 2, 3)); }});
      // The flag of a subtraction is set if nothing was borrowed.
      forms.push_back(
          {"sub.cc", chain("sub.cc.", "subc.cc.") + flag, letter,
           [=](const In &i) { return uint64_t(join(i, 0, 1) >= join(i, 2, 3)); }});
    }
    // Computes a * b + (d : c) in two halves, unsigned.
    std::string u = ".u" + n + " ", ab = l + "0, " + l + "1, ";
    std::string low = "mad.lo.cc" + u + l + "8, " + ab + l + "2; ";
    auto exact = [=](const In &i) { return U(i[0]) * i[1] + join(i, 2, 3); };
    forms.push_back({"mad.cc", low + "madc.hi" + u + l + "9, " + ab + l + "3;", letter,
                     [=](const In &i) { return high(exact(i)); }});
    forms.push_back(
        {"madc",
         low + "madc.hi.cc" + u + l + "8, " + ab + l + "3; addc" + u + l + "9, 0, 0;",
         letter, [=](const In &i) {
           U part = (U(i[0]) * i[1] & mask) + i[2];
           U rest = (U(i[0]) * i[1] >> bits) + i[3] + (part >> bits);
           return uint64_t(rest >> bits);
         }});
    checkForms(forms, operandSets(integerEdges(bits), bits));
  }
}

} // namespace kiln::sim::test

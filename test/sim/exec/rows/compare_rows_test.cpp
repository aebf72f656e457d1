//===- compare_rows_test.cpp - setp, set, selp, slct and testp -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the host's comparison of integers and doubles; doubles represent every format
// here exactly.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

namespace kiln::sim::test {

namespace {
/// A scalar type that can be compared.
struct Compared {
  const char *name;
  char letter;
  enum Kind { Bits, Unsigned, Signed, Float } kind;
  unsigned bits;
  const HalfType *half = nullptr;

  double value(uint64_t x, bool ftz) const {
    if (half)
      return half->decode(ftz ? half->flushed(x) : x);
    return bits == 64 ? number(x) : ftz ? flushed(single(x)) : single(x);
  }
  std::string operand(unsigned n) const {
    return std::string("%") + letter + std::to_string(n);
  }
  std::vector<uint64_t> edges() const {
    if (kind != Float)
      return integerEdges(bits);
    if (half)
      return half->one == 0x3c00 ? halfEdges() : bfloatEdges();
    return bits == 32 ? singleEdges() : doubleEdges();
  }
};
const Compared types[] = {{"b16", 'h', Compared::Bits, 16},
                          {"b32", 'r', Compared::Bits, 32},
                          {"b64", 'd', Compared::Bits, 64},
                          {"u16", 'h', Compared::Unsigned, 16},
                          {"u32", 'r', Compared::Unsigned, 32},
                          {"u64", 'd', Compared::Unsigned, 64},
                          {"s16", 'h', Compared::Signed, 16},
                          {"s32", 'r', Compared::Signed, 32},
                          {"s64", 'd', Compared::Signed, 64},
                          {"f32", 'r', Compared::Float, 32},
                          {"f64", 'd', Compared::Float, 64},
                          {"f16", 'h', Compared::Float, 16, &halfTypes[0]},
                          {"bf16", 'h', Compared::Float, 16, &halfTypes[1]}};

template <class T> bool ordered(const std::string &op, T a, T b) {
  if (op == "eq")
    return a == b;
  if (op == "ne")
    return a < b || a > b;
  if (op == "lt" || op == "lo")
    return a < b;
  if (op == "le" || op == "ls")
    return a <= b;
  if (op == "gt" || op == "hi")
    return a > b;
  return a >= b; // ge, hs
}

bool holds(const Compared &t, const std::string &op, bool ftz, uint64_t a, uint64_t b) {
  if (t.kind == Compared::Float) {
    double x = t.value(a, ftz), y = t.value(b, ftz);
    bool nan = std::isnan(x) || std::isnan(y);
    if (op == "num" || op == "nan")
      return nan == (op == "nan");
    if (op.size() == 3) // equ, ltu ...
      return nan || ordered(op.substr(0, 2), x, y);
    return !nan && ordered(op, x, y);
  }
  uint64_t mask = t.bits < 64 ? (uint64_t(1) << t.bits) - 1 : ~uint64_t(0);
  if (t.kind != Compared::Signed)
    return ordered(op, a & mask, b & mask);
  unsigned up = 64 - t.bits;
  return ordered(op, int64_t(a << up) >> up, int64_t(b << up) >> up);
}

std::vector<std::string> operators(const Compared &t) {
  if (t.kind == Compared::Bits)
    return {"eq", "ne"};
  std::vector<std::string> all = {"eq", "ne", "lt", "le", "gt", "ge"};
  if (t.kind == Compared::Unsigned)
    for (const char *op : {"lo", "ls", "hi", "hs"})
      all.push_back(op);
  if (t.kind == Compared::Float)
    for (const char *op : {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"})
      all.push_back(op);
  return all;
}

/// "setp.int", "set.f32": the row without ".bool".
std::string rowOf(const char *head, const Compared &t, const std::string &op) {
  bool unsignedOnly = op == "lo" || op == "ls" || op == "hi" || op == "hs";
  std::string tail = t.kind == Compared::Float  ? t.name
                     : t.kind == Compared::Bits ? "bits"
                     : unsignedOnly             ? "lo"
                                                : "int";
  return std::string(head) + "." + tail;
}

struct Combination {
  const char *name;
  bool (*combine)(bool, bool);
};
const Combination combinations[] = {{"", [](bool a, bool) { return a; }},
                                    {".and", [](bool a, bool b) { return a && b; }},
                                    {".or", [](bool a, bool b) { return a || b; }},
                                    {".xor", [](bool a, bool b) { return a != b; }}};

/// Returns a row id that lives as long as the test.
const char *keptCompare(const std::string &id) {
  static std::set<std::string> ids;
  return ids.insert(id).first->c_str();
}

bool hasFtz(const Compared &t) {
  return t.kind == Compared::Float &&
         (t.name == std::string("f32") || t.name == std::string("f16"));
}

/// Calls visit(row, ".lt.and.ftz", ", %p2" or "", f), where f computes the expected truth
/// value.
template <class Visit>
void forComparisons(const char *head, const Compared &t, Visit visit) {
  for (const std::string &op : operators(t))
    for (const Combination &c : combinations)
      for (bool ftz : {false, true}) {
        if (ftz && !hasFtz(t))
          continue;
        bool plain = !*c.name;
        auto truth = [=, &t](uint64_t a, uint64_t b, bool p, bool inverted = false) {
          return uint64_t(c.combine(holds(t, op, ftz, a, b) != inverted, p));
        };
        visit(keptCompare(rowOf(head, t, op) + (plain ? "" : ".bool")),
              "." + op + c.name + (ftz ? ".ftz" : ""), plain ? "" : ", !%p2", truth);
      }
}
} // namespace

TEST(CompareRows, Setp) {
  for (const Compared &t : types) {
    std::vector<Form> forms;
    forComparisons(
        "setp", t,
        [&](const char *row, const std::string &how, const std::string &predicate,
            auto truth) {
          std::string operands =
              ", " + t.operand(0) + ", " + t.operand(1) + predicate + ";";
          std::string head = "setp" + how + "." + t.name;
          forms.push_back({row, head + " %p9" + operands, 'p',
                           [=](const In &i) { return truth(i[0], i[1], !(i[2] & 1)); }});
          if (!t.half) // the second predicate is the opposite
            forms.push_back({row, head + " %p8|%p9" + operands, 'p', [=](const In &i) {
                               return truth(i[0], i[1], !(i[2] & 1), true);
                             }});
        });
    checkForms(forms, operandSets(t.edges(), t.bits));
  }
}

TEST(CompareRows, Set) {
  for (const Compared &t : types) {
    std::vector<Form> forms;
    forComparisons("set", t,
                   [&](const char *row, const std::string &how,
                       const std::string &predicate, auto truth) {
                     auto add = [&](const std::string &to, char letter, uint64_t yes) {
                       forms.push_back({row,
                                        "set" + how + "." + to + "." + t.name + " %" +
                                            letter + "9, " + t.operand(0) + ", " +
                                            t.operand(1) + predicate + ";",
                                        letter, [=](const In &i) {
                                          return truth(i[0], i[1], !(i[2] & 1))
                                                     ? yes
                                                     : uint64_t(0);
                                        }});
                     };
                     add("u32", 'r', 0xffffffff);
                     add("s32", 'r', 0xffffffff);
                     if (!t.half)
                       return add("f32", 'r', 0x3f800000);
                     add(t.name, 'h', t.half->one);
                     add("u16", 'h', 0xffff);
                     add("s16", 'h', 0xffff);
                   });
    checkForms(forms, operandSets(t.edges(), t.bits, 60));
  }
}

TEST(CompareRows, Pairs) {
  for (const HalfType &half : halfTypes) {
    const Compared *scalar = &types[&half == &halfTypes[0] ? 11 : 12];
    std::vector<Form> forms;
    std::string pair = std::string(half.name) + "x2";
    Compared packed = {keptCompare(pair), 'r', Compared::Float, 32, &half};
    auto visit = [&](const char *row, const std::string &how,
                     const std::string &predicate, auto truth) {
      std::string operands = ", %r0, %r1" + predicate + ";";
      auto both = [=](const In &i, unsigned at) {
        return truth(i[0] >> at & 0xffff, i[1] >> at & 0xffff, !(i[2] & 1));
      };
      const char *setpRow =
          keptCompare("setp." + pair + (predicate.empty() ? "" : ".bool"));
      forms.push_back({setpRow, "setp" + how + "." + pair + " %p9|%p8" + operands, 'p',
                       [=](const In &i) { return both(i, 0); }});
      forms.push_back({setpRow, "setp" + how + "." + pair + " %p8|%p9" + operands, 'p',
                       [=](const In &i) { return both(i, 16); }});
      for (const std::string &to : {pair, std::string("u32"), std::string("s32")}) {
        uint64_t yes = to == pair ? half.one : 0xffff;
        forms.push_back({row, "set" + how + "." + to + "." + pair + " %r9" + operands,
                         'r', [=](const In &i) {
                           return (both(i, 0) ? yes : 0) | (both(i, 16) ? yes << 16 : 0);
                         }});
      }
    };
    forComparisons("set", *scalar,
                   [&](const char *row, const std::string &how,
                       const std::string &predicate, auto truth) {
                     std::string id = row;
                     id.insert(id.find(half.name) + std::string(half.name).size(), "x2");
                     visit(keptCompare(id), how, predicate, truth);
                   });
    std::vector<uint64_t> edges = packed.edges(), pairs;
    for (size_t n = 0; n < edges.size(); ++n)
      pairs.push_back(edges[n] << 16 | edges[(n * 4 + 5) % edges.size()]);
    checkForms(forms, operandSets(pairs, 32, 60));
  }
}

TEST(CompareRows, Selections) {
  for (const Compared &t : types) {
    if (t.half)
      continue;
    uint64_t mask = t.bits < 64 ? (uint64_t(1) << t.bits) - 1 : ~uint64_t(0);
    std::string operands = " " + t.operand(9) + ", " + t.operand(0) + ", " + t.operand(1);
    std::string type = std::string(".") + t.name;
    checkForms(
        {{"selp", "selp" + type + operands + ", %p2;", t.letter,
          [=](const In &i) { return i[i[2] & 1 ? 0 : 1] & mask; }},
         {"slct.s32", "slct" + type + ".s32" + operands + ", %r2;", t.letter,
          [=](const In &i) { return i[int32_t(i[2]) >= 0 ? 0 : 1] & mask; }},
         {"slct.f32", "slct" + type + ".f32" + operands + ", %r2;", t.letter,
          [=](const In &i) { return i[single(i[2]) >= 0 ? 0 : 1] & mask; }},
         {"slct.f32", "slct.ftz" + type + ".f32" + operands + ", %r2;", t.letter,
          [=](const In &i) { return i[flushed(single(i[2])) >= 0 ? 0 : 1] & mask; }}},
        operandSets(t.bits == 64 ? doubleEdges() : singleEdges(), 64));
  }
}

TEST(CompareRows, Testp) {
  struct Property {
    const char *name;
    bool (*holds)(int fpclass);
  };
  const Property properties[] = {
      {"finite", [](int c) { return c != FP_NAN && c != FP_INFINITE; }},
      {"infinite", [](int c) { return c == FP_INFINITE; }},
      {"number", [](int c) { return c != FP_NAN; }},
      {"notanumber", [](int c) { return c == FP_NAN; }},
      {"normal", [](int c) { return c == FP_NORMAL; }},
      {"subnormal", [](int c) { return c == FP_SUBNORMAL; }}};
  for (const Property &p : properties) {
    std::string name = std::string("testp.") + p.name;
    checkForms(
        {{"testp", name + ".f32 %p9, %r0;", 'p',
          [&](const In &i) { return uint64_t(p.holds(std::fpclassify(single(i[0])))); }}},
        operandSets(singleEdges(), 32));
    checkForms(
        {{"testp", name + ".f64 %p9, %d0;", 'p',
          [&](const In &i) { return uint64_t(p.holds(std::fpclassify(number(i[0])))); }}},
        operandSets(doubleEdges(), 64));
  }
}

} // namespace kiln::sim::test

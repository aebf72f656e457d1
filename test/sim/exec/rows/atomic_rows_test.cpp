//===- atomic_rows_test.cpp - atom and red of every type -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: host integers, the host's f32 and f64 addition, the formats of host.h. Each
// thread has its own words; the programs of test/sim/cuda have threads that contend.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

#include <algorithm>

namespace kiln::sim::test {

namespace {
using Update = std::function<uint64_t(uint64_t old, uint64_t operand)>;

struct Atomic {
  const char *row; ///< without "atom."
  std::string op, type;
  unsigned bits;
  Update update;
  bool alsoRed = true;

  char letter() const { return bits == 16 ? 'h' : bits == 32 ? 'r' : 'd'; }
  uint64_t mask() const { return bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0); }
};

template <class T> uint64_t least(uint64_t a, uint64_t b) { return std::min(T(a), T(b)); }
template <class T> uint64_t most(uint64_t a, uint64_t b) { return std::max(T(a), T(b)); }

uint64_t addSingles(uint64_t a, uint64_t b) { return bitsOf(single(a) + single(b)); }
uint64_t addFlushed(uint64_t a, uint64_t b) {
  return bitsOf(flushed(flushed(single(a)) + flushed(single(b))));
}
uint64_t addDoubles(uint64_t a, uint64_t b) {
  return std::bit_cast<uint64_t>(number(a) + number(b));
}
uint64_t addHalves(const HalfType &t, uint64_t a, uint64_t b) {
  return t.encode(oddSum(t.decode(a), t.decode(b)));
}
/// Returns the minimum or maximum; a NaN loses, -0 is below +0.
uint64_t extreme(const HalfType &t, bool greatest, uint64_t a, uint64_t b) {
  double x = t.decode(a), y = t.decode(b);
  if (std::isnan(x) && std::isnan(y))
    return t.nan;
  bool first =
      std::isnan(y) ||
      (!std::isnan(x) && (x == y ? std::signbit(x) != greatest : (x > y) == greatest));
  return (first ? a : b) & 0xffff;
}

std::vector<Atomic> integerAtomics() {
  std::vector<Atomic> all;
  for (unsigned bits : {32u, 64u}) {
    std::string b = "b" + std::to_string(bits), u = "u" + std::to_string(bits),
                s = "s" + std::to_string(bits);
    bool wide = bits == 64;
    all.push_back(
        {"logic", "and", b, bits, [](uint64_t x, uint64_t y) { return x & y; }});
    all.push_back({"logic", "or", b, bits, [](uint64_t x, uint64_t y) { return x | y; }});
    all.push_back(
        {"logic", "xor", b, bits, [](uint64_t x, uint64_t y) { return x ^ y; }});
    all.push_back({"add", "add", u, bits, [](uint64_t x, uint64_t y) { return x + y; }});
    all.push_back({"min", "min", u, bits, least<uint64_t>});
    all.push_back({"min", "max", u, bits, most<uint64_t>});
    all.push_back({"min", "min", s, bits, wide ? least<int64_t> : least<int32_t>});
    all.push_back({"min", "max", s, bits, wide ? most<int64_t> : most<int32_t>});
    all.push_back(
        {"exch", "exch", b, bits, [](uint64_t, uint64_t y) { return y; }, false});
  }
  all.push_back({"add", "add", "s32", 32, [](uint64_t x, uint64_t y) { return x + y; }});
  all.push_back({"inc", "inc", "u32", 32,
                 [](uint64_t x, uint64_t y) { return x >= y ? 0 : x + 1; }});
  all.push_back({"inc", "dec", "u32", 32,
                 [](uint64_t x, uint64_t y) { return x == 0 || x > y ? y : x - 1; }});
  return all;
}

const char *keptAtomic(const std::string &id) {
  static std::set<std::string> ids;
  return ids.insert(id).first->c_str();
}

/// Adds forms that return the old value, then the memory afterwards, for atom and red, in
/// one space.
void addForms(std::vector<Form> &forms, const Atomic &a, const std::string &how,
              const std::string &space) {
  std::string bits = std::to_string(a.bits), l(1, a.letter());
  bool shared = space == ".shared";
  std::string address = shared ? "%t2" : "%a0";
  std::string before = shared ? ".shared .align 8 .b8 s[768]; mov.u32 %t2, %tid.x; "
                                "mov.b32 %t3, s; mad.lo.u32 %t2, %t2, 8, %t3;\n"
                                "st.shared.b" +
                                    bits + " [%t2], %" + l + "0;\n"
                              : "";
  std::string tail = how + space + "." + a.op +
                     (a.type.find("f16") != std::string::npos ? ".noftz." : ".") +
                     a.type + " ";
  std::string load = " ld" + space + ".b" + bits + " %" + l + "9, [" + address + "];";
  std::string restore =
      shared ? "" : " st" + space + ".b" + bits + " [%a0], %" + l + "0;";
  std::string rest = "[" + address + "], %" + l + "1;";
  auto updated = [=](const In &i) {
    return a.update(i[0] & a.mask(), i[1] & a.mask()) & a.mask();
  };
  std::function<bool(uint64_t, uint64_t)> same;
  if (a.type == "f64")
    same = [](uint64_t got, uint64_t want) {
      return got == want || (std::isnan(number(got)) && std::isnan(number(want)));
    };
  const char *atom = keptAtomic(std::string("atom.") + a.row),
             *red = keptAtomic(std::string("red.") + a.row);
  forms.push_back({atom, before + "atom" + tail + "%" + l + "9, " + rest + restore,
                   a.letter(), [=](const In &i) { return i[0] & a.mask(); }});
  forms.push_back({atom, before + "atom" + tail + "%" + l + "8, " + rest + load + restore,
                   a.letter(), updated, same});
  if (a.alsoRed)
    forms.push_back(
        {red, before + "red" + tail + rest + load + restore, a.letter(), updated, same});
}

void checkAtomics(const std::vector<Atomic> &atomics, const std::vector<In> &operands,
                  const std::vector<std::string> &spaces) {
  std::vector<Form> forms;
  const char *hows[] = {"", ".relaxed.gpu", ".cta", ".relaxed.sys", ".relaxed.cluster"};
  size_t turn = 0;
  for (const Atomic &a : atomics)
    for (const std::string &space : spaces)
      addForms(forms, a, hows[turn++ % std::size(hows)], space);
  checkForms(forms, operands);
}
} // namespace

TEST(AtomicRows, Integers) {
  for (unsigned bits : {32u, 64u}) {
    std::vector<Atomic> some;
    for (const Atomic &a : integerAtomics())
      if (a.bits == bits)
        some.push_back(a);
    checkAtomics(some, operandSets(integerEdges(bits), bits), {".global", "", ".shared"});
  }
}

TEST(AtomicRows, Floats) {
  std::vector<In> singles = operandSets(singleEdges(), 32);
  checkAtomics({{"add.f32", "add", "f32", 32, addFlushed}}, singles, {".global", ""});
  checkAtomics({{"add.f32", "add", "f32", 32, addSingles}}, singles, {".shared"});
  checkAtomics({{"add.f64", "add", "f64", 64, addDoubles}},
               operandSets(doubleEdges(), 64), {".global", "", ".shared"});
}

TEST(AtomicRows, Halves) {
  for (const HalfType &t : halfTypes) {
    bool bf = t.one == 0x3f80;
    std::string name = t.name;
    auto one = [&t](uint64_t a, uint64_t b) { return addHalves(t, a, b); };
    auto two = [=](uint64_t a, uint64_t b) {
      return one(a & 0xffff, b & 0xffff) | one(a >> 16, b >> 16) << 16;
    };
    std::vector<uint64_t> edges = bf ? bfloatEdges() : halfEdges(), pairs;
    for (size_t n = 0; n < edges.size(); ++n)
      pairs.push_back(edges[n] << 16 | edges[(n * 5 + 2) % edges.size()]);
    checkAtomics({{bf ? "add.bf16" : "add.f16", "add", name, 16, one},
                  {bf ? "add.bf16" : "add.f16x2", "add", name + "x2", 32, two}},
                 operandSets(pairs, 32, 1000), {".global", "", ".shared"});
  }
}

TEST(AtomicRows, CompareAndSwap) {
  std::vector<Form> forms;
  for (unsigned bits : {16u, 32u, 64u}) {
    char letter = bits == 16 ? 'h' : bits == 32 ? 'r' : 'd';
    std::string l = std::string("%") + letter, b = "b" + std::to_string(bits);
    uint64_t mask = bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0);
    const char *row = bits == 16 ? "atom.cas.b16" : "atom.cas";
    std::string rest = ", [%a0], " + l + "1, " + l + "2;",
                restore = " st.global." + b + " [%a0], " + l + "0;";
    forms.push_back({row, "atom.global.cas." + b + " " + l + "9" + rest + restore, letter,
                     [=](const In &i) { return i[0] & mask; }});
    forms.push_back({row,
                     "atom.acq_rel.gpu.global.cas." + b + " " + l + "8" + rest +
                         " ld.global." + b + " " + l + "9, [%a0];" + restore,
                     letter, [=](const In &i) {
                       return (((i[0] ^ i[1]) & mask) == 0 ? i[2] : i[0]) & mask;
                     }});
  }
  // 16 bytes: {operands 0, 1} in memory, compared with {2, 3}; half of the sets are
  // equal.
  std::string wide = "mov.b128 %q1, {%d2, %d3}; mov.b128 %q2, {%d3, %d2};";
  std::string back = " ld.global.b64 %d9, [%a0 + 8]; st.global.v2.b64 [%a0], {%d0, %d1};";
  auto equal = [](const In &i) { return i[0] == i[2] && i[1] == i[3]; };
  forms.push_back({"atom.cas.b128",
                   wide + " atom.global.cas.b128 %q3, [%a0], %q1, %q2;" + back, 'd',
                   [=](const In &i) { return equal(i) ? i[2] : i[1]; }});
  forms.push_back(
      {"atom.cas.b128",
       wide + " atom.global.cas.b128 %q3, [%a0], %q1, %q2; mov.b128 {%d9, %d8}, %q3;"
              " st.global.v2.b64 [%a0], {%d0, %d1};",
       'd', [](const In &i) { return i[0]; }});
  forms.push_back({"atom.exch.b128",
                   wide + " atom.global.exch.b128 %q3, [%a0], %q1;" + back, 'd',
                   [](const In &i) { return i[3]; }});
  forms.push_back({"atom.exch.b128",
                   wide +
                       " atom.global.exch.b128 %q3, [%a0], %q1; mov.b128 {%d8, %d9}, %q3;"
                       " st.global.v2.b64 [%a0], {%d0, %d1};",
                   'd', [](const In &i) { return i[1]; }});
  std::vector<In> operands = operandSets(integerEdges(64), 64);
  for (size_t n = 0; n < operands.size(); n += 2) {
    operands[n][2] = operands[n][0];
    operands[n][3] = operands[n][1];
  }
  checkForms(forms, operands);
}

TEST(AtomicRows, Vectors) {
  // Elements are parts of the operand words: memory has words 0 and 1, registers 2 and 3.
  auto pieces = [](const In &i, unsigned first, unsigned n, unsigned bits) {
    uint64_t word = i[first + n * bits / 64];
    return word >> (n * bits % 64) & ((uint64_t(1) << bits) - 1);
  };
  std::vector<Form> forms;
  auto add = [&](const char *row, const std::string &op, const std::string &type,
                 unsigned bits, unsigned count, const Update &update) {
    char letter = bits == 16 ? 'h' : 'r';
    std::string l = std::string("%") + letter, in = "{", out = "{", unpack;
    for (unsigned n = 0; n < count; ++n) {
      in += (n ? ", " : "") + l + std::to_string(10 + n);
      out += (n ? ", " : "") + l + std::to_string(20 + n);
    }
    if (bits == 32)
      unpack = "mov.b64 {%r10, %r11}, %d2; mov.b64 {%r12, %r13}, %d3; ";
    else
      unpack = "mov.b64 {%h10, %h11, %h12, %h13}, %d2; mov.b64 {%h14, %h15, %h16, %h17}, "
               "%d3; ";
    std::string tail = "global." + op + ".v" + std::to_string(count) + "." + type;
    std::string restore = " st.global.v2.b64 [%a0], {%d0, %d1};";
    for (unsigned n = 0; n < count; ++n) {
      std::string load = " ld.global.b" + std::to_string(bits) + " " + l + "9, [%a0 + " +
                         std::to_string(n * bits / 8) + "];" + restore;
      auto updated = [=](const In &i) {
        return update(pieces(i, 0, n, bits), pieces(i, 2, n, bits));
      };
      forms.push_back(
          {keptAtomic(std::string("atom.") + row),
           unpack + "atom." + tail + " " + out + "}, [%a0], " + in + "};" + load, letter,
           updated});
      forms.push_back({keptAtomic(std::string("atom.") + row),
                       unpack + "atom." + tail + " " + out + "}, [%a0], " + in +
                           "}; mov.b" + std::to_string(bits) + " " + l + "9, " + l +
                           std::to_string(20 + n) + ";" + restore,
                       letter, [=](const In &i) { return pieces(i, 0, n, bits); }});
      forms.push_back({keptAtomic(std::string("red.") + row),
                       unpack + "red." + tail + " [%a0], " + in + "};" + load, letter,
                       updated});
    }
  };
  for (unsigned count : {2u, 4u})
    add("vec.f32", "add", "f32", 32, count, addFlushed);
  for (const HalfType &t : halfTypes)
    for (const std::string op : {"add", "min", "max"}) {
      auto one = [=, &t](uint64_t a, uint64_t b) {
        return op == "add" ? addHalves(t, a, b) : extreme(t, op == "max", a, b);
      };
      auto two = [=](uint64_t a, uint64_t b) {
        return one(a & 0xffff, b & 0xffff) | one(a >> 16, b >> 16) << 16;
      };
      // .noftz comes before the vector size.
      for (unsigned count : {2u, 4u, 8u})
        add("vec.f16", op + ".noftz", t.name, 16, count, one);
      for (unsigned count : {2u, 4u})
        add("vec.f16x2", op + ".noftz", std::string(t.name) + "x2", 32, count, two);
    }
  std::vector<uint64_t> values = singleEdges(), words;
  for (uint64_t edge : halfEdges())
    values.push_back(edge << 16 | edge);
  for (uint64_t edge : bfloatEdges())
    values.push_back(edge << 16 | (edge ^ 0x8000));
  for (size_t n = 0; n < values.size(); ++n)
    words.push_back(values[n] << 32 | values[(n * 7 + 3) % values.size()]);
  std::vector<In> operands = operandSets({}, 64, 300);
  for (size_t n = 0; n < words.size(); ++n)
    for (size_t step : {1, 5, 11, 24})
      operands.push_back({words[n], words[(n + step) % words.size()],
                          words[(n + step * 3) % words.size()],
                          words[(n * 3 + step) % words.size()]});
  checkForms(forms, operands);
}

} // namespace kiln::sim::test

//===- bit_rows_test.cpp - Logic, shifts, fields and permutations ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the instruction's definition, written bit by bit or byte by byte.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/rows.h"

#include <algorithm>

namespace kiln::sim::test {

namespace {
struct Width {
  unsigned bits;
  std::string n = std::to_string(bits);
  std::string r = bits == 16 ? "%h" : bits == 32 ? "%r" : "%d";
  char letter = r[1];
  uint64_t mask = bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0);
  std::string two = " " + r + "9, " + r + "0, " + r + "1;";
  std::string one = " " + r + "9, " + r + "0;";
};
const Width widths[] = {{16}, {32}, {64}};

bool bit(uint64_t x, unsigned n) { return n < 64 && (x >> n & 1); }

template <class F> uint64_t fromBits(unsigned bits, F f) {
  uint64_t result = 0;
  for (unsigned n = 0; n < bits; ++n)
    result |= uint64_t(bool(f(n))) << n;
  return result;
}

uint64_t field(uint64_t a, uint64_t b, uint64_t c, unsigned bits, bool isSigned) {
  unsigned at = b & 255, length = c & 255;
  bool sign = isSigned && length && bit(a, std::min(at + length - 1, bits - 1));
  return fromBits(bits, [&](unsigned n) {
    return n < length && at + n < bits ? bit(a, at + n) : sign;
  });
}

uint64_t inserted(const In &i, unsigned bits) {
  unsigned at = i[2] & 255, length = i[3] & 255;
  return fromBits(bits, [&](unsigned n) {
    return n >= at && n - at < length ? bit(i[0], n - at) : bit(i[1], n);
  });
}

uint64_t shifted(uint64_t x, uint64_t by, unsigned bits, bool left, bool isSigned) {
  bool fill = isSigned && bit(x, bits - 1);
  return fromBits(bits, [&](uint64_t n) {
    if (left)
      return n >= by && bit(x, unsigned(n - by));
    return n + by < bits ? bit(x, unsigned(n + by)) : fill;
  });
}

uint64_t findSet(uint32_t mask, uint64_t base, int64_t offset) {
  int64_t position = int64_t(base), step = offset < 0 ? -1 : 1;
  int64_t count = std::max<int64_t>(offset < 0 ? -offset : offset, 1);
  if (offset == 0)
    return bit(mask, unsigned(base)) ? base : 0xffffffff;
  for (; position >= 0 && position < 32; position += step)
    if (bit(mask, unsigned(position)) && --count == 0)
      return uint64_t(position);
  return 0xffffffff;
}

uint64_t bytes(uint64_t a, uint64_t b, const std::function<unsigned(unsigned)> &pick) {
  uint64_t both = a | b << 32, result = 0;
  for (unsigned n = 0; n < 4; ++n)
    result |= (both >> 8 * (pick(n) & 7) & 255) << 8 * n;
  return result;
}
} // namespace

TEST(BitRows, Logic) {
  for (const Width &w : widths)
    checkForms(
        {
            {"and", "and.b" + w.n + w.two, w.letter,
             [](const In &i) { return i[0] & i[1]; }},
            {"or", "or.b" + w.n + w.two, w.letter,
             [](const In &i) { return i[0] | i[1]; }},
            {"xor", "xor.b" + w.n + w.two, w.letter,
             [](const In &i) { return i[0] ^ i[1]; }},
            {"not", "not.b" + w.n + w.one, w.letter,
             [=](const In &i) { return ~i[0] & w.mask; }},
            {"cnot", "cnot.b" + w.n + w.one, w.letter,
             [](const In &i) { return uint64_t(!i[0]); }},
        },
        operandSets(integerEdges(w.bits), w.bits));
  checkForms(
      {
          {"and.pred", "and.pred %p9, %p0, %p1;", 'p',
           [](const In &i) { return i[0] & i[1] & 1; }},
          {"or.pred", "or.pred %p9, %p0, %p1;", 'p',
           [](const In &i) { return (i[0] | i[1]) & 1; }},
          {"xor.pred", "xor.pred %p9, %p0, %p1;", 'p',
           [](const In &i) { return (i[0] ^ i[1]) & 1; }},
          {"not.pred", "not.pred %p9, %p0;", 'p', [](const In &i) { return ~i[0] & 1; }},
          {"mov.pred", "mov.pred %p9, %p0;", 'p', [](const In &i) { return i[0] & 1; }},
      },
      allValues(2));
}

TEST(BitRows, EveryTableOfLop3) {
  std::vector<Form> forms;
  for (unsigned table = 0; table < 256; ++table) {
    auto value = [=](const In &i) {
      return fromBits(32, [&](unsigned n) {
        return bit(table, bit(i[0], n) << 2 | bit(i[1], n) << 1 | bit(i[2], n));
      });
    };
    std::string rest = ", %r0, %r1, %r2, " + std::to_string(table);
    forms.push_back({"lop3", "lop3.b32 %r9" + rest + ";", 'r', value});
    if (table % 5)
      continue;
    forms.push_back({"lop3.bool", "lop3.and.b32 %r8|%p9" + rest + ", %p3;", 'p',
                     [=](const In &i) { return uint64_t(value(i) != 0 && (i[3] & 1)); }});
    forms.push_back({"lop3.bool", "lop3.or.b32 %r9|%p8" + rest + ", !%p3;", 'r', value});
    forms.push_back(
        {"lop3.bool", "lop3.or.b32 _|%p9" + rest + ", !%p3;", 'p',
         [=](const In &i) { return uint64_t(value(i) != 0 || !(i[3] & 1)); }});
  }
  checkForms(forms, operandTriples({0, ~uint64_t(0) >> 32, 0x5a5a1234, 0x80000001}));
}

TEST(BitRows, Shifts) {
  for (const Width &w : widths) {
    std::string operands = " " + w.r + "9, " + w.r + "0, %r1;";
    std::vector<Form> forms = {
        {"shl", "shl.b" + w.n + operands, w.letter, [=](const In &i) {
           return shifted(i[0], i[1] & 0xffffffff, w.bits, true, false);
         }}};
    for (const char *kind : {"b", "u", "s"})
      forms.push_back(
          {"shr", "shr." + (kind + w.n) + operands, w.letter, [=](const In &i) {
             return shifted(i[0], i[1] & 0xffffffff, w.bits, false, *kind == 's');
           }});
    checkForms(forms, operandSets(integerEdges(w.bits), w.bits));
  }
  std::vector<Form> funnels;
  for (bool left : {true, false})
    for (bool wrap : {true, false})
      funnels.push_back({"shf",
                         std::string("shf.") + (left ? "l." : "r.") +
                             (wrap ? "wrap" : "clamp") + ".b32 %r9, %r0, %r1, %r2;",
                         'r', [=](const In &i) {
                           uint64_t by = wrap ? i[2] % 32 : std::min<uint64_t>(i[2], 32);
                           uint64_t both = i[1] << 32 | i[0];
                           return left ? shifted(both, by, 64, true, false) >> 32
                                       : shifted(both, by, 64, false, false) & 0xffffffff;
                         }});
  checkForms(funnels, operandSets(integerEdges(32), 32));
}

TEST(BitRows, Counting) {
  for (const Width &w : {widths[1], widths[2]}) {
    auto highest = [](uint64_t x, unsigned bits) {
      for (unsigned n = bits; n-- > 0;)
        if (bit(x, n))
          return uint64_t(n);
      return uint64_t(0xffffffff);
    };
    std::string operands = " %r9, " + w.r + "0;";
    std::vector<Form> forms = {
        {"popc", "popc.b" + w.n + operands, 'r',
         [=](const In &i) {
           uint64_t count = 0;
           for (unsigned n = 0; n < w.bits; ++n)
             count += bit(i[0], n);
           return count;
         }},
        {"clz", "clz.b" + w.n + operands, 'r',
         [=](const In &i) {
           uint64_t at = highest(i[0], w.bits);
           return at == 0xffffffff ? w.bits : w.bits - 1 - at;
         }},
        {"brev", "brev.b" + w.n + w.one, w.letter, [=](const In &i) {
           return fromBits(w.bits, [&](unsigned n) { return bit(i[0], w.bits - 1 - n); });
         }}};
    for (bool isSigned : {false, true})
      for (bool amount : {false, true})
        forms.push_back({"bfind",
                         std::string("bfind") + (amount ? ".shiftamt." : ".") +
                             (isSigned ? "s" : "u") + w.n + operands,
                         'r', [=](const In &i) {
                           uint64_t x =
                               isSigned && bit(i[0], w.bits - 1) ? ~i[0] & w.mask : i[0];
                           uint64_t at = highest(x, w.bits);
                           return amount && at != 0xffffffff ? w.bits - 1 - at : at;
                         }});
    checkForms(forms, operandSets(integerEdges(w.bits), w.bits));
  }
}

TEST(BitRows, Fields) {
  for (const Width &w : {widths[1], widths[2]}) {
    std::vector<Form> forms = {
        {"bfi", "bfi.b" + w.n + " " + w.r + "9, " + w.r + "0, " + w.r + "1, %r2, %r3;",
         w.letter, [=](const In &i) { return inserted(i, w.bits); }}};
    for (bool isSigned : {false, true})
      forms.push_back({"bfe",
                       "bfe." + ((isSigned ? "s" : "u") + w.n) + " " + w.r + "9, " + w.r +
                           "0, %r1, %r2;",
                       w.letter, [=](const In &i) {
                         return field(i[0], i[1], i[2], w.bits, isSigned);
                       }});
    std::vector<In> operands = operandSets(integerEdges(w.bits), w.bits);
    for (uint64_t at = 0; at <= w.bits + 1; at += 3)
      for (uint64_t length = 0; length <= w.bits + 1; length += 5) {
        uint64_t x = 0xc3a5965a1e874bd2 & w.mask;
        operands.push_back({x, at, length, 0});
        operands.push_back({x, ~x & w.mask, at, length});
      }
    checkForms(forms, operands);
  }
}

TEST(BitRows, ExtensionsAndMasks) {
  std::vector<Form> forms;
  for (bool wrap : {false, true}) {
    std::string mode = wrap ? ".wrap." : ".clamp.";
    for (bool isSigned : {false, true})
      forms.push_back(
          {"szext", "szext" + mode + (isSigned ? "s32" : "u32") + " %r9, %r0, %r1;", 'r',
           [=](const In &i) {
             uint64_t length = wrap ? i[1] % 32 : std::min<uint64_t>(i[1], 32);
             bool sign = isSigned && length && bit(i[0], unsigned(length - 1));
             return fromBits(
                 32, [&](unsigned n) { return n < length ? bit(i[0], n) : sign; });
           }});
    forms.push_back({"bmsk", "bmsk" + mode + "b32 %r9, %r0, %r1;", 'r', [=](const In &i) {
                       uint64_t at = wrap ? i[0] % 32 : std::min<uint64_t>(i[0], 32);
                       uint64_t length = wrap ? i[1] % 32 : std::min<uint64_t>(i[1], 32);
                       return fromBits(
                           32, [&](unsigned n) { return n >= at && n - at < length; });
                     }});
  }
  std::vector<uint64_t> values = integerEdges(32);
  for (uint64_t n = 0; n < 34; n += 4)
    values.push_back(n);
  checkForms(forms, operandSets(values, 32));
}

TEST(BitRows, NthSetBit) {
  std::vector<In> operands;
  for (uint64_t mask : {0x0ull, 0x1ull, 0x80000000ull, 0xffffffffull, 0x90040421ull})
    for (uint64_t base = 0; base < 32; ++base)
      for (int64_t offset : {0, 1, 2, 3, 5, 31, 32, 33, -1, -2, -4, -32, -40})
        operands.push_back({mask, base, uint64_t(offset) & 0xffffffff, 0});
  checkForms({{"fns", "fns.b32 %r9, %r0, %r1, %r2;", 'r',
               [](const In &i) { return findSet(uint32_t(i[0]), i[1], int32_t(i[2])); }}},
             operands);
}

TEST(BitRows, Permutations) {
  std::vector<Form> forms = {
      {"prmt", "prmt.b32 %r9, %r0, %r1, %r2;", 'r', [](const In &i) {
         uint64_t plain =
             bytes(i[0], i[1], [&](unsigned n) { return unsigned(i[2] >> 4 * n); });
         for (unsigned n = 0; n < 4; ++n)
           if (bit(i[2], 4 * n + 3)) // replicate the sign bit of the byte
             plain = (plain & ~(uint64_t(255) << 8 * n)) |
                     (bit(plain, 8 * n + 7) ? uint64_t(255) << 8 * n : 0);
         return plain;
       }}};
  // Index of the source byte for result byte n, from the mode's table.
  const std::pair<const char *, unsigned (*)(unsigned n, unsigned c)> modes[] = {
      {"f4e", [](unsigned n, unsigned c) { return c + n; }},
      {"b4e", [](unsigned n, unsigned c) { return c - n; }},
      {"rc8", [](unsigned, unsigned c) { return c; }},
      {"ecl", [](unsigned n, unsigned c) { return std::max(n, c); }},
      {"ecr", [](unsigned n, unsigned c) { return std::min(n, c); }},
      {"rc16", [](unsigned n, unsigned c) { return (n & 1) + 2 * (c & 1); }}};
  for (auto [name, pick] : modes)
    forms.push_back({"prmt", "prmt.b32." + std::string(name) + " %r9, %r0, %r1, %r2;",
                     'r', [pick = pick](const In &i) {
                       return bytes(i[0], i[1], [&](unsigned n) {
                         return pick(n, unsigned(i[2] & 3));
                       });
                     }});
  checkForms(forms, operandSets(integerEdges(32), 32));
}

TEST(BitRows, MovesAndPacks) {
  auto low = [](unsigned bits, unsigned n) {
    return [=](const In &i) {
      return bits < 64 ? i[n] & ((uint64_t(1) << bits) - 1) : i[n];
    };
  };
  checkForms(
      {
          {"mov", "mov.b16 %h9, %h0;", 'h', low(16, 0)},
          {"mov", "mov.f32 %r9, %r1;", 'r', low(32, 1)},
          {"mov", "mov.s64 %d9, %d2;", 'd', low(64, 2)},
          {"mov.pack", "mov.b32 %r9, {%h0, %h1};", 'r',
           [](const In &i) { return (i[0] & 0xffff) | (i[1] & 0xffff) << 16; }},
          {"mov.pack", "mov.b64 %d9, {%r0, %r1};", 'd',
           [](const In &i) { return (i[0] & 0xffffffff) | i[1] << 32; }},
          {"mov.pack", "mov.b64 %d9, {%h0, %h1, %h2, %h3};", 'd',
           [](const In &i) {
             return (i[0] & 0xffff) | (i[1] & 0xffff) << 16 | (i[2] & 0xffff) << 32 |
                    i[3] << 48;
           }},
          {"mov.unpack", "mov.b32 {%h8, %h9}, %r0;", 'h',
           [](const In &i) { return i[0] >> 16 & 0xffff; }},
          {"mov.unpack", "mov.b64 {%r9, _}, %d0;", 'r', low(32, 0)},
          {"mov.unpack.b128", "mov.b128 {%d8, %d9}, %q0;", 'd', low(64, 1)},
          {"mov.pack.b128", "mov.b128 %q1, {%d2, %d3}; mov.b128 {%d9, %d8}, %q1;", 'd',
           low(64, 2)},
          {"mov.b128", "mov.b128 %q1, %q0; mov.b128 {%d8, %d9}, %q1;", 'd', low(64, 1)},
      },
      operandSets(integerEdges(64), 64));
}

} // namespace kiln::sim::test

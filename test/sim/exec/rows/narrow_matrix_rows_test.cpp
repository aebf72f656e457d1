//===- narrow_matrix_rows_test.cpp - Matrix instructions of sm_120 --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: sums that f32 represents exactly, in doubles; positions of elements and scales
// in registers from the PTX manual. Unused bits hold noise.
// test/sim/arith/tensor_scaled_test.cpp tests the rounding.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"
#include "test/sim/exec/rows/host.h"

#include <gmock/gmock.h>

#include <random>

namespace kiln::sim::test {

namespace {

constexpr unsigned M = 16, N = 8, Lanes = 32;

struct NarrowElement {
  const char *name;
  const programs::Format &format;
  double largest;            ///< largest value used
  unsigned bits = 8, at = 0; ///< bits per element in a register, and the element's
                             ///< position in them

  uint32_t draw(std::mt19937 &random) const {
    while (true) {
      uint32_t code = random() & ((1u << format.bits()) - 1);
      double value = format.decode(code);
      if (std::isfinite(value) && std::fabs(value) <= largest &&
          value * 4 == std::trunc(value * 4))
        return code;
    }
  }
};
const NarrowElement NarrowE4m3 = {"e4m3", programs::E4m3, 8},
                    NarrowE5m2 = {"e5m2", programs::E5m2, 8},
                    E3m2 = {"e3m2", programs::E3m2, 8},
                    E2m3 = {"e2m3", programs::E2m3, 7.5},
                    E2m1 = {"e2m1", programs::E2m1, 6, 8, 2},
                    Nibble = {"e2m1", programs::E2m1, 6, 4};

struct Codes {
  unsigned columns;
  std::vector<uint32_t> codes; ///< row-major
  Codes(std::mt19937 &random, const NarrowElement &e, unsigned rows, unsigned columns)
      : columns(columns) {
    for (unsigned n = 0; n < rows * columns; ++n)
      codes.push_back(e.draw(random));
  }
  uint32_t operator()(unsigned row, unsigned column) const {
    return codes[row * columns + column];
  }
};

/// Returns a lane's register of A (16 rows) or B (8 columns, given as rows): 32 / bits
/// elements that are adjacent along k; A continues with the row 8 below.
uint32_t word(std::mt19937 &random, const NarrowElement &e, const Codes &codes,
              unsigned rows, unsigned lane, unsigned reg) {
  unsigned each = 32 / e.bits, halves = rows / 8;
  uint32_t result = random(); // noise around the elements
  for (unsigned n = 0; n < each; ++n) {
    uint32_t mask = ((1u << e.format.bits()) - 1) << (n * e.bits + e.at);
    uint32_t code =
        codes(lane / 4 + reg % halves * 8, (reg / halves * 4 + lane % 4) * each + n);
    result = (result & ~mask) | code << (n * e.bits + e.at);
  }
  return result;
}

struct Selector {
  unsigned byte, thread;
  std::string text() const {
    return "{" + std::to_string(byte) + ", " + std::to_string(thread) + "}";
  }
};

/// Scales of the rows of A or columns of B, `blocks` along k.
struct Scales {
  std::vector<uint8_t> codes;
  unsigned blocks;
  bool powers; ///< UE8M0, otherwise UE4M3
  Scales(std::mt19937 &random, unsigned lines, unsigned blocks, bool powers)
      : blocks(blocks), powers(powers) {
    static constexpr uint8_t some[] = {0x00, 0x30, 0x34, 0x38, 0x3c, 0xb8, 0x3f, 0x40};
    for (unsigned n = 0; n < lines * blocks; ++n)
      codes.push_back(powers ? 125 + random() % 5 : some[random() % std::size(some)]);
  }
  double value(unsigned line, unsigned block) const {
    uint8_t code = codes[line * blocks + block];
    return powers ? std::ldexp(1.0, code - 127) : programs::E4m3.decode(code & 0x7f);
  }
};

/// Row of A (below: column of B) whose scales lane `lane` holds for the selector {byte,
/// thread}, according to the manual; -1 for none.
int rowOfLane(unsigned lane, unsigned thread) {
  return lane % 4 / 2 == thread ? int(lane / 4 + lane % 2 * 8) : -1;
}
int columnOfLane(unsigned lane, unsigned thread) {
  return lane % 4 == thread ? int(lane / 4) : -1;
}

uint32_t scaleWord(std::mt19937 &random, const Scales &scales, int line, unsigned byte) {
  uint32_t result = random();
  for (unsigned n = 0; line >= 0 && n < scales.blocks; ++n) {
    unsigned at = (byte + n) * 8;
    result = (result & ~(0xffu << at)) |
             uint32_t(scales.codes[unsigned(line) * scales.blocks + n]) << at;
  }
  return result;
}

std::string load(const std::string &base, char letter, unsigned first, unsigned count) {
  std::string text =
      "mad.wide.u32 %d9, %i, " + std::to_string(count * 4) + ", " + base + ";\n";
  for (unsigned n = 0; n < count; ++n)
    text += "ld.global.b32 %" + std::string(1, letter) + std::to_string(first + n) +
            ", [%d9 + " + std::to_string(n * 4) + "];\n";
  return text;
}

constexpr unsigned Inputs = 8; ///< words per lane in `a`: A, B, scales of A and of B

/// Returns the kernel: `a` has each lane's operands and scales, `c` its accumulators.
std::string kernel(const std::string &words, const std::string &scales,
                   const std::string &before = "", bool f16 = false) {
  std::string sums = f16 ? "{%r20, %r21}" : "{%r20, %r21, %r22, %r23}";
  unsigned count = f16 ? 2 : 4;
  std::string text = kernelOf(
      "k", load("%a", 'r', 0, Inputs) +
               load("%c", 'r', 20, count) + before + "mma.sync.aligned." + words + " " +
               sums + ", {%r0, %r1, %r2, %r3}, {%r4, %r5}, " + sums + scales + ";\n" +
               "mad.wide.u32 %d9, %i, " + std::to_string(count * 4) + ", %c;\n" +
               "st.global.v2.b32 [%d9], {%r20, %r21};\n" +
               (f16 ? "" : "st.global.v2.b32 [%d9 + 8], {%r22, %r23};\n"));
  return text;
}

struct NarrowProduct {
  std::string words; ///< after "mma.sync.aligned."
  const NarrowElement &a, &b;
  unsigned k, blocks; ///< blocks 0: no scales
  bool powers = true;
  Selector selectA = {0, 0}, selectB = {0, 0};
  bool f16 = false;
  bool inRegisters = false; ///< the selectors are in registers
};

std::string scaleOperands(const NarrowProduct &p) {
  if (p.blocks == 0)
    return "";
  if (p.inRegisters)
    return ", %r6, {%h0, %h1}, %r7, {%h2, %h3}";
  return ", %r6, " + p.selectA.text() + ", %r7, " + p.selectB.text();
}

std::string selectorsIntoRegisters(const NarrowProduct &p) {
  std::string text;
  unsigned values[] = {p.selectA.byte, p.selectA.thread, p.selectB.byte,
                       p.selectB.thread};
  for (unsigned n = 0; n < 4 && p.inRegisters; ++n)
    text += "mov.b16 %h" + std::to_string(n) + ", " + std::to_string(values[n]) + ";\n";
  return text;
}

void check(const NarrowProduct &p) {
  SCOPED_TRACE(p.words + scaleOperands(p));
  Machine machine("rtx5090");
  ASSERT_EQ(machine
                .load(kernel(p.words, scaleOperands(p), selectorsIntoRegisters(p), p.f16),
                      "sm_120a")
                .message,
            "");
  std::mt19937 random(11);
  for (int round = 0; round < 4; ++round) {
    Codes a(random, p.a, M, p.k), b(random, p.b, N, p.k);
    Scales scaleA(random, M, p.blocks, p.powers), scaleB(random, N, p.blocks, p.powers);
    std::vector<double> sums(M * N);
    for (double &x : sums)
      x = int(random() % 41) - 20;
    std::vector<uint32_t> inputs, accumulators;
    unsigned perWord = p.f16 ? 2 : 1, words = p.f16 ? 2 : 4;
    auto pack = [&](const std::vector<double> &values) {
      std::vector<uint32_t> result;
      for (unsigned lane = 0; lane < Lanes; ++lane)
        for (unsigned n = 0; n < words * perWord; ++n) {
          double x = values[(lane / 4 + n / 2 * 8) * N + lane % 4 * 2 + n % 2];
          uint32_t bits =
              p.f16 ? programs::Half.encode(x, false) : std::bit_cast<uint32_t>(float(x));
          if (n % perWord == 0)
            result.push_back(bits);
          else
            result.back() |= bits << 16;
        }
      return result;
    };
    accumulators = pack(sums);
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      for (unsigned reg = 0; reg < 4; ++reg)
        inputs.push_back(word(random, p.a, a, M, lane, reg));
      for (unsigned reg = 0; reg < 2; ++reg)
        inputs.push_back(word(random, p.b, b, N, lane, reg));
      inputs.push_back(
          scaleWord(random, scaleA, rowOfLane(lane, p.selectA.thread), p.selectA.byte));
      inputs.push_back(scaleWord(random, scaleB, columnOfLane(lane, p.selectB.thread),
                                 p.selectB.byte));
    }
    for (unsigned row = 0; row < M; ++row)
      for (unsigned column = 0; column < N; ++column)
        for (unsigned t = 0; t < p.k; ++t) {
          double scale = 1;
          if (p.blocks)
            scale = scaleA.value(row, t * p.blocks / p.k) *
                    scaleB.value(column, t * p.blocks / p.k);
          sums[row * N + column] +=
              p.a.format.decode(a(row, t)) * p.b.format.decode(b(column, t)) * scale;
        }
    auto bufferA = machine.upload(inputs), bufferC = machine.upload(accumulators);
    ASSERT_EQ(
        machine.run("k", {}, bufferA.address(), bufferA.address(), bufferC.address())
            .message,
        "");
    std::vector<uint32_t> expected = pack(sums);
    for (size_t n = 0; n < expected.size(); ++n)
      ASSERT_EQ(bufferC[n], expected[n])
          << "lane " << n / words << " register " << n % words;
  }
}

const NarrowElement *const narrowBytes[] = {&NarrowE4m3, &NarrowE5m2, &E3m2, &E2m3,
                                            &E2m1};

std::string narrowTypes(const NarrowElement &a, const NarrowElement &b) {
  return std::string(".") + a.name + "." + b.name;
}

const std::string Mxf8f6f4 =
    "m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32";
const std::string Mxf4 = "m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32";
const std::string Mxf4nvf4 = "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::";

} // namespace

TEST(NarrowMatrixRows, WithoutScales) {
  for (const NarrowElement *a : narrowBytes)
    for (const NarrowElement *b : narrowBytes)
      check({"m16n8k32.row.col.kind::f8f6f4.f32" + narrowTypes(*a, *b) + ".f32", *a, *b,
             32, 0});
  for (const NarrowElement *e : narrowBytes) {
    NarrowElement small = *e; // keeps sums within f16
    small.largest = 1;
    check({"m16n8k32.row.col.kind::f8f6f4.f16" + narrowTypes(*e, *e) + ".f16",
           small,
           small,
           32,
           0,
           true,
           {},
           {},
           true});
  }
}

TEST(NarrowMatrixRows, OneScaleForEachRow) {
  for (const NarrowElement *a : narrowBytes)
    for (const NarrowElement *b : narrowBytes)
      check({Mxf8f6f4 + narrowTypes(*a, *b) + ".f32.ue8m0", *a, *b, 32, 1});
}

TEST(NarrowMatrixRows, ScalesAreChosenByByteAndThread) {
  for (unsigned byte = 0; byte < 4; ++byte)
    for (unsigned thread = 0; thread < 4; ++thread) {
      check({Mxf8f6f4 + ".e4m3.e4m3.f32.ue8m0",
             NarrowE4m3,
             NarrowE4m3,
             32,
             1,
             true,
             {byte, thread % 2},
             {3 - byte, thread}});
      if (byte % 2 == 0)
        check({Mxf4 + ".e2m1.e2m1.f32.ue8m0",
               Nibble,
               Nibble,
               64,
               2,
               true,
               {byte, thread % 2},
               {2 - byte, thread}});
      if (byte == 0)
        check({Mxf4nvf4 + "4X.f32.e2m1.e2m1.f32.ue4m3",
               Nibble,
               Nibble,
               64,
               4,
               false,
               {0, thread % 2},
               {0, thread}});
    }
}

TEST(NarrowMatrixRows, SelectorsInRegisters) {
  check({Mxf8f6f4 + ".e4m3.e2m1.f32.ue8m0",
         NarrowE4m3,
         E2m1,
         32,
         1,
         true,
         {3, 1},
         {1, 2},
         false,
         true});
  check({Mxf4 + ".e2m1.e2m1.f32.ue8m0",
         Nibble,
         Nibble,
         64,
         2,
         true,
         {2, 1},
         {0, 3},
         false,
         true});
}

TEST(NarrowMatrixRows, ScalesForEachBlock) {
  check({Mxf4 + ".e2m1.e2m1.f32.ue8m0", Nibble, Nibble, 64, 2});
  check({"m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", Nibble,
         Nibble, 64, 2});
  check({Mxf4nvf4 + "2X.f32.e2m1.e2m1.f32.ue8m0", Nibble, Nibble, 64, 2});
  check({Mxf4nvf4 + "4X.f32.e2m1.e2m1.f32.ue4m3", Nibble, Nibble, 64, 4, false});
}

namespace {
/// Returns the messages of loading and running `before` and the MMA; empty if both
/// succeed.
std::string failure(const std::string &words, const std::string &before,
                    unsigned threads = 32) {
  Machine machine("rtx5090");
  std::string text = kernel(words, ", %r6, {%h0, %h1}, %r7, {%h2, %h3}", before);
  std::string wrong = machine.load(text, "sm_120a").message;
  auto a = machine.zeros<uint32_t>(Lanes * Inputs);
  auto c = machine.zeros<uint32_t>(Lanes * 4);
  return wrong +
         machine.run("k", {.block = {threads}}, a.address(), a.address(), c.address())
             .message;
}

std::string selectors(const char *a0, const char *a1, const char *b0, const char *b1) {
  std::string text = "cvt.u16.u32 %h4, %i; and.b16 %h5, %h4, 1;\n";
  unsigned n = 0;
  for (const char *value : {a0, a1, b0, b1})
    text += "mov.b16 %h" + std::to_string(n++) + ", " + value + ";\n";
  return text;
}
} // namespace

TEST(NarrowMatrixRows, WrongSelectorsFault) {
  using testing::HasSubstr;
  std::string one = Mxf8f6f4 + ".e4m3.e4m3.f32.ue8m0",
              two = Mxf4 + ".e2m1.e2m1.f32.ue8m0",
              four = Mxf4nvf4 + "4X.f32.e2m1.e2m1.f32.ue4m3";
  EXPECT_EQ(failure(one, selectors("3", "1", "3", "3")), "");
  EXPECT_THAT(failure(one, selectors("4", "0", "0", "0")), HasSubstr("of A is {4, 0}"));
  EXPECT_THAT(failure(one, selectors("0", "2", "0", "0")), HasSubstr("of A is {0, 2}"));
  EXPECT_THAT(failure(one, selectors("0", "0", "0", "4")), HasSubstr("of B is {0, 4}"));
  EXPECT_EQ(failure(two, selectors("2", "1", "2", "3")), "");
  EXPECT_THAT(failure(two, selectors("0", "0", "1", "0")), HasSubstr("of B is {1, 0}"));
  EXPECT_THAT(failure(two, selectors("3", "0", "0", "0")), HasSubstr("of A is {3, 0}"));
  EXPECT_EQ(failure(four, selectors("0", "1", "0", "3")), "");
  EXPECT_THAT(failure(four, selectors("2", "0", "0", "0")), HasSubstr("of A is {2, 0}"));
  EXPECT_THAT(failure(one, selectors("%h5", "0", "0", "0")),
              HasSubstr("is not that of lane 0"));
  EXPECT_THAT(failure(one, selectors("0", "0", "0", "%h5")),
              HasSubstr("is not that of lane 0"));
  EXPECT_THAT(failure(one, selectors("0", "0", "0", "0"), 16),
              HasSubstr("needs 32 lanes"));
}

TEST(NarrowMatrixRows, OtherDevicesAreRefused) {
  std::string text =
      kernel(Mxf8f6f4 + ".e4m3.e4m3.f32.ue8m0", ", %r6, {0, 0}, %r7, {0, 0}");
  for (const char *profile : {"a100", "h200", "b200"})
    EXPECT_THAT(Machine(profile).load(text, "sm_120a").message,
                testing::HasSubstr("the module is for sm_120a"));
  EXPECT_THAT(Machine("rtx5090").load(text, "sm_120").message,
              testing::HasSubstr("sm_120a"));
}

} // namespace kiln::sim::test

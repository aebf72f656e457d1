//===- matrix_rows_test.cpp - Matrix instructions --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: products of small integers that every type and every accumulator represents
// exactly, in 64-bit integers; register layouts from the PTX manual's formulas.
// test/sim/arith/tensor_test.cpp tests the rounding of tensor cores.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

#include <algorithm>
#include <random>

namespace kiln::sim::test {

namespace {
struct Element {
  const char *name;
  unsigned bits;
  int low, high; ///< range of the integers used
  uint64_t encode(int x) const {
    std::string n = name;
    if (n == "f16" || n == "bf16")
      return halfTypes[n == "bf16"].encode(x);
    if (n == "e4m3" || n == "e5m2")
      return (n == "e4m3" ? programs::E4m3 : programs::E5m2).encode(x, false);
    if (n == "tf32" || n == "f32")
      return bitsOf(float(x));
    if (n == "f64")
      return std::bit_cast<uint64_t>(double(x));
    return uint64_t(x) & (bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0));
  }
};
const Element F16 = {"f16", 16, -8, 8}, Bf16 = {"bf16", 16, -8, 8},
              F32 = {"f32", 32, 0, 0}, F64 = {"f64", 64, -99, 99},
              Tf32 = {"tf32", 32, -50, 50}, E4m3 = {"e4m3", 8, -2, 2},
              E5m2 = {"e5m2", 8, -2, 2}, S8 = {"s8", 8, -128, 127},
              U8 = {"u8", 8, 0, 255}, S4 = {"s4", 4, -8, 7}, U4 = {"u4", 4, 0, 15},
              S32 = {"s32", 32, 0, 0};

using Matrix = std::vector<int64_t>; ///< row-major

Matrix randomMatrix(std::mt19937 &random, size_t count, const Element &e) {
  Matrix m(count);
  for (int64_t &x : m)
    x = e.low + int64_t(random() % unsigned(e.high - e.low + 1));
  return m;
}

/// Returns A (m x k) times B (given by columns, n x k) plus C.
Matrix product(const Matrix &a, const Matrix &b, const Matrix &c, unsigned n, unsigned k,
               bool clamp) {
  Matrix d = c;
  for (size_t i = 0; i < d.size(); ++i) {
    for (unsigned j = 0; j < k; ++j)
      d[i] += a[i / n * k + j] * b[i % n * k + j];
    if (clamp)
      d[i] = std::clamp<int64_t>(d[i], INT32_MIN, INT32_MAX);
  }
  return d;
}

/// Layout of a lane's elements: `place(register, part)` is (row, column).
struct Fragment {
  unsigned registers, perRegister; ///< registers of 32 bits (f64: 64)
  std::function<std::pair<unsigned, unsigned>(unsigned lane, unsigned r, unsigned part)>
      place;
};

/// Layout of A and B: `e` elements that are adjacent along k per register; registers
/// alternate between rows 8 apart first if there are 16 rows.
Fragment operandFragment(const Element &e, unsigned rows, unsigned k) {
  unsigned each = e.bits == 64 ? 1 : 32 / e.bits, groups = rows / 8;
  return {groups * k / (4 * each), each, [=](unsigned lane, unsigned r, unsigned part) {
            return std::pair(lane / 4 + r % groups * 8,
                             r / groups * 4 * each + lane % 4 * each + part);
          }};
}
/// Layout of accumulators: two adjacent columns per lane; f16 has both in one register.
Fragment sumFragment(const Element &e, unsigned rows) {
  unsigned each = e.bits == 16 ? 2 : 1;
  return {rows / 8 * 2 / each, each, [=](unsigned lane, unsigned r, unsigned part) {
            unsigned n = r * each + part;
            return std::pair(lane / 4 + n / 2 * 8, lane % 4 * 2 + n % 2);
          }};
}

/// Returns the registers of a fragment, lane by lane.
std::vector<uint64_t> packed(const Fragment &f, const Element &e, const Matrix &m,
                             unsigned columns, unsigned lanes = 32) {
  std::vector<uint64_t> words;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned r = 0; r < f.registers; ++r) {
      uint64_t word = 0;
      for (unsigned part = 0; part < f.perRegister; ++part) {
        auto [row, column] = f.place(lane % 32, r, part);
        row += lane / 32 * 16;
        word |= e.encode(int(m[row * columns + column])) << part * e.bits;
      }
      words.push_back(word);
    }
  return words;
}

std::string registerList(char letter, unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned n = 0; n < count; ++n)
    text += (n ? ", %" : "%") + std::string(1, letter) + std::to_string(first + n);
  return text + "}";
}

/// Returns PTX that loads or stores `count` registers of a lane, 8 bytes each, at %i *
/// count of `base`.
std::string transfer(bool load, char letter, unsigned first, unsigned count,
                     const std::string &base) {
  std::string text =
      "mad.wide.u32 %d39, %i, " + std::to_string(count * 8) + ", " + base + ";\n";
  for (unsigned n = 0; n < count; ++n) {
    std::string r = "%" + std::string(1, letter) + std::to_string(first + n),
                at = "[%d39 + " + std::to_string(n * 8) + "]";
    std::string bits = letter == 'r' ? "b32 " : "b64 ";
    text += load ? "ld.global." + bits + r + ", " + at + ";\n"
                 : "st.global." + bits + at + ", " + r + ";\n";
  }
  return text;
}

struct Product {
  const char *text; ///< after "mma.sync.aligned."
  unsigned m, k;
  const Element &a, &b, &sum;
  bool clamp = false;
};

void checkMma(const Product &p) {
  constexpr unsigned N = 8;
  SCOPED_TRACE(p.text);
  Fragment fa = operandFragment(p.a, p.m, p.k), fb = operandFragment(p.b, N, p.k),
           fc = sumFragment(p.sum, p.m);
  char in = p.a.bits == 64 ? 'd' : 'r', out = p.sum.bits == 64 ? 'd' : 'r';
  std::string body = transfer(true, in, 0, fa.registers, "%a") +
                     transfer(true, in, 10, fb.registers, "%b") +
                     transfer(true, out, 20, fc.registers, "%c") + "mma.sync.aligned." +
                     p.text + " " + registerList(out, 30, fc.registers) + ", " +
                     registerList(in, 0, fa.registers) + ", " +
                     registerList(in, 10, fb.registers) + ", " +
                     registerList(out, 20, fc.registers) + ";\n" +
                     transfer(false, out, 30, fc.registers, "%c");
  Machine machine;
  ASSERT_EQ(machine.load(kernelOf("k", body)).message, "");
  std::mt19937 random(5);
  for (int round = 0; round < 4; ++round) {
    Matrix a = randomMatrix(random, p.m * p.k, p.a),
           b = randomMatrix(random, N * p.k, p.b);
    Matrix c = randomMatrix(random, p.m * N, {"", 32, -20, 20});
    if (p.clamp) // values that overflow 32 bits in both directions
      for (size_t n = 0; n < c.size(); n += 2)
        c[n] = n % 4 ? INT32_MAX - int64_t(n) : INT32_MIN + int64_t(n);
    auto bufferA = machine.upload(packed(fa, p.a, a, p.k)),
         bufferB = machine.upload(packed(fb, p.b, b, p.k)),
         bufferC = machine.upload(packed(fc, p.sum, c, N));
    ASSERT_EQ(
        machine.run("k", {}, bufferA.address(), bufferB.address(), bufferC.address())
            .message,
        "");
    std::vector<uint64_t> expected =
        packed(fc, p.sum, product(a, b, c, N, p.k, p.clamp), N);
    for (size_t n = 0; n < expected.size(); ++n)
      ASSERT_EQ(bufferC[n], expected[n])
          << "lane " << n / fc.registers << " register " << n % fc.registers;
  }
}

/// wmma: the simulator defines the layouts; entire matrices are loaded and stored.
struct WarpMatrix {
  unsigned m, n, k, registersA, registersB;
  const char *shape, *load, *sums, *types;
  const Element &a, &b, &sum;
  bool clamp;
};

std::vector<uint32_t> rowWords(const Matrix &m, const Element &e) {
  std::vector<uint32_t> words(m.size() * e.bits / 32);
  for (size_t n = 0; n < m.size(); ++n)
    words[n * e.bits / 32] |= uint32_t(e.encode(int(m[n])) << n * e.bits % 32);
  return words;
}

void checkWmma(const WarpMatrix &w) {
  SCOPED_TRACE(w.types);
  auto stride = [](unsigned n) { return ", " + std::to_string(n) + ";\n"; };
  std::string s = w.shape;
  unsigned sums = w.m * w.n / 32;
  std::string d = registerList('r', 20, sums);
  std::string body =
      "wmma.load.a.sync.aligned.row." + s + ".global." + w.load + " " +
      registerList('r', 0, w.registersA) + ", [%a]" + stride(w.k) +
      "wmma.load.b.sync.aligned.col." + s + ".global." + w.load + " " +
      registerList('r', 10, w.registersB) + ", [%b]" + stride(w.k) +
      "wmma.load.c.sync.aligned.row." + s + ".global." + w.sums + " " + d + ", [%c]" +
      stride(w.n) + "wmma.mma.sync.aligned.row.col." + s + "." + w.types + " " + d +
      ", " + registerList('r', 0, w.registersA) + ", " +
      registerList('r', 10, w.registersB) + ", " + d + ";\n" +
      "bar.warp.sync 0xffffffff;\n" + // PTX leaves open which lane loads which element
      "wmma.store.d.sync.aligned.row." + s + ".global." + w.sums + " [%c], " + d +
      stride(w.n);
  Machine machine;
  ASSERT_EQ(machine.load(kernelOf("k", body)).message, "");
  std::mt19937 random(6);
  Matrix a = randomMatrix(random, w.m * w.k, w.a),
         b = randomMatrix(random, w.n * w.k, w.b),
         c = randomMatrix(random, w.m * w.n, {"", 32, -9, 9});
  if (w.clamp)
    c[0] = INT32_MAX;
  auto bufferA = machine.upload(rowWords(a, w.a)),
       bufferB = machine.upload(rowWords(b, w.b)),
       bufferC = machine.upload(rowWords(c, w.sum));
  ASSERT_EQ(machine.run("k", {}, bufferA.address(), bufferB.address(), bufferC.address())
                .message,
            "");
  auto expected = rowWords(product(a, b, c, w.n, w.k, w.clamp), w.sum);
  for (size_t n = 0; n < expected.size(); ++n)
    ASSERT_EQ(bufferC[n], expected[n]) << n;
}

/// Checks a warpgroup's 64 x k in registers times 8 columns in shared memory, 32 bytes of
/// k.
void checkWarpgroup(const std::string &types, const std::string &tail, const Element &a,
                    const Element &b, const Element &sum) {
  SCOPED_TRACE(types);
  constexpr unsigned M = 64, N = 8, Warps = 4, Lanes = 128;
  unsigned k = 256 / a.bits;
  Fragment fa = operandFragment(a, 16, k), fc = sumFragment(sum, 16);
  std::string d = registerList('r', 20, fc.registers);
  std::string body =
      ".shared .align 128 .b8 s[256];\n"
      // Core matrices of 8 rows of 16 bytes, contiguous along k.
      "setp.ge.u32 %p0, %i, 64; mov.u32 %r30, s; @%p0 bra staged;\n"
      "mad.wide.u32 %d0, %i, 4, %b; ld.global.u32 %r31, [%d0];\n"
      "shr.u32 %r32, %i, 3; and.b32 %r33, %i, 7; shr.u32 %r34, %r33, 2; and.b32 %r33, "
      "%r33, 3;\n"
      "mad.lo.u32 %r35, %r32, 16, %r30; mad.lo.u32 %r35, %r34, 128, %r35;\n"
      "mad.lo.u32 %r35, %r33, 4, %r35; st.shared.u32 [%r35], %r31;\n"
      "staged: fence.proxy.async.shared::cta; bar.sync 0;\n"
      "and.b32 %r30, %r30, 0x3ffff; shr.u32 %r30, %r30, 4; cvt.u64.u32 %d1, %r30;\n"
      "or.b64 %d1, %d1, 0x1000080000;\n" + // 128 and 256 bytes apart
      transfer(true, 'r', 0, fa.registers, "%a") +
      transfer(true, 'r', 20, fc.registers, "%c") +
      "setp.eq.u32 %p1, 0, 0; wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k" +
      std::to_string(k) + "." + types + " " + d + ", " +
      registerList('r', 0, fa.registers) + ", %d1, %p1" + tail + ";\n" +
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n" +
      transfer(false, 'r', 20, fc.registers, "%c");
  Machine machine;
  ASSERT_EQ(machine.load(kernelOf("k", body)).message, "");
  std::mt19937 random(7);
  Matrix ma = randomMatrix(random, M * k, a), mb = randomMatrix(random, N * k, b),
         mc = randomMatrix(random, M * N, {"", 32, -9, 9});
  auto bufferA = machine.upload(packed(fa, a, ma, k, Lanes));
  auto bufferB = machine.upload(rowWords(mb, b));
  auto bufferC = machine.upload(packed(fc, sum, mc, N, Lanes));
  ASSERT_EQ(machine
                .run("k", {.block = {Warps * 32}}, bufferA.address(), bufferB.address(),
                     bufferC.address())
                .message,
            "");
  auto expected = packed(fc, sum, product(ma, mb, mc, N, k, false), N, Lanes);
  for (size_t n = 0; n < expected.size(); ++n)
    ASSERT_EQ(bufferC[n], expected[n]) << n;
}
} // namespace

TEST(MatrixRows, Mma) {
  for (const Product &p : std::initializer_list<Product>{
           {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, F16, F16, F32},
           {"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, F16, F16, F16},
           {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, Bf16, Bf16, F32},
           {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, Tf32, Tf32, F32},
           {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, Tf32, Tf32, F32},
           {"m16n8k32.row.col.f32.e4m3.e5m2.f32", 16, 32, E4m3, E5m2, F32},
           {"m16n8k32.row.col.f16.e5m2.e4m3.f16", 16, 32, E5m2, E4m3, F16},
           {"m16n8k16.row.col.f16.e4m3.e4m3.f16", 16, 16, E4m3, E4m3, F16},
           {"m16n8k16.row.col.f32.e5m2.e5m2.f32", 16, 16, E5m2, E5m2, F32},
           {"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, F64, F64, F64},
           {"m16n8k4.row.col.f64.f64.f64.f64", 16, 4, F64, F64, F64},
           {"m16n8k8.row.col.rz.f64.f64.f64.f64", 16, 8, F64, F64, F64},
           {"m16n8k16.row.col.f64.f64.f64.f64", 16, 16, F64, F64, F64}})
    checkMma(p);
}

TEST(MatrixRows, MmaOfIntegers) {
  for (const Product &p : std::initializer_list<Product>{
           {"m8n8k16.row.col.s32.s8.u8.s32", 8, 16, S8, U8, S32},
           {"m8n8k16.row.col.satfinite.s32.u8.u8.s32", 8, 16, U8, U8, S32, true},
           {"m16n8k16.row.col.s32.u8.s8.s32", 16, 16, U8, S8, S32},
           {"m16n8k32.row.col.satfinite.s32.s8.s8.s32", 16, 32, S8, S8, S32, true},
           {"m8n8k32.row.col.s32.s4.u4.s32", 8, 32, S4, U4, S32},
           {"m8n8k32.row.col.satfinite.s32.u4.u4.s32", 8, 32, U4, U4, S32, true},
           {"m16n8k32.row.col.s32.u4.s4.s32", 16, 32, U4, S4, S32},
           {"m16n8k64.row.col.satfinite.s32.s4.s4.s32", 16, 64, S4, S4, S32, true}})
    checkMma(p);
}

TEST(MatrixRows, Wmma) {
  checkWmma({16, 16, 8, 4, 4, "m16n16k8", "tf32", "f32", "f32.tf32.tf32.f32", Tf32, Tf32,
             F32, false});
  checkWmma(
      {8, 8, 32, 1, 1, "m8n8k32", "s4", "s32", "s32.s4.s4.s32", S4, S4, S32, false});
  checkWmma({8, 8, 32, 1, 1, "m8n8k32", "u4", "s32", "s32.u4.u4.s32.satfinite", U4, U4,
             S32, true});
}

TEST(MatrixRows, WarpgroupWithRegisters) {
  checkWarpgroup("f32.tf32.tf32", ", 1, 1", Tf32, Tf32, F32);
  checkWarpgroup("f32.f16.f16", ", 1, 1, 0", F16, F16, F32);
  checkWarpgroup("f16.f16.f16", ", 1, 1, 0", F16, F16, F16);
  checkWarpgroup("f32.bf16.bf16", ", 1, 1, 0", Bf16, Bf16, F32);
  checkWarpgroup("f32.e4m3.e5m2", ", 1, 1", E4m3, E5m2, F32);
  checkWarpgroup("f16.e5m2.e4m3", ", 1, 1", E5m2, E4m3, F16);
  checkWarpgroup("s32.s8.u8", "", S8, U8, S32);
  checkWarpgroup("s32.u8.u8", "", U8, U8, S32);
}

} // namespace kiln::sim::test

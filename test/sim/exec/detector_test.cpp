//===- detector_test.cpp - Errors of kernels, and clean twins -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

namespace kiln::sim::test {

namespace {
struct Result {
  Outcome outcome;
  bool has(const std::string &text) const {
    return outcome.message.find(text) != std::string::npos;
  }
};

/// Runs a kernel of 32 threads: %a is 32 initialised words, %b 32 fresh ones, %c 32
/// zeros.
Result runBody(const std::string &body, const std::string &before = "") {
  Machine machine;
  Result result;
  result.outcome = machine.load(before + kernelOf("k", body));
  EXPECT_EQ(result.outcome.message, "");
  if (!result.outcome.ok())
    return result;
  auto a = machine.upload(std::vector<uint32_t>(32, 5));
  auto b = machine.fresh<uint32_t>(32);
  auto c = machine.zeros<uint32_t>(32);
  result.outcome =
      machine.run("k", {.block = {32}}, a.address(), b.address(), c.address());
  return result;
}

void expectBug(const std::string &body, int cuda, const std::string &words,
               const std::string &before = "") {
  Result r = runBody(body, before);
  EXPECT_EQ(r.outcome.cuda, cuda) << body << "\n" << r.outcome.message;
  EXPECT_TRUE(r.has(words)) << body << "\n" << r.outcome.message;
  EXPECT_TRUE(r.has("kernel k, block (0,0,0), warp 0")) << r.outcome.message;
  EXPECT_TRUE(r.has("line ")) << r.outcome.message;
}
void expectClean(const std::string &body, const std::string &before = "") {
  Result r = runBody(body, before);
  EXPECT_EQ(r.outcome.message, "") << body;
}
} // namespace

TEST(Detector, OutOfBounds) {
  expectBug("ld.global.u32 %r0, [%pa+4]; st.global.u32 [%pc], %r0;", 700,
            "out of bounds");
  expectClean("ld.global.u32 %r0, [%pa]; st.global.u32 [%pc], %r0;");
  std::string shared = ".shared .align 4 .b8 s[128];\n";
  std::string address = "mov.u32 %r1, s; mad.lo.u32 %r2, %i, 4, %r1;\n";
  expectBug(address + "st.shared.u32 [%r2+4], %i;", 700, "out of bounds", shared);
  expectClean(address + "st.shared.u32 [%r2], %i;", shared);
}

TEST(Detector, Misaligned) {
  expectBug("st.global.u32 [%c+2], %i;", 716, "misaligned");
  expectClean("mov.b32 %r0, 1; mov.b32 %r1, 2;\n"
              "setp.eq.u32 %p0, %i, 0; @%p0 st.global.v2.b32 [%c+8], {%r0, %r1};");
  expectBug("mov.b32 %r0, 1; mov.b32 %r1, 2; st.global.v2.b32 [%c+4], {%r0, %r1};", 716,
            "misaligned");
}

TEST(Detector, WrongSpace) {
  std::string shared = ".shared .align 4 .u32 s;\n";
  expectBug("mov.u64 %d0, s; cvta.shared.u64 %d1, %d0; st.global.u32 [%d1], %i;", 717,
            "which is a generic address of shared memory", shared);
  expectClean("mov.u64 %d0, s; cvta.shared.u64 %d1, %d0; setp.eq.u32 %p0, %i, 0;\n"
              "@%p0 st.u32 [%d1], %i;",
              shared);
}

TEST(Detector, UninitialisedMemory) {
  expectBug("ld.global.u32 %r0, [%pb]; st.global.u32 [%pc], %r0;", 719, "uninitialised");
  expectClean("st.global.u32 [%pb], %i; ld.global.u32 %r0, [%pb];"
              "st.global.u32 [%pc], %r0;");
  std::string shared = ".shared .align 4 .b8 s[128];\n";
  std::string address = "mov.u32 %r1, s; mad.lo.u32 %r2, %i, 4, %r1;\n";
  expectBug(address + "ld.shared.u32 %r3, [%r2]; st.global.u32 [%pc], %r3;", 719,
            "uninitialised", shared);
  expectClean(address + "st.shared.u32 [%r2], 1; ld.shared.u32 %r3, [%r2];"
                        "st.global.u32 [%pc], %r3;",
              shared);
}

TEST(Detector, UninitialisedRegister) {
  expectBug("setp.lt.u32 %p0, %i, 16; @%p0 mov.u32 %r0, 3; add.u32 %r1, %r0, 1;\n"
            "st.global.u32 [%pc], %r1;",
            719, "register %r1 is stored");
  expectClean("setp.lt.u32 %p0, %i, 16; @%p0 mov.u32 %r0, 3; @!%p0 mov.u32 %r0, 4;\n"
              "add.u32 %r1, %r0, 1; st.global.u32 [%pc], %r1;");
  expectClean("setp.lt.u32 %p0, %i, 16; @%p0 mov.u32 %r0, 3; add.u32 %r1, %r0, 1;\n"
              "@%p0 st.global.u32 [%pc], %r1;");
}

TEST(Detector, HalvesOfRegisters) {
  // %r1 is never written: it may be packed and dropped again, but not used.
  const std::string pack = "mov.b64 %d1, {%i, %r1}; mov.b64 {%r2, %r3}, %d1;\n";
  expectClean(pack + "st.global.u32 [%pc], %r2;");
  expectBug(pack + "st.global.u32 [%pc], %r3;", 719, "register %r3 is stored");
  expectBug(pack + "st.global.u64 [%pc], %d1;", 719, "register %d1 is stored");
  // Carries only propagate upward.
  const std::string add = pack + "add.u64 %d2, %d1, 1; mov.b64 {%r2, %r3}, %d2;\n";
  expectClean(add + "st.global.u32 [%pc], %r2;");
  expectBug(add + "st.global.u32 [%pc], %r3;", 719, "register %r3 is stored");
  expectBug("mov.b64 %d1, {%r1, %i}; mov.b64 {%r2, %r3}, %d1; st.global.u32 [%pc], %r2;",
            719, "register %r2 is stored");
  expectClean(
      "mov.b64 %d1, {%r1, %i}; mov.b64 {%r2, %r3}, %d1; st.global.u32 [%pc], %r3;");
}

TEST(Detector, BytesOfRegisters) {
  // %h1 and %r1 are never written: packing and dropping them again is allowed.
  const std::string pack = "mov.b16 %h2, 3; mov.b32 %r2, {%h2, %h1};\n";
  const std::string store = "st.global.u32 [%pc], %r3;";
  expectClean(pack + "and.b32 %r3, %r2, 0xffff;" + store);
  expectClean(pack + "shl.b32 %r3, %r2, 16;" + store);
  expectClean(pack + "prmt.b32 %r3, %r2, %i, 0x1010;" + store);
  expectClean(pack + "mov.b32 {%h3, %h4}, %r2; st.global.b16 [%pc], %h3;");
  expectClean(pack + "cvt.u16.u32 %h3, %r2; st.global.b16 [%pc], %h3;");
  expectClean(pack +
              "mov.b64 %d1, {%r2, %r1}; mov.b64 {%r4, %r5}, %d1;\n"
              "or.b32 %r3, %r4, 0xffff0000;" +
              store);
  expectClean(pack + "setp.lt.u32 %p0, %i, 99; selp.b32 %r4, %r2, %r2, %p0;\n"
                     "mov.b32 {%h3, %h4}, %r4; st.global.b16 [%pc], %h3;");
  expectClean(pack + "st.global.b8 [%pc], %r2;");
  for (const char *use :
       {"and.b32 %r3, %r2, 0x1ffff;", "shl.b32 %r3, %r2, 15;",
        "prmt.b32 %r3, %r2, %i, 0x1012;", "shr.u32 %r3, %r2, 8;", "add.u32 %r3, %r2, 0;",
        "xor.b32 %r3, %r2, %i;", "or.b32 %r3, %r2, 0x00ff0000;", "shr.s32 %r3, %r2, 16;"})
    expectBug(pack + use + store, 719, "register %r3 is stored");
  expectBug(pack + "mov.b32 {%h3, %h4}, %r2; st.global.b16 [%pc], %h4;", 719,
            "register %h4 is stored");
}

TEST(Detector, BytesThatAreCutOut) {
  // The low half of %r2 is defined.
  const std::string pack = "mov.b16 %h2, 3; mov.b32 %r2, {%h2, %h1};\n";
  const std::string store = "st.global.u32 [%pc], %r3;";
  for (const char *use :
       {"mad.lo.u32 %r4, %r2, %i, 7; and.b32 %r3, %r4, 0xffff;",
        "sub.u32 %r4, %i, %r2; bfe.u32 %r3, %r4, 3, 13;", "bfe.s32 %r3, %r2, 8, 8;",
        "bfi.b32 %r3, %r2, %i, 8, 16;", "shf.l.wrap.b32 %r3, %i, %r2, 16;",
        "shf.r.wrap.b32 %r3, %i, %r2, 16;",
        "min.f16x2 %r4, %r2, %r2; set.nan.f16x2.f16x2 %r5, %r4, %r4;\n"
        "prmt.b32 %r3, %r5, %i, 0x7610;"})
    expectClean(pack + use + store);
  for (const char *use :
       {"mad.hi.u32 %r3, %r2, %i, 7;", "bfe.u32 %r3, %r2, 3, 14;",
        "bfi.b32 %r3, %r2, %i, 8, 17;", "shf.l.wrap.b32 %r3, %r2, %i, 15;",
        "shf.r.wrap.b32 %r3, %r2, %i, 15;", "neg.s32 %r3, %r2;",
        "set.nan.f16x2.f16x2 %r5, %r2, %r2; prmt.b32 %r3, %r5, %i, 0x7620;"})
    expectBug(pack + use + store, 719, "register %r3 is stored");
}

TEST(Detector, BytesThatATableLeavesOut) {
  // The low half of %r2 is defined; 0xf8 is a | (b & c).
  const std::string pack = "mov.b16 %h2, 3; mov.b32 %r2, {%h2, %h1};\n";
  const std::string store = "st.global.u32 [%pc], %r3;";
  expectClean(pack + "lop3.b32 %r3, %i, 0x00008000, %r2, 0xf8;" + store);
  expectBug(pack + "lop3.b32 %r3, %i, 0x80008000, %r2, 0xf8;" + store, 719,
            "register %r3 is stored");
  expectBug(pack + "lop3.b32 %r3, %r2, 0x00008000, %i, 0xf8;" + store, 719,
            "register %r3 is stored");
  expectClean(pack + "lop3.b32 %r3, %r2, %i, %i, 0xaa;" + store); // c alone
}

TEST(Detector, ElementsOfPackedRegisters) {
  // %f2 and %h1 are never written.
  const std::string narrow = "mov.f32 %f1, 0f3f800000;\n"
                             "cvt.rn.satfinite.e5m2x2.f32 %h2, %f2, %f1;\n";
  expectClean(narrow + "st.global.b8 [%pc], %h2;");
  expectClean(narrow + "cvt.rn.f16x2.e5m2x2 %r1, %h2; mov.b32 {%h3, %h4}, %r1;\n"
                       "st.global.b16 [%pc], %h3;");
  expectBug(narrow + "st.global.b16 [%pc], %h2;", 719, "register %h2 is stored");
  expectBug(narrow + "cvt.rn.f16x2.e5m2x2 %r1, %h2; mov.b32 {%h3, %h4}, %r1;\n"
                     "st.global.b16 [%pc], %h4;",
            719, "register %h4 is stored");
  const std::string halves = "mov.f32 %f1, 0f3f800000; cvt.rn.bf16x2.f32 %r1, %f1, %f2;\n"
                             "fma.rn.bf16x2 %r2, %r1, %r1, %r1;\n"
                             "mov.b32 {%h3, %h4}, %r2;\n";
  expectClean(halves + "st.global.b16 [%pc], %h4;");
  expectBug(halves + "st.global.b16 [%pc], %h3;", 719, "register %h3 is stored");
}

TEST(Detector, Freed) {
  Machine machine;
  ASSERT_TRUE(machine.load(kernelOf("k", "st.global.u32 [%pc], %i;")).ok());
  auto c = machine.zeros<uint32_t>(32);
  uint64_t address = c.address();
  machine.memory.release(address);
  Outcome outcome = machine.run("k", {.block = {32}}, address, address, address);
  EXPECT_EQ(outcome.cuda, 700);
  EXPECT_NE(outcome.message.find("use after free"), std::string::npos) << outcome.message;
}

TEST(Detector, Collectives) {
  expectBug("setp.lt.u32 %p0, %i, 16; @%p0 bra OUT;\n"
            "shfl.sync.idx.b32 %r0, %i, 0, 31, 0xffff;\nOUT:",
            719, "member mask");
  expectClean("shfl.sync.idx.b32 %r0, %i, 0, 31, 0xffffffff; st.global.u32 [%pc], %r0;");
}

TEST(Detector, BarrierCounts) {
  expectBug("mov.u32 %r0, 48; bar.sync 1, %r0;", 719, "barrier misuse");
  expectClean("mov.u32 %r0, 32; bar.sync 1, %r0;");
}

} // namespace kiln::sim::test

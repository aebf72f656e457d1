//===- spellings_test.cpp - Forms as code generators spell them ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

namespace kiln::sim::test {

namespace {
/// Returns what a kernel with 32 threads stores to %pc; %pa holds 5, 6, 7 ...
std::vector<uint32_t> stored(const std::string &body) {
  Machine machine;
  Outcome outcome = machine.load(kernelOf("k", body));
  EXPECT_EQ(outcome.message, "") << body;
  std::vector<uint32_t> values(32), result(32);
  for (uint32_t i = 0; i < 32; ++i)
    values[i] = 5 + i;
  auto a = machine.upload(values);
  auto b = machine.zeros<uint32_t>(32), c = machine.zeros<uint32_t>(32);
  if (!outcome.ok())
    return result;
  outcome = machine.run("k", {.block = {32}}, a.address(), b.address(), c.address());
  EXPECT_EQ(outcome.message, "") << body;
  memcpy(result.data(), c.data(), sizeof(uint32_t) * 32);
  return result;
}

std::string loadError(const std::string &body) {
  Machine machine;
  return machine.load(kernelOf("k", body)).message;
}
} // namespace

TEST(Spellings, ScalarsInBraces) {
  for (const char *load :
       {"ld.global.b32 { %r1 }, [%pa + 0];", "ld.global.nc.b32 {%r1}, [%pa];",
        "ld.acquire.gpu.global.b32 {%r1}, [%pa];",
        "mov.u32 %r1, 0; setp.ge.u32 %p1, %i, 0;\n"
        "@%p1 ld.global.L1::evict_last.b32 { %r1 }, [ %pa + 0 ];"})
    EXPECT_EQ(stored(load + std::string("st.global.b32 [%pc], { %r1 };"))[3], 8u) << load;
  EXPECT_EQ(stored("st.global.b32 [%pc], {9};")[31], 9u);
  // Only loads and stores accept braces, and a sink has no type there.
  EXPECT_NE(loadError("atom.global.add.u32 {%r1}, [%pa], %i;"), "");
  EXPECT_NE(loadError("add.u32 {%r1}, %i, 1;"), "");
  EXPECT_NE(loadError("ld.global.b32 {_}, [%pa];"), "");
  EXPECT_NE(loadError("ld.global.b32 {%r1, %r2}, [%pa];"), "");
}

TEST(Spellings, AddressesOfParametersIn32Bits) {
  const std::string store = "add.u32 %r2, %r1, 0; st.global.b32 [%pc], %r2;";
  // The first parameter points to 5, 6 ...: read it through its address.
  const std::string follow = "ld.global.b32 %r1, [%d3];" + store;
  EXPECT_EQ(stored("mov.b32 %r0, pa; cvt.u64.u32 %d1, %r0; cvta.param.u64 %d2, %d1;\n"
                   "ld.b64 %d3, [%d2];" +
                   follow)[7],
            5u);
  EXPECT_EQ(
      stored("mov.b64 %d1, pa; cvta.param.u64 %d2, %d1; ld.b64 %d3, [%d2];" + follow)[7],
      5u);
  EXPECT_EQ(stored("mov.b32 %r0, pa; ld.param.b64 %d3, [%r0];" + follow)[7], 5u);
  EXPECT_EQ(stored("mov.b32 %r0, pa; cvt.u64.u32 %d1, %r0;\n"
                   "ld.param.b64 %d3, [%d1 + 0];" +
                   follow)[7],
            5u);
}

TEST(Spellings, ExactConversionsNeedNoRounding) {
  // 1.5 in f16 is 0x3e00, in bf16 0x3fc0.
  EXPECT_EQ(stored("mov.b16 %h1, 0x3e00; cvt.bf16.f16 %h2, %h1; cvt.u32.u16 %r1, %h2;\n"
                   "st.global.b32 [%pc], %r1;")[0],
            0x3fc0u);
  EXPECT_EQ(stored("mov.b16 %h1, 0x3fc0; cvt.f16.bf16 %h2, %h1; cvt.u32.u16 %r1, %h2;\n"
                   "st.global.b32 [%pc], %r1;")[0],
            0x3e00u);
  EXPECT_EQ(stored("mov.b16 %h1, 0x3fc0; cvt.bf16.bf16 %h2, %h1; cvt.u32.u16 %r1, %h2;\n"
                   "st.global.b32 [%pc], %r1;")[0],
            0x3fc0u);
  EXPECT_NE(loadError("cvt.bf16.f32 %h1, %f1;"), "");
}

} // namespace kiln::sim::test

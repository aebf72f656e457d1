//===- vector_add_test.cpp - The first kernel ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

namespace kiln::sim::test {

namespace {
const char *const vectorAdd = R"(
.visible .entry vectorAdd(.param .u64 .ptr .align 1 p0, .param .u64 .ptr .align 1 p1,
                          .param .u64 .ptr .align 1 p2, .param .u32 p3) {
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<11>;
  ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];
  ld.param.u32 %r2, [p3];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r1, %r3, %r4, %r5;
  setp.ge.s32 %p1, %r1, %r2;
  @%p1 bra $L__BB0_2;
  cvta.to.global.u64 %rd4, %rd1;
  mul.wide.s32 %rd5, %r1, 4;
  add.s64 %rd6, %rd4, %rd5;
  cvta.to.global.u64 %rd7, %rd2;
  add.s64 %rd8, %rd7, %rd5;
  ld.global.f32 %f1, [%rd8];
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f2, %f1;
  cvta.to.global.u64 %rd9, %rd3;
  add.s64 %rd10, %rd9, %rd5;
  st.global.f32 [%rd10], %f3;
$L__BB0_2:
  ret;
})";
} // namespace

TEST(VectorAdd, AddsAndLeavesTheRest) {
  Machine machine;
  ASSERT_EQ(machine.load(vectorAdd).message, "");
  const uint32_t count = 1000;
  std::vector<float> a(count), b(count);
  for (uint32_t i = 0; i < count; ++i) {
    a[i] = 0.5f * float(i);
    b[i] = 1000.0f - float(i);
  }
  auto da = machine.upload(a), db = machine.upload(b);
  auto dc = machine.zeros<float>(1024);
  Outcome outcome = machine.run("vectorAdd", {.grid = {8}, .block = {128}}, da.address(),
                                db.address(), dc.address(), count);
  ASSERT_EQ(outcome.message, "");
  for (uint32_t i = 0; i < count; ++i)
    ASSERT_EQ(dc[i], a[i] + b[i]) << i;
  for (uint32_t i = count; i < 1024; ++i)
    ASSERT_EQ(dc[i], 0.0f) << i;
}

} // namespace kiln::sim::test

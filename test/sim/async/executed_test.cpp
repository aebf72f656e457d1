//===- executed_test.cpp - Asynchronous and matrix instructions, executed -===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Forms that the CUDA programs do not use, each in a small kernel of its own.
//
//===----------------------------------------------------------------------===//
#include "test/sim/exec/harness.h"

using namespace kiln::sim;
using namespace kiln::sim::test;

namespace {

/// Returns a kernel with pointers in %a, %b, %c, the thread's index in %t, and the
/// addresses of its 32-bit elements of a and b in %pa, %pb.
std::string kernelText(const std::string &body) {
  return ".visible .entry k(.param .b64 pa, .param .b64 pb, .param .b64 pc) {\n"
         "  .reg .b32 %r<20>, %t; .reg .b64 %d<20>, %a, %b, %c, %pa, %pb;\n"
         "  .reg .f32 %f<20>; .reg .pred %p<20>;\n"
         "  mov.u32 %t, %tid.x;\n"
         "  ld.param.b64 %a, [pa]; ld.param.b64 %b, [pb]; ld.param.b64 %c, [pc];\n"
         "  mad.wide.u32 %pa, %t, 4, %a; mad.wide.u32 %pb, %t, 4, %b;\n" +
         body + "\n  ret;\n}\n";
}

/// Loads a kernel named k with pointers a, b and c, runs it and returns the outcome.
Outcome runKernel(Machine &machine, const std::string &body, const Machine::Shape &shape,
                  uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  Outcome loaded = machine.load(kernelText(body));
  EXPECT_TRUE(loaded.ok()) << loaded.message;
  return loaded.ok() ? machine.run("k", shape, a, b, c) : loaded;
}

TEST(Executed, MovmatrixTransposes) {
  Machine machine;
  std::vector<uint16_t> matrix(64);
  for (unsigned i = 0; i < 64; ++i)
    matrix[i] = uint16_t(i);
  auto in = machine.upload(matrix);
  auto out = machine.zeros<uint16_t>(64);
  Outcome outcome = runKernel(machine,
                              "  ld.global.b32 %r1, [%pa];\n"
                              "  movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\n"
                              "  st.global.b32 [%pb], %r2;",
                              {}, in.address(), out.address());
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column)
      EXPECT_EQ(out[row * 8 + column], column * 8 + row);
}

/// Builds a map of 32 x 8 words in shared memory from zeros and copies a box with it.
std::string copyByBuiltMap(const std::string &fields) {
  return "  .shared .align 128 .b8 map[128]; .shared .align 128 .b8 box[128];\n"
         "  .shared .align 8 .b64 bar;\n"
         "  mov.u32 %r1, map; mad.lo.u32 %r1, %t, 4, %r1; mov.b32 %r2, 0;\n"
         "  st.shared.b32 [%r1], %r2; bar.warp.sync 0xffffffff;\n"
         "  setp.eq.u32 %p1, %t, 0;\n"
         "  @!%p1 bra built;\n"
         "  mov.b64 %d9, 128; mbarrier.init.shared.b64 [bar], 1;\n" +
         fields +
         "built: bar.warp.sync 0xffffffff;\n"
         "  mov.u64 %d5, map; cvta.shared.u64 %d5, %d5;\n"
         "  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu"
         ".sync.aligned [%b], [map], 128;\n"
         "  fence.proxy.tensormap::generic.acquire.gpu [%b], 128;\n"
         "  fence.proxy.async; @!%p1 bra end;\n"
         "  mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;\n"
         "  mov.b32 %r3, 4; mov.b32 %r4, 1;\n"
         "  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier"
         "::complete_tx::bytes [box], [%b, {%r3, %r4}], [bar];\n"
         "again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n"
         "  @!%p2 bra again;\n"
         "  ld.shared.b32 %r5, [box]; ld.shared.b32 %r6, [box + 32];\n"
         "  st.global.v2.b32 [%c], {%r5, %r6};\n"
         "end:";
}

TEST(Executed, TensorMapFromZeros) {
  std::string set = "tensormap.replace.tile.", at = ".shared::cta.b1024.";
  auto word = [&](const std::string &name, const std::string &rest) {
    return "  " + set + name + at + "b32 [map], " + rest + ";\n";
  };
  std::string most =
      "  " + set + "global_address" + at + "b64 [map], %a;\n" + word("rank", "1") +
      word("box_dim", "0, 8") + word("box_dim", "1, 4") + word("global_dim", "0, 32") +
      word("elemtype", "2") + "  " + set + "global_stride" + at + "b64 [map], 0, %d9;\n" +
      word("element_stride", "0, 1") + word("element_stride", "1, 1");
  Machine machine;
  std::vector<uint32_t> values(32 * 8);
  for (uint32_t i = 0; i < values.size(); ++i)
    values[i] = i;
  auto from = machine.upload(values);
  auto map = machine.fresh<uint8_t>(128);
  auto out = machine.zeros<uint32_t>(2);
  Outcome outcome = runKernel(machine, copyByBuiltMap(most + word("global_dim", "1, 8")),
                              {}, from.address(), map.address(), out.address());
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(out[0], 36u);
  EXPECT_EQ(out[1], 68u);
  // A missing field is named; bytes that are neither a map nor zeros are reported.
  outcome = runKernel(machine, copyByBuiltMap(most), {}, from.address(), map.address(),
                      out.address());
  EXPECT_NE(outcome.message.find("never set .global_dim of dimension 1"),
            std::string::npos)
      << outcome.message;
  outcome = runKernel(machine, copyByBuiltMap("st.shared.b32 [map + 8], 1;\n" + most), {},
                      from.address(), map.address(), out.address());
  EXPECT_NE(outcome.message.find("no tensor map and not zero"), std::string::npos)
      << outcome.message;
}

TEST(Executed, MbarrierCounts) {
  Machine machine;
  auto out = machine.zeros<uint32_t>(32);
  std::string body = "  .shared .align 8 .b64 bar;\n"
                     "  setp.ne.u32 %p1, %t, 0;\n"
                     "  @%p1 bra end;\n"
                     "  mbarrier.init.shared.b64 [bar], 5;\n"
                     "  mbarrier.arrive.noComplete.shared.b64 %d1, [bar], 2;\n"
                     "  mbarrier.pending_count.b64 %r1, %d1;\n"
                     "  mbarrier.arrive_drop.noComplete.shared.b64 %d2, [bar], 1;\n"
                     "  mbarrier.pending_count.b64 %r2, %d2;\n"
                     "  mbarrier.arrive.shared::cta.b64 %d3, [bar], 2;\n"
                     "  mbarrier.test_wait.shared.b64 %p2, [bar], %d3;\n"
                     "  selp.u32 %r3, 1, 0, %p2;\n"
                     "  mbarrier.arrive.noComplete.shared.b64 %d4, [bar], 1;\n"
                     "  mbarrier.pending_count.b64 %r4, %d4;\n"
                     "  mbarrier.inval.shared.b64 [bar];\n"
                     "  st.global.v4.u32 [%a], {%r1, %r2, %r3, %r4};\n"
                     "end:";
  Outcome outcome = runKernel(machine, body, {}, out.address());
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(out[0], 5u); // state before each arrival
  EXPECT_EQ(out[1], 3u);
  EXPECT_EQ(out[2], 1u);
  EXPECT_EQ(out[3], 4u); // after one arrive_drop
}

TEST(Executed, CopyReadsLessThanItWrites) {
  Machine machine;
  auto in = machine.upload(std::vector<uint32_t>{1, 2, 3, 4});
  auto out = machine.zeros<uint32_t>(8);
  std::string body = "  .shared .align 16 .b8 tile[32];\n"
                     "  setp.ne.u32 %p1, %t, 0;\n"
                     "  @%p1 bra end;\n"
                     "  mov.u32 %r1, tile;\n"
                     "  setp.eq.u32 %p2, %t, 0;\n"
                     "  cp.async.cg.shared.global [%r1], [%a], 16, 8;\n"
                     "  cp.async.ca.shared.global [%r1+16], [%a], 16, %p2;\n"
                     "  cp.async.wait_all;\n"
                     "  ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r1];\n"
                     "  st.global.v4.u32 [%b], {%r2, %r3, %r4, %r5};\n"
                     "  ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r1+16];\n"
                     "  st.global.v4.u32 [%b+16], {%r2, %r3, %r4, %r5};\n"
                     "end:";
  Outcome outcome = runKernel(machine, body, {}, in.address(), out.address());
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  const uint32_t expected[] = {1, 2, 0, 0, 0, 0, 0, 0};
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(out[i], expected[i]) << i;
}

TEST(Executed, BulkReductionAddsIntoGlobalMemory) {
  Machine machine;
  auto out = machine.upload(std::vector<uint32_t>(32, 100));
  std::string body =
      "  .shared .align 16 .b8 tile[128];\n"
      "  mov.u32 %r1, tile;\n"
      "  mad.lo.u32 %r2, %t, 4, %r1;\n"
      "  st.shared.u32 [%r2], %t;\n"
      "  fence.proxy.async.shared::cta;\n"
      "  bar.sync 0;\n"
      "  setp.ne.u32 %p1, %t, 0;\n"
      "  @%p1 bra end;\n"
      "  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%a], [%r1], 128;\n"
      "  cp.async.bulk.commit_group;\n"
      "  cp.async.bulk.wait_group 0;\n"
      "end:";
  Outcome outcome = runKernel(machine, body, {}, out.address());
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], 100 + i);
}

/// Block 0 stores and reduces into block 1's memory; block 1 waits for the bytes.
TEST(Executed, RemoteStoresCompleteBytes) {
  Machine machine;
  auto out = machine.zeros<uint32_t>(4);
  std::string body =
      "  .shared .align 16 .b8 box[16];\n"
      "  .shared .align 8 .b64 bar;\n"
      "  mov.u32 %r9, %cluster_ctarank;\n"
      "  setp.eq.u32 %p1, %t, 0;\n"
      "  @%p1 mbarrier.init.shared.b64 [bar], 1;\n"
      "  mov.u32 %r1, box; mov.u32 %r2, bar;\n"
      "  mov.u32 %r3, 40;\n"
      "  @%p1 st.shared.u32 [box+8], %r3;\n"
      "  fence.mbarrier_init.release.cluster;\n"
      "  fence.proxy.async;\n"
      "  barrier.cluster.arrive; barrier.cluster.wait;\n"
      "  setp.ne.u32 %p2, %r9, 0;\n"
      "  or.pred %p3, %p2, !%p1;\n"
      "  @%p3 bra other;\n"
      "  mapa.shared::cluster.u32 %r4, %r1, 1;\n"
      "  mapa.shared::cluster.u32 %r5, %r2, 1;\n"
      "  mov.u32 %r6, 7; mov.u32 %r7, 8; mov.u32 %r8, 2;\n"
      "  st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r4], {%r6, %r7}, "
      "[%r5];\n"
      "  red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
      "[%r4+8], %r8, [%r5];\n"
      "other:\n"
      "  and.pred %p4, %p2, %p1;\n"
      "  @!%p4 bra end;\n"
      "  mbarrier.arrive.expect_tx.shared::cta.b64 %d1, [bar], 12;\n"
      "wait:\n"
      "  mbarrier.try_wait.shared::cta.b64 %p5, [bar], %d1;\n"
      "  @!%p5 bra wait;\n"
      "  ld.shared.v2.u32 {%r3, %r4}, [box];\n"
      "  ld.shared.u32 %r5, [box+8];\n"
      "  st.global.u32 [%a], %r3; st.global.u32 [%a+4], %r4; st.global.u32 [%a+8], %r5;\n"
      "end:\n"
      "  barrier.cluster.arrive; barrier.cluster.wait;";
  for (const char *schedule : {"eager", "late,reverse", "random,random,3"}) {
    Setting setting("KILN_SIM_SCHEDULE", schedule);
    Outcome outcome = runKernel(machine, body, {.grid = {2, 1, 1}, .cluster = {2, 1, 1}},
                                out.address());
    ASSERT_TRUE(outcome.ok()) << schedule << ": " << outcome.message;
    EXPECT_EQ(out[0], 7u);
    EXPECT_EQ(out[1], 8u);
    EXPECT_EQ(out[2], 42u);
  }
}

TEST(Executed, QuadPairProducts) {
  // Four 8x8x4 MMAs: A all ones, B the identity's first rows, C zero.
  Machine machine;
  auto out = machine.zeros<float>(32 * 8);
  std::string body = "  .reg .f32 %s<8>; .reg .b32 %o; .reg .b64 %w;\n"
                     "  mov.b32 %o, 0x3c003c00;\n"
                     "  mov.f32 %f0, 0f3F800000;\n"
                     "  mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 "
                     "{%s0,%s1,%s2,%s3,%s4,%s5,%s6,%s7}, "
                     "{%o,%o}, {%o,%o}, {%f0,%f0,%f0,%f0,%f0,%f0,%f0,%f0};\n"
                     "  mad.wide.u32 %w, %t, 32, %a;\n"
                     "  st.global.v4.f32 [%w], {%s0,%s1,%s2,%s3};\n"
                     "  st.global.v4.f32 [%w+16], {%s4,%s5,%s6,%s7};";
  Outcome outcome = runKernel(machine, body, {}, out.address());
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  for (unsigned i = 0; i < 256; ++i)
    EXPECT_EQ(out[i], 5.0f);
}

TEST(Executed, MatrixInstructionsNeedTheWholeWarp) {
  Machine machine;
  auto out = machine.zeros<uint32_t>(32);
  Outcome outcome = runKernel(machine,
                              "  setp.eq.u32 %p1, %t, 3;\n"
                              "  @%p1 exit;\n"
                              "  movmatrix.sync.aligned.m8n8.trans.b16 %r2, %t;",
                              {}, out.address());
  EXPECT_EQ(outcome.cuda, 719);
  EXPECT_NE(outcome.message.find("lane 3"), std::string::npos) << outcome.message;
}

} // namespace

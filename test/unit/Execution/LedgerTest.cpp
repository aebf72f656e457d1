//===- LedgerTest.cpp -----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Ledger.h"
#include <gtest/gtest.h>

using namespace kiln::execution;

namespace {
const GpuLimits gpu = {"test", /*bytes=*/1e12, /*f32=*/1e13, /*tf32=*/5e13,
                       /*half=*/1e14};

LedgerEntry judgeStep(int64_t bytes, int64_t flops, int64_t tasks,
                      Arithmetic arithmetic = Arithmetic::F32) {
  return judge(gpu, {tasks, bytes, flops}, {tasks, 128, 0, 2, 0, nullptr},
               /*multiprocessors=*/100, arithmetic);
}

TEST(Ledger, TheLargerTermIsTheRoofline) {
  LedgerEntry memory = judgeStep(100'000'000, 100'000'000, 200);
  EXPECT_DOUBLE_EQ(memory.memorySeconds, 1e-4);
  EXPECT_DOUBLE_EQ(memory.computeSeconds, 1e-5);
  EXPECT_DOUBLE_EQ(memory.bound(), 1e-4);
  EXPECT_DOUBLE_EQ(memory.share(4e-4), 0.25);
  EXPECT_DOUBLE_EQ(memory.share(0), 0);
  EXPECT_EQ(memory.why, "memory");
  LedgerEntry compute = judgeStep(100'000'000, 10'000'000'000, 200);
  EXPECT_DOUBLE_EQ(compute.bound(), 1e-3);
  EXPECT_EQ(compute.why, "compute");
}

TEST(Ledger, TheUnitsCount) {
  EXPECT_DOUBLE_EQ(judgeStep(0, 10'000'000'000, 200, Arithmetic::TF32).bound(), 2e-4);
  EXPECT_DOUBLE_EQ(judgeStep(0, 10'000'000'000, 200, Arithmetic::Half).bound(), 1e-4);
}

TEST(Ledger, SmallStepsAreLaunches) {
  EXPECT_EQ(judgeStep(1'900'000, 0, 200).why, "launch");
  EXPECT_EQ(judgeStep(2'100'000, 0, 200).why, "memory");
}

TEST(Ledger, IdlePartsAreNamed) {
  EXPECT_EQ(judgeStep(100'000'000, 0, 99).why,
            "memory; 99 of 100 multiprocessors have work");
  EXPECT_EQ(judgeStep(100'000'000, 0, 100).why, "memory");
  EXPECT_DOUBLE_EQ(judgeStep(100'000'000, 0, 100).waves, 0.5);
  // Two blocks per multiprocessor: a wave has 200 blocks.
  EXPECT_EQ(judgeStep(100'000'000, 0, 220).why,
            "memory; tail wave: the last of 2 is 10 % full");
  EXPECT_EQ(judgeStep(100'000'000, 0, 380).why, "memory");
  EXPECT_EQ(judgeStep(100'000'000, 0, 400).why, "memory");
  EXPECT_EQ(judgeStep(100'000'000, 0, 2020).why, "memory"); // 1 wave of 11: not worth
                                                            // mentioning
}

TEST(Ledger, PartialSumsCount) {
  kiln_step_cost cost = costOn({96, 128, 0, 2, 4000, nullptr}, {12, 1'000'000, 50'000});
  EXPECT_EQ(cost.tasks, 96);
  EXPECT_EQ(cost.bytes, 1'008'000); // written and read
  EXPECT_EQ(cost.flops, 51'000);
  kiln_step_cost plain = costOn({96, 128, 0, 2, 0, nullptr}, {12, 1'000'000, 50'000});
  EXPECT_EQ(plain.bytes, 1'000'000);
  EXPECT_EQ(plain.flops, 50'000);
}

TEST(Ledger, CopiesHaveNoWaves) {
  LedgerEntry copy = judge(gpu, {100'000'000, 100'000'000, 0},
                           {100'000'000, 0, 0, 0, 0, nullptr}, 100, Arithmetic::F32);
  EXPECT_EQ(copy.why, "memory");
  EXPECT_EQ(copy.waves, 0);
}

TEST(Ledger, ArithmeticIsReadFromThePtx) {
  EXPECT_EQ(arithmeticOf(nullptr), Arithmetic::F32);
  EXPECT_EQ(arithmeticOf("fma.rn.f32 %a, %b, %c, %d;\n"), Arithmetic::F32);
  EXPECT_EQ(arithmeticOf("cvt.rn.bf16.f32 %h, %f;\nfma.rn.f32 %a, %b, %c, %d;\n"),
            Arithmetic::F32);
  EXPECT_EQ(arithmeticOf("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {...};\n"),
            Arithmetic::TF32);
  EXPECT_EQ(arithmeticOf("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {...};\n"),
            Arithmetic::Half);
  EXPECT_EQ(arithmeticOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {...};\n"),
            Arithmetic::Half);
  EXPECT_EQ(
      arithmeticOf("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {...};\n"),
      Arithmetic::Half);
}

TEST(Ledger, GpusByTheNameOfTheirDriver) {
  ASSERT_TRUE(findGpuLimits("NVIDIA H200"));
  EXPECT_EQ(findGpuLimits("NVIDIA H200")->bytes, 4800e9);
  EXPECT_EQ(findGpuLimits("NVIDIA H100 80GB HBM3")->bytes, 3350e9);
  EXPECT_EQ(findGpuLimits("NVIDIA H100 PCIe")->bytes, 2000e9);
  EXPECT_EQ(findGpuLimits("NVIDIA A100-SXM4-40GB")->bytes, 1555e9);
  EXPECT_EQ(findGpuLimits("NVIDIA A100-SXM4-80GB")->bytes, 2039e9);
  EXPECT_EQ(findGpuLimits("Quadro of long ago"), nullptr);
  EXPECT_EQ(findGpuLimits(""), nullptr);
}
} // namespace

//===- GpuTargetTest.cpp --------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/gpu_target.h"
#include <gtest/gtest.h>

using namespace kiln::rt;

namespace {
Plan planFor(std::vector<std::string> names) {
  Plan plan;
  for (std::string &name : names) {
    TargetKind kind = name.starts_with("sm_") ? TargetKind::Cuda : TargetKind::Host;
    plan.targets.push_back({std::move(name), {}, 0, kind});
  }
  return plan;
}

TEST(GpuTarget, RunsOn) {
  EXPECT_TRUE(cuda::runsOn("sm_80", 80));
  EXPECT_TRUE(cuda::runsOn("sm_80", 120));
  EXPECT_FALSE(cuda::runsOn("sm_86", 80));
  EXPECT_TRUE(cuda::runsOn("sm_90a", 90));
  EXPECT_FALSE(cuda::runsOn("sm_90a", 100));
  EXPECT_TRUE(cuda::runsOn("sm_100f", 103));
  EXPECT_FALSE(cuda::runsOn("sm_100f", 120));
  EXPECT_TRUE(cuda::runsOn("sm_120a", 120));
  EXPECT_FALSE(cuda::runsOn("sm_120a", 121));
  for (const char *other : {"x86-64-v3", "sm_", "sm_x", "sm_90ab", "sm_90z", ""})
    EXPECT_FALSE(cuda::runsOn(other, 90)) << other;
}

TEST(GpuTarget, TheMostSpecificIsTaken) {
  Plan plan = planFor({"native", "sm_80", "sm_90a", "sm_90", "sm_100f"});
  size_t target = 99;
  auto select = [&](int capability) {
    EXPECT_TRUE(
        cuda::selectGpuTarget(plan, "", capability, "a GPU", "m.kiln", target).ok());
    return plan.targets[target].name;
  };
  EXPECT_EQ(select(80), "sm_80");
  EXPECT_EQ(select(89), "sm_80");
  EXPECT_EQ(select(90), "sm_90a");
  EXPECT_EQ(select(103), "sm_100f");
  EXPECT_EQ(select(120), "sm_90");
  plan = planFor({"sm_120a", "sm_120"});
  EXPECT_EQ(select(120), "sm_120a");
  EXPECT_EQ(select(121), "sm_120");
}

TEST(GpuTarget, NothingFits) {
  size_t target;
  Status status = cuda::selectGpuTarget(planFor({"native", "sm_90a"}), "", 80, "A100",
                                        "m.kiln", target);
  EXPECT_EQ(status.code(), Code::TargetUnsupported);
  EXPECT_STREQ(status.message(),
               "KILN-E0510: m.kiln: the package has no code for this GPU; expected a GPU "
               "for sm_90a, found A100, compute capability 8.0; fix: compile with "
               "--target sm_80");
}
} // namespace

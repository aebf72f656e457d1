//===- CpuLimitsTest.cpp --------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "runtime/base/cpu_limits.h"
#include <filesystem>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

using namespace kiln::rt;
using namespace kiln::test;

namespace {
/// A fake /proc and /sys.
struct Root : TempFolder {
  void file(const std::string &name, const std::string &text) {
    std::filesystem::path full = path + name;
    std::filesystem::create_directories(full.parent_path());
    writeFile(full, text);
  }
};
} // namespace

TEST(CpuLimits, NoGroups) {
  Root root;
  EXPECT_EQ(cgroupCpuLimit(root.path), UINT32_MAX);
}

TEST(CpuLimits, Version2TakesTheTightestOfTheHierarchy) {
  Root root;
  root.file("/proc/self/cgroup", "0::/a/b\n");
  root.file("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(cgroupCpuLimit(root.path), UINT32_MAX);
  root.file("/sys/fs/cgroup/a/cpu.max", "250000 100000\n");
  EXPECT_EQ(cgroupCpuLimit(root.path), 3u);
  root.file("/sys/fs/cgroup/a/b/cpu.max", "20000 100000\n");
  EXPECT_EQ(cgroupCpuLimit(root.path), 1u);
}

TEST(CpuLimits, Version1) {
  Root root;
  root.file("/proc/self/cgroup", "3:memory:/m\n2:cpu,cpuacct:/g\n");
  root.file("/sys/fs/cgroup/cpu,cpuacct/g/cpu.cfs_quota_us", "400000\n");
  root.file("/sys/fs/cgroup/cpu,cpuacct/g/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroupCpuLimit(root.path), 4u);
  root.file("/sys/fs/cgroup/cpu,cpuacct/g/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cgroupCpuLimit(root.path), UINT32_MAX);
}

TEST(CpuLimits, ContainerThatSeesItsGroupAsTheRoot) {
  Root root;
  root.file("/proc/self/cgroup", "0::/docker/0123\n");
  root.file("/sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(cgroupCpuLimit(root.path), 2u);
}

TEST(CpuLimits, MalformedFilesAreNoLimit) {
  Root root;
  root.file("/proc/self/cgroup", "garbage\n0:\n1:cpu\n::\n0::relative\n");
  root.file("/sys/fs/cgroup/cpu.max", "x y\n");
  EXPECT_EQ(cgroupCpuLimit(root.path), UINT32_MAX);
}

TEST(CpuLimits, AffinityIsHonoured) {
  EXPECT_GE(allowedCpuCount(), 1u);
  std::thread([] {
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &all)) {
        CPU_SET(i, &one);
        break;
      }
    sched_setaffinity(0, sizeof one, &one);
    EXPECT_EQ(affinityCpuCount(), 1u);
    EXPECT_EQ(allowedCpuCount(), 1u);
  }).join();
}

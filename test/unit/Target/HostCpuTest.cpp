//===- HostCpuTest.cpp - The table of CPUs and target native --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <set>

using namespace kiln;

static std::string nameFor(llvm::StringRef cpu, HostIsa isa) {
  return hostCpuFor(cpu, isa).name.str();
}

TEST(HostCpu, RowsAreTargetsOfTheirNames) {
  std::set<std::string> names;
  for (const HostCpu &cpu : hostCpus()) {
    EXPECT_TRUE(names.insert(cpu.name.str()).second) << cpu.name.str();
    std::optional<TargetInfo> info = TargetInfo::find(cpu.name);
    ASSERT_TRUE(info) << cpu.name.str();
    EXPECT_EQ(info->name, cpu.name);
    EXPECT_EQ(info->cpu, &cpu);
    EXPECT_EQ(info->has("avx512f"), cpu.isa >= HostIsa::Avx512);
    EXPECT_EQ(info->has("avxvnni"), cpu.isa == HostIsa::AvxVnni);
    EXPECT_EQ(info->has("avx512vnni"), cpu.isa >= HostIsa::Vnni);
    EXPECT_EQ(info->has("avx512bf16"), cpu.isa >= HostIsa::Bf16);
    EXPECT_EQ(info->has("amx-int8"), cpu.isa >= HostIsa::Amx);
    EXPECT_EQ(info->hasBf16Tiles(), cpu.isa >= HostIsa::Amx);
    EXPECT_EQ(info->lanes(4), cpu.isa >= HostIsa::Avx512 ? 16 : 8);
    EXPECT_TRUE(llvm::is_sorted(info->features));
    EXPECT_GT(cpu.multiplies * cpu.instructions * cpu.memoryBytes, 0);
  }
}

TEST(HostCpu, CpuHasItsOwnRowIfItHasWhatThatNeeds) {
  EXPECT_EQ(nameFor("znver5", HostIsa::Bf16), "znver5");
  EXPECT_EQ(nameFor("icelake-server", HostIsa::Vnni), "icelake-server");
  EXPECT_EQ(nameFor("sapphirerapids", HostIsa::Amx), "sapphirerapids");
  EXPECT_EQ(nameFor("znver3", HostIsa::Avx2), "znver3");
  EXPECT_EQ(nameFor("alderlake", HostIsa::AvxVnni), "alderlake");
  // A virtual machine may hide instructions ...
  EXPECT_EQ(nameFor("sapphirerapids", HostIsa::Vnni), "cascadelake");
  EXPECT_EQ(nameFor("znver5", HostIsa::Avx2), "x86-64-v3");
  EXPECT_EQ(nameFor("znver5", HostIsa::Vnni), "cascadelake");
  EXPECT_EQ(nameFor("alderlake", HostIsa::Avx2), "x86-64-v3");
  EXPECT_EQ(nameFor("alderlake", HostIsa::Vnni), "cascadelake");
  // ... and a CPU may have more than its row uses.
  EXPECT_EQ(nameFor("znver3", HostIsa::Avx512), "znver3");
}

TEST(HostCpu, UnknownCpuHasTheRowOfItsInstructions) {
  EXPECT_EQ(nameFor("haswell", HostIsa::Avx2), "x86-64-v3");
  EXPECT_EQ(nameFor("cannonlake", HostIsa::Avx512), "x86-64-v4");
  EXPECT_EQ(nameFor("arrowlake", HostIsa::AvxVnni), "alderlake");
  EXPECT_EQ(nameFor("tigerlake", HostIsa::Vnni), "cascadelake");
  EXPECT_EQ(nameFor("znver6", HostIsa::Bf16), "cooperlake");
  EXPECT_EQ(nameFor("graniterapids", HostIsa::Amx), "sapphirerapids");
  EXPECT_EQ(nameFor("", HostIsa::Avx2), "x86-64-v3");
}

TEST(HostCpu, DotsOfBf16AreFasterThanFmasOnAmd) {
  auto prefers = [](llvm::StringRef name) {
    return TargetInfo::find(name)->prefersBf16Dots();
  };
  for (const char *name : {"znver4", "znver5"})
    EXPECT_TRUE(prefers(name)) << name;
  for (const char *name :
       {"x86-64-v3", "icelake-server", "cooperlake", "sapphirerapids", "sm_90a"})
    EXPECT_FALSE(prefers(name)) << name;
}

TEST(HostCpu, NativeIsAnotherNameOfARow) {
  std::optional<TargetInfo> native = TargetInfo::find("native");
  ASSERT_TRUE(native);
  EXPECT_NE(native->name, "native");
  std::optional<TargetInfo> named = TargetInfo::find(native->name);
  ASSERT_TRUE(named);
  EXPECT_EQ(named->features, native->features);
  EXPECT_EQ(named->tuneCpu, native->tuneCpu);
  using Names = std::vector<std::string>;
  auto resolved = [](Names names) {
    TargetInfo::resolveNative(names);
    return names;
  };
  EXPECT_EQ(resolved({"sm_80", "native"}), (Names{"sm_80", native->name}));
  EXPECT_EQ(resolved({native->name, "native", "sm_80"}), (Names{native->name, "sm_80"}));
  EXPECT_EQ(resolved({"sm_81", "x86-64-v3"}), (Names{"sm_81", "x86-64-v3"}));
  EXPECT_EQ(resolved({}), Names());
}

//===- SimulatedGpus.cpp - A simulated GPU of every target ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpus.h"
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace kiln::test;

namespace {
/// A profile of the simulator, and the targets that its GPU can run.
struct Gpu {
  const char *profile;
  std::vector<std::string> targets;
};
} // namespace

static const std::vector<Gpu> &gpus() {
  static const std::vector<Gpu> list = {{"a100", {"sm_80"}},
                                        {"l40s", {"sm_86", "sm_89"}},
                                        {"h200", {"sm_90a"}},
                                        {"rtx5090", {"sm_120", "sm_120a"}}};
  return list;
}

void kiln::test::useSimulatedGpus() {
  std::string profiles;
  for (const Gpu &gpu : gpus())
    profiles += (profiles.empty() ? "" : ",") + std::string(gpu.profile);
  setenv("KILN_CUDA_DRIVER", KILN_TEST_SIM_DRIVER, 1);
  setenv("KILN_SIM_DEVICES", profiles.c_str(), 1);
  setenv("KILN_SIM_CHECK", "all", 1);
}

std::string kiln::test::deviceOf(const std::string &target) {
  for (size_t i = 0; i < gpus().size(); ++i)
    for (const std::string &own : gpus()[i].targets)
      if (own == target)
        return "cuda:" + std::to_string(i);
  ADD_FAILURE() << "no simulated GPU runs " << target;
  return "";
}

void kiln::test::setSchedule(const char *schedule) {
  setenv("KILN_SIM_SCHEDULE", schedule, 1);
  // The runtime has opened it too: dlopen returns the same library.
  void *library = dlopen(KILN_TEST_SIM_DRIVER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << dlerror();
  auto *read = reinterpret_cast<int (*)()>(dlsym(library, "kilnSimReadSchedule"));
  ASSERT_TRUE(read) << dlerror();
  EXPECT_EQ(read(), 0);
}

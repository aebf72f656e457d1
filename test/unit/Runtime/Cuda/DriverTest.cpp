//===- DriverTest.cpp -----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers that are missing or incomplete. Sessions are tested with the simulated driver.
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/driver.h"
#include "runtime/device/find_device.h"
#include <cstdlib>
#include <gmock/gmock.h>

using namespace kiln::rt;
using testing::HasSubstr;
using testing::Not;

namespace {
Status find(const char *name) {
  Device *device = nullptr;
  return findDevice(name, device);
}

TEST(CudaDriver, Missing) {
  setenv("KILN_CUDA_DRIVER", "libno-such-driver.so", 1);
  Status status = find("cuda");
  EXPECT_EQ(status.code(), Code::DriverMissing);
  EXPECT_THAT(status.message(), HasSubstr("libno-such-driver.so"));
  EXPECT_THAT(status.message(), HasSubstr("device cuda: "));
  EXPECT_EQ(find("cuda:1").code(), Code::DriverMissing);
}

TEST(CudaDriver, LacksAFunction) {
  setenv("KILN_CUDA_DRIVER", "libc.so.6", 1);
  Status status = find("cuda:0");
  EXPECT_EQ(status.code(), Code::DriverFunction);
  EXPECT_THAT(status.message(), HasSubstr("the function cuInit"));
}

TEST(CudaDriver, LacksOneFunction) {
  setenv("KILN_CUDA_DRIVER", KILN_TEST_OLD_DRIVER, 1);
  Status status = find("cuda");
  EXPECT_EQ(status.code(), Code::DriverFunction);
  EXPECT_THAT(status.message(), HasSubstr("expected the function cuGraphLaunch, found"));
  EXPECT_THAT(status.message(), HasSubstr(KILN_TEST_OLD_DRIVER));
  EXPECT_THAT(status.message(), HasSubstr("fix: install a driver of CUDA 12.0 or later"));
}

TEST(CudaDriver, FindsNoGpu) {
  setenv("KILN_CUDA_DRIVER", KILN_TEST_DRIVER_WITHOUT_GPU, 1);
  Status status = find("cuda");
  EXPECT_EQ(status.code(), Code::DeviceUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("this machine has no GPU"));
  EXPECT_THAT(status.message(), HasSubstr("fix: use --device cpu"));
}

TEST(CudaDriver, CountsNoGpu) { // initialises, but has no device
  setenv("KILN_CUDA_DRIVER", KILN_TEST_EMPTY_DRIVER, 1);
  EXPECT_EQ(find("cuda").code(), Code::DeviceUnavailable);
}

TEST(CudaDriver, SimulatedDriverMissing) {
  setenv("KILN_SIM_DRIVER", "libno-such-sim.so", 1);
  EXPECT_EQ(find("sim").code(), Code::DriverMissing);
  EXPECT_THAT(find("sim:h200").message(), HasSubstr("libno-such-sim.so"));
  EXPECT_THAT(
      find("sim").message(),
      HasSubstr("fix: build it (cmake --build build --target kiln_sim_cuda), or set "
                "KILN_SIM_DRIVER to the lib"));
  EXPECT_THAT(find("sim").message(), Not(HasSubstr("NVIDIA")));
}

TEST(CudaDriver, SimulatedDriverIsAnother) {
  setenv("KILN_SIM_DRIVER", "libc.so.6", 1);
  for (const char *name : {"sim", "sim:h200"}) {
    Status status = find(name);
    EXPECT_EQ(status.code(), Code::DriverFunction);
    EXPECT_THAT(status.message(),
                HasSubstr("libc.so.6: it is not the simulated driver of this runtime"));
    EXPECT_THAT(status.message(), HasSubstr("fix: set KILN_SIM_DRIVER to the lib"));
  }
  setenv("KILN_SIM_DRIVER", KILN_TEST_EMPTY_DRIVER, 1);
  EXPECT_THAT(find("sim").message(), HasSubstr("the function kilnSimMistake"));
}

/// An empty variable counts as unset: dlopen("") would open the program itself.
TEST(CudaDriver, EmptyVariablesAreNone) {
  setenv("KILN_CUDA_DRIVER", "", 1);
  if (Status status = find("cuda"); !status.ok()) { // the machine may have a GPU
    EXPECT_NE(status.code(), Code::DriverFunction) << status.message();
    if (status.code() == Code::DriverMissing)
      EXPECT_THAT(status.message(), HasSubstr("expected libcuda.so.1, found"));
  }
  setenv("KILN_SIM_DRIVER", "", 1);
  if (Status status = find("sim"); !status.ok()) { // the build may lack the simulated GPU
    EXPECT_EQ(status.code(), Code::DriverMissing) << status.message();
    EXPECT_THAT(status.message(), HasSubstr("/libkiln_sim_cuda.so, found"));
  }
}

TEST(CudaDriver, MalformedNames) {
  for (const char *name : {"cuda:", "cuda:x", "cuda:-1", "cuda:1x"})
    EXPECT_THAT(find(name).message(), HasSubstr("cuda:0, cuda:1")) << name;
  for (const char *name : {"cudax", "gpu", "simulated", ""})
    EXPECT_THAT(find(name).message(), HasSubstr("cpu, cuda, cuda:N, sim")) << name;
  EXPECT_THAT(find("sim:").message(), HasSubstr("device sim:: the profile"));
  EXPECT_THAT(find("sim\nx").message(), HasSubstr("found sim\\nx;"));
}
} // namespace

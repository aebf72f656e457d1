//===- driver.h - The driver, as a plain program finds it ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#ifndef KILN_TEST_SIM_DRIVER_DRIVER_H
#define KILN_TEST_SIM_DRIVER_DRIVER_H

#include "runtime/sim/driver/api/structs.h"
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace kiln::sim::cu {

/// One pointer for every exported function; `perThread` has the _ptsz and _ptds forms.
struct Driver {
#define CALL(symbol, variant, base, since, implementation, kind, parameters, arguments)  \
  CUresult(*symbol) parameters = nullptr;
#include "runtime/sim/driver/api/calls.def"
#include "runtime/sim/driver/api/graph_calls.def"
#undef CALL
  void (*kilnSimFailAt)(uint64_t calls, int error) = nullptr;
  uint64_t (*kilnSimCallCount)() = nullptr;
  int (*kilnSimReadSchedule)() = nullptr;
  int (*kilnSimMistake)(const char **variable, const char **found,
                        const char **expected) = nullptr;
  void *library = nullptr;

  void *find(const char *name) const;
};

/// Returns the driver, loaded on the first call, after cuInit.
const Driver &driver();
/// Returns the driver without calling cuInit, unlike driver().
const Driver &rawDriver();

/// Programs for the fake interpreter.
inline constexpr char Program[] = "kernel add add 8 8 4\n"
                                  "kernel set set 8 4 4\n"
                                  "kernel count count 8 4 4\n"
                                  "kernel cost cost 8\n"
                                  "kernel cluster cluster\n"
                                  "kernel nothing nothing\n"
                                  "kernel bad fault 700\n"
                                  "global table 64\n";

/// Has its own context for each test, with the program loaded and a stream.
class DriverTest : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  CUdeviceptr alloc(size_t words);
  CUfunction function(const char *name);
  std::vector<uint32_t> read(CUdeviceptr from, size_t words);
  /// Launch kernels in a stream: to[0..words) = value, or to += from.
  CUresult set(CUdeviceptr to, uint32_t value, uint32_t words, CUstream in);
  CUresult add(CUdeviceptr to, CUdeviceptr from, uint32_t words, CUstream in);

  const Driver &cu = driver();
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUstream stream = nullptr;
};

/// Result of running this process again with other environment variables.
struct Child {
  int status = -1; ///< exit status, or 128 + signal
  std::string output;
};
/// Runs the test `filter`, which is DISABLED_ in the normal run, in a new process.
Child runChild(const std::string &filter, const std::map<std::string, std::string> &env);

#define EXPECT_CU(code, call) EXPECT_EQ(int(call), int(code))
#define ASSERT_CU(code, call) ASSERT_EQ(int(call), int(code))
#define EXPECT_OK(call) EXPECT_CU(CUDA_SUCCESS, call)
#define ASSERT_OK(call) ASSERT_CU(CUDA_SUCCESS, call)

} // namespace kiln::sim::cu

#endif // KILN_TEST_SIM_DRIVER_DRIVER_H

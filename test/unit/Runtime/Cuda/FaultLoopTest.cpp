//===- FaultLoopTest.cpp ------------------------------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes every driver call fail in turn, with several errors, in both modes. Checks the
// caller's error and that nothing leaks.
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include "runtime/base/status.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace kiln::test;
using testing::AnyOf;
using testing::HasSubstr;

namespace {
struct Error {
  int number;
  const char *name;
  unsigned code; ///< error code expected by the caller
};
const Error unknown = {999, "CUDA_ERROR_UNKNOWN", 706},
            outOfMemory = {2, "CUDA_ERROR_OUT_OF_MEMORY", 708},
            launchFailed = {719, "CUDA_ERROR_LAUNCH_FAILED", 709},
            invalidHandle = {400, "CUDA_ERROR_INVALID_HANDLE", 706};

/// Creates a session, runs it with two sets of dims, resets and releases it; returns the
/// first error.
StatusPtr useOnce(kiln_model *model, bool graph, bool &right) {
  kiln_session_options options = onGpu("sim", graph);
  options.graph_memory = 1; // one instance, whose nodes are updated for new dims
  kiln_session *raw = nullptr;
  if (StatusPtr failed = own(kiln_session_create(model, &options, &raw)))
    return failed;
  SessionPtr session(raw, kiln_session_release);
  for (int64_t seq : {5, 9}) {
    ScaleRun run(2, seq);
    kiln_tensor in = run.x.tensor(), out[] = {run.y.tensor(), run.sum.tensor()};
    if (StatusPtr failed = own(kiln_session_run(raw, &in, 1, out, 2)))
      return failed;
    right = run.right();
  }
  return own(kiln_session_reset_state(raw));
}

/// Calls that may fail without an error, as they only release something.
const std::set<std::string> harmless = {
    "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuGraphDestroy",
    "cuGraphExecDestroy",  "cuMemFreeHost",      "cuMemFree_v2",
    "cuModuleUnload",      "cuStreamDestroy_v2", "cuStreamSynchronize"};

void expectMessage(kiln_status *status, const Error &error, const std::string &call) {
  unsigned code = kiln_status_code(status);
  std::string message = kiln_status_message(status);
  // A refused PTX text is the package's fault; a failing wait is the kernels' fault,
  // unless the call itself is refused.
  bool ofCode = call.find("Module") != std::string::npos || call == "cuFuncSetAttribute";
  bool waits = call == "cuStreamSynchronize" && error.number == unknown.number;
  if (code != error.code && error.code == 706)
    EXPECT_EQ(code, waits ? 709u : ofCode ? 707u : 0u) << message;
  else if (code != error.code)
    EXPECT_TRUE(code == 707 && call == "cuModuleLoadDataEx") << message;
  std::string plain = call.substr(0, call.find("_v"));
  EXPECT_THAT(message, AnyOf(HasSubstr(plain), HasSubstr("refuses the code")));
  EXPECT_THAT(message, HasSubstr("(" + std::to_string(error.number) + ")"));
  EXPECT_STRNE(kiln_status_get(status, KILN_STATUS_FIX), "");
}

void failEachCall(kiln_model *model, const SimDriver &driver, Trace &trace, bool graph,
                  const Error &error) {
  for (uint64_t n = 1;; ++n) {
    SCOPED_TRACE("call " + std::to_string(n) + " fails with " + error.name);
    ASSERT_LT(n, 10000u);
    (void)trace.newCalls();
    driver.failAt(n, error.number);
    bool right = false;
    StatusPtr status = useOnce(model, graph, right);
    driver.failAt(0, 0);
    std::string call = trace.failure(error.name);
    if (call.empty()) { // all calls have failed once
      EXPECT_GT(n, 40u);
      EXPECT_FALSE(status) << kiln_status_message(status.get());
      EXPECT_TRUE(right);
      break;
    }
    if (status) {
      expectMessage(status.get(), error, call);
      continue;
    }
    EXPECT_TRUE(harmless.contains(call)) << call;
    EXPECT_TRUE(right);
  }
}

class FaultLoop : public testing::TestWithParam<std::tuple<bool, Error>> {};

TEST_P(FaultLoop, EveryCallFails) {
  auto [graph, error] = GetParam();
  TempFolder folder;
  isolated({{"KILN_SIM_TRACE", folder / "calls"}}, [&] {
    writeModel(folder / "m.kiln", withGpu(scaleModel()));
    ModelPtr model = loadModel(folder / "m.kiln");
    ASSERT_TRUE(model);
    SimDriver driver;
    Trace trace(folder / "calls");
    // Once including the opening of the device, which stays open, and once without.
    failEachCall(model.get(), driver, trace, graph, error);
    uint64_t free = driver.freeBytes();
    failEachCall(model.get(), driver, trace, graph, error);
    EXPECT_EQ(driver.freeBytes(), free);
    model.reset();
    EXPECT_EQ(driver.freeBytes(), free);
  });
}

INSTANTIATE_TEST_SUITE_P(Modes, FaultLoop,
                         testing::Combine(testing::Bool(),
                                          testing::Values(unknown, outOfMemory,
                                                          launchFailed, invalidHandle)));
} // namespace

//===- FaultTest.cpp ----------------------------------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of a GPU, its driver and a caller, one by one.
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kiln::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {
/// Makes packages and creates sessions that fail.
class Fault : public testing::Test {
protected:
  std::string write(const kiln::package::PackageContents &contents) {
    writeModel(folder / "m.kiln", contents);
    return folder / "m.kiln";
  }
  /// Returns the error message; "" on success.
  static std::string create(kiln_model *model, const kiln_session_options &options) {
    kiln_session *session = nullptr;
    StatusPtr status = own(kiln_session_create(model, &options, &session));
    kiln_session_release(session);
    return kiln_status_message(status.get());
  }
  TempFolder folder;
};

TEST_F(Fault, OrdinalOutOfRange) {
  std::string path = write(withGpu(scaleModel()));
  isolated(
      {{"KILN_CUDA_DRIVER", SimDriver::path()}, {"KILN_SIM_DEVICES", "a100,a100"}}, [&] {
        ModelPtr model = loadModel(path);
        EXPECT_EQ(create(model.get(), onGpu("cuda:1")), "");
        EXPECT_THAT(
            create(model.get(), onGpu("cuda:2")),
            AllOf(HasSubstr("KILN-E0702: device cuda:2: there is no GPU of that number"),
                  HasSubstr("expected 0..1, found 2"), HasSubstr("fix: ")));
      });
}

TEST_F(Fault, NoCodeForThisGpu) {
  kiln::package::PackageContents contents = withGpu(scaleModel());
  contents.plan.targets.back()->name = "sm_120";
  std::string path = write(contents);
  isolated({{"KILN_SIM_DEVICES", "h100"}}, [&] {
    ModelPtr model = loadModel(path);
    EXPECT_THAT(create(model.get(), onGpu()),
                AllOf(HasSubstr("KILN-E0510"), HasSubstr("expected a GPU for sm_120"),
                      HasSubstr("NVIDIA H100"), HasSubstr("compute capability 9.0"),
                      HasSubstr("fix: compile with --target sm_90a")));
  });
}

TEST_F(Fault, DriverTooOldForThePtx) {
  std::string path = write(futureModel());
  isolated({}, [&] {
    ModelPtr model = loadModel(path);
    EXPECT_THAT(create(model.get(), onGpu()),
                AllOf(HasSubstr("KILN-E0707"), HasSubstr("kernel accumulate"),
                      HasSubstr("expected a driver that knows this version of PTX"),
                      HasSubstr("CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)"),
                      HasSubstr("driver 13.0"),
                      HasSubstr("install a newer NVIDIA driver")));
  });
}

TEST_F(Fault, ArenaLargerThanFreeMemory) {
  std::string path = write(withGpu(scaleModel()));
  isolated({{"KILN_SIM_MEMORY", "8K"}, {"KILN_SIM_TRACE", folder / "calls"}}, [&] {
    ModelPtr model = loadModel(path);
    Trace trace(folder / "calls");
    std::string message = create(model.get(), onGpu());
    EXPECT_THAT(message, AllOf(HasSubstr("KILN-E0708"), HasSubstr("does not fit"),
                               HasSubstr("fix: narrow the dims")));
    // 8 KiB minus the weights' block are free; x, y, sum and the activations do not fit.
    EXPECT_THAT(message, HasSubstr("found " + std::to_string(4096 * 4 + 16) + " bytes"));
    EXPECT_THAT(message, testing::ContainsRegex("expected at most [0-9]+ bytes"));
    std::map<std::string, int> calls = trace.newCalls();
    EXPECT_EQ(calls["cuMemAlloc_v2"], 1); // only the weights; none after the size check
    EXPECT_EQ(calls["cuLaunchKernel"] + calls["cuGraphLaunch"], 0);
    kiln_session_options narrow = onGpu();
    kiln_dim_range range = {"seq", 1, 16};
    narrow.dims = &range, narrow.dim_count = 1;
    EXPECT_EQ(create(model.get(), narrow), "");
  });
}

TEST_F(Fault, WeightsLargerThanFreeMemory) {
  std::string path = write(withGpu(scaleModel()));
  isolated({{"KILN_SIM_MEMORY", "4"}, {"KILN_SIM_TRACE", folder / "calls"}}, [&] {
    ModelPtr model = loadModel(path);
    Trace trace(folder / "calls");
    EXPECT_THAT(
        create(model.get(), onGpu()),
        AllOf(HasSubstr("KILN-E0708: device sim: the weights of "),
              HasSubstr("expected at most 4 bytes, which are free of 4, found 8 bytes"),
              HasSubstr("fix: free memory"), Not(HasSubstr("dims"))));
    std::map<std::string, int> calls = trace.newCalls();
    EXPECT_EQ(calls["cuMemAlloc_v2"] + calls["cuModuleLoadDataEx"], 0);
  });
}

TEST_F(Fault, KernelTraps) {
  std::string path = write(trapModel());
  for (bool graph : {false, true})
    isolated({}, [&] {
      ModelPtr model = loadModel(path);
      kiln_session_options options = onGpu("sim", graph);
      SessionPtr session = makeSession(model.get(), &options);
      ASSERT_TRUE(session);
      ScaleRun run(1, 4);
      EXPECT_EQ(run.run(session.get()), 709u);
      const char *place =
          graph ? "reports that a kernel failed" : "(kernel \"row_sum\"), node node4";
      EXPECT_THAT(run.message,
                  AllOf(HasSubstr(place), HasSubstr("CUDA_ERROR_LAUNCH_FAILED"),
                        HasSubstr("no_graph")));
      // The context is lost: every later call reports it and returns.
      EXPECT_EQ(run.run(session.get()), 709u);
      EXPECT_EQ(kiln_status_code(own(kiln_session_reset_state(session.get())).get()), 0u);
      EXPECT_EQ(kiln_status_code(own(kiln_session_synchronize(session.get())).get()),
                709u);
      EXPECT_THAT(create(model.get(), onGpu()), HasSubstr("KILN-E0709"));
      session.reset();
      model.reset();
    });
}

TEST_F(Fault, ContextLostInMidGraph) {
  std::string path = write(withGpu(scaleModel()));
  isolated({{"KILN_SIM_SCHEDULE", "late"}}, [&] {
    ModelPtr model = loadModel(path);
    kiln_session_options options = onGpu();
    SessionPtr session = makeSession(model.get(), &options),
               other = makeSession(model.get(), &options);
    ASSERT_TRUE(session && other);
    ScaleRun run(4, 64);
    EXPECT_EQ(run.run(session.get()), 0u) << run.message;
    // The caller claims more memory than there is.
    SimDriver driver;
    FloatTensor y = run.y, sum = run.sum;
    kiln_tensor in = run.x.tensor(), out[] = {y.tensor(), sum.tensor()};
    uint64_t x = driver.allocate(256);
    driver.copyIn(x, std::vector<float>(64));
    in.data = reinterpret_cast<void *>(x);
    StatusPtr status = own(kiln_session_run(session.get(), &in, 1, out, 2));
    EXPECT_EQ(kiln_status_code(status.get()), 709u) << kiln_status_message(status.get());
    for (kiln_session *next : {session.get(), other.get(), session.get()}) {
      EXPECT_EQ(run.run(next), 709u) << run.message;
      EXPECT_THAT(run.message, AllOf(HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"),
                                     HasSubstr("start the process again")));
    }
    EXPECT_THAT(create(model.get(), onGpu()), HasSubstr("KILN-E0709"));
  });
}

TEST_F(Fault, BitsOfThePtxFlip) {
  std::string path = write(withGpu(scaleModel()));
  std::string bytes = readFile(path);
  size_t place = bytes.find(".visible .entry");
  ASSERT_NE(place, std::string::npos);
  bytes[place + 3] ^= 4;
  writeFile(path, bytes);
  kiln_model *model = nullptr;
  StatusPtr status = own(kiln_model_load(path.c_str(), nullptr, &model));
  EXPECT_THAT(kiln_status_message(status.get()),
              AllOf(HasSubstr("KILN-E0503"), HasSubstr("PTX")));
  // With matching hashes, the driver refuses the text.
  kiln::package::PackageContents contents = withGpu(scaleModel());
  patchPtx(contents, "mul.lo.u64", "mul.lo.u6t");
  path = write(contents);
  isolated({}, [&] {
    ModelPtr sealed = loadModel(path);
    EXPECT_THAT(create(sealed.get(), onGpu()),
                AllOf(HasSubstr("KILN-E0707"), HasSubstr("kernel scale"),
                      HasSubstr("CUDA_ERROR_INVALID_PTX"),
                      HasSubstr("fix: compile the model again")));
  });
}
} // namespace

//===- DeviceMemoryTest.cpp ---------------------------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in GPU memory, streams of the caller, several sessions and threads.
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include "kiln/runtime.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace kiln::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {
/// Runs scaleModel with its tensors on a GPU.
struct OnDevice {
  OnDevice(const SimDriver &driver, const ScaleRun &run, int ordinal = 0)
      : x(driver.allocate(run.x.data.size() * 4, ordinal)),
        y(driver.allocate(run.y.data.size() * 4, ordinal)),
        sum(driver.allocate(run.sum.data.size() * 4, ordinal)) {
    driver.copyIn(x, run.x.data);
  }
  static kiln_tensor at(FloatTensor &like, uint64_t address) {
    kiln_tensor tensor = like.tensor();
    tensor.data = reinterpret_cast<void *>(address);
    return tensor;
  }
  unsigned run(kiln_session *session, ScaleRun &like, kiln_memory memory) {
    kiln_tensor in = at(like.x, x), out[] = {at(like.y, y), at(like.sum, sum)};
    in.memory = out[0].memory = out[1].memory = memory;
    StatusPtr status = own(kiln_session_run(session, &in, 1, out, 2));
    like.message = kiln_status_message(status.get());
    return kiln_status_code(status.get());
  }
  bool right(const SimDriver &driver, ScaleRun &like) const {
    like.y.data = driver.copyOut(y, like.y.data.size());
    like.sum.data = driver.copyOut(sum, like.sum.data.size());
    return like.right();
  }
  uint64_t x, y, sum;
};

int copies(std::map<std::string, int> calls) {
  return calls["cuMemcpyHtoDAsync_v2"] + calls["cuMemcpyDtoHAsync_v2"] +
         calls["cuMemcpyDtoDAsync_v2"];
}

class DeviceMemory : public testing::Test {
protected:
  DeviceMemory() { writeModel(folder / "m.kiln", withGpu(scaleModel())); }
  std::map<std::string, std::string> environment(const char *schedule = "eager") {
    return {{"KILN_SIM_TRACE", folder / "calls"},
            {"KILN_SIM_SCHEDULE", schedule},
            {"KILN_CUDA_DRIVER", SimDriver::path()}};
  }
  SessionPtr open(bool graph = true, const char *device = "sim") {
    model = loadModel(folder / "m.kiln");
    kiln_session_options options = onGpu(device, graph);
    options.graph_memory = 1;
    return makeSession(model.get(), &options);
  }
  TempFolder folder;
  Trace trace{folder / "calls"};
  ModelPtr model{nullptr, kiln_model_release};
};

TEST_F(DeviceMemory, IsUsedWithoutACopy) {
  for (bool graph : {true, false})
    isolated(environment(), [&] {
      SessionPtr session = open(graph);
      SimDriver driver;
      ScaleRun like(3, 11);
      for (kiln_memory memory : {KILN_MEMORY_ANY, KILN_MEMORY_DEVICE}) {
        OnDevice tensors(driver, like);
        (void)trace.newCalls();
        EXPECT_EQ(tensors.run(session.get(), like, memory), 0u) << like.message;
        EXPECT_EQ(copies(trace.newCalls()), graph ? 0 : 1); // the copy in the plan
        EXPECT_TRUE(tensors.right(driver, like));
        (void)trace.newCalls();
        EXPECT_EQ(tensors.run(session.get(), like, memory), 0u);
        EXPECT_EQ(trace.newCalls()["cuGraphExecKernelNodeSetParams_v2"], 0);
      }
      // Back to host tensors: they are copied in and out again.
      EXPECT_EQ(like.run(session.get()), 0u);
      EXPECT_TRUE(like.right());
      EXPECT_EQ(copies(trace.newCalls()), graph ? 3 : 4);
      session.reset();
      model.reset();
    });
}

TEST_F(DeviceMemory, PinnedMemoryNeedsNoStaging) {
  isolated(environment(), [&] {
    SessionPtr session = open();
    SimDriver driver;
    ScaleRun like(2, 4);
    void *pinned = driver.allocatePinned(32);
    std::memcpy(pinned, like.x.data.data(), 32);
    kiln_tensor in = like.x.tensor(), out[] = {like.y.tensor(), like.sum.tensor()};
    in.data = pinned;
    (void)trace.newCalls();
    EXPECT_FALSE(own(kiln_session_run(session.get(), &in, 1, out, 2)));
    EXPECT_TRUE(like.right());
    char address[32];
    std::snprintf(address, sizeof address, "%p", pinned);
    EXPECT_THAT(
        readFile(folder / "calls"),
        testing::ContainsRegex(std::string("cuMemcpyHtoDAsync_v2\\(.*") + address));
    in.memory = KILN_MEMORY_DEVICE; // wrong: it is host memory
    StatusPtr status = own(kiln_session_run(session.get(), &in, 1, out, 2));
    EXPECT_EQ(kiln_status_code(status.get()), 613u);
    EXPECT_EQ(driver.function<int(void *)>("cuMemFreeHost")(pinned), 0);
  });
}

TEST_F(DeviceMemory, ElsewhereIsRefused) {
  std::map<std::string, std::string> two = environment();
  two["KILN_SIM_DEVICES"] = "a100,a100";
  isolated(two, [&] {
    SessionPtr session = open(true, "cuda:1");
    ASSERT_TRUE(session);
    SimDriver driver;
    ScaleRun like(1, 8);
    OnDevice there(driver, like, 0), here(driver, like, 1);
    EXPECT_EQ(there.run(session.get(), like, KILN_MEMORY_ANY), 613u);
    EXPECT_THAT(like.message,
                AllOf(HasSubstr("input \"x\": its memory is on another GPU"),
                      HasSubstr("device cuda:1 (GPU 1)"),
                      HasSubstr("found the memory of GPU 0")));
    EXPECT_EQ(here.run(session.get(), like, KILN_MEMORY_ANY), 0u) << like.message;
    EXPECT_EQ(here.run(session.get(), like, KILN_MEMORY_HOST), 613u);
    EXPECT_THAT(like.message, HasSubstr("its address is not in host memory"));
    here.x += 4;
    EXPECT_EQ(here.run(session.get(), like, KILN_MEMORY_ANY), 606u);
    EXPECT_THAT(like.message, HasSubstr("a multiple of 16, found a remainder of 4"));
    // Host memory declared as GPU memory, and vice versa on a CPU.
    kiln_tensor in = like.x.tensor(), out[] = {like.y.tensor(), like.sum.tensor()};
    in.memory = KILN_MEMORY_DEVICE;
    StatusPtr status = own(kiln_session_run(session.get(), &in, 1, out, 2));
    EXPECT_THAT(kiln_status_message(status.get()),
                AllOf(HasSubstr("KILN-E0613"),
                      HasSubstr("no memory of a GPU is at its address")));
    SessionPtr host = makeSession(model.get());
    status = own(kiln_session_run(host.get(), &in, 1, out, 2));
    EXPECT_THAT(kiln_status_message(status.get()),
                AllOf(HasSubstr("KILN-E0613"), HasSubstr("the session on the CPU")));
    in.memory = static_cast<kiln_memory>(7);
    EXPECT_EQ(kiln_status_code(own(kiln_session_run(host.get(), &in, 1, out, 2)).get()),
              1u);
    EXPECT_EQ(kiln_status_code(own(kiln_session_set_stream(host.get(), nullptr)).get()),
              1u);
    EXPECT_FALSE(own(kiln_session_synchronize(host.get())));
  });
}

TEST_F(DeviceMemory, TheCallersStream) {
  isolated(environment("late"), [&] {
    SessionPtr session = open();
    SimDriver driver;
    void *stream = driver.makeStream();
    ASSERT_FALSE(own(kiln_session_set_stream(session.get(), stream)));
    EXPECT_EQ(kiln_session_device(session.get())->stream, stream);
    ScaleRun like(2, 9);
    OnDevice tensors(driver, like);
    EXPECT_EQ(tensors.run(session.get(), like, KILN_MEMORY_DEVICE), 0u) << like.message;
    // In late order nothing has run before a wait: the call returned early.
    auto busy = driver.function<int(void *)>("cuStreamQuery");
    EXPECT_EQ(busy(stream), 600);
    ASSERT_FALSE(own(kiln_session_synchronize(session.get())));
    EXPECT_EQ(busy(stream), 0);
    EXPECT_TRUE(tensors.right(driver, like));
    EXPECT_EQ(like.run(session.get()), 0u); // waits, as its tensors are host tensors
    EXPECT_TRUE(like.right());
    ASSERT_FALSE(own(kiln_session_set_stream(session.get(), nullptr)));
    EXPECT_NE(kiln_session_device(session.get())->stream, stream);
    EXPECT_EQ(tensors.run(session.get(), like, KILN_MEMORY_ANY), 0u);
    EXPECT_TRUE(tensors.right(driver, like));
  });
}

TEST_F(DeviceMemory, StreamsThatCannotBeUsed) {
  isolated(environment(), [&] {
    SessionPtr session = open();
    void *own = kiln_session_device(session.get())->stream;
    SimDriver driver;
    void *context = nullptr, *foreign = nullptr;
    driver.function<int(void **, unsigned, int)>("cuCtxCreate_v2")(&context, 0, 0);
    driver.function<int(void **, unsigned)>("cuStreamCreate")(&foreign, 1);
    driver.function<int(void **)>("cuCtxPopCurrent_v2")(&context);
    ScaleRun like(2, 9);
    for (auto [stream, found] :
         {std::pair{reinterpret_cast<void *>(12345), "CUDA_ERROR_INVALID_HANDLE (400)"},
          std::pair{foreign, "found a stream of another context"}}) {
      StatusPtr status = kiln::test::own(kiln_session_set_stream(session.get(), stream));
      EXPECT_EQ(kiln_status_code(status.get()), 1u);
      EXPECT_THAT(
          kiln_status_message(status.get()),
          AllOf(HasSubstr("E0001: stream 0x"), HasSubstr(found),
                HasSubstr("expected a CUstream of the primary context of device sim"),
                HasSubstr("fix: give a stream of this GPU")));
      EXPECT_EQ(kiln_session_device(session.get())->stream, own);
      EXPECT_EQ(like.run(session.get()), 0u) << like.message;
    }
    for (uintptr_t legacy : {1, 2}) {
      EXPECT_FALSE(kiln::test::own(
          kiln_session_set_stream(session.get(), reinterpret_cast<void *>(legacy))));
      EXPECT_EQ(like.run(session.get()), 0u) << like.message;
    }
    EXPECT_TRUE(like.right());
  });
}

TEST_F(DeviceMemory, AStreamMayGoBeforeItsSession) {
  for (bool graph : {true, false})
    for (const char *schedule : {"eager", "late"})
      isolated(environment(schedule), [&] {
        SessionPtr session = open(graph);
        SimDriver driver;
        void *stream = driver.makeStream();
        ASSERT_FALSE(own(kiln_session_set_stream(session.get(), stream)));
        ScaleRun like(2, 9);
        OnDevice tensors(driver, like);
        EXPECT_EQ(tensors.run(session.get(), like, KILN_MEMORY_DEVICE), 0u);
        driver.function<int(void *)>("cuStreamDestroy_v2")(stream);
        for (int i : {0, 1}) {
          EXPECT_EQ(i ? like.run(session.get())
                      : tensors.run(session.get(), like, KILN_MEMORY_DEVICE),
                    1u);
          EXPECT_THAT(like.message, HasSubstr("none that the driver knows"));
        }
        EXPECT_TRUE(tensors.right(driver, like)); // earlier work has completed
        ASSERT_FALSE(own(kiln_session_set_stream(session.get(), nullptr)));
        EXPECT_EQ(like.run(session.get()), 0u) << like.message;
        EXPECT_TRUE(like.right());
        void *last = driver.makeStream();
        ASSERT_FALSE(own(kiln_session_set_stream(session.get(), last)));
        EXPECT_EQ(tensors.run(session.get(), like, KILN_MEMORY_DEVICE), 0u);
        driver.function<int(void *)>("cuStreamDestroy_v2")(last);
        session.reset();
        EXPECT_EQ(driver.function<int()>("cuCtxSynchronize")(), 0);
      });
}

TEST_F(DeviceMemory, ASessionMayGoWhileItsGraphRuns) {
  isolated(environment("late"), [&] {
    SessionPtr session = open();
    SimDriver driver;
    void *stream = driver.makeStream();
    uint64_t before = driver.freeBytes();
    ASSERT_FALSE(own(kiln_session_set_stream(session.get(), stream)));
    ScaleRun like(4, 33);
    OnDevice tensors(driver, like);
    uint64_t used = before - driver.freeBytes();
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(tensors.run(session.get(), like, KILN_MEMORY_DEVICE), 0u);
    EXPECT_EQ(driver.function<int(void *)>("cuStreamQuery")(stream), 600);
    session.reset();
    model.reset();
    EXPECT_TRUE(tensors.right(driver, like));
    EXPECT_GT(driver.freeBytes() + used, before); // arenas, code and weights are freed
  });
}

TEST_F(DeviceMemory, CppRunsInPlace) {
  isolated(environment("late"), [&] {
    kiln::rt::Model whole(folder / "m.kiln");
    kiln_session_options options = onGpu();
    kiln::rt::Session session(whole, options);
    EXPECT_STREQ(session.device().gpu, "NVIDIA H200");
    SimDriver driver;
    session.setStream(driver.makeStream());
    ScaleRun like(2, 6);
    OnDevice tensors(driver, like);
    auto *x = reinterpret_cast<const float *>(tensors.x);
    auto *y = reinterpret_cast<float *>(tensors.y),
         *sum = reinterpret_cast<float *>(tensors.sum);
    session.run(
        {kiln::rt::View("x", x, {2, 6}).onDevice()},
        {kiln::rt::Place("y", y, {2, 6}).onDevice(), kiln::rt::Place("sum", sum, {2})});
    session.synchronize();
    EXPECT_TRUE(tensors.right(driver, like));
  });
}

/// Several threads, each with a session of one model, get the same bits as a single
/// thread.
TEST_F(DeviceMemory, ThreadsShareADevice) {
  isolated({}, [&] {
    model = loadModel(folder / "m.kiln");
    auto work = [&](int64_t first, std::vector<float> &bits) {
      kiln_session_options options = onGpu();
      options.graph_memory = 1;
      SessionPtr session = makeSession(model.get(), &options);
      for (int64_t i = 0; i < 12; ++i) {
        ScaleRun run(1 + (first + i) % 4, 5 + i);
        EXPECT_EQ(run.run(session.get()), 0u) << run.message;
        EXPECT_TRUE(run.right());
        bits.insert(bits.end(), run.sum.data.begin(), run.sum.data.end());
      }
    };
    std::vector<float> alone[2], together[2];
    for (int t : {0, 1})
      work(t, alone[t]);
    std::thread one(work, 0, std::ref(together[0])), two(work, 1, std::ref(together[1]));
    one.join();
    two.join();
    for (int t : {0, 1})
      EXPECT_EQ(alone[t], together[t]);
  });
}

TEST_F(DeviceMemory, StateIsKeptAndReset) {
  writeModel(folder / "state.kiln", withGpu(stateModel()));
  isolated({}, [&] {
    model = loadModel(folder / "state.kiln");
    kiln_session_options options = onGpu();
    SessionPtr session = makeSession(model.get(), &options);
    FloatTensor x("x", {1}), total("total", {1});
    x.data[0] = 2.5f;
    auto run = [&] {
      kiln_tensor in = x.tensor(), out = total.tensor();
      EXPECT_FALSE(own(kiln_session_run(session.get(), &in, 1, &out, 1)));
      return total.data[0];
    };
    EXPECT_EQ(run(), 2.5f);
    EXPECT_EQ(run(), 5.f);
    EXPECT_FALSE(own(kiln_session_reset_state(session.get())));
    EXPECT_EQ(run(), 2.5f);
  });
}
} // namespace

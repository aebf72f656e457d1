//===- SessionTest.cpp ----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/abi.h"
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

using namespace kiln::test;

class Session : public testing::Test {
protected:
  /// Writes the package, loads it and creates a session.
  void open(const kiln::package::PackageContents &contents,
            const kiln_session_options *options = nullptr) {
    session.reset();
    writeModel(folder / "m.kiln", contents);
    model = loadModel(folder / "m.kiln");
    ASSERT_TRUE(model);
    session = makeSession(model.get(), options);
    ASSERT_TRUE(session);
  }

  unsigned run(FloatTensor &x, FloatTensor &y, FloatTensor &sum) {
    kiln_tensor in = x.tensor(), out[] = {sum.tensor(), y.tensor()};
    status = own(kiln_session_run(session.get(), &in, 1, out, 2));
    return kiln_status_code(status.get());
  }

  void runAndCheck(int64_t batch, int64_t seq) {
    FloatTensor x("x", {batch, seq}), y("y", {batch, seq}), sum("sum", {batch});
    ASSERT_EQ(run(x, y, sum), 0u) << kiln_status_message(status.get());
    for (int64_t b = 0; b < batch; ++b) {
      float expected = 0;
      for (int64_t i = b * seq; i < (b + 1) * seq; ++i) {
        ASSERT_EQ(y.data[size_t(i)], scaled(x.data[size_t(i)]));
        expected += y.data[size_t(i)];
      }
      ASSERT_EQ(sum.data[size_t(b)], expected);
    }
  }

  TempFolder folder;
  ModelPtr model{nullptr, kiln_model_release};
  SessionPtr session{nullptr, kiln_session_release};
  StatusPtr status = own(nullptr);
};

TEST_F(Session, AllDims) {
  open(scaleModel());
  for (int64_t batch = 1; batch <= 4; ++batch)
    for (int64_t seq : {1, 2, 7, 16, 17, 128, 255, 256})
      runAndCheck(batch, seq);
  runAndCheck(1, 1); // back to small dims
  runAndCheck(1, 1);
}

TEST_F(Session, FormulaThatIsLargerInTheMiddle) {
  // activations + 4096 * (4 - batch) * (batch - 1): largest within 1..4, not at an end.
  auto contents = scaleModel();
  PlanBuilder b;
  b.plan = std::move(contents.plan);
  uint32_t minus = b.constant(-1);
  uint32_t up = b.add(0, minus); // expression 0 is batch
  uint32_t down = b.add(b.constant(4), b.mul(minus, 0));
  uint32_t bump = b.mul(b.mul(up, down), b.constant(4096));
  b.plan.arenas[3]->size = b.add(b.plan.arenas[3]->size, bump);
  contents.plan = std::move(b.plan);
  open(contents);
  for (int64_t batch : {4, 2, 1, 3}) {
    runAndCheck(batch, 2);
    kiln_arena_usage usage;
    status = own(kiln_session_arena(session.get(), 3, &usage));
    ASSERT_EQ(kiln_status_code(status.get()), 0u);
    EXPECT_LE(usage.formula, usage.capacity);
  }
}

TEST_F(Session, AnyThreads) {
  for (uint32_t threads : {0u, 1u, 2u, 3u, 8u}) {
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.threads = threads;
    open(scaleModel(), &options);
    EXPECT_GE(kiln_session_threads(session.get()), 1u);
    runAndCheck(4, 33);
  }
}

TEST_F(Session, CallersParallelFor) {
  for (uint32_t threads = 1; threads <= 8; ++threads) {
    int calls = 0;
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.threads = threads;
    options.parallel_for_user = &calls;
    options.parallel_for = [](void *user, uint32_t workers,
                              void (*body)(void *, uint32_t), void *context) {
      ++*static_cast<int *>(user);
      while (workers) // backwards, as any order is allowed
        body(context, --workers);
    };
    open(scaleModel(), &options);
    EXPECT_EQ(kiln_session_threads(session.get()), threads);
    runAndCheck(4, 33);
    EXPECT_EQ(calls, threads == 1 ? 0 : 4); // every launch, but not the copy
  }
}

TEST_F(Session, SmallStepsStayWithTheirCaller) {
  int calls = 0;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 4;
  options.parallel_for_user = &calls;
  options.parallel_for = [](void *user, uint32_t, void (*)(void *, uint32_t), void *) {
    ++*static_cast<int *>(user);
  };
  auto contents = scaleModel();
  PlanBuilder b;
  b.plan = std::move(contents.plan);
  for (auto &step : b.plan.steps)
    step->bytes = step->flops = b.constant(1000);
  contents.plan = std::move(b.plan);
  open(contents, &options);
  runAndCheck(4, 33);
  EXPECT_EQ(calls, 0);
}

TEST_F(Session, OutputShapes) {
  open(scaleModel());
  int64_t shape[] = {3, 9};
  kiln_tensor in = {"x", nullptr, 0, KILN_DTYPE_F32, 2, shape, KILN_MEMORY_ANY};
  kiln_shape out[2];
  ASSERT_FALSE(own(kiln_session_output_shapes(session.get(), &in, 1, out, 2)));
  EXPECT_EQ(out[0].rank, 2u);
  EXPECT_EQ(out[0].dims[1], 9);
  EXPECT_EQ(out[0].bytes, 108u);
  EXPECT_EQ(out[1].rank, 1u);
  EXPECT_EQ(out[1].dims[0], 3);
}

TEST_F(Session, UnnamedTensorsGoByPlace) {
  open(scaleModel());
  FloatTensor x(nullptr, {2, 3}), y(nullptr, {2, 3}), sum(nullptr, {2});
  kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
  ASSERT_FALSE(own(kiln_session_run(session.get(), &in, 1, out, 2)));
  EXPECT_EQ(y.data[5], scaled(x.data[5]));
}

TEST_F(Session, HighWaterIsTheFormula) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.measure_memory = 1;
  options.threads = 2;
  open(scaleModel(), &options);
  for (auto [batch, seq] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 16}, {3, 5}, {4, 256}}) {
    runAndCheck(batch, seq);
    kiln_arena_usage act, work, in;
    ASSERT_FALSE(own(kiln_session_arena(session.get(), 3, &act)));
    uint64_t bytes = uint64_t(batch * seq * 4);
    EXPECT_EQ(act.kind, KILN_ARENA_ACTIVATIONS);
    EXPECT_EQ(act.capacity, 8192u);
    EXPECT_EQ(act.formula, (bytes + 63) / 64 * 64 + bytes);
    EXPECT_EQ(act.high_water, act.formula);
    EXPECT_EQ(act.measured, (act.formula + 63) / 64 * 64);
    ASSERT_FALSE(own(kiln_session_arena(session.get(), 4, &work)));
    EXPECT_EQ(work.formula, uint64_t(seq * 4));
    EXPECT_EQ(work.high_water, work.formula);
    EXPECT_EQ(work.measured, (work.formula + 63) / 64 * 64);
    ASSERT_FALSE(own(kiln_session_arena(session.get(), 1, &in)));
    EXPECT_EQ(in.capacity, 0u);
    EXPECT_EQ(in.high_water, bytes);
  }
}

TEST_F(Session, NarrowerDimsShrinkArenas) {
  kiln_dim_range dims[] = {{"seq", 1, 8}, {"batch", 2, 2}};
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.dims = dims;
  options.dim_count = 2;
  open(scaleModel(), &options);
  kiln_arena_usage act;
  ASSERT_FALSE(own(kiln_session_arena(session.get(), 3, &act)));
  EXPECT_EQ(act.capacity, 128u);
  EXPECT_EQ(kiln_session_symbol(session.get(), 1)->max, 8);
  runAndCheck(2, 8);
  FloatTensor x("x", {2, 9}), y("y", {2, 9}), sum("sum", {2});
  EXPECT_EQ(run(x, y, sum), 604u);
  EXPECT_NE(std::string(kiln_status_message(status.get())).find("1..8"),
            std::string::npos);
  runAndCheck(2, 3);
}

TEST_F(Session, StateIsKeptAndReset) {
  open(stateModel());
  FloatTensor x("x", {1}), total("total", {1});
  auto step = [&](float value) {
    x.data[0] = value;
    kiln_tensor in = x.tensor(), out = total.tensor();
    EXPECT_FALSE(own(kiln_session_run(session.get(), &in, 1, &out, 1)));
    return total.data[0];
  };
  EXPECT_EQ(step(3), 3);
  EXPECT_EQ(step(4), 7);
  SessionPtr other = makeSession(model.get());
  ASSERT_FALSE(own(kiln_session_reset_state(session.get())));
  EXPECT_EQ(step(5), 5);
  std::swap(session, other); // state belongs to the session
  EXPECT_EQ(step(1), 1);
}

TEST_F(Session, StepTimesAndObserver) {
  struct Seen {
    std::vector<size_t> before, after;
    float first = 0;
  } seen;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.profile = 1;
  options.observer_user = &seen;
  options.observer = [](void *user, size_t step, int after, const kiln_buffer_view *reads,
                        size_t readCount, const kiln_buffer_view *writes,
                        size_t writeCount) {
    auto &s = *static_cast<Seen *>(user);
    (after ? s.after : s.before).push_back(step);
    if (step == 0 && after) {
      EXPECT_EQ(readCount, 2u);
      EXPECT_EQ(writeCount, 1u);
      EXPECT_STREQ(reads[1].name, "w");
      EXPECT_STREQ(writes[0].name, "t0");
      EXPECT_EQ(writes[0].bytes, 4u * 2 * 3);
      s.first = static_cast<float *>(writes[0].data)[0];
    }
  };
  open(scaleModel(), &options);
  runAndCheck(2, 3);
  EXPECT_EQ(seen.before, (std::vector<size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(seen.after, seen.before);
  EXPECT_EQ(seen.first, -8.0f * 2 + 1);
  const uint64_t *times = kiln_session_step_times(session.get());
  ASSERT_TRUE(times);
  EXPECT_LT(std::accumulate(times, times + 5, uint64_t(0)), 10'000'000'000u);
}

TEST_F(Session, SessionsOutliveTheCallersModel) {
  open(scaleModel());
  model.reset();
  runAndCheck(2, 2);
}

TEST_F(Session, FloatEnvironmentOfTheCallerDoesNotMatter) {
#if defined(__x86_64__)
  open(scaleModel());
  FloatTensor x("x", {1, 1}), y("y", {1, 1}), sum("sum", {1});
  x.data[0] = 0.1f;
  ASSERT_EQ(run(x, y, sum), 0u);
  float expected = y.data[0];
  unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x6000); // round towards zero
  unsigned code = run(x, y, sum);
  unsigned after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(code, 0u);
  EXPECT_EQ(y.data[0], expected);
  EXPECT_EQ(after & 0x6000, 0x6000u); // unchanged after the run
#endif
}

//===----------------------------------------------------------------------===//
// Outputs that are not computed
//===----------------------------------------------------------------------===//

TEST_F(Session, OutputsThatAreInputsWeightsOrEachOther) {
  PlanBuilder b;
  using kiln::fb::ArenaKind;
  using kiln::fb::DType;
  uint32_t n = b.sym(b.symbol("n", 1, 100));
  uint32_t bytes = b.mul(b.constant(4), n), two = b.constant(2);
  uint32_t weight =
      b.buffer("w", b.arena(ArenaKind::Weights, b.constant(8)), b.constant(8), 0, 1);
  uint32_t in = b.arena(ArenaKind::Input, bytes);
  uint32_t x = b.buffer("x", in, bytes, 0, 1);
  uint32_t view = b.buffer("view", in, bytes, 0, 1, {}, int32_t(x));
  uint32_t y = b.buffer("y", b.arena(ArenaKind::Output, bytes), bytes, 0, 1);
  b.input("x", DType::F32, {n}, x);
  b.output("identity", DType::F32, {n}, view);
  b.output("constant", DType::F32, {two}, weight);
  b.output("y", DType::F32, {n}, y);
  b.output("again", DType::F32, {n}, y);
  b.copy(x, y);
  b.plan.abi_version = KILN_HOST_ABI_VERSION;
  kiln::package::PackageContents contents;
  contents.plan = std::move(b.plan);
  static const float values[] = {5, 6};
  contents.weights.push_back(kiln::package::weightFromMemory("w", 0, values, 8));
  open(contents);
  for (int64_t size : {1, 100, 3}) {
    FloatTensor in("x", {size}), id("identity", {size}), c("constant", {2}),
        out("y", {size}), again("again", {size});
    kiln_tensor i = in.tensor(),
                o[] = {id.tensor(), c.tensor(), out.tensor(), again.tensor()};
    std::fill(again.data.begin(), again.data.end(), 99.0f);
    std::fill(id.data.begin(), id.data.end(), 99.0f);
    ASSERT_FALSE(own(kiln_session_run(session.get(), &i, 1, o, 4)));
    EXPECT_EQ(id.data, in.data);
    EXPECT_EQ(out.data, in.data);
    EXPECT_EQ(again.data, in.data);
    EXPECT_EQ(c.data, (std::vector<float>{5, 6}));
  }
}

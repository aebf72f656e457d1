//===- WrapperTest.cpp ----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ interface, kiln/runtime.hpp.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/pool.hpp"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace kiln::test;
using namespace std::chrono_literals;

TEST(Wrapper, RunsAModel) {
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  kiln::rt::Model model(folder / "m.kiln");
  kiln::rt::Session session(model);
  std::vector<float> x = {1, 2, 3, 4, 5, 6};
  auto results = session.run({{"x", x, {2, 3}}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].name, "y");
  EXPECT_EQ(results[0].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(results[0].as<float>()[5], scaled(6));
  EXPECT_THROW(results[0].as<int>(), std::invalid_argument);
  kiln::rt::Session moved = std::move(session);
  EXPECT_EQ(moved.run({{"x", x.data(), {1, 1}}})[1].as<float>()[0], scaled(1));
}

TEST(Wrapper, ThrowsCodedErrors) {
  TempFolder folder;
  try {
    kiln::rt::Model model(folder / "missing.kiln");
    FAIL();
  } catch (const kiln::rt::Error &e) {
    EXPECT_EQ(e.code(), 2u);
    EXPECT_EQ(e.exitCode(), 3);
    EXPECT_EQ(std::string(e.what()).rfind("KILN-E0002: ", 0), 0u);
  }
  writeModel(folder / "m.kiln", scaleModel());
  kiln::rt::Session session(kiln::rt::Model(folder / "m.kiln"));
  std::vector<float> two(2);
  EXPECT_THROW(session.run({{"x", two, {2, 3}}}), kiln::rt::Error);
  EXPECT_THROW(session.run({{"z", two, {1, 2}}}), kiln::rt::Error);
}

TEST(Wrapper, ErrorsHaveParts) {
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  kiln::rt::Session session(kiln::rt::Model(folder / "m.kiln"));
  std::vector<float> x(5);
  try {
    session.run({{"x", x, {5, 1}}});
    FAIL();
  } catch (const kiln::rt::Error &e) {
    EXPECT_EQ(e.where(), "input \"x\", dim 0");
    EXPECT_EQ(e.expected(), "1..4");
    EXPECT_EQ(e.found(), "5");
    EXPECT_NE(e.fix().find("batch=1..5"), std::string::npos);
  }
}

/// For element types that C++ lacks, the caller passes the dtype.
TEST(Wrapper, TakesElementsOfAnyType) {
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  kiln::rt::Session session(kiln::rt::Model(folder / "m.kiln"));
  std::vector<float> x = {3}, y(1);
  session.run({{"x", KILN_DTYPE_F32, x.data(), 4, {1, 1}}},
              {{"y", KILN_DTYPE_F32, y.data(), 4, {1, 1}}});
  EXPECT_EQ(y[0], scaled(3));
  uint16_t half = 0x3c00;
  try {
    session.run({{"x", KILN_DTYPE_F16, &half, 2, {1, 1}}});
    FAIL();
  } catch (const kiln::rt::Error &e) {
    EXPECT_EQ(e.code(), 602u);
    EXPECT_EQ(e.found(), "f16");
  }
}

TEST(Wrapper, EndsRunsEarly) {
  TempFolder folder;
  writeModel(folder / "m.kiln", slowModel());
  kiln::rt::Session session(kiln::rt::Model(folder / "m.kiln"));
  std::vector<float> x(8192);
  auto codeOf = [&](const kiln::rt::RunOptions &options) {
    try {
      session.run({{"x", x, {8192}}}, options);
    } catch (const kiln::rt::Error &e) {
      return e.code();
    }
    return 0u;
  };
  EXPECT_EQ(codeOf({20ms, {}}), 714u);
  EXPECT_EQ(codeOf({-5ms, {}}), 714u);
  EXPECT_EQ(codeOf({std::nullopt, [] { return true; }}), 713u);
  std::thread canceller([&] {
    std::this_thread::sleep_for(50ms);
    session.cancel();
  });
  EXPECT_EQ(codeOf({10s, {}}), 713u);
  canceller.join();
  std::vector<float> one = {21};
  EXPECT_EQ(session.run({{"x", one, {1}}})[0].as<float>()[0], 42);
}

namespace {
class Pools : public testing::Test {
protected:
  void SetUp() override { writeModel(folder / "m.kiln", slowModel()); }
  /// Runs `rows` rows of about a millisecond each; returns the error code.
  static unsigned codeOf(kiln::rt::Pool &pool, int64_t rows,
                         const kiln::rt::RunOptions &options = {}) {
    std::vector<float> x(static_cast<size_t>(rows), 1);
    try {
      auto out = pool.run({{"x", x, {rows}}}, options);
      return out[0].as<float>()[0] == 2 ? 0 : 1000;
    } catch (const kiln::rt::Error &e) {
      return e.code();
    }
  }
  TempFolder folder;
};
} // namespace

TEST_F(Pools, ServeManyThreads) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 1;
  kiln::rt::Pool pool(kiln::rt::Model(folder / "m.kiln"), 2, options);
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 10; ++i)
        good += codeOf(pool, 3) == 0;
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(good, 80);
}

TEST_F(Pools, AreBoundedFairAndClosed) {
  kiln::rt::Pool pool(kiln::rt::Model(folder / "m.kiln"), 1, KILN_SESSION_OPTIONS_INIT,
                      1);
  std::atomic<bool> hasBegun{false};
  std::thread busy([&] {
    kiln::rt::RunOptions options;
    options.timeout = 1000ms;
    options.poll = [&] {
      hasBegun = true;
      return false;
    };
    EXPECT_EQ(codeOf(pool, 8192, options), 714u);
  });
  while (!hasBegun)
    std::this_thread::yield();
  EXPECT_EQ(codeOf(pool, 1, {30ms, {}}), 714u); // the limit expires while it waits
  std::thread waiting([&] { EXPECT_EQ(codeOf(pool, 1), 1u); });
  while (pool.waiting() == 0)
    std::this_thread::yield();
  EXPECT_EQ(codeOf(pool, 1), 623u);
  pool.close();
  waiting.join();
  busy.join();
  EXPECT_EQ(codeOf(pool, 1), 1u);
  try {
    kiln::rt::Pool(kiln::rt::Model(folder / "m.kiln"), 0);
    ADD_FAILURE() << "a pool without sessions";
  } catch (const kiln::rt::Error &error) {
    EXPECT_EQ(std::string(error.what()).find("KILN-E0001: kiln::rt::Pool: "), 0u)
        << error.what();
  }
}

//===- LogTest.cpp - The caller's log -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/log.h"
#include "TestPackage.h"
#include "kiln/observe.hpp"
#include "runtime/base/cpu_limits.h"
#include "runtime/device/host/thread_pool.h"
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kiln::test;
using kiln::rt::LogRecord;

namespace {
/// Collects the log records of a test.
struct Log : testing::Test {
  void SetUp() override {
    writeModel(path, scaleModel());
    kiln::rt::setLog([this](const LogRecord &record) {
      std::lock_guard<std::mutex> lock(mutex);
      records.push_back(record);
    });
  }
  void TearDown() override { kiln::rt::setLog(nullptr); }

  const LogRecord *find(const std::string &event) const {
    for (const LogRecord &record : records)
      if (record.event == event)
        return &record;
    return nullptr;
  }

  TempFolder folder;
  const std::string path = folder / "m.kiln";
  std::mutex mutex;
  std::vector<LogRecord> records;
};

double number(const LogRecord &record, const std::string &key) {
  for (const auto &[name, value] : record.fields)
    if (name == key)
      return std::get<double>(value);
  ADD_FAILURE() << key;
  return -1;
}

std::string textOf(const LogRecord &record, const std::string &key) {
  for (const auto &[name, value] : record.fields)
    if (name == key)
      return std::get<std::string>(value);
  ADD_FAILURE() << key;
  return "";
}
} // namespace

TEST_F(Log, TellsOfLoadsWeightsAndSessions) {
  ModelPtr model = loadModel(path);
  const LogRecord *loaded = find("kiln.model.loaded");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->severity, KILN_LOG_INFO);
  EXPECT_EQ(loaded->code, 0u);
  EXPECT_EQ(textOf(*loaded, "file.path"), path);
  EXPECT_EQ(textOf(*loaded, "kiln.target"), "test");
  EXPECT_EQ(number(*loaded, "file.size"), double(readFile(path).size()));
  EXPECT_GT(number(*loaded, "kiln.duration_ms"), 0);
  ASSERT_FALSE(own(kiln_model_check_weights(model.get())));
  ASSERT_FALSE(own(kiln_model_check_weights(model.get())));
  SessionPtr session = makeSession(model.get());
  std::vector<std::string> events;
  for (const LogRecord &record : records)
    events.push_back(record.event);
  EXPECT_EQ(events, (std::vector<std::string>{"kiln.model.loaded", "kiln.weights.checked",
                                              "kiln.session.created"}));
  EXPECT_EQ(number(records[1], "kiln.weights.size"), 8);
  EXPECT_EQ(textOf(records[2], "kiln.device"), "cpu");
  kiln::rt::setLog(nullptr);
  ModelPtr other = loadModel(path);
  EXPECT_EQ(records.size(), 3u);
}

TEST_F(Log, TellsOfErrorsWithTheirCodes) {
  std::string bytes = readFile(path);
  bytes.back() ^= 1; // a byte of the weights
  writeFile(path, bytes);
  ModelPtr model = loadModel(path);
  EXPECT_EQ(kiln_status_code(own(kiln_model_check_weights(model.get())).get()), 503u);
  const LogRecord *failed = find("kiln.weights.check_failed");
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->severity, KILN_LOG_ERROR);
  EXPECT_EQ(failed->code, 503u);
  EXPECT_EQ(textOf(*failed, "error.type"), "KILN-E0503");
  EXPECT_EQ(loadCode(folder / "none.kiln"), 2u);
  const LogRecord *absent = find("kiln.model.load_failed");
  ASSERT_TRUE(absent);
  EXPECT_EQ(absent->code, 2u);
  EXPECT_EQ(absent->text.substr(0, 10), "KILN-E0002");
}

/// Callbacks may throw, call Kiln, and replace themselves.
TEST_F(Log, CallbacksMayDoAnything) {
  int calls = 0;
  kiln::rt::setLog([&](const LogRecord &) {
    ++calls;
    throw std::runtime_error("a mistake of the caller");
  });
  ModelPtr model = loadModel(path);
  EXPECT_TRUE(model);
  EXPECT_EQ(calls, 1);
  kiln::rt::setLog([&](const LogRecord &) {
    ++calls;
    ModelPtr inner = loadModel(path);
    SessionPtr session = makeSession(inner.get());
    FloatTensor x("x", {1, 2}), y("y", {1, 2}), sum("sum", {1});
    kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
    EXPECT_FALSE(own(kiln_session_run(session.get(), &in, 1, out, 2)));
  });
  EXPECT_TRUE(loadModel(path));
  EXPECT_EQ(calls, 2); // records from within a callback are dropped
  kiln_set_log([](void *, const kiln_log_record *) { kiln_set_log(nullptr, nullptr); },
               nullptr);
  EXPECT_TRUE(loadModel(path));
  EXPECT_TRUE(loadModel(path));
}

/// After kiln_set_log returns, the previous callback's data is no longer used.
TEST_F(Log, ReplacedByOneThreadWhileOthersLoad) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> loaders;
  for (int i = 0; i < 3; ++i)
    loaders.emplace_back([&] {
      while (!stop)
        EXPECT_TRUE(loadModel(path));
    });
  for (int i = 0; i < 200; ++i) {
    auto counter = std::make_unique<std::atomic<int>>(0);
    kiln_set_log(
        [](void *user, const kiln_log_record *) {
          ++*static_cast<std::atomic<int> *>(user);
        },
        counter.get());
    if (i % 2)
      std::this_thread::yield();
    kiln_set_log(nullptr, nullptr);
  }
  stop = true;
  for (std::thread &loader : loaders)
    loader.join();
}

/// Runs a body in a child process, which exits with its result; returns the exit status.
static int statusInChild(const std::function<int()> &body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// If no page may become executable, code is mapped in another way, and that is logged.
TEST_F(Log, TellsOfCodeThatIsMappedFromMemory) {
  constexpr int setMdwe = 65; // PR_SET_MDWE, which cannot be undone
  int status = statusInChild([&] {
    if (prctl(setMdwe, 1, 0, 0, 0) != 0)
      return 2;
    ModelPtr model = loadModel(path);
    return model && find("kiln.code.mapped_from_memory") ? 0 : 1;
  });
  if (status == 2)
    GTEST_SKIP() << "this system has no PR_SET_MDWE";
  EXPECT_EQ(status, 0);
}

TEST_F(Log, TellsOfThreadsThatCannotBeStarted) {
  if (kiln::rt::allowedCpuCount() < 2)
    GTEST_SKIP() << "this process has one CPU, and needs no threads";
  int status = statusInChild([&] {
    const rlimit one{1, 1}; // has no effect for root
    if (setrlimit(RLIMIT_NPROC, &one) != 0 || (getuid() == 0 && setuid(65534) != 0))
      return 2;
    bool isAlone = kiln::rt::ThreadPool::process().size() == 1;
    const LogRecord *fewer = find("kiln.threads.fewer");
    return isAlone && fewer && fewer->severity == KILN_LOG_WARNING ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

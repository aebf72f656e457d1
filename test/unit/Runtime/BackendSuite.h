//===- BackendSuite.h - Requirements on every backend -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One suite for all transports between ranks: a test that instantiates it defines how
// ranks are started (TestGroup), and BackendSuite.cpp has the tests.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_BACKENDSUITE_H
#define KILN_TEST_RUNTIME_BACKENDSUITE_H

#include "runtime/collective/backend.h"
#include <gtest/gtest.h>

namespace kiln::test {

/// One rank of a group under test. All memory is host memory: a GPU's rank copies.
class TestRank {
public:
  virtual ~TestRank() = default;
  virtual uint32_t rank() const = 0;
  virtual bool supports(const rt::CollectiveCall &call) const = 0;
  virtual rt::Status run(const rt::CollectiveCall &call) = 0;
  virtual void fail(const rt::Failure &what) = 0;
  virtual void noteStep() = 0;
};

/// Returns a text to compare, as ranks may be processes.
using RankBody = std::function<std::string(TestRank &)>;

class TestGroup {
public:
  virtual ~TestGroup() = default;
  /// Runs a body on each rank and returns their texts.
  virtual std::vector<std::string> onAll(const RankBody &body) = 0;
  /// Whether ranks can run again after one of them has failed.
  virtual bool recovers() const = 0;
};

/// A row of the table of backends under test.
struct BackendUnderTest {
  const char *name;
  /// Returns why this machine cannot run the backend; empty if it can.
  std::string (*obstacle)();
  std::unique_ptr<TestGroup> (*start)(uint32_t ranks, std::chrono::milliseconds timeout);
  std::vector<uint32_t> sizes; ///< numbers of ranks, ascending
  // Capabilities; tests of missing ones are skipped.
  bool takesLarge = true;    ///< tensors of megabytes
  bool hasSubgroups = true;  ///< subgroups of four ranks
  bool comparesCalls = true; ///< compares the calls of all ranks, not only their steps
};

inline std::string noObstacle() { return {}; }

class BackendSuite : public testing::TestWithParam<BackendUnderTest> {
protected:
  void SetUp() override {
    if (std::string obstacle = GetParam().obstacle(); !obstacle.empty())
      GTEST_SKIP() << GetParam().name << ": " << obstacle;
  }
  std::unique_ptr<TestGroup>
  start(uint32_t ranks, std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    return GetParam().start(ranks, timeout);
  }
};

/// Names instances for INSTANTIATE_TEST_SUITE_P.
inline std::string nameOf(const testing::TestParamInfo<BackendUnderTest> &info) {
  return info.param.name;
}

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_BACKENDSUITE_H

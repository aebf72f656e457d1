//===- TimeLimitTest.cpp --------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Support/TimeLimit.h"
#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::driver;

namespace {
const char *const kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
mlp (float[batch, 4] x) => (float[batch, 3] y)
<float[4, 3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}>
{ h = MatMul(x, w)
  y = Relu(h) }
)";

class TimeLimitTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-time-limit", folder));
    options.input = (folder + "/m.onnxtxt").str();
    options.output = (folder + "/m.kiln").str();
    options.threads = 1;
    std::error_code error;
    llvm::raw_fd_ostream file(options.input, error);
    ASSERT_FALSE(error);
    file << kModel;
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// Returns the files in the folder.
  std::vector<std::string> files() {
    std::vector<std::string> names;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error))
      names.push_back(llvm::sys::path::filename(it->path()).str());
    return names;
  }

  llvm::SmallString<128> folder;
  CompileOptions options;
};

/// Compiles with a time limit; the compile hangs in `phase`.
void compileWithin(CompileOptions options, const std::string &phase) {
  std::unique_ptr<TimeLimit> limit;
  options.progress = [&](llvm::StringRef name) {
    if (name != phase)
      return;
    limit = std::make_unique<TimeLimit>(0.01);
    limit->begin(name);
    for (;;)
      pause();
  };
  CompileReport report;
  llvm::consumeError(compile(options, report));
}

TEST_F(TimeLimitTest, EndsACompileInEachPhase) {
  // Forks, so that the compile that is killed writes to this folder.
  GTEST_FLAG_SET(death_test_style, "fast");
  CompileReport report;
  ASSERT_EQ(llvm::toString(compile(options, report)), "");
  ASSERT_FALSE(llvm::sys::fs::remove(options.output));
  ASSERT_GT(report.phases.size(), 5u);
  for (const CompileReport::Phase &phase : report.phases) {
    EXPECT_EXIT(compileWithin(options, phase.name), testing::ExitedWithCode(4),
                "KILN-E0310: phase '" + phase.name + "'.*expected at most 10.0 ms");
    EXPECT_EQ(files(), std::vector<std::string>{"m.onnxtxt"}) << phase.name;
  }
}

TEST_F(TimeLimitTest, LeavesACompileThatIsInTimeAlone) {
  for (double seconds : {0.0, 3600.0, 366.0 * 24 * 3600}) {
    TimeLimit limit(seconds);
    options.progress = [&](llvm::StringRef name) { limit.begin(name); };
    CompileReport report;
    EXPECT_EQ(llvm::toString(compile(options, report)), "");
  }
}

TEST(ParseSeconds, KnowsUnits) {
  auto parsed = [](llvm::StringRef text) {
    llvm::Expected<double> value = parseSeconds("--time-limit", text);
    return value ? *value : (llvm::consumeError(value.takeError()), -1);
  };
  EXPECT_EQ(parsed("10min"), 600);
  EXPECT_EQ(parsed("500ms"), 0.5);
  EXPECT_EQ(parsed("1.5 h"), 5400);
  EXPECT_EQ(parsed("7"), 7);
  for (const char *bad : {"", "x", "-1", "5 days", "1e9h", "9999999h", "1..2"})
    EXPECT_EQ(parsed(bad), -1) << bad;
}
} // namespace

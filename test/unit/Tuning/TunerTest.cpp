//===- TunerTest.cpp - Measuring the candidates of kernels ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Tuning/Tuner.h"
#include "Models.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::test;
using namespace kiln::tuning;

namespace {
class TunerTest : public testing::Test {
protected:
  void SetUp() override {
    settings.compile.input = folder / "m.onnxtxt";
    settings.compile.output = folder / "m.cfg";
    settings.compile.threads = 2;
    settings.session.threads = 1;
    writeFile(settings.compile.input, mlpText());
  }
  std::string run(Tuner &tuner) {
    tuner.progress = [this](const std::string &what) { told.push_back(what); };
    return messageOf(tuner.run());
  }

  TempFolder folder;
  TuneSettings settings;
  std::vector<std::string> told;
};

TEST_F(TunerTest, NoTimeWritesAFileWithoutLines) {
  settings.seconds = 0;
  Tuner tuner(settings);
  EXPECT_EQ(run(tuner), "");
  EXPECT_TRUE(told.empty()) << "nothing is compiled";
  EXPECT_NE(readFile(folder / "m.cfg").find("measured by kiln tune"), std::string::npos);
  EXPECT_EQ(listFolder(folder / "").size(), 2u);
}

TEST_F(TunerTest, MeasuresTheDimsThatAreGiven) {
  settings.seconds = 0.2; // too short for a full round
  settings.points = {{{"batch", 2}}, {{"batch", 64}}, {{"batch", 2}}};
  Tuner tuner(settings);
  ASSERT_EQ(run(tuner), "");
  ASSERT_EQ(tuner.getPoints().size(), 2u) << "each of them once";
  EXPECT_EQ(tuner.getPoints()[0].symbols().at("batch"), 2);
  EXPECT_EQ(tuner.getPoints()[1].symbols().at("batch"), 64);
  EXPECT_FALSE(tuner.getTarget().empty());
  EXPECT_FALSE(tuner.hasTimeLeft());
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), "compiling the untuned package");
  EXPECT_EQ(told.back(), "all winners together");
  std::string text = readFile(folder / "m.cfg");
  EXPECT_NE(text.find("# measured at batch=2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# measured at batch=64\n"), std::string::npos) << text;
}

TEST_F(TunerTest, ChoosesDimsByItself) {
  settings.seconds = 0.2;
  Tuner tuner(settings);
  ASSERT_EQ(run(tuner), "");
  ASSERT_EQ(tuner.getPoints().size(), 2u);
  EXPECT_EQ(tuner.getPoints()[0].symbols().at("batch"), 1);
  EXPECT_EQ(tuner.getPoints()[1].symbols().at("batch"), 4);
}

TEST_F(TunerTest, DimsMustBeInTheEnvelope) {
  settings.points = {{{"batch", 1000}}};
  Tuner tuner(settings);
  EXPECT_NE(run(tuner).find("KILN-E"), std::string::npos);
}

TEST_F(TunerTest, ProblemsAreKernelsWithAChoice) {
  settings.seconds = 0.2;
  Tuner tuner(settings);
  ASSERT_EQ(run(tuner), "");
  ASSERT_FALSE(tuner.getProblems().empty());
  for (const TuneProblem &problem : tuner.getProblems()) {
    EXPECT_GE(problem.lines.size(), 2u) << problem.code;
    EXPECT_FALSE(problem.steps.empty()) << problem.code;
    EXPECT_EQ(problem.best, 0u) << "there was no time to measure";
  }
}

/// The configs found must compile, and give the same package each time.
TEST_F(TunerTest, AShortSearchWritesConfigsThatCompile) {
  settings.points = {{{"batch", 8}}};
  size_t judged = 0;
  // Increase the time, as a busy machine needs longer for a round.
  for (settings.seconds = 2; judged == 0 && settings.seconds < 100;
       settings.seconds *= 2) {
    Tuner tuner(settings);
    ASSERT_EQ(run(tuner), "");
    for (const TuneProblem &problem : tuner.getProblems()) {
      judged += problem.measured;
      EXPECT_EQ(problem.refused, 0u) << "all candidates of a CPU are right";
      if (problem.best) {
        EXPECT_LT(problem.ratio, 1);
        EXPECT_LT(problem.after, problem.before);
      }
    }
  }
  EXPECT_GE(judged, 1u);
  std::string packages[2];
  for (std::string &package : packages) {
    compileText(folder, "tuned", mlpText(), [&](CompileOptions &options) {
      options.targets.configs = folder / "m.cfg";
    });
    package = readFile(folder / "tuned.kiln");
  }
  EXPECT_EQ(packages[0], packages[1]);
}

TEST_F(TunerTest, ModelsMustCompile) {
  writeFile(settings.compile.input, "no model");
  Tuner tuner(settings);
  EXPECT_NE(run(tuner), "");
  EXPECT_NE(readFile(folder / "m.cfg"), "") << "the file is there from the beginning";
}

TEST_F(TunerTest, FilesMustBeWritable) {
  settings.compile.output = folder / "none/m.cfg";
  Tuner tuner(settings);
  EXPECT_NE(run(tuner).find("KILN-E0003"), std::string::npos);
}
} // namespace

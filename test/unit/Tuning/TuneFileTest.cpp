//===- TuneFileTest.cpp - Output file of kiln tune ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Tuning/TuneFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::tuning;

namespace {
using Lines = std::vector<std::string>;

TuneProblem problemOf(const char *code) {
  TuneProblem problem;
  problem.code = code;
  problem.steps = {0, 3};
  problem.lines = {"k1 sm_80 gemm a", "k1 sm_80 gemm b", "k1 sm_80 gemm c"};
  return problem;
}

/// Returns the lines that a compile reads: those that are no comments.
Lines configsOf(llvm::StringRef text) {
  Lines lines;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    line = line.split('#').first.trim();
    if (!line.empty())
      lines.push_back(line.str());
  }
  return lines;
}

bool has(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).contains(part);
}

TEST(TuneFile, BeforeTheSearchThereAreNoLines) {
  std::string text = tuneFileText({}, "cpu", "", {});
  EXPECT_TRUE(has(text, "# Configs of kernels, measured by kiln tune"));
  EXPECT_FALSE(has(text, "device")) << "which is not known yet";
  EXPECT_TRUE(configsOf(text).empty());
}

TEST(TuneFile, SaysWhatWasMeasuredWhere) {
  SymbolValues dims = {{"batch", 4}, {"seq", 128}};
  std::string text = tuneFileText({}, "cuda:1", "sm_90a", {dims, SymbolValues(), dims});
  EXPECT_TRUE(has(text, "# device cuda:1, target sm_90a\n"));
  EXPECT_TRUE(has(text, "# measured at batch=4 seq=128\n"));
  EXPECT_FALSE(has(text, "# measured at\n")) << "a model without dims";
}

TEST(TuneFile, WinnersAreLines) {
  TuneProblem problem = problemOf("matmul_3");
  problem.best = 2;
  problem.measured = 2;
  problem.ratio = 0.8;
  problem.before = 0.001;
  problem.after = 0.0008;
  std::string text = tuneFileText(problem, "cpu", "x86-64-v3", {});
  EXPECT_EQ(configsOf(text), Lines{"k1 sm_80 gemm c"});
  EXPECT_TRUE(has(text, "# matmul_3, 2 steps: 1.00 ms -> 800 us (-20.0 %), 2 of 2 other "
                        "configs measured\n"))
      << text;
}

TEST(TuneFile, TheCompilersChoiceIsAComment) {
  TuneProblem problem = problemOf("matmul_3");
  problem.measured = 1;
  problem.refused = 1;
  problem.fastest = 1.05;
  std::string text = tuneFileText(problem, "cpu", "x86-64-v3", {});
  EXPECT_TRUE(configsOf(text).empty());
  EXPECT_TRUE(has(text, "# the compiler's choice stays: k1 sm_80 gemm a\n"));
  EXPECT_TRUE(has(text, "2 steps: 1 of 2 other configs measured, the fastest +5.0 %, 1 "
                        "refused\n"))
      << text;
}

TEST(TuneFile, OneStepIsNoPlural) {
  TuneProblem problem = problemOf("matmul_3");
  problem.steps = {7};
  EXPECT_TRUE(has(tuneFileText(problem, "cpu", "x", {}), "# matmul_3, 1 step: "));
}

TEST(TuneFile, KeepsTheOrderOfProblems) {
  TuneProblem first = problemOf("a"), second = problemOf("b");
  first.best = second.best = 1;
  second.lines[1] = "k2 sm_80 gemm d";
  EXPECT_EQ(configsOf(tuneFileText({first, second}, "cpu", "x", {})),
            (Lines{"k1 sm_80 gemm b", "k2 sm_80 gemm d"}));
}

/// Names of dims come from the model and must not end a comment and begin a line.
TEST(TuneFile, NamesOfTheModelStayInTheirComment) {
  SymbolValues dims = {{"batch\nk1 sm_80 gemm evil", 4}};
  std::string text = tuneFileText({}, "cpu\nk2", "sm_80", dims);
  EXPECT_TRUE(configsOf(text).empty()) << text;
}

TEST(TuneFile, TheSameProblemsGiveTheSameText) {
  TuneProblem problem = problemOf("matmul_3");
  problem.best = 1;
  EXPECT_EQ(tuneFileText(problem, "cpu", "x", {}), tuneFileText(problem, "cpu", "x", {}));
}
} // namespace

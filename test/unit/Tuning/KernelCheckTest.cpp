//===- KernelCheckTest.cpp - Kernels against the reference ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Tuning/KernelCheck.h"
#include "Models.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Execution/SessionSettings.h"
#include "kiln/Execution/Status.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;
using namespace kiln::tuning;

namespace {
/// Observes a run and corrupts an element of a step's result before the check sees it.
struct Spoiler {
  KernelCheck *check;
  std::optional<size_t> step;
  float value = 0;

  static void observe(void *self, size_t step, int after, const kiln_buffer_view *reads,
                      size_t readCount, const kiln_buffer_view *writes,
                      size_t writeCount) {
    auto *own = static_cast<Spoiler *>(self);
    if (after && own->step == step)
      static_cast<float *>(writes[0].data)[0] = own->value;
    KernelCheck::observe(own->check, step, after, reads, readCount, writes, writeCount);
  }
};

class KernelCheckTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    folder = new TempFolder;
    compileText(*folder, "mlp", mlpText());
    compileText(*folder, "plain", R"(<ir_version: 8, opset_import: ["" : 17]>
plain (int64[batch, 4] x) => (int64[batch, 4] y) { y = Add(x, x) }
)");
    compileText(*folder, "half", R"(<ir_version: 8, opset_import: ["" : 17]>
half (float16[batch, 4] x) => (float16[batch, 4] y) { y = Tanh(x) }
)");
  }
  static void TearDownTestSuite() { delete folder; }

  void open(const char *name) {
    model = loadPackage(*folder / (std::string(name) + ".kiln"));
    graph.emplace(valueOf(graphOf(model.get())));
  }
  KernelCheck check(std::optional<double> tolerance = std::nullopt) {
    return KernelCheck(model.get(), *graph, {{"batch", 3}}, tolerance);
  }
  /// Runs once with the check as observer.
  void run(KernelCheck &check, std::optional<size_t> spoiled = std::nullopt,
           float value = 0) {
    Spoiler spoiler{&check, spoiled, value};
    InputSet inputs =
        valueOf(InputSet::create(model.get(), {"kiln verify", {}, {{"batch", 3}}, 1}));
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.observer = Spoiler::observe;
    options.observer_user = &spoiler;
    Session session = valueOf(createSession(model.get(), options));
    OutputSet outputs =
        valueOf(OutputSet::create(model.get(), session.get(), inputs.tensors()));
    ASSERT_EQ(messageOf(runOnce(session.get(), inputs, outputs)), "");
  }
  static TempFolder *folder;
  Model model;
  std::optional<PackageGraph> graph;
};
TempFolder *KernelCheckTest::folder = nullptr;

TEST_F(KernelCheckTest, RightKernelsPass) {
  open("mlp");
  KernelCheck own = check();
  ASSERT_EQ(messageOf(own.checkMatch()), "");
  run(own);
  ASSERT_EQ(messageOf(own.takeError()), "");
  ASSERT_EQ(own.results().size(), graph->kernelCount());
  for (const KernelCheck::StepResult &result : own.results()) {
    EXPECT_TRUE(result.passed) << result.step;
    EXPECT_LE(result.error, 2e-5);
    EXPECT_EQ(result.tolerance, 2e-5);
  }
}

TEST_F(KernelCheckTest, AWrongElementFailsItsStepAlone) {
  open("mlp");
  for (size_t step = 0; step < kiln_model_step_count(model.get()); ++step) {
    KernelCheck own = check();
    run(own, step, 1000);
    ASSERT_EQ(messageOf(own.takeError()), "");
    for (const KernelCheck::StepResult &result : own.results())
      EXPECT_EQ(result.passed, result.step != step)
          << "later steps are judged on the operands that they got";
  }
}

TEST_F(KernelCheckTest, NaNIsWrong) {
  open("mlp");
  KernelCheck own = check();
  run(own, 0, NAN);
  EXPECT_FALSE(own.results()[0].passed);
  EXPECT_TRUE(std::isinf(own.results()[0].error));
}

TEST_F(KernelCheckTest, TolerancesCanBeGiven) {
  open("mlp");
  KernelCheck wide = check(1e9);
  run(wide, 0, 1000);
  EXPECT_TRUE(wide.results()[0].passed);
  EXPECT_EQ(wide.results()[0].tolerance, 1e9);
  KernelCheck none = check(-1);
  run(none);
  EXPECT_FALSE(none.results()[0].passed);
}

TEST_F(KernelCheckTest, OnlyTheStepsThatAreWanted) {
  open("mlp");
  KernelCheck own = check();
  own.wants = [](size_t step) { return step == 1; };
  std::vector<size_t> told;
  own.progress = [&](size_t step) { told.push_back(step); };
  run(own);
  ASSERT_EQ(own.results().size(), 1u);
  EXPECT_EQ(own.results()[0].step, 1u);
  EXPECT_EQ(told, std::vector<size_t>{1});
}

TEST_F(KernelCheckTest, IntegersAreExact) {
  open("plain");
  KernelCheck own = check();
  run(own);
  ASSERT_EQ(messageOf(own.takeError()), "");
  ASSERT_EQ(own.results().size(), 1u);
  EXPECT_TRUE(own.results()[0].passed);
  EXPECT_EQ(own.results()[0].tolerance, 0);
  KernelCheck spoiled = check();
  run(spoiled, 0, 1);
  EXPECT_FALSE(spoiled.results()[0].passed);
}

TEST_F(KernelCheckTest, HalvesHaveTheirOwnTolerance) {
  open("half");
  KernelCheck own = check();
  run(own);
  ASSERT_EQ(messageOf(own.takeError()), "");
  ASSERT_EQ(own.results().size(), 1u);
  EXPECT_TRUE(own.results()[0].passed);
  EXPECT_EQ(own.results()[0].tolerance, 2e-3);
}

/// Symbols without a value end the check, but not the run.
TEST_F(KernelCheckTest, ErrorsOfTheReferenceAreKept) {
  open("mlp");
  KernelCheck own(model.get(), *graph, /*symbols=*/{}, std::nullopt);
  run(own);
  EXPECT_NE(messageOf(own.takeError()), "");
  EXPECT_TRUE(own.results().empty());
}

/// The graph of one model and the plan of another do not match.
TEST_F(KernelCheckTest, GraphsMustMatchTheirPlan) {
  open("plain");
  Model other = loadPackage(*folder / "mlp.kiln");
  KernelCheck own(other.get(), *graph, {{"batch", 3}}, std::nullopt);
  Diagnosis problem = problemOf(own.checkMatch());
  EXPECT_EQ(problem.code, ErrorCode::GraphMissing);
  EXPECT_EQ(problem.expected, "1 kernels as in the graph");
  EXPECT_EQ(problem.found, "2");
}

TEST(KernelTolerance, OfTypes) {
  EXPECT_EQ(kernelTolerance(KILN_DTYPE_F32), 2e-5);
  EXPECT_EQ(kernelTolerance(KILN_DTYPE_F16), 2e-3);
  EXPECT_EQ(kernelTolerance(KILN_DTYPE_BF16), 1.6e-2);
  EXPECT_EQ(kernelTolerance(KILN_DTYPE_F64), 1e-12);
  EXPECT_EQ(kernelTolerance(KILN_DTYPE_I64), 0);
  EXPECT_EQ(kernelTolerance(KILN_DTYPE_BOOL), 0);
}

TEST(KernelTolerance, TypesByTheirName) {
  for (kiln_dtype dtype : {KILN_DTYPE_F32, KILN_DTYPE_I64, KILN_DTYPE_BOOL,
                           KILN_DTYPE_F8E4M3FN, KILN_DTYPE_U2})
    EXPECT_EQ(dtypeOf(kiln_dtype_name(dtype)), dtype);
  EXPECT_EQ(dtypeOf("f31"), std::nullopt);
  EXPECT_EQ(dtypeOf(""), std::nullopt);
}
} // namespace

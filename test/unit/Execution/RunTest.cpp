//===- RunTest.cpp - Running sessions and groups of ranks -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Models.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/Runner.h"
#include "kiln/Execution/SessionSettings.h"
#include "kiln/Execution/States.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Console.h"
#include "kiln/group.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
class RunTest : public testing::Test {
protected:
  void open(const package::PackageContents &contents) {
    writeModel(folder / "m.kiln", contents);
    model = loadPackage(folder / "m.kiln");
    settings.threads = 2;
  }
  InputSet inputs(SymbolValues dims = {}) {
    return valueOf(InputSet::create(model.get(), {"kiln run", {}, std::move(dims), 5}));
  }
  Runner runner(StepObserver observer = nullptr) {
    ranges.clear();
    return valueOf(
        Runner::create(model.get(), settings, settings.options(ranges), observer));
  }
  OutputSet outputs(const Runner &runner, const InputSet &inputs) {
    return valueOf(OutputSet::create(model.get(), runner.session(), inputs.tensors()));
  }
  static std::vector<float> valuesOf(const kiln_tensor &tensor) {
    auto *data = static_cast<const float *>(tensor.data);
    return {data, data + tensor.size / sizeof(float)};
  }

  TempFolder folder;
  Model model;
  SessionSettings settings;
  std::vector<kiln_dim_range> ranges;
};

TEST_F(RunTest, OutputsHaveTheShapesThatFollowFromInputs) {
  open(scaleModel());
  InputSet given = inputs({{"batch", 3}, {"seq", 7}});
  OutputSet made = outputs(runner(), given);
  ASSERT_EQ(made.buffers().size(), 2u);
  EXPECT_EQ(made.buffers()[0].getName(), "y");
  EXPECT_EQ(made.buffers()[0].getShape(), llvm::ArrayRef<int64_t>({3, 7}));
  EXPECT_EQ(made.buffers()[1].getName(), "sum");
  EXPECT_EQ(made.buffers()[1].getShape(), llvm::ArrayRef<int64_t>({3}));
}

TEST_F(RunTest, OutputsOfInputsThatDoNotFitAreErrors) {
  open(scaleModel());
  Runner session = runner();
  FloatTensor wrong("x", {2, 3, 4});
  kiln_tensor tensor = wrong.tensor();
  Diagnosis problem =
      problemOf(OutputSet::create(model.get(), session.session(), tensor));
  EXPECT_EQ(problem.where, "input \"x\"");
  EXPECT_EQ(problem.found, "3");
}

TEST_F(RunTest, ASessionComputesTheOutputs) {
  open(scaleModel());
  InputSet given = inputs({{"batch", 2}, {"seq", 9}});
  Runner session = runner();
  OutputSet made = outputs(session, given);
  ASSERT_EQ(messageOf(runOnce(session, given, made)), "");
  std::vector<float> x = valuesOf(given.tensors()[0]), y = valuesOf(made.tensors()[0]);
  std::vector<float> sums = valuesOf(made.tensors()[1]);
  for (auto [in, out] : llvm::zip_equal(x, y))
    EXPECT_EQ(out, scaled(in));
  for (size_t row : {0, 1}) {
    float sum = 0;
    for (size_t i = 0; i < 9; ++i)
      sum += y[row * 9 + i];
    EXPECT_NEAR(sums[row], sum, 1e-4);
  }
  EXPECT_EQ(session.rankCount(), 1u);
  EXPECT_TRUE(session.isFirst());
  EXPECT_TRUE(valueOf(session.agree(true)));
  EXPECT_FALSE(valueOf(session.agree(false)));
  EXPECT_GE(session.threads(), 1u);
}

TEST_F(RunTest, SessionsRunByThemselvesToo) {
  open(scaleModel());
  InputSet given = inputs();
  Session session = valueOf(createSession(model.get(), settings.options(ranges)));
  OutputSet made =
      valueOf(OutputSet::create(model.get(), session.get(), given.tensors()));
  ASSERT_EQ(messageOf(runOnce(session.get(), given, made)), "");
  EXPECT_EQ(valuesOf(made.tensors()[0])[0], scaled(valuesOf(given.tensors()[0])[0]));
}

TEST_F(RunTest, ObserversSeeEveryStepBeforeAndAfter) {
  open(scaleModel());
  InputSet given = inputs({{"batch", 1}, {"seq", 4}});
  std::vector<std::pair<size_t, bool>> seen;
  std::vector<float> before, after;
  auto look = [&](uint32_t rank, size_t step, bool isAfter, auto reads, auto writes) {
    EXPECT_EQ(rank, 0u);
    seen.emplace_back(step, isAfter);
    ASSERT_FALSE(reads.empty() || writes.empty());
    if (step == 0 && !isAfter)
      before = {static_cast<float *>(reads[0].data),
                static_cast<float *>(reads[0].data) + 4};
    if (step == 0 && isAfter)
      after = {static_cast<float *>(writes[0].data),
               static_cast<float *>(writes[0].data) + 4};
  };
  Runner session = runner(look);
  ASSERT_EQ(messageOf(runOnce(session, given, outputs(session, given))), "");
  ASSERT_EQ(seen.size(), 10u) << "five steps";
  for (auto [i, look] : llvm::enumerate(seen))
    EXPECT_EQ(look, (std::pair<size_t, bool>(i / 2, i % 2))) << i;
  EXPECT_EQ(before, valuesOf(given.tensors()[0]));
  for (auto [in, out] : llvm::zip_equal(before, after))
    EXPECT_EQ(out, in * 2 + 1);
}

TEST_F(RunTest, ObserversSeeEveryRank) {
  open(ranksModel(2));
  InputSet given = inputs({{"batch", 1}, {"seq", 4}});
  std::vector<unsigned> steps(2);
  Runner group = runner([&](uint32_t rank, size_t, bool after, auto, auto) {
    ASSERT_LT(rank, 2u);
    steps[rank] += after;
  });
  ASSERT_EQ(messageOf(runOnce(group, given, outputs(group, given))), "");
  EXPECT_EQ(steps[0], kiln_model_step_count(model.get()));
  EXPECT_EQ(steps[1], steps[0]);
}

TEST_F(RunTest, AGroupRunsAPackageOfSeveralRanks) {
  open(ranksModel(2));
  settings.threads = 4;
  InputSet given = inputs({{"batch", 2}, {"seq", 5}});
  Runner group = runner();
  EXPECT_EQ(group.rankCount(), 2u);
  EXPECT_EQ(group.localRanks().size(), 2u);
  EXPECT_GE(group.threads(), 2u);
  EXPECT_TRUE(group.isFirst());
  EXPECT_TRUE(valueOf(group.agree(true)));
  OutputSet made = outputs(group, given);
  ASSERT_EQ(messageOf(runOnce(group, given, made)), "");
  std::vector<float> x = valuesOf(given.tensors()[0]), y = valuesOf(made.tensors()[0]);
  for (auto [in, out] : llvm::zip_equal(x, y))
    EXPECT_NEAR(out, in * 2 + 1 + in * 3 + 1, 1e-5);
}

TEST_F(RunTest, PackagesRunOnAsManyRanksAsTheyAreFor) {
  open(ranksModel(2));
  settings.ranks = 3;
  Diagnosis problem =
      problemOf(Runner::create(model.get(), settings, settings.options(ranges)));
  EXPECT_NE(problem.str().find("2"), std::string::npos) << problem.str();
  open(scaleModel());
  settings.ranks = 2;
  EXPECT_FALSE(problemOf(Runner::create(model.get(), settings, settings.options(ranges)))
                   .what.empty());
}

TEST_F(RunTest, StateLastsUntilItIsReset) {
  open(stateModel());
  Runner session = runner();
  FloatTensor x("x", {1}), total("total", {1});
  for (float expected : {3.0f, 6.0f, 9.0f}) {
    x.data = {3};
    ASSERT_EQ(messageOf(toError(session.run(x.tensor(), total.tensor()))), "");
    EXPECT_EQ(total.data[0], expected);
  }
  ASSERT_EQ(messageOf(session.resetState()), "");
  ASSERT_EQ(messageOf(toError(session.run(x.tensor(), total.tensor()))), "");
  EXPECT_EQ(total.data[0], 3);
}

TEST_F(RunTest, CopiesShareTheState) {
  open(stateModel());
  Runner session = runner(), copy = session;
  FloatTensor x("x", {1}), total("total", {1});
  x.data = {2};
  ASSERT_EQ(messageOf(toError(session.run(x.tensor(), total.tensor()))), "");
  ASSERT_EQ(messageOf(toError(copy.run(x.tensor(), total.tensor()))), "");
  EXPECT_EQ(total.data[0], 4);
}

TEST_F(RunTest, UnknownEntriesAreErrors) {
  open(scaleModel());
  EXPECT_NE(problemOf(runner().entry("decode")).str().find("decode"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

TEST_F(RunTest, SettingsBecomeOptions) {
  open(scaleModel());
  settings.noGraph = true;
  ranges = {{"seq", 1, 8}};
  kiln_session_options options = settings.options(ranges);
  EXPECT_STREQ(options.device, "cpu");
  EXPECT_EQ(options.threads, 2u);
  EXPECT_EQ(options.no_graph, 1);
  ASSERT_EQ(options.dim_count, 1u);
  EXPECT_EQ(options.dims[0].hi, 8);
  EXPECT_EQ(settings.modelOptions().expect_sha256, nullptr);
  EXPECT_EQ(settings.modelOptions().trust_weights, 0);
  EXPECT_EQ(settings.modelOptions().guard_mapping, 1);
  settings.expect = "00ff";
  settings.trustWeights = true;
  EXPECT_STREQ(settings.modelOptions().expect_sha256, "00ff");
  EXPECT_EQ(settings.modelOptions().trust_weights, 1);
}

/// CPU memory is committed on first use, so a session covers all dims.
TEST_F(RunTest, RangesOfACpuAreAllOfThePackage) {
  open(scaleModel());
  EXPECT_TRUE(settings.ranges(model.get(), inputs()).empty());
}

TEST_F(RunTest, RangesOfAGpuAreThoseOfTheInputs) {
  open(scaleModel());
  settings.device = "cuda";
  std::vector<kiln_dim_range> found =
      settings.ranges(model.get(), inputs({{"batch", 2}, {"seq", 9}}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_STREQ(found[0].name, "batch");
  EXPECT_EQ(found[0].lo, 2);
  EXPECT_EQ(found[0].hi, 2);
  EXPECT_STREQ(found[1].name, "seq");
  EXPECT_EQ(found[1].hi, 9);
}

TEST_F(RunTest, DimsThatAreKnownGetNoOtherRange) {
  open(scaleModel());
  ranges = {{"seq", 4, 9}};
  addOtherEntries(model.get(), ranges);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].hi, 9);
  EXPECT_STREQ(ranges[1].name, "batch");
  EXPECT_EQ(ranges[1].lo, 1);
  EXPECT_EQ(ranges[1].hi, 1) << "the smallest";
}

TEST_F(RunTest, ModelsWithoutStateHaveNoneToFill) {
  open(scaleModel());
  Runner session = runner();
  EXPECT_EQ(messageOf(fillStates(model.get(), session.session(), inputs(), 1)), "");
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// y = table[int(x)]: random x give computed indices that may be out of bounds.
class ComputedIndices : public testing::Test {
protected:
  static void SetUpTestSuite() {
    folder = new TempFolder;
    compileText(*folder, "m", R"(<ir_version: 8, opset_import: ["" : 17]>
lookup (float[n] x) => (float[n, 2] y)
<float[2, 2] table = {1, 2, 3, 4}, float far = {1000}>
{ large = Mul(x, far)
  i = Cast<to = 7>(large)
  y = Gather(table, i) }
)");
  }
  static void TearDownTestSuite() { delete folder; }

  std::string run(const InputSettings &settings) {
    Model model = loadPackage(*folder / "m.kiln");
    SessionSettings how;
    std::vector<kiln_dim_range> ranges;
    InputSet inputs = valueOf(InputSet::create(model.get(), settings));
    Session session = valueOf(createSession(model.get(), how.options(ranges)));
    OutputSet outputs =
        valueOf(OutputSet::create(model.get(), session.get(), inputs.tensors()));
    testing::internal::CaptureStderr();
    std::string message = messageOf(runOnce(session.get(), inputs, outputs));
    warning = testing::internal::GetCapturedStderr();
    return message;
  }
  static TempFolder *folder;
  std::string warning;
};
TempFolder *ComputedIndices::folder = nullptr;

TEST_F(ComputedIndices, OfInputsThatAreGivenAreErrors) {
  writeFloats(*folder / "x.npy", {2}, {0, 5});
  EXPECT_NE(run({"kiln run", {{"x", *folder / "x.npy"}}, {}, 0}).find("KILN-E0614"),
            std::string::npos);
  EXPECT_EQ(warning, "");
}

TEST_F(ComputedIndices, OfRandomInputsAreAWarning) {
  setQuiet(true);
  EXPECT_EQ(run({"kiln run"}), "");
  setQuiet(false);
  EXPECT_EQ(run({"kiln run"}), "");
  // The warning appears once per process.
  EXPECT_EQ(warning, "");
}
} // namespace

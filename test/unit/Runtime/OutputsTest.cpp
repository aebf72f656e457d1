//===- OutputsTest.cpp - Optional outputs ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestKernels.h"
#include "TestPackage.h"
#include <gtest/gtest.h>

using namespace kiln::test;
using kiln::fb::ArenaKind;
using kiln::fb::DType;

/// x [rows, 8] -> y [rows, 8] = 2 x + 1, and row sums of y: another step reads the output
/// y.
static kiln::package::PackageContents chainModel() {
  PlanBuilder b;
  uint32_t rows = b.sym(b.symbol("rows", 1, 64)), width = b.sym(b.symbol("width", 8, 8));
  uint32_t four = b.constant(4), eight = b.constant(8), zero = b.constant(0);
  uint32_t sums = b.mul(four, rows), full = b.mul(sums, width);
  uint32_t weights = b.arena(ArenaKind::Weights, eight);
  uint32_t in = b.arena(ArenaKind::Input, full);
  uint32_t out = b.arena(ArenaKind::Output, b.add(full, sums));
  b.arena(ArenaKind::Workspace, b.mul(four, width));
  uint32_t w = b.buffer("w", weights, eight, 0, 0);
  uint32_t x = b.buffer("x", in, full, 0, 0);
  uint32_t y = b.buffer("y", out, full, 0, 1);
  uint32_t sum = b.buffer("sum", out, sums, 1, 1);
  b.input("x", DType::F32, {rows, width}, x);
  b.output("y", DType::F32, {rows, width}, y);
  b.output("sum", DType::F32, {rows}, sum);
  b.launch(b.kernel("scale", code(kiln_test_scale), {1}, zero), {x, w}, {y}, rows);
  b.launch(b.kernel("row_sum", code(kiln_test_row_sum), {1}, b.mul(four, width)), {y},
           {sum}, rows);
  kiln::package::PackageContents contents = b.finish();
  static const float values[2] = {2, 1};
  contents.weights.push_back(
      kiln::package::weightFromMemory("w", 0, values, sizeof values));
  return contents;
}

namespace {
class Outputs : public testing::Test {
protected:
  void open(const kiln::package::PackageContents &contents) {
    writeModel(folder / "m.kiln", contents);
    model = loadModel(folder / "m.kiln");
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.profile = 1;
    session = makeSession(model.get(), &options);
    ASSERT_TRUE(session);
  }
  unsigned run(std::vector<kiln_tensor> outputs) {
    kiln_tensor in = x.tensor();
    status = own(kiln_session_run(session.get(), &in, 1, outputs.data(), outputs.size()));
    return kiln_status_code(status.get());
  }
  bool hasRun(size_t step) { return kiln_session_step_times(session.get())[step] > 0; }

  TempFolder folder;
  ModelPtr model{nullptr, kiln_model_release};
  SessionPtr session{nullptr, kiln_session_release};
  StatusPtr status = own(nullptr);
  FloatTensor x{"x", {64, 8}}, y{"y", {64, 8}}, sum{"sum", {64}};
};
} // namespace

TEST_F(Outputs, AnAbsentOneIsNotComputed) {
  open(chainModel());
  std::vector<float> untouched = sum.data;
  EXPECT_EQ(run({y.tensor()}), 0u);
  EXPECT_EQ(y.data[9], x.data[9] * 2 + 1);
  EXPECT_EQ(sum.data, untouched);
  EXPECT_TRUE(hasRun(0));
  EXPECT_FALSE(hasRun(1));
}

TEST_F(Outputs, AnAbsentOneThatAStepReadsIsComputedElsewhere) {
  open(chainModel());
  EXPECT_EQ(run({y.tensor(), sum.tensor()}), 0u);
  FloatTensor alone("sum", {64});
  std::vector<float> before = y.data;
  for (float &value : x.data)
    value += 1; // so that a computed y would differ
  EXPECT_EQ(run({alone.tensor()}), 0u);
  EXPECT_EQ(y.data, before);
  EXPECT_EQ(alone.data[0], sum.data[0] + 16);
  EXPECT_EQ(run({y.tensor(), sum.tensor()}), 0u); // all of them again
  EXPECT_EQ(sum.data, alone.data);
  EXPECT_EQ(y.data[0], before[0] + 2);
}

TEST_F(Outputs, NullIsAbsent) {
  open(chainModel());
  kiln_tensor nothing = y.tensor();
  nothing.data = nullptr;
  EXPECT_EQ(run({nothing, sum.tensor()}), 0u);
  float wanted = 0;
  for (int i = 0; i < 8; ++i)
    wanted += x.data[size_t(i)] * 2 + 1;
  EXPECT_EQ(sum.data[0], wanted);
  EXPECT_EQ(run({}), 0u);
  EXPECT_FALSE(hasRun(0));
}

TEST_F(Outputs, WrongOnesAreRefused) {
  open(chainModel());
  EXPECT_EQ(run({sum.tensor(), sum.tensor()}), 607u);
  kiln_tensor unknown = sum.tensor();
  unknown.name = "mean";
  EXPECT_EQ(run({unknown}), 600u);
  EXPECT_STREQ(kiln_status_get(status.get(), KILN_STATUS_EXPECTED), "\"y\", \"sum\"");
  kiln_tensor small = sum.tensor();
  small.size = 1;
  EXPECT_EQ(run({small}), 606u);
}

TEST_F(Outputs, CopiesOfAnAbsentOneAreLeftOut) {
  open(scaleModel());
  x = FloatTensor("x", {4, 16}), y = FloatTensor("y", {4, 16}), sum = {"sum", {4}};
  EXPECT_EQ(run({y.tensor()}), 0u);
  EXPECT_EQ(y.data[5], scaled(x.data[5]));
  EXPECT_FALSE(hasRun(4));
  EXPECT_EQ(run({sum.tensor()}), 0u);
  EXPECT_FALSE(hasRun(3)); // it computes y, which is not used
  EXPECT_TRUE(hasRun(4));
}

/// States are updated by every run, whichever outputs the caller requests.
TEST_F(Outputs, StatesAreWrittenAllTheSame) {
  open(stateModel());
  x = FloatTensor("x", {1});
  x.data = {3};
  EXPECT_EQ(run({}), 0u);
  FloatTensor total("total", {1});
  EXPECT_EQ(run({total.tensor()}), 0u);
  EXPECT_EQ(total.data[0], 6);
}

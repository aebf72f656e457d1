//===- GeneratorTest.cpp - Decoding of one sequence -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Generator.h"
#include "Models.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/Execution/Inputs.h"
#include "kiln/Execution/PackageEstimate.h"
#include "kiln/Execution/Perplexity.h"
#include "kiln/Execution/States.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
using Tokens = std::vector<int64_t>;
using Rows = std::vector<std::vector<float>>;

class GeneratorTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    folder = new TempFolder;
    compileText(*folder, "decoder", decoderText(), [](CompileOptions &options) {
      options.dims = {{"rows", 1, 2}, {"capacity", 1, 32}, {"sequence", 1, 8}};
    });
    compileText(*folder, "mlp", mlpText());
  }
  static void TearDownTestSuite() { delete folder; }

  Generator open(uint64_t capacity = 0) {
    model = loadPackage(*folder / "decoder.kiln");
    settings.threads = 1;
    return valueOf(Generator::create(model.get(), settings, capacity));
  }
  static void expectEqual(llvm::ArrayRef<float> a, llvm::ArrayRef<float> b) {
    ASSERT_EQ(a.size(), b.size());
    for (auto [left, right] : llvm::zip(a, b))
      ASSERT_NEAR(left, right, 1e-5);
  }

  static TempFolder *folder;
  Model model;
  SessionSettings settings;
};
TempFolder *GeneratorTest::folder = nullptr;

TEST_F(GeneratorTest, KnowsItsModel) {
  Generator generator = open();
  EXPECT_EQ(generator.capacity(), 32u) << "256, or what the package allows";
  EXPECT_EQ(generator.vocabulary(), 256u);
  EXPECT_EQ(generator.tokenInput(), "ids");
  EXPECT_EQ(generator.length(), 0u);
  EXPECT_EQ(open(5).capacity(), 5u);
}

TEST_F(GeneratorTest, CapacityIsThePackages) {
  model = loadPackage(*folder / "decoder.kiln");
  Diagnosis problem = problemOf(Generator::create(model.get(), settings, 33));
  EXPECT_EQ(problem.code, ErrorCode::DecoderInput);
  EXPECT_EQ(problem.expected, "at most 32");
  EXPECT_EQ(problem.found, "33");
}

TEST_F(GeneratorTest, OtherModelsAreNoDecoders) {
  model = loadPackage(*folder / "mlp.kiln");
  Diagnosis problem = problemOf(Generator::create(model.get(), settings, 0));
  EXPECT_EQ(problem.code, ErrorCode::DecoderInput);
  EXPECT_EQ(problem.what, "the package is no decoder with state");
}

/// The logits do not depend on how a prompt is split into runs.
TEST_F(GeneratorTest, TokensMayComeInAnyParts) {
  Tokens text = {72, 105, 33, 7, 7, 200};
  Generator whole = open();
  std::vector<float> expected = valueOf(whole.append(text)).vec();
  EXPECT_EQ(whole.length(), 6u);
  EXPECT_EQ(expected.size(), 256u);
  Generator parts = open();
  (void)valueOf(parts.append(llvm::ArrayRef(text).take_front(2)));
  (void)valueOf(parts.append(llvm::ArrayRef(text).slice(2, 3)));
  expectEqual(valueOf(parts.append(llvm::ArrayRef(text).drop_front(5))), expected);
  Generator single = open();
  llvm::ArrayRef<float> last;
  for (int64_t token : text)
    last = valueOf(single.append(token));
  expectEqual(last, expected);
  EXPECT_EQ(single.length(), 6u);
}

TEST_F(GeneratorTest, PromptsMayBeLongerThanAPrefill) {
  Tokens text;
  for (int64_t i = 0; i < 20; ++i)
    text.push_back(i * 7 % 256);
  Generator generator = open(), single = open();
  std::vector<float> found = valueOf(generator.append(text)).vec();
  llvm::ArrayRef<float> last;
  for (int64_t token : text)
    last = valueOf(single.append(token));
  expectEqual(found, last);
}

TEST_F(GeneratorTest, EveryPositionHasLogits) {
  Tokens text = {1, 2, 3, 4, 5};
  Generator generator = open();
  Rows rows;
  auto keep = [&](size_t position, llvm::ArrayRef<float> logits) {
    EXPECT_EQ(position, rows.size());
    rows.push_back(logits.vec());
  };
  ASSERT_EQ(messageOf(generator.appendEach(text, keep)), "");
  ASSERT_EQ(rows.size(), 5u);
  for (size_t count = 1; count <= 5; ++count) {
    ASSERT_EQ(messageOf(generator.reset()), "");
    expectEqual(valueOf(generator.append(llvm::ArrayRef(text).take_front(count))),
                rows[count - 1]);
  }
}

TEST_F(GeneratorTest, ResetForgetsAllTokens) {
  Generator generator = open();
  std::vector<float> first = valueOf(generator.append(Tokens{9, 8})).vec();
  std::vector<float> second = valueOf(generator.append(Tokens{9, 8})).vec();
  EXPECT_NE(first, second) << "what comes before counts";
  ASSERT_EQ(messageOf(generator.reset()), "");
  EXPECT_EQ(generator.length(), 0u);
  expectEqual(valueOf(generator.append(Tokens{9, 8})), first);
}

TEST_F(GeneratorTest, SequencesFillTheirCapacity) {
  Generator generator = open(4);
  (void)valueOf(generator.append(Tokens{1, 2, 3}));
  (void)valueOf(generator.append(Tokens{4}));
  Diagnosis problem = problemOf(generator.append(Tokens{5}));
  EXPECT_EQ(problem.code, ErrorCode::DecoderInput);
  EXPECT_EQ(problem.expected, "at most 4 tokens");
  EXPECT_EQ(problem.found, "5");
  EXPECT_EQ(generator.length(), 4u);
  auto none = [](size_t, llvm::ArrayRef<float>) {};
  EXPECT_EQ(problemOf(generator.appendEach(Tokens{5, 6}, none)).found, "6");
}

TEST_F(GeneratorTest, StepsReadMoreOfALongerSequence) {
  Generator generator = open();
  uint64_t few = valueOf(generator.stepBytes(1)), more = valueOf(generator.stepBytes(20));
  EXPECT_GT(few, 32u * 256 * 4) << "the weights of the logits alone";
  // Keys and values of 19 more positions, 16 elements each.
  EXPECT_GE(more, few + 19u * 2 * 16 * 4);
  EXPECT_EQ(valueOf(generator.stepBytes(1000)), valueOf(generator.stepBytes(32)));
}

/// The bits of a text follow from the logits.
TEST_F(GeneratorTest, PerplexityOfAText) {
  Tokens text = {10, 20, 30, 40};
  Generator generator = open();
  double bits = 0;
  auto add = [&](size_t position, llvm::ArrayRef<float> logits) {
    double sum = 0;
    for (float logit : logits)
      sum += std::exp(double(logit));
    bits += std::log2(sum) - logits[size_t(text[position + 1])] / std::log(2.0);
  };
  ASSERT_EQ(messageOf(generator.appendEach(llvm::ArrayRef(text).drop_back(), add)), "");
  Perplexity found = valueOf(measurePerplexity(generator, text));
  EXPECT_EQ(found.tokens, 3u);
  EXPECT_NEAR(found.bits, bits / 3, 1e-9);
}

/// The number of tokens in a run is the size of the first integer input.
TEST_F(GeneratorTest, EstimatesCountTokensAndState) {
  PackageWorkload found = valueOf(describePackage(
      *folder / "decoder.kiln", {{"rows", 2, 2}}, *TargetInfo::find("x86-64-v3")));
  ASSERT_EQ(found.workload.programs.size(), 2u);
  for (const estimate::Program &program : found.workload.programs)
    EXPECT_EQ(program.tokens, program.name == "prefill" ? 16 : 2) << program.name;
  // Keys and values of two sequences.
  EXPECT_GE(found.staged.stateBytes[0], 2.0 * 2 * 32 * 16 * 4);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

class StatesTest : public GeneratorTest {
protected:
  void create(const char *entry, SymbolValues dims) {
    model = loadPackage(*folder / "decoder.kiln", entry);
    inputs.emplace(
        valueOf(InputSet::create(model.get(), {"kiln verify", {}, std::move(dims), 0})));
    ranges = settings.ranges(model.get(), *inputs);
    session = valueOf(createSession(model.get(), settings.options(ranges)));
  }
  template <typename T> std::vector<T> stateOf(llvm::StringRef name) {
    std::vector<T> values;
    for (size_t i = 0; i < kiln_model_state_count(model.get()); ++i) {
      if (name != kiln_model_state(model.get(), i)->name)
        continue;
      kiln_shape shape;
      EXPECT_FALSE(own(kiln_session_state_shape(session.get(), i, &shape)));
      values.resize(shape.bytes / sizeof(T));
      EXPECT_FALSE(
          own(kiln_session_read_state(session.get(), i, 0, values.data(), shape.bytes)));
    }
    return values;
  }

  std::optional<InputSet> inputs;
  std::vector<kiln_dim_range> ranges;
  Session session;
};

/// CPU sessions also have state of a fixed size.
TEST_F(StatesTest, RangesAreThoseOfTheInputs) {
  create("prefill", {{"rows", 2}, {"capacity", 16}, {"sequence", 4}});
  for (const kiln_dim_range &range : ranges)
    if (llvm::StringRef(range.name) == "capacity") {
      EXPECT_EQ(range.lo, 16);
      EXPECT_EQ(range.hi, 16);
    }
  EXPECT_GE(ranges.size(), 3u);
}

TEST_F(StatesTest, LengthsLeaveRoomForARun) {
  create("prefill", {{"rows", 2}, {"capacity", 16}, {"sequence", 4}});
  ASSERT_EQ(messageOf(fillStates(model.get(), session.get(), *inputs, 3)), "");
  EXPECT_EQ(stateOf<int64_t>("lengths"), (std::vector<int64_t>{12, 12}));
  std::vector<float> keys = stateOf<float>("past_0_key");
  ASSERT_EQ(keys.size(), 2u * 16 * 16);
  EXPECT_NE(keys[0], keys[1]) << "random";
  ASSERT_EQ(messageOf(fillStates(model.get(), session.get(), *inputs, 3)), "");
  EXPECT_EQ(stateOf<float>("past_0_key"), keys) << "of the seed";
  ASSERT_EQ(messageOf(fillStates(model.get(), session.get(), *inputs, 4)), "");
  EXPECT_NE(stateOf<float>("past_0_key"), keys);
}

TEST_F(StatesTest, LengthsAloneCanBeSet) {
  create("prefill", {{"rows", 1}, {"capacity", 8}, {"sequence", 8}});
  ASSERT_EQ(messageOf(fillLengths(model.get(), session.get(), *inputs)), "");
  EXPECT_EQ(stateOf<int64_t>("lengths"), std::vector<int64_t>{0});
  EXPECT_EQ(stateOf<float>("past_0_key"), std::vector<float>(8 * 16)) << "untouched";
}

/// All new rows of a decoder count as tokens.
TEST_F(StatesTest, CountsAreTheLengthOfARun) {
  create("prefill", {{"rows", 2}, {"capacity", 4}, {"sequence", 8}});
  bool isThere = false;
  for (const kiln_tensor &tensor : inputs->tensors())
    if (llvm::StringRef(tensor.name) == "counts") {
      isThere = true;
      auto *counts = static_cast<const int64_t *>(tensor.data);
      EXPECT_EQ(counts[0], 4) << "as many as a sequence has room for";
      EXPECT_EQ(counts[1], 4);
    }
  EXPECT_TRUE(isThere);
}
} // namespace

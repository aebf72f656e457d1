//===- SampleRunnerTest.cpp - Running and measuring models on samples -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SampleRunner.h"
#include "AccuracyMeter.h"
#include "Archive.h"
#include "Models.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/Generator.h"
#include "kiln/Execution/Perplexity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace kiln::test;

namespace {
/// Two float outputs and one integer output.
constexpr const char *kSeveral = R"(<ir_version: 8, opset_import: ["" : 17]>
several (float[batch, 2] x)
  => (float[batch, 2] double, int64[batch, 2] whole, float[batch] sum)
<float two = {2}, int64[1] axes = {1}>
{ double = Mul(x, two)
  whole = Cast<to = 7>(x)
  sum = ReduceSum<keepdims = 0>(x, axes) }
)";

class SampleRunnerTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    folder = new TempFolder;
    compileText(*folder, "decoder", decoderText(), [](CompileOptions &options) {
      options.dims = {{"rows", 1, 2}, {"capacity", 1, 32}, {"sequence", 1, 8}};
    });
    compileText(*folder, "quantized", decoderText(), [](CompileOptions &options) {
      options.dims = {{"rows", 1, 2}, {"capacity", 1, 32}, {"sequence", 1, 8}};
      options.precision.precision = "int4";
    });
    compileText(*folder, "mlp", mlpText());
    compileText(*folder, "mlp4", mlpText(),
                [](CompileOptions &options) { options.precision.precision = "int4"; });
    compileText(*folder, "several", kSeveral);
  }
  static void TearDownTestSuite() { delete folder; }

  static Model load(const char *name) {
    return loadPackage(*folder / (std::string(name) + ".kiln"));
  }
  static llvm::Expected<SampleSource> source(const std::string &name) {
    return SampleSource::create(*folder / name);
  }
  static std::unique_ptr<SampleRunner> runner(const char *name, SampleSource &source) {
    return valueOf(SampleRunner::create(load(name), source, /*threads=*/1));
  }
  static Diagnosis refused(const char *name, SampleSource &source) {
    Diagnosis problem = problemOf(SampleRunner::create(load(name), source, 1));
    EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid) << problem.str();
    return problem;
  }
  static void makeFolder(const std::string &name) {
    ASSERT_FALSE(llvm::sys::fs::create_directories(*folder / name));
  }

  static TempFolder *folder;
};
TempFolder *SampleRunnerTest::folder = nullptr;

using Names = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

TEST_F(SampleRunnerTest, WithoutAPathASampleIsMadeUp) {
  SampleSource none = valueOf(SampleSource::create(""));
  EXPECT_TRUE(none.isMadeUp());
  EXPECT_EQ(none.size(), 1u);
  EXPECT_EQ(none.describe(), "random inputs");
}

TEST_F(SampleRunnerTest, SourcesDescribeThemselves) {
  writeFile(*folder / "t.txt", std::string(1000, 'a'));
  SampleSource text = valueOf(source("t.txt"));
  EXPECT_TRUE(text.isText());
  EXPECT_EQ(text.describe(), "3 windows of a text") << "of 256 bytes";
  makeFolder("one");
  writeFloats(*folder / "one/x.npy", {1, 16}, std::vector<float>(16, 0.5f));
  EXPECT_EQ(valueOf(source("one")).describe(), "1 samples");
  EXPECT_EQ(problemOf(source("none")).code, ErrorCode::FileNotFound);
}

//===----------------------------------------------------------------------===//
// Models without state
//===----------------------------------------------------------------------===//

TEST_F(SampleRunnerTest, OutputsOfFloatsAreCompared) {
  SampleSource none = valueOf(SampleSource::create(""));
  EXPECT_EQ(runner("several", none)->outputs(), (Names{"double", "sum"}));
  EXPECT_EQ(runner("mlp", none)->outputs(), Names{"y"});
}

TEST_F(SampleRunnerTest, OutputsAreRowsOfTheLastAxis) {
  makeFolder("two");
  writeFloats(*folder / "two/x.npy", {2, 2}, {1, 2, 3, -4});
  SampleSource samples = valueOf(source("two"));
  std::vector<OutputRows> rows = valueOf(runner("several", samples)->run(0));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "double");
  EXPECT_EQ(rows[0].width, 2u);
  EXPECT_EQ(rows[0].values, (std::vector<float>{2, 4, 6, -8}));
  EXPECT_EQ(rows[1].values, (std::vector<float>{3, -1}));
}

TEST_F(SampleRunnerTest, SamplesOfAnArchiveRunOneByOne) {
  writeFile(*folder / "s.npz", zipOf({{"x.npy", npyOf({3, 1, 2}, {1, 2, 3, 4, 5, 6})}}));
  SampleSource samples = valueOf(source("s.npz"));
  auto made = runner("several", samples);
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(valueOf(made->run(2))[0].values, (std::vector<float>{10, 12}));
  EXPECT_EQ(valueOf(made->run(0))[0].values, (std::vector<float>{2, 4}));
}

TEST_F(SampleRunnerTest, MadeUpSamplesAreTheSameEachTime) {
  SampleSource none = valueOf(SampleSource::create(""));
  std::vector<OutputRows> first = valueOf(runner("mlp", none)->run(0)),
                          second = valueOf(runner("mlp", none)->run(0));
  EXPECT_EQ(first[0].values, second[0].values);
}

TEST_F(SampleRunnerTest, OutputsMustBeNumbers) {
  makeFolder("infinite");
  writeFloats(*folder / "infinite/x.npy", {1, 2}, {3e38f, 3e38f});
  SampleSource samples = valueOf(source("infinite"));
  Diagnosis problem = problemOf(runner("several", samples)->run(0));
  EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
  EXPECT_EQ(problem.where, *folder / "infinite");
  EXPECT_EQ(problem.found, "NaN or infinity in double");
}

TEST_F(SampleRunnerTest, TextsAreNotForModelsOfFloats) {
  writeFile(*folder / "t.txt", "some text");
  SampleSource text = valueOf(source("t.txt"));
  EXPECT_EQ(refused("mlp", text).what, "a text is for byte-level models");
}

//===----------------------------------------------------------------------===//
// Decoders
//===----------------------------------------------------------------------===//

TEST_F(SampleRunnerTest, DecodersGiveLogitsOfEveryByte) {
  writeFile(*folder / "t.txt", "hello");
  SampleSource text = valueOf(source("t.txt"));
  auto made = runner("decoder", text);
  EXPECT_EQ(made->outputs(), Names{"logits"});
  std::vector<OutputRows> rows = valueOf(made->run(0));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].width, 256u);
  EXPECT_EQ(rows[0].count(), 5u);
  EXPECT_EQ(valueOf(made->run(0))[0].values, rows[0].values) << "from an empty state";
}

TEST_F(SampleRunnerTest, WindowsFillTheStateAtMost) {
  writeFile(*folder / "t.txt", std::string(300, 'b'));
  SampleSource text = valueOf(source("t.txt"));
  EXPECT_EQ(valueOf(runner("decoder", text)->run(0))[0].count(), 32u);
}

TEST_F(SampleRunnerTest, DecodersTakeArraysOfTokens) {
  makeFolder("tokens");
  writeFile(*folder / "t.txt", "hey");
  SampleSource text = valueOf(source("t.txt"));
  std::vector<float> expected = valueOf(runner("decoder", text)->run(0))[0].values;
  for (std::vector<int64_t> shape : {std::vector<int64_t>{3}, {1, 3}}) {
    writeIntegers(*folder / "tokens/ids.npy", shape, {'h', 'e', 'y'});
    SampleSource tokens = valueOf(source("tokens"));
    EXPECT_EQ(valueOf(runner("decoder", tokens)->run(0))[0].values, expected);
  }
}

TEST_F(SampleRunnerTest, MadeUpTokensFillTheState) {
  SampleSource none = valueOf(SampleSource::create(""));
  EXPECT_EQ(valueOf(runner("decoder", none)->run(0))[0].count(), 32u);
}

TEST_F(SampleRunnerTest, TokensMustBeSequencesOfTheModel) {
  makeFolder("wrong");
  auto problem = [&](std::vector<int64_t> shape, std::vector<int64_t> values) {
    writeIntegers(*folder / "wrong/ids.npy", std::move(shape), std::move(values));
    SampleSource samples = valueOf(source("wrong"));
    return refused("decoder", samples);
  };
  EXPECT_EQ(problem({2, 2}, {1, 2, 3, 4}).found, "i64[2,2]");
  EXPECT_EQ(problem({0}, {}).what, "is no sequence of token ids");
  EXPECT_EQ(problem({2}, {1, 256}).expected, "0 to 255");
  EXPECT_EQ(problem({2}, {-1, 2}).found, "-1");
  EXPECT_EQ(problem({33}, std::vector<int64_t>(33, 7)).expected, "at most 32 tokens");
  writeFloats(*folder / "wrong/ids.npy", {2}, {1, 2});
  SampleSource floats = valueOf(source("wrong"));
  EXPECT_EQ(refused("decoder", floats).found, "f32[2]");
}

TEST_F(SampleRunnerTest, SamplesOfDecodersHaveTokens) {
  makeFolder("other");
  writeIntegers(*folder / "other/mask.npy", {2}, {1, 1});
  SampleSource samples = valueOf(source("other"));
  Diagnosis problem = refused("decoder", samples);
  EXPECT_EQ(problem.what, "a sample has no token ids");
  EXPECT_EQ(problem.expected, "ids.npy");
}

//===----------------------------------------------------------------------===//
// Meters
//===----------------------------------------------------------------------===//

class AccuracyMeterTest : public SampleRunnerTest {
protected:
  static std::unique_ptr<AccuracyMeter> meter(const char *budget, const std::string &path,
                                              const char *full) {
    return valueOf(AccuracyMeter::create(valueOf(AccuracyBudget::parse(budget)), path,
                                         /*threads=*/1, load(full)));
  }
  static Diagnosis meterProblem(const char *budget, const std::string &path,
                                const char *full) {
    return problemOf(AccuracyMeter::create(valueOf(AccuracyBudget::parse(budget)), path,
                                           1, load(full)));
  }
};

TEST_F(AccuracyMeterTest, FullPrecisionLosesNothing) {
  for (const char *budget : {"cosine>=0.9", "kl<=1", "max<=1"})
    EXPECT_EQ(valueOf(meter(budget, "", "mlp")->loss(load("mlp"), false)), 0) << budget;
  writeFile(*folder / "t.txt", "a text of some length, longer than the state is");
  auto ppl = meter("ppl<=1%", *folder / "t.txt", "decoder");
  EXPECT_EQ(valueOf(ppl->loss(load("decoder"), false)), 0);
  EXPECT_EQ(ppl->samples(), "47 tokens of a text");
  EXPECT_FALSE(ppl->hasQuick());
}

TEST_F(AccuracyMeterTest, QuantizedModelsLoseSomething) {
  for (const char *budget : {"cosine>=0.9", "kl<=1", "max<=1"}) {
    auto made = meter(budget, "", "mlp");
    double loss = valueOf(made->loss(load("mlp4"), false));
    EXPECT_GT(loss, 1e-6) << budget;
    EXPECT_LT(loss, 1) << budget;
    EXPECT_EQ(valueOf(made->loss(load("mlp4"), true)), loss) << "of one sample";
    EXPECT_EQ(made->samples(), "random inputs");
  }
}

/// exp(difference of mean bits) - 1, computed from the packages' own predictions.
TEST_F(AccuracyMeterTest, PerplexityIsTheRelativeIncrease) {
  std::string text = "the quick brown fox";
  writeFile(*folder / "t.txt", text);
  std::vector<int64_t> tokens(text.begin(), text.end());
  auto perplexityOf = [&](const char *name) {
    Model model = load(name);
    Generator generator = valueOf(Generator::create(model.get(), sessionOf(1), 0));
    return valueOf(measurePerplexity(generator, tokens)).perplexity();
  };
  double expected = perplexityOf("quantized") / perplexityOf("decoder") - 1;
  double found = valueOf(
      meter("ppl<=1%", *folder / "t.txt", "decoder")->loss(load("quantized"), false));
  EXPECT_NEAR(found, expected, 1e-9);
  EXPECT_NE(found, 0);
}

TEST_F(AccuracyMeterTest, TextsAreForDecoders) {
  writeFile(*folder / "t.txt", "some text");
  EXPECT_EQ(meterProblem("ppl<=1%", *folder / "t.txt", "mlp").what,
            "the perplexity of a text is one of a decoder with state");
  EXPECT_EQ(meterProblem("ppl<=1%", *folder / "none.txt", "decoder").code,
            ErrorCode::FileNotFound);
  writeFile(*folder / "t.txt", "s");
  EXPECT_EQ(meterProblem("ppl<=1%", *folder / "t.txt", "decoder").what,
            "the text is too short");
}

TEST_F(AccuracyMeterTest, ADivergenceIsOfOneOutput) {
  Diagnosis problem = meterProblem("kl<=1", "", "several");
  EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
  EXPECT_EQ(problem.found, "double, sum");
  EXPECT_EQ(valueOf(meter("max<=1", "", "several")->loss(load("several"), false)), 0);
}
} // namespace

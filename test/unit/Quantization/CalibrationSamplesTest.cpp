//===- CalibrationSamplesTest.cpp - Calibration samples -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CalibrationSamples.h"
#include "Archive.h"
#include "Models.h"
#include "SampleInputs.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace kiln::test;

namespace {
/// Samples for x f32[batch, seq] with batch in 1..4 and seq in 1..256.
class CalibrationSamplesTest : public testing::Test {
protected:
  void SetUp() override {
    writeModel(folder / "m.kiln", scaleModel());
    model = loadPackage(folder / "m.kiln");
  }
  llvm::Expected<CalibrationSamples> read(const std::string &name) {
    settings.path = folder / name;
    return CalibrationSamples::read(settings);
  }
  CalibrationSamples fitted(const std::string &name) {
    CalibrationSamples samples = valueOf(read(name));
    EXPECT_EQ(messageOf(samples.fitTo(model.get(), false)), "");
    return samples;
  }
  /// Returns the error of the samples when they are fitted to the model.
  Diagnosis refused(const std::string &name) {
    CalibrationSamples samples = valueOf(read(name));
    Diagnosis problem = problemOf(samples.fitTo(model.get(), false));
    EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
    return problem;
  }
  void writeArchive(const std::vector<ZipEntry> &entries) {
    writeFile(folder / "s.npz", zipOf(entries));
  }
  void makeFolder(const std::string &name) {
    ASSERT_FALSE(llvm::sys::fs::create_directories(folder / name));
  }

  TempFolder folder;
  Model model;
  CalibrationSettings settings;
};

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

TEST_F(CalibrationSamplesTest, ATextIsCutIntoWindowsThatAreSpreadEvenly) {
  writeFile(folder / "t.txt", "0123456789");
  settings.window = 4;
  settings.samples = 100;
  CalibrationSamples two = valueOf(read("t.txt"));
  ASSERT_EQ(two.all().size(), 2u) << "as many as do not overlap";
  EXPECT_TRUE(two.isText());
  EXPECT_EQ(two.all()[0].tokens, "0123");
  EXPECT_EQ(two.all()[0].name, "byte 0");
  EXPECT_EQ(two.all()[1].tokens, "6789") << "the last one ends where the text does";
  settings.window = 3;
  CalibrationSamples three = valueOf(read("t.txt"));
  ASSERT_EQ(three.all().size(), 3u);
  EXPECT_EQ(three.all()[1].tokens, "345");
  EXPECT_EQ(three.all()[1].name, "byte 3");
  settings.samples = 1;
  EXPECT_EQ(valueOf(read("t.txt")).all()[0].tokens, "012");
}

TEST_F(CalibrationSamplesTest, AShortTextIsOneWindow) {
  writeFile(folder / "t.txt", "ab");
  CalibrationSamples samples = valueOf(read("t.txt"));
  ASSERT_EQ(samples.all().size(), 1u);
  EXPECT_EQ(samples.all()[0].tokens, "ab");
  for (const char *text : {"", "a"}) {
    writeFile(folder / "t.txt", text);
    Diagnosis problem = problemOf(read("t.txt"));
    EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
    EXPECT_EQ(problem.what, "the text is too short");
  }
}

TEST_F(CalibrationSamplesTest, FilesMustBeThere) {
  settings.option = "--accuracy";
  Diagnosis problem = problemOf(read("none"));
  EXPECT_EQ(problem.code, ErrorCode::FileNotFound);
  EXPECT_EQ(problem.fix, "check the path of --accuracy");
  EXPECT_EQ(problemOf(read("none.npz")).code, ErrorCode::FileNotFound);
}

TEST_F(CalibrationSamplesTest, TextsAreForByteLevelModels) {
  writeFile(folder / "t.txt", "0123456789");
  EXPECT_EQ(refused("t.txt").what, "a text is for byte-level models");
  CalibrationSamples samples = valueOf(read("t.txt"));
  EXPECT_EQ(problemOf(samples.fitTo(model.get(), true)).what,
            "a text is for byte-level models")
      << "no input of the model takes tokens";
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

TEST_F(CalibrationSamplesTest, AFolderOfArraysIsASample) {
  makeFolder("s");
  writeFloats(folder / "s/x.npy", {1, 2}, {1, 2});
  writeFloats(folder / "s/y.npy", {1, 2}, {1, 2});
  writeFile(folder / "s/readme.txt", "not an array");
  CalibrationSamples samples = fitted("s");
  ASSERT_EQ(samples.all().size(), 1u);
  EXPECT_FALSE(samples.isText());
  ASSERT_EQ(samples.all()[0].files.size(), 2u);
  EXPECT_EQ(samples.all()[0].files[0], TensorFile("x", folder / "s/x.npy"));
  EXPECT_EQ(samples.all()[0].files[1].first, "y");
}

TEST_F(CalibrationSamplesTest, FoldersOfFoldersAreSamplesByName) {
  for (const char *name : {"s/b", "s/a", "s/empty"})
    makeFolder(name);
  for (const char *name : {"s/b/x.npy", "s/a/x.npy"})
    writeFloats(folder / name, {1, 2}, {1, 2});
  CalibrationSamples samples = fitted("s");
  ASSERT_EQ(samples.all().size(), 2u);
  EXPECT_EQ(samples.all()[0].name, folder / "s/a");
  EXPECT_EQ(samples.all()[1].name, folder / "s/b");
}

TEST_F(CalibrationSamplesTest, FoldersWithoutArraysHoldNoSample) {
  makeFolder("s/inner");
  writeFile(folder / "s/readme.txt", "not an array");
  Diagnosis problem = problemOf(read("s"));
  EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
  EXPECT_EQ(problem.what, "the folder holds no sample");
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

std::vector<float> floatsOf(const kiln_tensor &tensor) {
  auto *data = static_cast<const float *>(tensor.data);
  return {data, data + tensor.size / sizeof(float)};
}

TEST_F(CalibrationSamplesTest, ArraysOfTheInputsRankAreOneSample) {
  writeArchive({{"x.npy", npyOf({1, 3}, {1, 2, 3})}});
  CalibrationSamples samples = fitted("s.npz");
  ASSERT_EQ(samples.all().size(), 1u);
  ASSERT_EQ(samples.all()[0].tensors.size(), 1u);
  EXPECT_STREQ(samples.all()[0].tensors[0].name, "x");
  EXPECT_EQ(floatsOf(samples.all()[0].tensors[0]), (std::vector<float>{1, 2, 3}));
}

TEST_F(CalibrationSamplesTest, OneDimMoreIsOfSamples) {
  writeArchive({{"x.npy", npyOf({2, 1, 3}, {1, 2, 3, 4, 5, 6})}});
  CalibrationSamples samples = fitted("s.npz");
  ASSERT_EQ(samples.all().size(), 2u);
  const kiln_tensor &second = samples.all()[1].tensors[0];
  EXPECT_EQ(second.rank, 2u);
  EXPECT_EQ(second.shape[1], 3);
  EXPECT_EQ(floatsOf(second), (std::vector<float>{4, 5, 6}));
  EXPECT_NE(samples.all()[0].name, samples.all()[1].name);
}

TEST_F(CalibrationSamplesTest, FittingTwiceMakesNoMoreSamples) {
  writeArchive({{"x.npy", npyOf({2, 1, 3}, {1, 2, 3, 4, 5, 6})}});
  CalibrationSamples samples = fitted("s.npz");
  EXPECT_EQ(messageOf(samples.fitTo(model.get(), false)), "");
  EXPECT_EQ(samples.all().size(), 2u);
}

TEST_F(CalibrationSamplesTest, ArraysAreOfInputs) {
  writeArchive({{"ids.npy", npyOf({1, 3}, {1, 2, 3})}});
  Diagnosis problem = refused("s.npz");
  EXPECT_EQ(problem.expected, "'x'");
  EXPECT_EQ(problem.found, "'ids'");
}

TEST_F(CalibrationSamplesTest, ArraysHaveTheInputsRank) {
  writeArchive({{"x.npy", npyOf({3}, {1, 2, 3})}});
  Diagnosis problem = refused("s.npz");
  EXPECT_EQ(problem.what, "the array has another shape than the input");
  EXPECT_EQ(problem.found, "f32[3]");
  EXPECT_EQ(problem.expected,
            "f32[batch,seq] of [1..4, 1..256], or one more dim before them, of samples");
}

TEST_F(CalibrationSamplesTest, EmptyArchivesHoldNoSample) {
  writeArchive({});
  EXPECT_EQ(refused("s.npz").found, "no array");
  writeArchive({{"x.npy", npyOf({0, 1, 3}, {})}});
  EXPECT_EQ(refused("s.npz").found, "a first dim of 0");
}

TEST_F(CalibrationSamplesTest, ArraysHaveAsManySamplesAsEachOther) {
  // A model with two inputs.
  compileText(folder, "two", R"(<ir_version: 8, opset_import: ["" : 17]>
two (float[batch, 2] a, float[batch, 2] b) => (float[batch, 2] y) { y = Add(a, b) }
)");
  model = loadPackage(folder / "two.kiln");
  std::string three = npyOf({3, 1, 2}, {1, 2, 3, 4, 5, 6}),
              two = npyOf({2, 1, 2}, {1, 2, 3, 4}), one = npyOf({1, 2}, {1, 2});
  writeArchive({{"a.npy", three}, {"b.npy", two}});
  Diagnosis problem = refused("s.npz");
  EXPECT_EQ(problem.expected, "3 as 'a'");
  EXPECT_EQ(problem.found, "2");
  writeArchive({{"a.npy", three}, {"b.npy", one}});
  EXPECT_EQ(refused("s.npz").found, "no dim of samples");
  writeArchive({{"a.npy", three}, {"b.npy", three}});
  EXPECT_EQ(fitted("s.npz").all().size(), 3u);
}

//===----------------------------------------------------------------------===//
// Hashes
//===----------------------------------------------------------------------===//

TEST_F(CalibrationSamplesTest, HashesAreThoseOfAllSamples) {
  auto hashOf = [&](const std::string &name) { return valueOf(fitted(name).hash()); };
  writeArchive({{"x.npy", npyOf({2, 1, 2}, {1, 2, 3, 4})}});
  std::string hash = hashOf("s.npz");
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(hashOf("s.npz"), hash);
  writeArchive({{"x.npy", npyOf({2, 1, 2}, {1, 2, 3, 5})}});
  EXPECT_NE(hashOf("s.npz"), hash) << "other numbers";
  writeArchive({{"x.npy", npyOf({1, 2, 2}, {1, 2, 3, 4})}});
  EXPECT_NE(hashOf("s.npz"), hash) << "the same numbers in another shape";
}

TEST_F(CalibrationSamplesTest, HashesOfFilesAreThoseOfTheirBytes) {
  makeFolder("s");
  writeFloats(folder / "s/x.npy", {1, 2}, {1, 2});
  std::string hash = valueOf(fitted("s").hash());
  writeFloats(folder / "s/x.npy", {1, 2}, {1, 3});
  EXPECT_NE(valueOf(fitted("s").hash()), hash);
  CalibrationSamples gone = fitted("s");
  ASSERT_FALSE(llvm::sys::fs::remove(folder / "s/x.npy"));
  EXPECT_EQ(problemOf(gone.hash()).code, ErrorCode::FileNotFound);
}

//===----------------------------------------------------------------------===//
// Samples as inputs
//===----------------------------------------------------------------------===//

TEST_F(CalibrationSamplesTest, ASampleGivesInputs) {
  makeFolder("s");
  writeFloats(folder / "s/x.npy", {2, 3}, {1, 2, 3, 4, 5, 6});
  CalibrationSamples samples = fitted("s");
  SampleInputs made = valueOf(sampleInputs(model.get(), samples.all()[0], "--calib"));
  EXPECT_EQ(made.inputs.symbols(), (SymbolValues{{"batch", 2}, {"seq", 3}}));
  EXPECT_TRUE(made.inputs.random().empty());
  Session session;
  OutputSet outputs = valueOf(runInputs(model.get(), session, made.inputs, {}));
  EXPECT_EQ(static_cast<float *>(outputs.buffers()[0].data())[5], scaled(6));
  // The same session also runs the next sample.
  kiln_session *first = session.get();
  valueOf(runInputs(model.get(), session, made.inputs, {}));
  EXPECT_EQ(session.get(), first);
}

TEST_F(CalibrationSamplesTest, SamplesMustFitTheModel) {
  makeFolder("s");
  auto problem = [&](std::vector<int64_t> shape, std::vector<float> values) {
    writeFloats(folder / "s/x.npy", std::move(shape), std::move(values));
    CalibrationSamples samples = fitted("s");
    Diagnosis found = problemOf(sampleInputs(model.get(), samples.all()[0], "--calib"));
    EXPECT_EQ(found.code, ErrorCode::CalibrationInvalid);
    return found;
  };
  EXPECT_NE(problem({5, 1}, {1, 2, 3, 4, 5}).found.find("f32[5,1]"), std::string::npos)
      << "a batch of 5 is outside of the envelope";
  EXPECT_EQ(problem({1, 3}, {1, NAN, 3}).found, "NaN at element 1");
}

TEST_F(CalibrationSamplesTest, FilesOfASampleMustBeArrays) {
  makeFolder("s");
  writeFile(folder / "s/x.npy", "no array");
  CalibrationSamples samples = fitted("s");
  Diagnosis problem = problemOf(sampleInputs(model.get(), samples.all()[0], "--calib"));
  EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
  EXPECT_NE(problem.where.find("x.npy"), std::string::npos);
}

/// Dims that no array determines get their min value.
TEST_F(CalibrationSamplesTest, DimsThatNothingDecidesAreSmall) {
  CalibrationSample nothing{"nothing", {}, {}, {}};
  SampleInputs made = valueOf(sampleInputs(model.get(), nothing, "--calib"));
  EXPECT_EQ(made.inputs.symbols(), (SymbolValues{{"batch", 1}, {"seq", 1}}));
}

/// ids, a mask and positions: text becomes ids, the mask is all ones, positions count
/// from 0.
TEST(TokenSamples, ATextBecomesTokensAndPositions) {
  TempFolder folder;
  compileText(folder, "m", R"(<ir_version: 8, opset_import: ["" : 17]>
bytes (int64[n, length] attention_mask, int64[n, length] input_ids,
       int64[n, length] position_ids) => (float[n, length] y)
{ a = Add(input_ids, position_ids)
  b = Mul(a, attention_mask)
  y = Cast<to = 1>(b) }
)");
  Model model = loadPackage(folder / "m.kiln");
  ASSERT_TRUE(tokenInput(model.get()));
  EXPECT_STREQ(tokenInput(model.get())->name, "input_ids");
  CalibrationSample sample{"byte 0", {}, {}, "az\xff"};
  SampleInputs made = valueOf(sampleInputs(model.get(), sample, "--calib"));
  EXPECT_EQ(made.inputs.symbols(), (SymbolValues{{"n", 1}, {"length", 3}}));
  Session session;
  OutputSet outputs = valueOf(runInputs(model.get(), session, made.inputs, {}));
  auto *y = static_cast<float *>(outputs.buffers()[0].data());
  EXPECT_EQ(y[0], 'a' + 0);
  EXPECT_EQ(y[1], 'z' + 1);
  EXPECT_EQ(y[2], 255 + 2);
}
} // namespace

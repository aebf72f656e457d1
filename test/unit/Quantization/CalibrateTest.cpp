//===- CalibrateTest.cpp - Samples through a model ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Quantization/Calibrate.h"
#include "Archive.h"
#include "CholeskyFactor.h"
#include "Models.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::quantization;
using namespace kiln::test;

namespace {
constexpr size_t kSamples = 3, kRows = 30;

/// Returns samples of x [30, 32], all different.
std::vector<float> samplesOf(float scale) {
  std::vector<float> values(kSamples * kRows * kMlpIn);
  uint32_t state = 1;
  for (float &value : values) {
    state = state * 1664525 + 1013904223;
    value = scale * (float(state >> 8) / 0x1p23f - 1);
  }
  return values;
}

class CalibrateTest : public testing::Test {
protected:
  void SetUp() override {
    options.input = folder / "m.onnxtxt";
    options.dims = {{"batch", 1, 64}};
    options.threads = 2;
    options.precision.precision = "int4";
    writeFile(options.input, mlpText());
    settings.path = folder / "s.npz";
    writeSamples(samplesOf(1));
  }
  void writeSamples(const std::vector<float> &values) {
    samples = values;
    writeFile(settings.path,
              zipOf({{"x.npy", npyOf({kSamples, kRows, kMlpIn}, samples)}}));
  }
  CalibrationResult run(const char *algorithm) {
    options.precision.algorithm = algorithm;
    return valueOf(calibrate(options, settings));
  }
  CalibrationResult runRanges(const char *method) {
    options.precision.precision = "int8";
    options.precision.range = method;
    return valueOf(calibrateRanges(options, settings));
  }
  static std::vector<float> numbersOf(const CalibratedInput &input, size_t count) {
    std::vector<float> numbers(count);
    auto file =
        llvm::MemoryBuffer::getFileSlice(input.file, count * sizeof(float), input.offset);
    EXPECT_TRUE(bool(file)) << input.file;
    if (file)
      std::memcpy(numbers.data(), (*file)->getBufferStart(), count * sizeof(float));
    return numbers;
  }
  /// Returns X^T X of the inputs of "up", which are the samples themselves.
  std::vector<double> hessian() const {
    std::vector<double> sums(kMlpIn * kMlpIn);
    for (size_t row = 0; row < kSamples * kRows; ++row)
      for (int64_t i = 0; i < kMlpIn; ++i)
        for (int64_t j = 0; j < kMlpIn; ++j)
          sums[i * kMlpIn + j] +=
              double(samples[row * kMlpIn + i]) * samples[row * kMlpIn + j];
    return sums;
  }
  float largest() const {
    float max = 0;
    for (float value : samples)
      max = std::max(max, std::fabs(value));
    return max;
  }

  TempFolder folder;
  CompileOptions options;
  CalibrationSettings settings;
  std::vector<float> samples;
};

TEST_F(CalibrateTest, AwqGetsTheSumsOfProducts) {
  CalibrationResult result = run("awq");
  EXPECT_EQ(result.inputs, 2u);
  EXPECT_EQ(result.samples, kSamples);
  EXPECT_EQ(result.passes, 1u);
  EXPECT_EQ(result.resumed, 0u);
  ASSERT_TRUE(result.calibration);
  ASSERT_EQ(result.calibration->size(), 2u);
  const CalibratedInput &up = *result.calibration->at("up");
  EXPECT_EQ(up.k, kMlpIn);
  std::vector<float> found = numbersOf(up, kMlpIn * kMlpIn);
  for (auto [own, expected] : llvm::zip_equal(found, hessian()))
    EXPECT_NEAR(own, expected, 1e-4 * kSamples * kRows);
  EXPECT_EQ(result.calibration->at("down")->k, kMlpHidden);
}

TEST_F(CalibrateTest, GptqGetsTheFactorOfTheInverse) {
  CalibrationResult result = run("gptq");
  std::vector<float> found = numbersOf(*result.calibration->at("up"), kMlpIn * kMlpIn);
  std::vector<float> expected = inverseCholesky(hessian(), kMlpIn, 0.01);
  for (auto [own, wanted] : llvm::zip_equal(found, expected))
    EXPECT_NEAR(own, wanted, 1e-3);
}

TEST_F(CalibrateTest, SmoothQuantGetsTheLargestMagnitudes) {
  CalibrationResult result = run("smoothquant");
  std::vector<float> found = numbersOf(*result.calibration->at("up"), kMlpIn);
  for (int64_t column = 0; column < kMlpIn; ++column) {
    float max = 0;
    for (size_t row = 0; row < kSamples * kRows; ++row)
      max = std::max(max, std::fabs(samples[row * kMlpIn + size_t(column)]));
    EXPECT_EQ(found[size_t(column)], max) << column;
  }
}

/// A matrix does not depend on the number of threads nor on the memory for accumulators.
TEST_F(CalibrateTest, LittleMemoryTakesSeveralPasses) {
  CalibrationResult whole = run("awq");
  settings.memory = kMlpHidden * kMlpHidden * 12; // enough for the larger input alone
  options.threads = 1;
  CalibrationResult parts = run("awq");
  EXPECT_EQ(parts.passes, 2u);
  EXPECT_LT(parts.bytes, whole.bytes);
  for (const char *node : {"up", "down"})
    EXPECT_EQ(parts.calibration->at(node)->hash, whole.calibration->at(node)->hash)
        << node;
}

TEST_F(CalibrateTest, FewRowsAreAWarning) {
  EXPECT_EQ(run("gptq").warning, "") << "90 rows for a K of 64";
  writeFile(settings.path,
            zipOf({{"x.npy", npyOf({3, kMlpIn}, std::vector<float>(3 * kMlpIn, 1))}}));
  std::string warning = run("gptq").warning;
  EXPECT_NE(warning.find("have 3 rows for up, fewer than 32 (K)"), std::string::npos)
      << warning;
  EXPECT_NE(run("smoothquant").warning.find("fewer than 100"), std::string::npos);
}

TEST_F(CalibrateTest, AStateKeepsWhatWasFound) {
  settings.state = folder / "state";
  CalibrationResult first = run("awq");
  EXPECT_EQ(first.resumed, 0u);
  CalibrationResult second = run("awq");
  EXPECT_EQ(second.resumed, kSamples);
  EXPECT_EQ(second.calibration->at("up")->hash, first.calibration->at("up")->hash);
  for (const std::string &name : listFolder(settings.state))
    EXPECT_EQ(name.find("sums"), std::string::npos) << "sums are given up";
}

TEST_F(CalibrateTest, AStateIsOfOneCalibration) {
  settings.state = folder / "state";
  run("awq");
  writeSamples(samplesOf(2));
  Diagnosis problem = problemOf(calibrate(options, settings));
  EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
  EXPECT_EQ(problem.what, "the folder of --calib-state is of another calibration");
}

TEST_F(CalibrateTest, SamplesMustBeFinite) {
  std::vector<float> values = samplesOf(1);
  values[5] = INFINITY;
  writeSamples(values);
  options.precision.algorithm = "awq";
  Diagnosis problem = problemOf(calibrate(options, settings));
  EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
  EXPECT_EQ(problem.found, "NaN or infinity before up");
  EXPECT_NE(problem.where.find("sample 0"), std::string::npos) << problem.where;
}

TEST_F(CalibrateTest, SamplesMustBeThere) {
  settings.path = folder / "none.npz";
  EXPECT_EQ(problemOf(calibrate(options, settings)).code, ErrorCode::FileNotFound);
}

TEST_F(CalibrateTest, ModelsMustHaveProducts) {
  writeFile(options.input, R"(<ir_version: 8, opset_import: ["" : 17]>
plain (float[batch, 32] x) => (float[batch, 32] y) { y = Tanh(x) }
)");
  Diagnosis problem = problemOf(calibrate(options, settings));
  EXPECT_EQ(problem.what, "the model has no product to calibrate");
  EXPECT_EQ(problem.where, options.input);
}

TEST_F(CalibrateTest, ModelsMustCompile) {
  writeFile(options.input, "no model");
  llvm::Expected<CalibrationResult> result = calibrate(options, settings);
  EXPECT_FALSE(bool(result));
  llvm::consumeError(result.takeError());
}

TEST_F(CalibrateTest, GpusMustBeAmongTheTargets) {
  settings.device = "sim";
  Diagnosis problem = problemOf(calibrate(options, settings));
  EXPECT_EQ(problem.code, ErrorCode::BadUsage);
  EXPECT_EQ(problem.what, "samples cannot run on sim");
  EXPECT_EQ(problem.found, "--target native");
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

TEST_F(CalibrateTest, RangesCoverTheLargestMagnitude) {
  CalibrationResult result = runRanges("max");
  ASSERT_TRUE(result.ranges);
  EXPECT_FALSE(result.calibration);
  ASSERT_EQ(result.ranges->size(), 2u);
  const ActivationRange &up = result.ranges->at("up");
  EXPECT_EQ(up.limit, largest());
  EXPECT_EQ(up.values, samples.size());
  EXPECT_EQ(up.saturated, 0u);
  ASSERT_TRUE(up.scale);
  EXPECT_EQ(numbersOf(*up.scale, 1)[0], largest() / 127);
  EXPECT_LE(result.ranges->at("down").limit, 1) << "of tanh";
}

TEST_F(CalibrateTest, ScalesOfFloat8AreOfItsLargestNumber) {
  options.precision.activations = "fp8";
  options.precision.precision = "fp8";
  options.precision.range = "max";
  CalibrationResult result = valueOf(calibrateRanges(options, settings));
  EXPECT_EQ(numbersOf(*result.ranges->at("up").scale, 1)[0], float(largest() / 448.0));
}

TEST_F(CalibrateTest, PercentilesLeaveSomeOut) {
  std::vector<float> values = samplesOf(1);
  values[7] = 100;
  writeSamples(values);
  ActivationRange range = runRanges("percentile:99").ranges->at("up");
  EXPECT_LT(range.limit, 2);
  EXPECT_GE(range.saturated, 1u);
  EXPECT_EQ(runRanges("max").ranges->at("up").limit, 100);
}

TEST_F(CalibrateTest, RangesOfFewValuesAreAWarning) {
  std::string warning = runRanges("max").warning;
  EXPECT_NE(warning.find("have 2880 values for up, fewer than 10000"), std::string::npos)
      << warning;
}

TEST_F(CalibrateTest, HistogramsInParts) {
  CalibrationResult whole = runRanges("entropy");
  EXPECT_EQ(whole.passes, 1u);
  settings.memory = 1;
  CalibrationResult parts = runRanges("entropy");
  EXPECT_EQ(parts.passes, 2u);
  for (const char *node : {"up", "down"})
    EXPECT_EQ(parts.ranges->at(node).limit, whole.ranges->at(node).limit) << node;
}

/// Other methods need no new run of the samples if histograms were kept.
TEST_F(CalibrateTest, HistogramsAreKept) {
  settings.state = folder / "state";
  CalibrationResult first = runRanges("max");
  EXPECT_EQ(first.resumed, 0u);
  CalibrationResult second = runRanges("max");
  EXPECT_EQ(second.resumed, kSamples);
  EXPECT_EQ(second.ranges->at("up").limit, first.ranges->at("up").limit);
}

TEST_F(CalibrateTest, ZerosSayNothingOfAScale) {
  writeSamples(std::vector<float>(samples.size()));
  options.precision.precision = "int8";
  options.precision.range = "max";
  Diagnosis problem = problemOf(calibrateRanges(options, settings));
  EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
  EXPECT_EQ(problem.found, "zeros before up");
}
} // namespace

//===- InputsTest.cpp - Inputs from files or generated ones ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Inputs.h"
#include "Models.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
/// x f32[batch, seq] with batch in 1..4 and seq in 1..256.
class InputsTest : public testing::Test {
protected:
  void SetUp() override {
    writeModel(folder / "m.kiln", scaleModel());
    model = loadPackage(folder / "m.kiln");
  }
  llvm::Expected<InputSet> create(const InputSettings &settings = {"kiln run"}) {
    return InputSet::create(model.get(), settings);
  }
  InputSettings withDims(SymbolValues dims, uint64_t seed = 0) {
    return {"kiln run", {}, std::move(dims), seed};
  }
  std::vector<float> valuesOf(const InputSet &inputs, size_t index = 0) {
    const kiln_tensor &tensor = inputs.tensors()[index];
    auto *data = static_cast<const float *>(tensor.data);
    return {data, data + tensor.size / sizeof(float)};
  }

  TempFolder folder;
  Model model;
};

TEST_F(InputsTest, SizesAreGuessedFromNames) {
  InputSet inputs = valueOf(create());
  EXPECT_EQ(inputs.symbols(), (SymbolValues{{"batch", 1}, {"seq", 128}}));
  EXPECT_EQ(inputs.symbolList(model.get()), (std::vector<int64_t>{1, 128}));
  ASSERT_EQ(inputs.tensors().size(), 1u);
  EXPECT_STREQ(inputs.tensors()[0].name, "x");
  EXPECT_EQ(inputs.tensors()[0].size, 128 * sizeof(float));
  EXPECT_EQ(inputs.random(), std::vector<std::string>{"x"});
}

TEST_F(InputsTest, SizesAreThoseOfDims) {
  InputSet inputs = valueOf(create(withDims({{"seq", 5}, {"batch", 2}})));
  EXPECT_EQ(inputs.symbolList(model.get()), (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(valuesOf(inputs).size(), 10u);
}

TEST_F(InputsTest, DimsMustBeOfTheModel) {
  Diagnosis problem = problemOf(create(withDims({{"heads", 5}})));
  EXPECT_EQ(problem.code, ErrorCode::BadUsage);
  EXPECT_EQ(problem.where, "kiln run: --dims");
  EXPECT_EQ(problem.expected, "batch or seq");
  EXPECT_EQ(problem.found, "'heads'");
}

TEST_F(InputsTest, DimsMustBeInTheEnvelope) {
  for (int64_t size : {0, 257}) {
    Diagnosis problem = problemOf(create(withDims({{"seq", size}})));
    EXPECT_EQ(problem.code, ErrorCode::DimOutsideEnvelope);
    EXPECT_EQ(problem.expected, "1 to 256");
    EXPECT_EQ(problem.found, std::to_string(size));
  }
}

TEST_F(InputsTest, RandomNumbersAreThoseOfTheSeed) {
  std::vector<float> first = valuesOf(valueOf(create(withDims({}, 7))));
  EXPECT_EQ(valuesOf(valueOf(create(withDims({}, 7)))), first);
  EXPECT_NE(valuesOf(valueOf(create(withDims({}, 8)))), first);
  for (float value : first)
    EXPECT_TRUE(value >= -1 && value < 1) << value;
  EXPECT_LT(*std::min_element(first.begin(), first.end()), -0.8f);
  EXPECT_GT(*std::max_element(first.begin(), first.end()), 0.8f);
}

TEST_F(InputsTest, FilesGiveSizesAndNumbers) {
  writeFloats(folder / "x.npy", {2, 3}, {1, 2, 3, 4, 5, 6});
  InputSet inputs = valueOf(create({"kiln run", {{"x", folder / "x.npy"}}, {}, 0}));
  EXPECT_EQ(inputs.symbols(), (SymbolValues{{"batch", 2}, {"seq", 3}}));
  EXPECT_EQ(valuesOf(inputs), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(inputs.random().empty());
}

TEST_F(InputsTest, FilesAndDimsMustAgree) {
  writeFloats(folder / "x.npy", {2, 3}, {1, 2, 3, 4, 5, 6});
  InputSettings settings = {"kiln run", {{"x", folder / "x.npy"}}, {{"seq", 3}}, 0};
  EXPECT_EQ(valuesOf(valueOf(create(settings))).size(), 6u);
  settings.dims["seq"] = 4;
  Diagnosis problem = problemOf(create(settings));
  EXPECT_EQ(problem.what, "contradicts input 'x'");
  EXPECT_EQ(problem.expected, "seq=3 as in the file");
  EXPECT_EQ(problem.found, "seq=4");
}

TEST_F(InputsTest, FilesMustBeThere) {
  Diagnosis problem =
      problemOf(create({"kiln run", {{"x", folder / "none.npy"}}, {}, 0}));
  EXPECT_EQ(problem.code, ErrorCode::FileNotFound);
}

/// The runtime itself reports that an input does not fit the model.
TEST_F(InputsTest, UnknownNamesAreLeftToTheRuntime) {
  writeFloats(folder / "z.npy", {3}, {1, 2, 3});
  InputSet inputs = valueOf(create({"kiln run", {{"z", folder / "z.npy"}}, {}, 0}));
  ASSERT_EQ(inputs.tensors().size(), 2u);
  EXPECT_STREQ(inputs.tensors()[0].name, "z");
  EXPECT_STREQ(inputs.tensors()[1].name, "x");
}

TEST_F(InputsTest, TensorsInMemoryAreTaken) {
  FloatTensor x("x", {1, 4});
  InputSettings settings = {"kiln run"};
  settings.tensors = {x.tensor()};
  InputSet inputs = valueOf(create(settings));
  EXPECT_EQ(inputs.tensors()[0].data, x.data.data());
  EXPECT_EQ(inputs.symbols().at("seq"), 4);
  EXPECT_TRUE(inputs.random().empty());
}

TEST_F(InputsTest, InputsAreMovable) {
  writeFloats(folder / "x.npy", {1, 2}, {5, 6});
  std::vector<InputSet> sets;
  for (int i = 0; i < 3; ++i) // earlier stored arrays are moved
    sets.push_back(valueOf(create({"kiln run", {{"x", folder / "x.npy"}}, {}, 0})));
  for (const InputSet &set : sets) {
    EXPECT_STREQ(set.tensors()[0].name, "x");
    EXPECT_EQ(valuesOf(set), (std::vector<float>{5, 6}));
  }
}

std::vector<double> filled(const char *name, kiln_dtype dtype, uint64_t seed,
                           int64_t bound, int64_t count = 1000) {
  TensorBuffer buffer(name, dtype, {count});
  fillRandom(buffer, seed, bound);
  std::vector<double> values;
  for (uint64_t i = 0; i < buffer.elements(); ++i)
    values.push_back(readElement(dtype, buffer.data(), i));
  return values;
}

TEST(FillRandom, IntegersLieBelowTheirBound) {
  for (int64_t bound : {1, 7, 100}) {
    std::vector<double> values = filled("ids", KILN_DTYPE_I64, 0, bound);
    std::vector<bool> seen(static_cast<size_t>(bound));
    for (double value : values) {
      ASSERT_TRUE(value >= 0 && value < double(bound)) << value;
      seen[static_cast<size_t>(value)] = true;
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0) << "each one comes";
  }
}

TEST(FillRandom, BoolsAreBoth) {
  std::vector<double> values = filled("flag", KILN_DTYPE_BOOL, 0, 100);
  auto ones = std::count(values.begin(), values.end(), 1.0);
  EXPECT_GT(ones, 400);
  EXPECT_EQ(ones + std::count(values.begin(), values.end(), 0.0), 1000);
}

TEST(FillRandom, MasksAreOnes) {
  for (const char *name : {"attention_mask", "MASK", "input.mask.1"})
    for (kiln_dtype dtype : {KILN_DTYPE_I64, KILN_DTYPE_F32, KILN_DTYPE_BOOL})
      EXPECT_EQ(filled(name, dtype, 3, 100), std::vector<double>(1000, 1)) << name;
}

TEST(FillRandom, NamesAndSeedsDecide) {
  std::vector<double> x = filled("x", KILN_DTYPE_F32, 1, 100);
  EXPECT_EQ(filled("x", KILN_DTYPE_F32, 1, 5), x) << "bounds are for integers";
  EXPECT_NE(filled("y", KILN_DTYPE_F32, 1, 100), x);
  EXPECT_NE(filled("x", KILN_DTYPE_F32, 2, 100), x);
  std::vector<double> f16 = filled("x", KILN_DTYPE_F16, 1, 100);
  for (auto [half, single] : llvm::zip_equal(f16, x))
    EXPECT_NEAR(half, single, 0x1p-11) << "the same numbers, rounded";
}

TEST(FillRandom, NumbersAreUniform) {
  std::vector<double> values = filled("x", KILN_DTYPE_F64, 9, 0, 40000);
  double mean = 0, squares = 0;
  for (double value : values) {
    mean += value / 40000;
    squares += value * value / 40000;
  }
  EXPECT_NEAR(mean, 0, 0.015);
  EXPECT_NEAR(squares, 1.0 / 3, 0.01);
}

/// `ids` indexes a table of five rows; its dim's name is not "batch".
TEST(InputsOfModels, IndicesLieInTheTableThatTheyIndex) {
  TempFolder folder;
  compileText(folder, "m", R"(<ir_version: 8, opset_import: ["" : 17]>
lookup (int64[n, length] ids, float[n, length] scale) => (float[n, length, 2] y)
<float[5, 2] table = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, int64[1] axis = {2}>
{ rows = Gather(table, ids)
  wide = Unsqueeze(scale, axis)
  y = Mul(rows, wide) }
)");
  Model model = loadPackage(folder / "m.kiln");
  InputSet inputs = valueOf(InputSet::create(model.get(), {"kiln run"}));
  EXPECT_EQ(inputs.symbols().at("n"), 1) << "n is a batch by its name";
  EXPECT_EQ(inputs.symbols().at("length"), 128);
  auto *ids = static_cast<const int64_t *>(inputs.tensors()[0].data);
  EXPECT_EQ(*std::max_element(ids, ids + 128), 4);
  EXPECT_EQ(*std::min_element(ids, ids + 128), 0);
  EXPECT_EQ(inputs.random(), (std::vector<std::string>{"ids", "scale"}));
}
} // namespace

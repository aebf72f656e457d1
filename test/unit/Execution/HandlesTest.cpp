//===- HandlesTest.cpp - Owning handles of the runtime objects -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Handles.h"
#include "Models.h"
#include "kiln/ErrorCodes/Internal.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Execution/Status.h"
#include <cstdint>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
class HandlesTest : public testing::Test {
protected:
  void SetUp() override { writeModel(path, scaleModel()); }

  TempFolder folder;
  std::string path = folder / "m.kiln";
};

TEST_F(HandlesTest, StatusesBecomeErrors) {
  EXPECT_EQ(messageOf(toError(nullptr)), "");
  kiln_model *model = nullptr;
  std::string missing = folder / "none.kiln";
  Diagnosis problem =
      problemOf(toError(kiln_model_load(missing.c_str(), nullptr, &model)));
  EXPECT_EQ(problem.code, ErrorCode::FileNotFound);
  EXPECT_EQ(problem.where, missing);
  EXPECT_FALSE(problem.what.empty() || problem.fix.empty());
}

TEST_F(HandlesTest, LoadsTheFirstEntryOrTheOneOfAName) {
  Model first = loadPackage(path);
  EXPECT_EQ(inputCount(first.get()), 1u);
  EXPECT_EQ(outputCount(first.get()), 2u);
  std::vector<kiln_model *> entries = valueOf(entriesOf(first.get()));
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_STREQ(kiln_model_current_entry(entries[0]),
               kiln_model_current_entry(first.get()));
}

TEST_F(HandlesTest, EntriesThatAreNotThereAreErrors) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  Diagnosis problem = problemOf(execution::loadModel(path, options, "decode"));
  EXPECT_NE(problem.str().find("decode"), std::string::npos) << problem.str();
}

TEST_F(HandlesTest, OtherFilesAreNoModels) {
  writeFile(path, "no package");
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  Diagnosis problem = problemOf(execution::loadModel(path, options));
  EXPECT_EQ(exitStatus(problem.code), 3) << problem.str();
}

TEST_F(HandlesTest, SessionsOutliveTheirModel) {
  Model model = loadPackage(path);
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  Session session = valueOf(createSession(model.get(), options));
  model.reset();
  EXPECT_GE(kiln_session_threads(session.get()), 1u);
}

TEST_F(HandlesTest, SessionsNeedDimsOfTheModel) {
  Model model = loadPackage(path);
  kiln_dim_range range = {"batch", 1, 99};
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.dims = &range;
  options.dim_count = 1;
  Diagnosis problem = problemOf(createSession(model.get(), options));
  EXPECT_NE(problem.str().find("batch"), std::string::npos) << problem.str();
}

TEST_F(HandlesTest, ReadsArrays) {
  writeFloats(folder / "x.npy", {2, 3}, {1, 2, 3, 4, 5, 6});
  Npy array = valueOf(readNpy(folder / "x.npy"));
  const kiln_tensor &tensor = *kiln_npy_tensor(array.get());
  EXPECT_EQ(typeText(tensor.dtype, llvm::ArrayRef(tensor.shape, tensor.rank)),
            "f32[2,3]");
  EXPECT_EQ(problemOf(readNpy(folder / "y.npy")).code, ErrorCode::FileNotFound);
}

TEST_F(HandlesTest, StepsThatLaunchKernelsHaveAHero) {
  kiln_step_info step = {"matmul_0", "matmul", "", 0, nullptr};
  EXPECT_TRUE(launchesKernel(step));
  step.hero = "";
  EXPECT_FALSE(launchesKernel(step));
}

TEST(TensorBufferTest, DescribesItsMemory) {
  TensorBuffer buffer("ids", KILN_DTYPE_I64, {2, 3});
  EXPECT_EQ(buffer.elements(), 6u);
  EXPECT_EQ(buffer.bytes(), 48u);
  ASSERT_NE(buffer.data(), nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
  kiln_tensor tensor = buffer.tensor();
  EXPECT_STREQ(tensor.name, "ids");
  EXPECT_EQ(tensor.data, buffer.data());
  EXPECT_EQ(tensor.size, 48u);
  EXPECT_EQ(llvm::ArrayRef(tensor.shape, tensor.rank), llvm::ArrayRef<int64_t>({2, 3}));
}

TEST(TensorBufferTest, EmptyTensorsAndScalarsHaveMemoryToo) {
  TensorBuffer none("none", KILN_DTYPE_F32, {0, 3}), scalar("one", KILN_DTYPE_F32, {});
  EXPECT_EQ(none.elements(), 0u);
  EXPECT_NE(none.data(), nullptr);
  EXPECT_EQ(scalar.elements(), 1u);
  EXPECT_EQ(scalar.bytes(), 4u);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) // they end here
TEST(TensorBufferTest, MemoryThatIsNotThereIsNull) {
  EXPECT_EQ(TensorBuffer("huge", KILN_DTYPE_F32, {int64_t(1) << 58}).data(), nullptr);
}
#endif

TEST(TensorBufferTest, TypesAsText) {
  EXPECT_EQ(typeText(KILN_DTYPE_BF16, {}), "bf16[]");
  kiln_dim_info dims[] = {{"batch", 1, 4}, {"2*seq", 2, 512}, {"384", 384, 384}};
  kiln_tensor_info info = {"x", KILN_DTYPE_F32, 3, dims};
  EXPECT_EQ(typeText(info), "f32[batch,2*seq,384]");
}

Diagnosis sampleProblem(ErrorCode::ID code, llvm::StringRef sample = "") {
  return problemOf(asSampleError(
      makeError({code, "x.npy", "is wrong", "right", "wrong", "correct it"}), sample));
}

TEST(SampleErrorTest, WhatAFileSaysIsOfTheSample) {
  Diagnosis problem = sampleProblem(ErrorCode::BadUsage, "sample 3");
  EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
  EXPECT_EQ(problem.where, "sample 3: x.npy");
  EXPECT_EQ(problem.fix, "correct it");
  EXPECT_EQ(sampleProblem(ErrorCode::BadUsage).where, "x.npy");
}

TEST(SampleErrorTest, MemoryFilesAndDefectsStayWhatTheyAre) {
  for (ErrorCode::ID code : {ErrorCode::OutOfMemory, ErrorCode::FileNotFound,
                             ErrorCode::FileReadFailed, ErrorCode::Internal})
    EXPECT_EQ(sampleProblem(code, "sample 3").code, code) << codeName(code);
}
} // namespace

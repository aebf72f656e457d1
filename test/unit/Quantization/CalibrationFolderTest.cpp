//===- CalibrationFolderTest.cpp - Saved state of a calibration -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CalibrationFolder.h"
#include "Models.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::quantization;
using namespace kiln::test;

namespace {
using FolderPtr = std::unique_ptr<CalibrationFolder>;

class CalibrationFolderTest : public testing::Test {
protected:
  FolderPtr open(const std::string &key = "model samples gptq") {
    return valueOf(CalibrationFolder::open(path, key));
  }
  Diagnosis refused(const std::string &key = "model samples gptq") {
    Diagnosis problem = problemOf(CalibrationFolder::open(path, key));
    EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid);
    EXPECT_EQ(problem.where, path);
    return problem;
  }
  /// Returns the elements of a matrix, as a compile reads them.
  static std::vector<float> numbersOf(const CalibratedInput &input, size_t count) {
    std::vector<float> numbers(count);
    auto file =
        llvm::MemoryBuffer::getFileSlice(input.file, count * sizeof(float), input.offset);
    EXPECT_TRUE(bool(file)) << input.file;
    if (file)
      std::memcpy(numbers.data(), (*file)->getBufferStart(), count * sizeof(float));
    return numbers;
  }
  std::string fileOf(const std::string &name) { return path + "/" + name; }

  TempFolder temporary;
  std::string path = temporary / "state";
};

TEST_F(CalibrationFolderTest, IsMadeAndOpenedAgain) {
  open();
  EXPECT_EQ(listFolder(path), std::vector<std::string>{"calibration"});
  EXPECT_EQ(readFile(fileOf("calibration")), "kiln calibration 1\nmodel samples gptq\n");
  open();
}

TEST_F(CalibrationFolderTest, BelongsToOneCalibration) {
  open("model samples gptq");
  EXPECT_EQ(refused("model samples awq").what,
            "the folder of --calib-state is of another calibration");
  open("model samples gptq");
}

TEST_F(CalibrationFolderTest, OtherFoldersAreLeftAlone) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(path));
  writeFile(fileOf("letter.txt"), "dear");
  EXPECT_EQ(refused().what, "the folder of --calib-state is of no calibration");
  EXPECT_EQ(listFolder(path), std::vector<std::string>{"letter.txt"});
}

TEST_F(CalibrationFolderTest, FoldersMustBeMade) {
  writeFile(path, "a file");
  llvm::Expected<FolderPtr> folder = CalibrationFolder::open(path, "key");
  EXPECT_FALSE(bool(folder));
  llvm::consumeError(folder.takeError());
  path = temporary / "none/state";
  Diagnosis problem = problemOf(CalibrationFolder::open(path, "key"));
  EXPECT_EQ(problem.code, ErrorCode::OutputNotWritable);
}

/// A killed process leaves an incomplete file.
TEST_F(CalibrationFolderTest, HalfWrittenFilesAreRemoved) {
  open();
  writeFile(fileOf("matrix-3.999-0.tmp"), "half");
  open();
  EXPECT_EQ(listFolder(path), std::vector<std::string>{"calibration"});
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

TEST_F(CalibrationFolderTest, KeepsMatrices) {
  std::vector<float> matrix = {1, 2, 3, 4};
  auto stored = valueOf(open()->storeMatrix(5, 2, matrix));
  EXPECT_EQ(stored->k, 2);
  EXPECT_EQ(stored->file, fileOf("matrix-5"));
  EXPECT_EQ(stored->hash.size(), 64u);
  EXPECT_EQ(numbersOf(*stored, 4), matrix);
  auto found = valueOf(open()->findMatrix(5, 2, 4));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hash, stored->hash);
  EXPECT_EQ(found->k, 2);
  EXPECT_EQ(numbersOf(*found, 4), matrix);
}

TEST_F(CalibrationFolderTest, HashesAreThoseOfTheNumbers) {
  FolderPtr folder = open();
  std::string one = valueOf(folder->storeMatrix(0, 1, 1.0f))->hash,
              same = valueOf(folder->storeMatrix(1, 1, 1.0f))->hash,
              other = valueOf(folder->storeMatrix(2, 1, 2.0f))->hash;
  EXPECT_EQ(one, same);
  EXPECT_NE(one, other);
  // SHA-256 of 00 00 80 3f.
  EXPECT_EQ(one, "e00e5eb9444182f352323374ef4e08ebcb784725fdd4fd612d7730540b3e0c8c");
}

TEST_F(CalibrationFolderTest, MatricesThatAreNotThereAreNull) {
  EXPECT_FALSE(valueOf(open()->findMatrix(5, 2, 4)));
}

TEST_F(CalibrationFolderTest, EveryDamagedByteIsFound) {
  FolderPtr folder = open();
  valueOf(folder->storeMatrix(5, 2, {1.0f, 2.0f, 3.0f, 4.0f}));
  std::string file = fileOf("matrix-5"), good = readFile(file);
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    writeFile(file, bad);
    Diagnosis problem = problemOf(folder->findMatrix(5, 2, 4));
    EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid) << at;
    EXPECT_EQ(problem.what, "a file of a calibration is damaged") << at;
  }
  for (size_t size : {size_t(0), good.size() - 1, good.size() + 1}) {
    std::string bad = good + "x";
    bad.resize(size);
    writeFile(file, bad);
    EXPECT_EQ(problemOf(folder->findMatrix(5, 2, 4)).found, std::to_string(size));
  }
  writeFile(file, good);
  EXPECT_TRUE(valueOf(folder->findMatrix(5, 2, 4)));
}

TEST_F(CalibrationFolderTest, AMatrixIsTheOneOfItsInput) {
  FolderPtr folder = open();
  valueOf(folder->storeMatrix(5, 2, {1.0f, 2.0f, 3.0f, 4.0f}));
  writeFile(fileOf("matrix-6"), readFile(fileOf("matrix-5")));
  EXPECT_EQ(problemOf(folder->findMatrix(6, 2, 4)).code, ErrorCode::CalibrationInvalid);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

TEST_F(CalibrationFolderTest, KeepsSumsOfSeveralInputs) {
  PartialSums sums{7, {{1, 2, 3, 4}, {0.5}}};
  ASSERT_EQ(messageOf(open()->storeSums(3, sums)), "");
  std::optional<PartialSums> found = valueOf(open()->findSums(3, {4, 1}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->samples, 7u);
  EXPECT_EQ(found->sums, sums.sums);
}

TEST_F(CalibrationFolderTest, SumsThatAreNotThereAreNone) {
  FolderPtr folder = open();
  EXPECT_FALSE(valueOf(folder->findSums(3, {4, 1})));
  ASSERT_EQ(messageOf(folder->storeSums(3, {1, {{1}}})), "");
  folder->removeSums(3);
  EXPECT_FALSE(valueOf(folder->findSums(3, 1)));
  folder->removeSums(3); // there is none any more
}

TEST_F(CalibrationFolderTest, LaterSumsReplaceEarlierOnes) {
  FolderPtr folder = open();
  ASSERT_EQ(messageOf(folder->storeSums(0, {1, {{1}}})), "");
  ASSERT_EQ(messageOf(folder->storeSums(0, {2, {{3}}})), "");
  std::optional<PartialSums> found = valueOf(folder->findSums(0, 1));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->samples, 2u);
  EXPECT_EQ(found->sums[0][0], 3);
}

TEST_F(CalibrationFolderTest, SumsOfOtherSizesAreDamaged) {
  FolderPtr folder = open();
  ASSERT_EQ(messageOf(folder->storeSums(0, {1, {{1, 2}}})), "");
  EXPECT_EQ(problemOf(folder->findSums(0, 3)).code, ErrorCode::CalibrationInvalid);
}

//===----------------------------------------------------------------------===//
// A file without a name
//===----------------------------------------------------------------------===//

TEST_F(CalibrationFolderTest, TemporaryMatricesCanBeRead) {
  FolderPtr folder = valueOf(CalibrationFolder::temporary());
  std::vector<float> first(3000, 1.5f), second = {7};
  auto one = valueOf(folder->storeMatrix(0, 1, first)),
       two = valueOf(folder->storeMatrix(1, 1, second));
  EXPECT_EQ(one->file, two->file);
  EXPECT_EQ(one->offset, 0u);
  EXPECT_GE(two->offset, 3000 * sizeof(float));
  EXPECT_EQ(two->offset % 4096, 0u) << "it is mapped";
  EXPECT_EQ(numbersOf(*one, 3000), first);
  EXPECT_EQ(numbersOf(*two, 1), second);
}

TEST_F(CalibrationFolderTest, TemporaryFoldersFindNothing) {
  FolderPtr folder = valueOf(CalibrationFolder::temporary());
  valueOf(folder->storeMatrix(0, 1, 1.0f));
  EXPECT_FALSE(valueOf(folder->findMatrix(0, 1, 1)));
  EXPECT_FALSE(valueOf(folder->findSums(0, 1)));
  folder->removeSums(0);
}
} // namespace

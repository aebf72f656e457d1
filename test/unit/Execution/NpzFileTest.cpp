//===- NpzFileTest.cpp - Archives of arrays, and hostile ones -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/NpzFile.h"
#include "Archive.h"
#include "Models.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
class NpzFileTest : public testing::Test {
protected:
  llvm::Expected<std::vector<NpzArray>> read(const std::string &bytes) {
    writeFile(path, bytes);
    return readNpz(path);
  }
  /// Returns the arrays, each as "NAME=FIRST".
  std::string arraysOf(const std::string &bytes) {
    std::string text;
    for (const NpzArray &array : valueOf(read(bytes))) {
      const kiln_tensor &tensor = *kiln_npy_tensor(array.array.get());
      text += array.name + "=" +
              std::to_string(int(static_cast<const float *>(tensor.data)[0])) + " ";
    }
    return text;
  }
  Diagnosis refused(const std::string &bytes) {
    Diagnosis problem = problemOf(read(bytes));
    EXPECT_EQ(problem.code, ErrorCode::CalibrationInvalid) << problem.str();
    EXPECT_EQ(problem.where.substr(0, path.size()), path);
    return problem;
  }

  TempFolder folder;
  std::string path = folder / "arrays.npz";
  std::string seven = npyOf({2}, {7, 8}), nine = npyOf({1}, {9});
};

TEST_F(NpzFileTest, ReadsStoredAndDeflatedArraysByName) {
  EXPECT_EQ(arraysOf(zipOf({{"x.npy", seven}, {"mask.npy", nine, /*deflates=*/true}})),
            "mask=9 x=7 ");
  std::vector<NpzArray> arrays = valueOf(readNpz(path));
  const kiln_tensor &tensor = *kiln_npy_tensor(arrays[1].array.get());
  EXPECT_EQ(tensor.dtype, KILN_DTYPE_F32);
  ASSERT_EQ(tensor.rank, 1u);
  EXPECT_EQ(tensor.shape[0], 2);
  EXPECT_EQ(static_cast<const float *>(tensor.data)[1], 8);
}

TEST_F(NpzFileTest, AnEmptyArchiveHasNoArrays) { EXPECT_EQ(arraysOf(zipOf({})), ""); }

TEST_F(NpzFileTest, CommentsAndExtraFieldsAreSkipped) {
  ZipEntry first("x.npy", seven), second("y.npy", nine, true);
  first.extra = std::string(28, 'e');
  second.comment = "a comment";
  EXPECT_EQ(arraysOf(zipOf({first, second}, "made by hand")), "x=7 y=9 ");
  // A comment that looks like an end record.
  EXPECT_EQ(arraysOf(zipOf({first}, "PK\5\6 and more than twenty-two bytes of it")),
            "x=7 ");
}

/// numpy streams into a zip, so sizes are only in the directory.
TEST_F(NpzFileTest, SizesOfTheDirectoryCount) {
  std::string zip = zipOf({{"x.npy", seven}});
  std::memset(zip.data() + 14, 0, 12); // crc and sizes of the local header
  EXPECT_EQ(arraysOf(zip), "x=7 ");
}

TEST_F(NpzFileTest, MissingFilesAreMissing) {
  Diagnosis problem = problemOf(readNpz(folder / "none.npz"));
  EXPECT_EQ(problem.code, ErrorCode::FileNotFound);
  EXPECT_EQ(problem.fix, "check the path of --calib");
}

TEST_F(NpzFileTest, OtherFilesAreRefused) {
  for (const std::string &bytes : {std::string(), std::string("PK"), seven,
                                   std::string(70000, 'x'), std::string(22, '\0')})
    EXPECT_EQ(refused(bytes).what, "this is no .npz file, or it is cut off");
}

/// Refuses every prefix of the file, and every file with one byte removed.
TEST_F(NpzFileTest, FilesThatAreCutOffAreRefused) {
  std::string zip = zipOf({{"x.npy", nine}, {"y.npy", nine, true}});
  for (size_t size = 0; size < zip.size(); ++size)
    EXPECT_NE(refused(zip.substr(0, size)).found, "") << size;
  for (size_t gone = 0; gone < zip.size(); gone += 7) {
    std::string text = zip;
    text.erase(gone, 1);
    llvm::Expected<std::vector<NpzArray>> arrays = read(text);
    EXPECT_FALSE(bool(arrays)) << gone;
    llvm::consumeError(arrays.takeError());
  }
}

/// Changing a byte never makes the reader leave the file or return other values: what it
/// reads has the directory's checksum.
TEST_F(NpzFileTest, ChangedBytesGiveNoOtherNumbers) {
  std::string zip = zipOf({{"x.npy", nine}, {"y.npy", nine, true}});
  for (size_t at = 0; at < zip.size(); ++at)
    for (int change : {1, 0x80, 0xff}) {
      std::string text = zip;
      text[at] = static_cast<char>(text[at] ^ change);
      llvm::Expected<std::vector<NpzArray>> arrays = read(text);
      if (!arrays) {
        EXPECT_EQ(takeDiagnosis(arrays.takeError()).code, ErrorCode::CalibrationInvalid);
        continue;
      }
      for (const NpzArray &array : *arrays) {
        const kiln_tensor &tensor = *kiln_npy_tensor(array.array.get());
        ASSERT_EQ(tensor.size, sizeof(float)) << at;
        EXPECT_EQ(static_cast<const float *>(tensor.data)[0], 9) << at;
      }
    }
}

TEST_F(NpzFileTest, TheDirectoryMustHaveAllItsEntries) {
  EXPECT_EQ(refused(zipOf({{"x.npy", seven}}, "", 2)).what, "the directory is damaged");
  EXPECT_EQ(refused(zipOf({}, "", 1)).what, "the directory is damaged");
  // The entry's offset is beyond the end.
  std::string zip = zipOf({{"x.npy", seven}});
  zip.replace(zip.size() - 6, 4, little(0xfffffff0u, 4));
  Diagnosis problem = refused(zip);
  EXPECT_EQ(problem.expected, "an entry at byte 4294967280");
}

TEST_F(NpzFileTest, NamesMustBeThere) {
  ZipEntry entry("x.npy", seven);
  std::string zip = zipOf({entry});
  size_t directory = zip.find("PK\1\2");
  zip.replace(directory + 28, 2, little(0xffff, 2));
  EXPECT_EQ(refused(zip).found, "a part of one");
}

TEST_F(NpzFileTest, OffsetsMustBeThoseOfEntries) {
  ZipEntry entry("x.npy", seven);
  for (uint32_t offset : {1u, 3u, 1000000u, 0x7fffffffu}) {
    entry.offset = offset;
    EXPECT_EQ(refused(zipOf({entry})).what, "'x.npy' is cut off") << offset;
  }
}

TEST_F(NpzFileTest, EncryptedEntriesAreRefused) {
  ZipEntry entry("x.npy", seven);
  entry.flags = 1;
  EXPECT_EQ(refused(zipOf({entry})).what, "'x.npy' is encrypted");
}

TEST_F(NpzFileTest, ZipFilesOf64BitsAreRefused) {
  for (auto member : {&ZipEntry::size, &ZipEntry::packedSize}) {
    ZipEntry entry("x.npy", seven);
    entry.*member = 0xffffffff;
    EXPECT_EQ(refused(zipOf({entry})).what, "'x.npy' is too large");
  }
  ZipEntry entry("x.npy", seven);
  entry.offset = 0xffffffff;
  EXPECT_EQ(refused(zipOf({entry})).what, "'x.npy' is too large");
}

TEST_F(NpzFileTest, MethodsAreStoredAndDeflated) {
  ZipEntry entry("x.npy", seven);
  entry.method = 12; // bzip2
  Diagnosis problem = refused(zipOf({entry}));
  EXPECT_EQ(problem.what, "'x.npy' is compressed in an unknown way");
  EXPECT_EQ(problem.found, "method 12");
}

/// No memory is allocated before the size is known to be possible.
TEST_F(NpzFileTest, SizesThatNothingUnpacksToAreRefused) {
  ZipEntry stored("x.npy", seven);
  stored.size += 1;
  EXPECT_EQ(refused(zipOf({stored})).what, "the size of 'x.npy' is impossible");
  ZipEntry bomb("x.npy", seven, true);
  bomb.size = 0xfffffffe;
  EXPECT_EQ(refused(zipOf({bomb})).what, "the size of 'x.npy' is impossible");
}

TEST_F(NpzFileTest, DeflatedArraysHaveTheSizeOfTheDirectory) {
  for (int change : {-1, 1}) {
    ZipEntry entry("x.npy", seven, true);
    entry.size += static_cast<uint32_t>(change);
    EXPECT_EQ(refused(zipOf({entry})).what, "'x.npy' is damaged") << change;
  }
  ZipEntry entry("x.npy", seven, true);
  entry.packed[0] = 7; // a block of a reserved type
  EXPECT_EQ(refused(zipOf({entry})).what, "'x.npy' is damaged");
}

TEST_F(NpzFileTest, ChecksumsAreCompared) {
  for (bool deflates : {false, true}) {
    ZipEntry entry("x.npy", seven, deflates);
    entry.crc ^= 1;
    Diagnosis problem = refused(zipOf({entry}));
    EXPECT_EQ(problem.what, "'x.npy' is damaged");
    EXPECT_EQ(problem.expected, "the checksum " + std::to_string(entry.crc));
  }
}

TEST_F(NpzFileTest, EntriesAreArraysOfTheirOwn) {
  for (const char *name : {"x", "x.npz", "folder/"})
    EXPECT_EQ(refused(zipOf({{name, seven}})).found, "'" + std::string(name) + "'");
  EXPECT_EQ(refused(zipOf({{"x.npy", seven}, {"x.npy", nine}})).found, "'x.npy'")
      << "twice";
}

/// The error names the wrong array and its archive.
TEST_F(NpzFileTest, ContentsMustBeArrays) {
  Diagnosis problem = refused(zipOf({{"x.npy", "no array"}}));
  EXPECT_EQ(problem.where, path + ": x.npy");
  std::string cut = seven.substr(0, seven.size() - 1);
  EXPECT_EQ(refused(zipOf({{"x.npy", cut}})).where, path + ": x.npy");
}
} // namespace

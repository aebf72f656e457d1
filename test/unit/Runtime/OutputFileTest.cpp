//===- OutputFileTest.cpp -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "runtime/base/output_file.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace kiln::rt;
using Names = std::vector<std::string>;

TEST(OutputFile, AppearsWholeOrNotAtAll) {
  TempFolder folder;
  {
    OutputFile file;
    ASSERT_TRUE(OutputFile::create(folder / "a", file).ok());
    ASSERT_TRUE(file.write("text", 4).ok());
  }
  EXPECT_EQ(listFolder(folder.path), Names{});
  OutputFile file;
  ASSERT_TRUE(OutputFile::create(folder / "a", file).ok());
  ASSERT_TRUE(file.write("text", 4).ok());
  ASSERT_TRUE(file.commit().ok());
  EXPECT_EQ(listFolder(folder.path), Names{"a"});
  EXPECT_EQ(readFile(folder / "a"), "text");
}

TEST(OutputFile, RemovesWhatKilledProcessesLeft) {
  TempFolder folder;
  writeFile(folder / "a.123-0.tmp", "cut off");
  writeFile(folder / "a.99999-17.tmp", "cut off");
  // Temporary files of other outputs and other programs.
  Names others = {"a.12-.tmp", "a.b-1.tmp", "a.tmp", "ab.123-0.tmp", "b.123-0.tmp"};
  for (const std::string &name : others)
    writeFile(folder / name, "keep");
  OutputFile file;
  ASSERT_TRUE(OutputFile::create(folder / "a", file).ok());
  ASSERT_TRUE(file.commit().ok());
  Names names = others;
  names.push_back("a");
  std::sort(names.begin(), names.end());
  Names found = listFolder(folder.path);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, names);
}

TEST(OutputFile, KeepsWhatIsBeingWritten) {
  TempFolder folder;
  OutputFile first, second;
  ASSERT_TRUE(OutputFile::create(folder / "a", first).ok());
  ASSERT_TRUE(OutputFile::create(folder / "a", second).ok());
  ASSERT_TRUE(second.write("2", 1).ok());
  ASSERT_TRUE(second.commit().ok());
  ASSERT_TRUE(first.write("1", 1).ok());
  ASSERT_TRUE(first.commit().ok());
  EXPECT_EQ(readFile(folder / "a"), "1");
}

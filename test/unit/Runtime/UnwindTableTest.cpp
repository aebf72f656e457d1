//===- UnwindTableTest.cpp - Unwinding through generated code -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FrameTable.h"
#include "TestPackage.h"
#include "runtime/code/code_image.h"
#include <cstring>
#include <gtest/gtest.h>
#include <unwind.h>

using namespace kiln::rt;
using namespace kiln::test;

static std::span<uint8_t> bytesOf(std::string &text) {
  return {reinterpret_cast<uint8_t *>(text.data()), text.size()};
}

TEST(UnwindTable, ListsTheFunctionsByTheirOffsets) {
  std::string table = frameTable({{64, 32}, {0, 16}});
  std::vector<CodeFunction> functions;
  ASSERT_TRUE(readUnwindTable(bytesOf(table), 96, 96, functions));
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].offset, 0u);
  EXPECT_EQ(functions[0].size, 16u);
  EXPECT_EQ(functions[1].offset, 64u);
  EXPECT_EQ(functions[1].size, 32u);
  for (const CodeFunction &f : functions) { // from the record back to its function
    int32_t back;
    std::memcpy(&back, &table[f.own + unwindBeginOffset], sizeof back);
    EXPECT_EQ(int64_t(96 + f.own + unwindBeginOffset) + back, int64_t(f.offset));
  }
}

TEST(UnwindTable, RefusesEveryTableThatIsCut) {
  const std::string good = frameTable({{0, 16}, {16, 80}});
  std::vector<CodeFunction> functions;
  std::string all = good;
  ASSERT_TRUE(readUnwindTable(bytesOf(all), 96, 96, functions));
  const size_t first = functions[0].own, second = functions[1].own;
  for (size_t size = 0; size < good.size(); ++size) {
    if (size == second)
      continue; // a prefix of only the first record is a valid table
    std::string cut = good.substr(0, size);
    functions.clear();
    EXPECT_FALSE(readUnwindTable(bytesOf(cut), 96, 96, functions)) << size << first;
  }
}

/// Changing any byte never makes the reader refer to memory outside the table and the
/// image.
TEST(UnwindTable, ChangedBytes) {
  const std::string good = frameTable({{0, 16}, {16, 80}});
  for (size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = good;
      changed[at] = char(changed[at] ^ (1 << bit));
      std::vector<CodeFunction> functions;
      if (!readUnwindTable(bytesOf(changed), 96, 96, functions))
        continue;
      for (const CodeFunction &f : functions) {
        EXPECT_LE(f.offset + f.size, 96u);
        EXPECT_LT(f.own + 4, changed.size());
        EXPECT_LT(f.common, f.own);
      }
    }
}

/// The process's unwinder knows the code while it is mapped.
TEST(UnwindTable, IsKnownWhileTheImageIsMapped) {
  std::string code(96, '\xc3'), table = frameTable({{0, 16}, {16, 80}});
  uint8_t *begin = nullptr;
  {
    CodeImage image;
    Status mapped = image.map(bytesOf(code), bytesOf(table), "test");
    ASSERT_TRUE(mapped.ok()) << mapped.message();
    ASSERT_EQ(image.functions.size(), 2u);
    begin = const_cast<uint8_t *>(image.data());
    EXPECT_EQ(_Unwind_FindEnclosingFunction(begin + 1), begin);
    EXPECT_EQ(_Unwind_FindEnclosingFunction(begin + 50), begin + 16);
  }
  EXPECT_EQ(_Unwind_FindEnclosingFunction(begin + 50), nullptr);
}

/// As in packages of older versions, or damaged ones with matching hashes.
TEST(UnwindTable, ImagesDoWithout) {
  std::string code(96, '\xc3'), bad = "no table, but as long as one with two functions";
  for (std::string table : {std::string(), bad}) {
    CodeImage image;
    ASSERT_TRUE(image.map(bytesOf(code), bytesOf(table), "test").ok());
    EXPECT_TRUE(image.functions.empty());
    EXPECT_TRUE(image.table().empty());
    EXPECT_EQ(std::memcmp(image.data(), code.data(), code.size()), 0);
  }
}

TEST(UnwindTable, OfAPackage) {
  TempFolder folder;
  kiln::package::PackageContents contents = scaleModel();
  contents.unwindTables = {frameTable({{0, testImage().size()}})};
  writeModel(folder / "m.kiln", contents);
  ModelPtr model = loadModel(folder / "m.kiln");
  ASSERT_TRUE(model);
  EXPECT_FALSE(own(kiln_package_check((folder / "m.kiln").c_str())));
  writeModel(folder / "old.kiln", scaleModel());
  EXPECT_TRUE(loadModel(folder / "old.kiln"));
}

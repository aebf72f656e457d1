//===- KernelCasesTest.cpp - Every kernel case, in one process ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   KernelCasesTest                    runs the table
//   KernelCasesTest --some             runs a part of them: someOf()
//   KernelCasesTest --write FOLDER GPU writes packages with code for a target
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "SimulatedGpus.h"
#include "WriteCases.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace kiln::test;

namespace {
class KernelCaseTest : public testing::Test {
public:
  explicit KernelCaseTest(const KernelCase &row) : row(row) {}
  void TestBody() override { CaseRunner(row).run(); }

private:
  const KernelCase &row;
};

/// Tests of the table itself: names are unique, and every family runs on GPUs.
class TableTest : public testing::Test {
public:
  explicit TableTest(const KernelTable &table) : table(table) {}
  void TestBody() override {
    std::set<std::string> names;
    std::map<std::string, std::set<std::string>> targets;
    for (const KernelCase &row : table) {
      EXPECT_TRUE(names.insert(row.family + "." + row.name).second)
          << row.family << "." << row.name << " is there twice";
      EXPECT_FALSE(row.gpus.empty() || row.at.empty()) << row.name << " runs nowhere";
      EXPECT_TRUE(row.forHost || !row.interpreted) << row.name;
      targets[row.family].insert(row.gpus.begin(), row.gpus.end());
      if (row.forHost)
        targets[row.family].insert("host");
    }
    EXPECT_FALSE(table.empty());
    for (const auto &[family, own] : targets)
      for (const char *target : {"sm_80", "sm_90a"})
        EXPECT_TRUE(own.count(target)) << family << " has no case for " << target;
  }

private:
  const KernelTable &table;
};

class RefusedPairsTest : public testing::Test {
public:
  void TestBody() override { checkRefusedPairs(); }
};

class WriteTest : public testing::Test {
public:
  WriteTest(const KernelTable &table, std::string folder, std::string gpu)
      : table(table), folder(std::move(folder)), gpu(std::move(gpu)) {}
  void TestBody() override { writeCases(table, folder, gpu); }

private:
  const KernelTable &table;
  std::string folder, gpu;
};
} // namespace

static void add(const char *family, const std::string &name,
                const std::function<testing::Test *()> &make) {
  testing::RegisterTest(family, name.c_str(), nullptr, nullptr, __FILE__, __LINE__, make);
}

int main(int count, char **words) {
  testing::InitGoogleTest(&count, words);
  useSimulatedGpus();
  KernelTable table = kernelTable();
  llvm::ArrayRef<char *> options(words + 1, words + count);
  if (options.size() == 3 && options[0] == llvm::StringRef("--write")) {
    add("table", "write", [&] { return new WriteTest(table, options[1], options[2]); });
    return RUN_ALL_TESTS();
  }
  add("table", "names_and_targets", [&] { return new TableTest(table); });
  add("table", "refused_pairs_of_formats", [] { return new RefusedPairsTest(); });
  bool runsSome = options.size() == 1 && options[0] == llvm::StringRef("--some");
  if (!options.empty() && !runsSome) {
    llvm::errs() << "usage: KernelCasesTest [--some | --write FOLDER GPU]\n";
    return 2;
  }
  KernelTable chosen = runsSome ? someOf(table) : table;
  for (const KernelCase &row : chosen)
    add(row.family.c_str(), row.name, [&] { return new KernelCaseTest(row); });
  return RUN_ALL_TESTS();
}

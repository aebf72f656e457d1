//===- StampTableTest.cpp - Which rank reached which collective -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Tables/StampTable.h"
#include "Models.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/stamps.hpp"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::test;
using rt::Stamp;
using rt::StampHeader;

namespace {
/// A rank's file of stamps, as the runtime writes it.
struct RankFile {
  RankFile(uint32_t rank, uint32_t ranks) {
    std::memcpy(header.magic, rt::stampMagic, sizeof header.magic);
    header.version = rt::stampVersion;
    header.capacity = rt::stampCapacity;
    header.rank = rank;
    header.ranks = ranks;
    header.process = 100 + rank;
    std::strcpy(header.node, "node-a");
  }
  void add(uint64_t number, uint64_t hash = 5, bool isDone = true) {
    Stamp stamp = {};
    stamp.number = number;
    stamp.hash = hash;
    stamp.bytes = 64;
    stamp.begin = 1;
    stamp.end = isDone ? 2 : 0;
    stamp.step = static_cast<uint32_t>(number * 10);
    stamp.kind = static_cast<uint8_t>(number % 2); // all_reduce, all_gather
    ring[number % rt::stampCapacity] = stamp;
  }
  std::string bytes() const {
    std::string text(reinterpret_cast<const char *>(&header), sizeof header);
    return text.append(reinterpret_cast<const char *>(ring.data()),
                       ring.size() * sizeof(Stamp));
  }
  StampHeader header = {};
  std::vector<Stamp> ring = std::vector<Stamp>(rt::stampCapacity);
};

class StampTableTest : public testing::Test {
protected:
  void write(const RankFile &file) {
    writeFile(folder / ("rank-" + std::to_string(file.header.rank) + ".stamps"),
              file.bytes());
  }
  llvm::json::Object table() { return valueOf(stampTableJson(folder / "")); }
  /// Returns the states of the ranks at a collective, "done waits ...".
  std::string statesOf(size_t index) {
    llvm::json::Object found = table();
    std::string text;
    for (const llvm::json::Value &state :
         *(*found.getArray("collectives"))[index].getAsObject()->getArray("states"))
      text += state.getAsString()->str() + " ";
    return text;
  }
  std::string printed() {
    std::string text;
    llvm::raw_string_ostream os(text);
    printStampTable(os, table());
    return text;
  }
  Diagnosis refused() {
    Diagnosis problem = problemOf(stampTableJson(folder / ""));
    EXPECT_EQ(problem.code, ErrorCode::BadUsage);
    EXPECT_EQ(problem.what, "these are no stamps of collectives");
    return problem;
  }
  TempFolder folder;
};

TEST_F(StampTableTest, RanksThatHaveAllResults) {
  for (uint32_t rank : {0, 1}) {
    RankFile file(rank, 2);
    file.add(1);
    file.add(2);
    write(file);
  }
  llvm::json::Object found = table();
  const llvm::json::Object &first = *(*found.getArray("ranks"))[0].getAsObject();
  EXPECT_EQ(first.getString("node"), "node-a");
  EXPECT_EQ(first.getInteger("process"), 100);
  EXPECT_EQ(first.getInteger("last"), 2);
  const llvm::json::Object &last = *(*found.getArray("collectives"))[1].getAsObject();
  EXPECT_EQ(last.getInteger("number"), 2);
  EXPECT_EQ(last.getInteger("step"), 20);
  EXPECT_EQ(last.getString("kind"), "all_reduce");
  EXPECT_EQ(last.getInteger("bytes"), 64);
  EXPECT_EQ(statesOf(0), "done done ");
  std::string text = printed();
  EXPECT_NE(text.find("rank 1: process 101 on node-a\n"), std::string::npos) << text;
  EXPECT_NE(
      text.find("all ranks have the result of collective 2 (all_reduce at step 20)"),
      std::string::npos)
      << text;
}

TEST_F(StampTableTest, ARankThatDidNotCome) {
  RankFile first(0, 2), second(1, 2);
  first.add(1);
  first.add(2, 5, /*isDone=*/false);
  second.add(1);
  write(first);
  write(second);
  EXPECT_EQ(statesOf(1), "waits missing ");
  std::string text = printed();
  EXPECT_NE(text.find("have not come to collective 2 (all_reduce at step 20): rank 1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("have no result of collective 2 (all_reduce at step 20): rank 0\n"),
            std::string::npos);
}

TEST_F(StampTableTest, ARankThatCameToAnotherCollective) {
  RankFile first(0, 2), second(1, 2);
  first.add(1, /*hash=*/5, false);
  second.add(1, /*hash=*/6, false);
  write(first);
  write(second);
  EXPECT_EQ(statesOf(0), "waits differs ");
  EXPECT_NE(printed().find("came to another collective: rank 1\n"), std::string::npos);
}

TEST_F(StampTableTest, ARankWithoutAFile) {
  RankFile first(0, 3);
  first.add(1);
  write(first);
  EXPECT_EQ(statesOf(0), "done unknown unknown ");
  std::string text = printed();
  EXPECT_NE(text.find("rank 2: no file\n"), std::string::npos) << text;
  EXPECT_NE(
      text.find("have no stamps of collective 1 (all_gather at step 10): rank 1, 2\n"),
      std::string::npos)
      << text;
}

/// The ring buffer of a rank that is ahead has overwritten its oldest stamps.
TEST_F(StampTableTest, StampsThatWereOverwritten) {
  RankFile ahead(0, 2), behind(1, 2);
  ahead.add(rt::stampCapacity + 1); // overwrites number 1
  behind.add(1);
  write(ahead);
  write(behind);
  EXPECT_EQ(statesOf(0), "unknown done ");
  EXPECT_EQ(statesOf(1), "done missing ");
}

TEST_F(StampTableTest, LongRingsArePrintedInPart) {
  RankFile first(0, 2), second(1, 2);
  for (uint64_t number = 1; number <= 30; ++number) {
    first.add(number);
    second.add(number, number == 3 ? 77 : 5);
  }
  write(first);
  write(second);
  std::string text = printed();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 + 1 + 12 + 1 + 1)
      << "the last twelve, and where ranks differ\n"
      << text;
  EXPECT_NE(text.find("differs"), std::string::npos);
}

TEST_F(StampTableTest, RanksThatMetNobody) {
  write(RankFile(0, 1));
  EXPECT_TRUE(table().getArray("collectives")->empty());
  EXPECT_NE(printed().find("no rank has come to a collective\n"), std::string::npos);
}

TEST_F(StampTableTest, FoldersMustHaveStamps) {
  EXPECT_EQ(refused().found, "no such file");
  Diagnosis problem = problemOf(stampTableJson(folder / "none"));
  EXPECT_EQ(problem.code, ErrorCode::BadUsage);
}

TEST_F(StampTableTest, FilesMustBeWhole) {
  RankFile file(0, 2);
  std::string bytes = file.bytes();
  for (size_t size :
       {size_t(0), sizeof(StampHeader) - 1, sizeof(StampHeader), bytes.size() - 1}) {
    writeFile(folder / "rank-0.stamps", bytes.substr(0, size));
    refused();
  }
  writeFile(folder / "rank-0.stamps", bytes + "x");
  refused();
}

TEST_F(StampTableTest, HeadersMustBeRight) {
  auto withHeader = [&](auto change) {
    RankFile file(0, 2);
    change(file.header);
    writeFile(folder / "rank-0.stamps", file.bytes());
    return refused().expected;
  };
  EXPECT_EQ(withHeader([](StampHeader &header) { header.magic[0] = 'X'; }),
            "stamps of this version of Kiln");
  EXPECT_EQ(withHeader([](StampHeader &header) { ++header.version; }),
            "stamps of this version of Kiln");
  EXPECT_EQ(withHeader([](StampHeader &header) { header.rank = 2; }),
            "a header that fits the file");
  EXPECT_EQ(withHeader([](StampHeader &header) { header.ranks = 1u << 30; }),
            "a header that fits the file");
  EXPECT_EQ(withHeader([](StampHeader &header) { header.capacity = 1; }),
            "a header that fits the file");
}

/// The process died while stamps were being written.
TEST_F(StampTableTest, StampsThatAreNotWholeAreLeftOut) {
  RankFile file(0, 1);
  file.add(1);
  file.add(2);
  file.ring[2].kind = 200;
  file.ring[7].number = 3; // number does not match its position
  write(file);
  EXPECT_EQ(table().getArray("collectives")->size(), 1u);
}

TEST_F(StampTableTest, NamesOfNodesEnd) {
  RankFile file(0, 1);
  std::memset(file.header.node, 'n', sizeof file.header.node);
  write(file);
  llvm::json::Object found = table();
  EXPECT_EQ((*found.getArray("ranks"))[0].getAsObject()->getString("node")->size(), 63u);
}
} // namespace

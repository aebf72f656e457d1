//===- MachineRowTest.cpp - Rows of the table of CPUs ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Tuning/MachineRow.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::tuning;

TEST(MachineRow, SecondCacheEndsWhereLoadsTakeTwiceAsLong) {
  EXPECT_EQ(l2BytesOf({{96, 14}, {256, 15}, {512, 20}, {1024, 27.9}, {2048, 60}}), 1024);
  EXPECT_EQ(l2BytesOf({{96, 14}, {256, 30}, {512, 15}}), 96);
  EXPECT_EQ(l2BytesOf({{96, 14}, {256, 14}}), 256);
}

TEST(MachineRow, PrefetchesMustGainInBothWaysOfReading) {
  using Prefetch = MachineFigures::Prefetch;
  Prefetch none{0, 10, 8};
  EXPECT_EQ(streamBytesOf({none, {1024, 11, 12}, {2048, 12, 13}, {4096, 13, 11}}), 2048);
  EXPECT_EQ(streamBytesOf({none, {1024, 13, 10.2}}), 0); // of one stream, over four
  EXPECT_EQ(streamBytesOf({none, {1024, 10.2, 10.2}}), 0);
  EXPECT_EQ(streamBytesOf({none, {1024, 4, 5}}), 0);
  EXPECT_EQ(streamBytesOf({none}), 0);
}

TEST(MachineRow, RowIsPrintedAsInTheTable) {
  HostCpu row{"", HostIsa::Vnni, "", 1280 << 10, 4096, 1.949, 2, 4.06, 0.5};
  std::string text;
  llvm::raw_string_ostream os(text);
  printRow(os, "a-cpu", "x86-64-v3", row);
  EXPECT_EQ(
      text,
      R"({"a-cpu", HostIsa::Vnni, "x86-64-v3", 1280 * kKiB, 4096, 1.95, 2, 4.06, 0.5},)");
}

//===- LayoutTest.cpp - Register layouts ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Target/NVPTX/Layout/Layout.h"
#include "gtest/gtest.h"

#include <set>

using kiln::nvptx::Layout;
using Move = Layout::Move;

/// Expects every element exactly once; the layout replicates nothing.
static void expectPartition(const Layout &layout) {
  std::multiset<int64_t> seen;
  for (int64_t t = 0; t < layout.numThreads(); ++t)
    for (int64_t r = 0; r < layout.numRegisters(); ++r)
      seen.insert(layout.element(r, t));
  EXPECT_EQ(int64_t(seen.size()), layout.elements());
  for (int64_t e = 0; e < layout.elements(); ++e)
    EXPECT_EQ(seen.count(e), 1u) << e;
}

TEST(Layout, RowGivesEachThreadNeighbours) {
  Layout layout = Layout::row(256, 32, 4);
  EXPECT_EQ(layout.numRegisters(), 8);
  EXPECT_EQ(layout.runLength(), 4);
  EXPECT_EQ(layout.element(0, 1), 4);
  EXPECT_EQ(layout.element(3, 1), 7);
  EXPECT_EQ(layout.element(4, 0), 128);
  EXPECT_EQ(layout.replicatedThreads(), 0u);
  expectPartition(layout);
}

TEST(Layout, RowShorterThanTheTeamIsReplicated) {
  Layout layout = Layout::row(8, 32, 4);
  EXPECT_EQ(layout.numRegisters(), 1);
  EXPECT_EQ(layout.element(0, 9), 1);
  EXPECT_EQ(layout.replicatedThreads(), 0b11000u);
  EXPECT_TRUE(layout.isSurjective());
}

TEST(Layout, RowOfOneElementIsEverywhere) {
  Layout layout = Layout::row(1, 128, 4);
  EXPECT_EQ(layout.numRegisters(), 1);
  EXPECT_EQ(layout.element(0, 77), 0);
  EXPECT_EQ(layout.replicatedThreads(), 127u);
}

TEST(Layout, StreamIsARowOfRows) {
  Layout layout = Layout::stream(4, 64, 32, 8);
  EXPECT_EQ(layout.numRegisters(), 8);
  EXPECT_EQ(layout.runLength(), 8);
  for (int64_t thread = 0; thread < 32; ++thread) {
    EXPECT_EQ(layout.row(layout.element(0, thread)), thread / 8);
    EXPECT_EQ(layout.column(layout.element(5, thread)), thread % 8 * 8 + 5);
  }
  expectPartition(layout);
}

TEST(Layout, SlicesKeepOneAxis) {
  Layout layout = Layout::stream(4, 64, 32, 8);
  Layout row = layout.rowSlice();
  EXPECT_EQ(row.rows(), 1);
  EXPECT_EQ(row.columns(), 64);
  EXPECT_EQ(row.numRegisters(), 8);
  EXPECT_EQ(row.replicatedThreads(), 0b11000u);
  EXPECT_EQ(row.element(3, 9), 8 + 3);
  Layout column = layout.columnSlice();
  EXPECT_EQ(column.columns(), 4);
  EXPECT_EQ(column.numRegisters(), 1);
  EXPECT_EQ(column.replicatedThreads(), 0b00111u);
  EXPECT_EQ(column.element(0, 17), 2);
}

TEST(Layout, GridCoversBothDims) {
  Layout layout = Layout::grid(64, 16, 128, 16);
  EXPECT_EQ(layout.numRegisters(), 8);
  EXPECT_EQ(layout.runLength(), 2);
  int64_t element = layout.element(7, 9);
  EXPECT_EQ(layout.row(element), 4 * 1 + 3);
  EXPECT_EQ(layout.column(element), 2 * 1 + 1);
  expectPartition(layout);
}

// The figure of mma.m16n8 in the PTX manual: lane 4g + t, registers c0 to c3.
TEST(Layout, MmaAccumulatorIsThatOfTheManual) {
  Layout layout = Layout::mmaAccumulator(16, 8, 1, 1);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t c = 0; c < 4; ++c) {
      int64_t element = layout.element(c, lane);
      EXPECT_EQ(layout.row(element), lane / 4 + 8 * (c / 2));
      EXPECT_EQ(layout.column(element), lane % 4 * 2 + c % 2);
    }
  expectPartition(Layout::mmaAccumulator(64, 16, 4, 1));
  expectPartition(Layout::mmaAccumulator(128, 64, 2, 4));
}

TEST(Layout, MmaAccumulatorOfAGridOfWarps) {
  Layout layout = Layout::mmaAccumulator(64, 32, 2, 2);
  EXPECT_EQ(layout.numRegisters(), 16);
  EXPECT_EQ(layout.element(4, 0), 8);       // the next tile along the columns comes
                                            // second
  EXPECT_EQ(layout.element(8, 0), 16 * 32); // then the tile below
  EXPECT_EQ(layout.element(0, 32), 16);     // the next warp along the columns
  EXPECT_EQ(layout.element(0, 64), 32 * 32);
  // With more warps than tiles, the upper half replicates the lower one.
  Layout small = Layout::mmaAccumulator(16, 16, 2, 2);
  EXPECT_EQ(small.replicatedThreads(), 64u);
  EXPECT_TRUE(small.isSurjective());
}

// The figure of operand B of mma.m16n8k16: lane 4g + t, two halves in each of b0 and b1.
/// Lane 4g + t holds columns 4t to 4t + 3 of rows g, g + 8, and so on, in that order.
TEST(Layout, ScaledAccumulator) {
  expectPartition(Layout::scaledAccumulator(8));
  Layout layout = Layout::scaledAccumulator(32);
  expectPartition(layout);
  EXPECT_EQ(layout.runLength(), 4);
  int64_t element = layout.element(/*reg=*/9, /*thread=*/7); // g = 1, t = 3
  EXPECT_EQ(layout.row(element), 17);
  EXPECT_EQ(layout.column(element), 13);
}

TEST(Layout, MmaRightIsThatOfTheManual) {
  Layout layout = Layout::mmaRight(16, Layout::mmaAccumulator(16, 8, 1, 1));
  ASSERT_EQ(layout.numRegisters(), 4);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < 4; ++i) {
      int64_t element = layout.element(i, lane);
      EXPECT_EQ(layout.row(element), lane % 4 * 2 + i % 2 + 8 * (i / 2));
      EXPECT_EQ(layout.column(element), lane / 4);
    }
}

TEST(Layout, MmaRightOfAGridOfWarps) {
  // 2 x 2 warps, each with four tiles of 8 columns.
  Layout layout = Layout::mmaRight(32, Layout::mmaAccumulator(64, 64, 2, 2));
  EXPECT_EQ(layout.numRegisters(), 32);
  EXPECT_EQ(layout.element(4, 0), 8);        // the next tile
  EXPECT_EQ(layout.element(16, 0), 16 * 64); // the next 16 elements of K
  EXPECT_EQ(layout.element(0, 32), 32);      // the next warp along N has other columns
  EXPECT_EQ(layout.element(0, 64), 0);       // the next warp along M has the same
  EXPECT_TRUE(layout.isSurjective());
}

TEST(Layout, FindInvertsElement) {
  for (const Layout &layout : {Layout::row(512, 128, 2), Layout::grid(32, 32, 64, 8),
                               Layout::mmaAccumulator(64, 32, 2, 2)})
    for (int64_t e = 0; e < layout.elements(); ++e) {
      auto holder = layout.find(e);
      ASSERT_TRUE(holder);
      EXPECT_EQ(layout.element(holder->reg, holder->thread), e);
    }
}

TEST(Layout, FindFailsOutsideOfTheImage) {
  Layout half(1, 64, {}, {1, 2, 4, 8, 16});
  EXPECT_FALSE(half.isSurjective());
  EXPECT_TRUE(half.find(31));
  EXPECT_FALSE(half.find(32));
}

TEST(Layout, MovesCostWhatTheyMust) {
  Layout wide = Layout::row(128, 32, 4), narrow = Layout::row(128, 32, 1);
  EXPECT_EQ(wide.moveTo(wide, 32), Move::None);
  EXPECT_EQ(wide.moveTo(narrow, 32), Move::Warp);
  EXPECT_EQ(Layout::row(512, 128, 4).moveTo(Layout::row(512, 128, 1), 32), Move::Shared);
  // Each thread has the same elements in another order.
  Layout swapped(1, 128, {2, 1}, {4, 8, 16, 32, 64});
  EXPECT_EQ(wide.moveTo(swapped, 32), Move::Registers);
  EXPECT_EQ(swapped.moveTo(wide, 32), Move::Registers);
}

TEST(Layout, ConflictsOfSharedMemory) {
  auto plain = [](int64_t element) { return element * 4; };
  EXPECT_EQ(Layout::row(32, 32, 1).bankConflicts(0, 32, 4, plain), 0);
  EXPECT_EQ(Layout::row(128, 32, 4).bankConflicts(0, 32, 16, plain), 0);
  // A column of a matrix of 32 floats: all lanes use one bank.
  Layout column(32, 32, {}, {32, 64, 128, 256, 512});
  EXPECT_EQ(column.bankConflicts(0, 32, 4, plain), 31);
  // Padding rows, or swizzling chunks by the row number, avoids the conflicts.
  auto padded = [](int64_t element) { return (element / 32 * 33 + element % 32) * 4; };
  EXPECT_EQ(column.bankConflicts(0, 32, 4, padded), 0);
  auto swizzled = [](int64_t element) { return (element ^ (element / 32 % 32)) * 4; };
  EXPECT_EQ(column.bankConflicts(0, 32, 4, swizzled), 0);
  // All lanes at one address have no conflict.
  Layout same = Layout::row(1, 32, 1);
  EXPECT_EQ(same.bankConflicts(0, 32, 4, plain), 0);
}

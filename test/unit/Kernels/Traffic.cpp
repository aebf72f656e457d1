//===- Traffic.cpp - Traffic of a kernel on a GPU -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include "MainLoops.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

/// Bytes that cover all banks of shared memory once.
static constexpr int64_t kBankRow = 128;

/// Allowed bank conflicts per access. Elements of one or two bytes in lines shorter than
/// kBankRow have some: no pitch avoids all of them.
static double conflictsOf(const Traffic &expected, llvm::ArrayRef<int64_t> tile) {
  int64_t bytes = expected.transposition ? expected.transposition->elementBytes : 0;
  bool isShort = bytes && bytes <= 2 && tile.size() > 1 && tile[1] * bytes < kBankRow;
  return isShort ? std::max(expected.conflicts, 0.25) : expected.conflicts;
}

static void expectShared(const LaunchCounters &found, const Traffic &expected,
                         llvm::ArrayRef<int64_t> tile) {
  if (found.bankConflicts)
    EXPECT_LE(double(found.bankConflicts) / double(found.sharedAccesses),
              conflictsOf(expected, tile));
  if (!expected.usesShared)
    EXPECT_EQ(found.sharedBytes, 0u);
  EXPECT_GE(found.sharedBytes, expected.minSharedBytes);
  const auto &moved = expected.transposition;
  // Each byte goes through shared memory once, if tiles divide the sizes.
  if (moved && tile.size() == 2 && moved->operandLine % tile[1] == 0 &&
      moved->resultLine % tile[0] == 0)
    EXPECT_EQ(found.sharedBytes, expected.bytes);
}

static void expectInMainLoops(const CountedLaunch &launch) {
  std::vector<LineRange> loops = mainLoopsOf(launch.ptx);
  EXPECT_FALSE(loops.empty()) << "nothing waits for operands";
  for (auto [line, count] : launch.counters.conflictLines)
    EXPECT_TRUE(llvm::none_of(loops, [&](LineRange loop) { return loop.contains(line); }))
        << count << " bank conflicts in line " << line << " of the PTX";
}

static void expectArithmetic(const LaunchCounters &found, const Traffic &expected) {
  if (expected.tensorFlops)
    EXPECT_EQ(found.tensorFlops, *expected.tensorFlops);
  if (expected.f32Flops)
    EXPECT_EQ(found.f32Flops, *expected.f32Flops);
  if (expected.atomics)
    EXPECT_EQ(found.atomics, *expected.atomics);
  if (expected.bulkGlobalBytes)
    EXPECT_EQ(found.bulkGlobalBytes, *expected.bulkGlobalBytes);
  if (expected.bulkSharedBytes)
    EXPECT_EQ(found.bulkSharedBytes, *expected.bulkSharedBytes);
  if (expected.bankConflicts)
    EXPECT_EQ(found.bankConflicts, *expected.bankConflicts);
}

void kiln::test::expectLaunch(const CountedLaunch &launch, const Traffic &expected) {
  const LaunchCounters &found = launch.counters;
  if (expected.countsBytes)
    EXPECT_EQ(found.bytes, expected.bytes) << "that threads ask for";
  uint64_t touched = found.distinctSectors * kSectorBytes;
  EXPECT_GE(touched, expected.touchedBytes);
  EXPECT_LT(touched, expected.touchedBytes + expected.ends * kSectorBytes);
  EXPECT_EQ(found.localBytes, 0u) << "spilled registers";
  EXPECT_GE(double(found.bytes) / double(found.sectors * kSectorBytes),
            expected.efficiency);
  EXPECT_TRUE(expected.config.empty() || launch.config.is(expected.config))
      << launch.config.str();
  std::vector<int64_t> tile = launch.config.numbers("tile");
  EXPECT_GE(tile.size(), expected.minTileDims) << launch.config.str();
  EXPECT_LE(tile.size(), expected.maxTileDims) << launch.config.str();
  expectShared(found, expected, tile);
  expectArithmetic(found, expected);
  if (expected.mainLoopsHaveNoConflicts)
    expectInMainLoops(launch);
}

void kiln::test::expectTraffic(const std::vector<CountedLaunch> &launches,
                               const std::vector<Traffic> &expected) {
  ASSERT_EQ(launches.size(), expected.size());
  for (size_t i = 0; i < launches.size(); ++i) {
    SCOPED_TRACE("launch " + std::to_string(i));
    expectLaunch(launches[i], expected[i]);
  }
}

//===- StagedLayoutTest.cpp - Shared-memory layout of staged tiles --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Target/NVPTX/Layout/StagedLayout.h"
#include "lib/Target/NVPTX/Layout/Layout.h"
#include "gtest/gtest.h"

#include <set>

using kiln::nvptx::Layout;
using kiln::nvptx::StagedLayout;

static constexpr int64_t kChunk = StagedLayout::kChunkBytes;

TEST(StagedLayout, EveryByteHasAPlaceOfItsOwn) {
  for (int64_t lineBytes : {16, 32, 64, 128, 256, 512}) {
    StagedLayout layout(16, lineBytes);
    std::set<int64_t> seen;
    for (int64_t line = 0; line < 16; ++line)
      for (int64_t byte = 0; byte < lineBytes; ++byte) {
        int64_t offset = layout.offset(line, byte);
        EXPECT_GE(offset, 0);
        EXPECT_LT(offset, layout.bytes());
        EXPECT_EQ(offset % kChunk, byte % kChunk); // chunks stay contiguous
        seen.insert(offset);
      }
    EXPECT_EQ(int64_t(seen.size()), layout.bytes());
  }
}

// The tables of the swizzle modes in the PTX manual: position of chunk 0 of each line in
// a 128-byte line of shared memory.
TEST(StagedLayout, IsTheHardwaresSwizzle) {
  StagedLayout wide(16, 128), half(16, 64), quarter(16, 32), plain(16, 16);
  EXPECT_EQ(wide.pieceBytes(), 128);
  for (int64_t line = 0; line < 16; ++line)
    for (int64_t chunk = 0; chunk < 8; ++chunk)
      EXPECT_EQ(wide.offset(line, chunk * kChunk),
                line * 128 + (chunk ^ line % 8) * kChunk);
  for (int64_t line = 0; line < 16; ++line)
    for (int64_t chunk = 0; chunk < 4; ++chunk)
      EXPECT_EQ(half.offset(line, chunk * kChunk),
                line * 64 + (chunk ^ line / 2 % 4) * kChunk);
  for (int64_t line = 0; line < 16; ++line)
    for (int64_t chunk = 0; chunk < 2; ++chunk)
      EXPECT_EQ(quarter.offset(line, chunk * kChunk),
                line * 32 + (chunk ^ line / 4 % 2) * kChunk);
  EXPECT_EQ(plain.offset(5, 0), 80);
}

TEST(StagedLayout, LongLinesAreCutInPieces) {
  StagedLayout layout(8, 256);
  EXPECT_EQ(layout.pieceBytes(), 128);
  EXPECT_EQ(layout.offset(0, 128), 8 * 128);
  EXPECT_EQ(layout.offset(3, 128 + 32), 8 * 128 + layout.offset(3, 32));
  EXPECT_EQ(layout.alignment(), 1024);
}

TEST(StagedLayout, IsLinearOverBits) {
  StagedLayout layout(64, 256);
  for (int64_t line : {1, 6, 33, 63})
    for (int64_t byte : {2, 48, 130, 255})
      EXPECT_EQ(layout.offset(line, byte),
                layout.offset(line, 0) ^ layout.offset(0, byte));
}

/// Lanes on consecutive lines, at one chunk, as ldmatrix reads each matrix.
static Layout readers(int64_t lines, int64_t chunks) {
  uint32_t line = chunks;
  return Layout(lines, chunks, {}, {line, 2 * line, 4 * line, 8 * line, 16 * line});
}

/// Lanes on consecutive chunks, then lines, as copies write.
static Layout writers(int64_t lines, int64_t chunks) {
  return Layout(lines, chunks, {}, {1, 2, 4, 8, 16});
}

TEST(StagedLayout, NeitherCopiesNorMatricesConflict) {
  for (int64_t lineBytes : {16, 32, 64, 128, 256}) {
    StagedLayout layout(32, lineBytes);
    int64_t chunks = lineBytes / kChunk;
    for (int64_t first = 0; first < chunks; ++first) {
      auto address = [&](int64_t element) {
        return layout.offset(element / chunks, (element % chunks ^ first) * kChunk);
      };
      EXPECT_EQ(readers(32, chunks).bankConflicts(0, 32, kChunk, address), 0)
          << lineBytes;
      EXPECT_EQ(writers(32, chunks).bankConflicts(0, 32, kChunk, address), 0)
          << lineBytes;
    }
    // Without a swizzle, lines of 32 bytes and more have bank conflicts.
    auto unchanged = [&](int64_t element) {
      return layout.plain(element / chunks, element % chunks * kChunk);
    };
    int64_t expected = std::min<int64_t>(lineBytes, 128) / kChunk - 1;
    EXPECT_EQ(readers(32, chunks).bankConflicts(0, 32, kChunk, unchanged), expected);
  }
}

// Lane 4g + t reads the 4-byte word g of line t, as for tf32 without a transpose.
TEST(StagedLayout, WordsOfFourLinesDoNotConflict) {
  for (int64_t lineBytes : {32, 64, 128, 256}) {
    StagedLayout layout(8, lineBytes, StagedLayout::Reader::Words);
    uint32_t words = lineBytes / 4;
    Layout lanes(8, words, {}, {words, 2 * words, 1, 2, 4});
    for (int64_t line : {0, 4})
      for (int64_t word = 0; word < int64_t(words); word += 8) {
        auto address = [&](int64_t element) {
          return layout.offset(element / words + line, (element % words + word) * 4);
        };
        EXPECT_EQ(lanes.bankConflicts(0, 32, 4, address), 0) << lineBytes;
      }
    int64_t chunks = lineBytes / kChunk;
    auto copied = [&](int64_t element) {
      return layout.offset(element / chunks, element % chunks * kChunk);
    };
    EXPECT_EQ(writers(32, chunks).bankConflicts(0, 32, kChunk, copied), 0) << lineBytes;
  }
  // The chunk order for ldmatrix would serve lines one after the other.
  StagedLayout matrices(8, 128);
  Layout lanes(8, 32, {}, {32, 64, 1, 2, 4});
  auto address = [&](int64_t e) { return matrices.offset(e / 32, e % 32 * 4); };
  EXPECT_EQ(lanes.bankConflicts(0, 32, 4, address), 1);
}

//===- fragment_test.cpp - Register layouts of matrix fragments -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/exec/matrix/fragment.h"
#include "runtime/sim/exec/matrix/wgmma_descriptor.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace kiln::sim;
using namespace kiln::sim::exec::matrix;

namespace {

using Key = std::pair<unsigned, unsigned>;

/// Expects every element exactly once.
void expectCover(const std::multiset<Key> &cells, unsigned rows, unsigned columns) {
  EXPECT_EQ(cells.size(), rows * columns);
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < columns; ++c)
      EXPECT_EQ(cells.count({r, c}), 1u) << r << ", " << c;
}

TEST(Fragment, EveryShapeIsCoveredOnce) {
  struct Shape {
    unsigned m, k, perRegister;
  };
  for (Shape s : {Shape{16, 4, 1},
                  {16, 8, 1},
                  {16, 16, 1},
                  {8, 4, 1},
                  {16, 8, 2},
                  {16, 16, 2},
                  {8, 16, 4},
                  {16, 16, 4},
                  {16, 32, 4},
                  {8, 32, 8},
                  {16, 32, 8},
                  {16, 64, 8}}) {
    std::multiset<Key> a, b, c;
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned reg = 0; reg < s.m * s.k / 32 / s.perRegister; ++reg)
        for (unsigned e = 0; e < s.perRegister; ++e) {
          Cell cell = placeOfA(s.m, s.perRegister, lane, reg, e);
          a.insert({cell.row, cell.column});
        }
      for (unsigned reg = 0; reg < 8 * s.k / 32 / s.perRegister; ++reg)
        for (unsigned e = 0; e < s.perRegister; ++e) {
          Cell cell = placeOfB(s.perRegister, lane, reg, e);
          b.insert({cell.row, cell.column});
        }
      for (unsigned i = 0; i < s.m * 8 / 32; ++i) {
        Cell cell = placeOfC(s.m, lane, i);
        c.insert({cell.row, cell.column});
      }
    }
    expectCover(a, s.m, s.k);
    expectCover(b, s.k, 8);
    expectCover(c, s.m, 8);
  }
}

/// Checks positions from PTX's formulas for m16n8k16 of f16, and others by hand.
TEST(Fragment, MatchesTheFormulas) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned group = lane >> 2, inGroup = lane % 4;
    for (unsigned i = 0; i < 8; ++i) {
      Cell a = placeOfA(16, 2, lane, i / 2, i % 2);
      EXPECT_EQ(a.row, i < 2 || (i >= 4 && i < 6) ? group : group + 8);
      EXPECT_EQ(a.column, inGroup * 2 + (i & 1) + (i >= 4 ? 8 : 0));
    }
    for (unsigned i = 0; i < 16; ++i) { // m16n8k32 of s8
      Cell a = placeOfA(16, 4, lane, i / 4, i % 4);
      EXPECT_EQ(a.row, i < 4 || (i >= 8 && i < 12) ? group : group + 8);
      EXPECT_EQ(a.column, inGroup * 4 + (i & 3) + (i >= 8 ? 16 : 0));
    }
    for (unsigned i = 0; i < 32; ++i) { // wgmma accumulators, within the warp
      Cell d = placeOfC(16, lane, i);
      EXPECT_EQ(d.row, group + 8 * (i / 2 % 2));
      EXPECT_EQ(d.column, 8 * (i / 4) + inGroup * 2 + i % 2);
    }
  }
}

TEST(Fragment, QuadPairsCoverTheirProducts) {
  for (bool column : {false, true}) {
    std::multiset<Key> a, b, narrow, wide;
    for (unsigned lane : {0u, 1u, 2u, 3u, 16u, 17u, 18u, 19u}) {
      bool high = lane >= 16;
      for (unsigned i = 0; i < 4; ++i) {
        Cell x = quadPairA(column, high, lane % 4, i),
             y = quadPairB(column, high, lane % 4, i);
        a.insert({x.row, x.column});
        b.insert({y.row, y.column});
      }
      for (unsigned i = 0; i < 8; ++i) {
        Cell x = quadPairC(false, high, lane % 4, i),
             y = quadPairC(true, high, lane % 4, i);
        narrow.insert({x.row, x.column});
        wide.insert({y.row, y.column});
      }
    }
    expectCover(a, 8, 4);
    expectCover(b, 4, 8);
    expectCover(narrow, 8, 8);
    expectCover(wide, 8, 8);
  }
}

uint64_t descriptor(uint32_t start, uint32_t leading, uint32_t stride, unsigned swizzle) {
  auto encode = [](uint32_t x) { return uint64_t((x & 0x3ffff) >> 4); };
  return encode(start) | encode(leading) << 16 | encode(stride) << 32 |
         uint64_t(swizzle) << 62;
}

/// Checks the examples of PTX's section on canonical layouts, as CuTe strides in
/// elements.
TEST(WgmmaDescriptor, CanonicalLayouts) {
  // K-major without swizzle, tf32: ((8,2),(4,4)):((4,32),(1,64)).
  WgmmaDescriptor plain(descriptor(0, 64 * 4, 32 * 4, 0));
  // MN-major without swizzle, bf16: ((8,1,2),(8,2)):((1,8,64),(8,128)).
  WgmmaDescriptor across(descriptor(0, 128 * 2, 64 * 2, 0));
  // MN-major, 32 bytes, bf16: ((8,2,2),(8,2)):((1,8,128),(16,256)).
  WgmmaDescriptor narrow(descriptor(0, 128 * 2, 256 * 2, 3));
  for (unsigned mn = 0; mn < 16; ++mn)
    for (unsigned k = 0; k < 16; k += 4) {
      unsigned at = (mn % 8) * 4 + mn / 8 * 32 + k / 4 * 64;
      EXPECT_EQ(plain.unitOf(false, 4, mn, k), at * 4);
    }
  for (unsigned mn = 0; mn < 16; mn += 8)
    for (unsigned k = 0; k < 16; ++k)
      EXPECT_EQ(across.unitOf(true, 2, mn, k),
                (mn / 8 * 64 + k % 8 * 8 + k / 8 * 128) * 2);
  for (unsigned mn = 0; mn < 32; mn += 8)
    for (unsigned k = 0; k < 16; ++k) {
      unsigned at = mn / 8 % 2 * 8 + mn / 16 * 128 + k % 8 * 16 + k / 8 * 256;
      EXPECT_EQ(narrow.unitOf(true, 2, mn, k),
                kiln::sim::exec::swizzled(TensorMap::Swizzle32, at * 2));
    }
}

TEST(WgmmaDescriptor, KMajorSwizzlesFollowTheAddress) {
  // 64 columns of bf16: one 128-byte line per row, 8 rows in 1024 bytes.
  for (unsigned step = 0; step < 4; ++step) {
    WgmmaDescriptor d(descriptor(2048 + step * 32, 16, 1024, 1));
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned k = 0; k < 16; k += 8) {
        uint32_t line = 2048 + row * 128, unit = step * 2 + k / 8;
        EXPECT_EQ(d.unitOf(false, 2, row, k), line + ((unit ^ row % 8) * 16));
      }
  }
}

TEST(WgmmaDescriptor, BaseOffsetMovesThePattern) {
  uint64_t shifted = descriptor(128, 16, 1024, 1) | uint64_t(1) << 49;
  WgmmaDescriptor d(shifted);
  EXPECT_EQ(d.unitOf(false, 2, 0, 0), 128u);
  EXPECT_EQ(d.unitOf(false, 2, 1, 0), 256u + 16);
}

} // namespace

//===- tensor_box_test.cpp - Boxes of tensors, swizzles, reductions -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/fast.h"
#include "runtime/sim/exec/async/reduce.h"
#include "runtime/sim/exec/async/tensor_box.h"
#include "runtime/sim/exec/swizzle.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

using namespace kiln::sim;
using namespace kiln::sim::exec::async;
using kiln::sim::exec::swizzled;

namespace {

/// Checks PTX's tables of swizzles: index of the 16-byte unit at each position.
TEST(Swizzle, MatchesTheTables) {
  const int table128[8][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6},
                              {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
                              {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
                              {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
  for (uint32_t line = 0; line < 16; ++line)
    for (uint32_t unit = 0; unit < 8; ++unit) {
      auto unitAt = [&](TensorMap::Swizzle mode) {
        return swizzled(mode, line * 128 + unit * 16) / 16 % 8;
      };
      EXPECT_EQ(unitAt(TensorMap::Swizzle128), uint32_t(table128[line % 8][unit]));
      EXPECT_EQ(unitAt(TensorMap::Swizzle64), uint32_t(table128[line % 4][unit]));
      EXPECT_EQ(unitAt(TensorMap::Swizzle32), uint32_t(table128[line % 2][unit]));
      EXPECT_EQ(unitAt(TensorMap::SwizzleNone), unit);
      const int atom32[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                {2, 3, 0, 1, 6, 7, 4, 5},
                                {4, 5, 6, 7, 0, 1, 2, 3},
                                {6, 7, 4, 5, 2, 3, 0, 1}};
      EXPECT_EQ(unitAt(TensorMap::Swizzle128Atom32), uint32_t(atom32[line % 4][unit]));
      EXPECT_EQ(unitAt(TensorMap::Swizzle128Atom64), line % 2 ? (unit + 4) % 8 : unit);
    }
  EXPECT_EQ(swizzled(TensorMap::Swizzle128Atom32Flip8, 128), 128u + 32 + 8);
}

TEST(Swizzle, IsItsOwnInverse) {
  for (int mode = 0; mode < TensorMap::SwizzleCount; ++mode)
    for (uint32_t at = 0; at < 4096; at += 8) {
      auto m = TensorMap::Swizzle(mode);
      EXPECT_EQ(swizzled(m, swizzled(m, at)), at);
    }
}

TensorMap mapOf(std::initializer_list<uint32_t> extents,
                std::initializer_list<uint32_t> box, TensorMap::Element element) {
  TensorMap map;
  memset(&map, 0, sizeof(map));
  map.magic = TensorMap::Valid;
  map.globalAddress = 0x10000;
  map.rank = uint8_t(extents.size());
  map.element = element;
  uint64_t stride = TensorMap::elementBits(element) / 8;
  for (unsigned d = 0; d < map.rank; ++d) {
    map.extentLess1[d] = extents.begin()[d] - 1;
    map.box[d] = uint16_t(box.begin()[d]);
    map.elementStrides[d] = 1;
    stride *= extents.begin()[d];
    if (d + 1 < map.rank)
      map.strides[d] = stride;
  }
  return map;
}

TEST(TensorBox, RowsInside) {
  TensorMap map = mapOf({64, 32, 8}, {16, 4, 2}, TensorMap::F32);
  TensorBox box(map, {8, 3, 5});
  EXPECT_EQ(box.rows(), 8u);
  EXPECT_EQ(box.bytes(), 16u * 4 * 2 * 4);
  std::set<uint64_t> seen;
  for (uint32_t i = 0; i < box.rows(); ++i) {
    TensorBox::Row row = box.row(i);
    EXPECT_EQ(row.offset, i * 64);
    EXPECT_EQ(row.first, 0u);
    EXPECT_EQ(row.count, 64u);
    uint64_t y = 3 + i % 4, z = 5 + i / 4;
    EXPECT_EQ(row.address, 0x10000 + ((z * 32 + y) * 64 + 8) * 4);
    seen.insert(row.address);
  }
  EXPECT_EQ(seen.size(), 8u);
}

TEST(TensorBox, HangsOverEveryEdge) {
  TensorMap map = mapOf({64, 4}, {16, 4}, TensorMap::F16);
  TensorBox left(map, {-3, -1});
  EXPECT_EQ(left.row(0).count, 0u); // above the first row
  EXPECT_EQ(left.row(1).first, 6u);
  EXPECT_EQ(left.row(1).count, 26u);
  EXPECT_EQ(left.row(1).address, 0x10000u);
  TensorBox right(map, {60, 2});
  EXPECT_EQ(right.row(0).first, 0u);
  EXPECT_EQ(right.row(0).count, 8u);
  EXPECT_EQ(right.row(2).count, 0u);
  TensorBox away(map, {64, 0});
  EXPECT_EQ(away.row(0).count, 0u);
  EXPECT_EQ(away.bytes(), 16u * 2 * 4); // completes all its bytes although none is in
                                        // bounds
  TensorBox far(map, {INT32_MAX, INT32_MIN});
  EXPECT_EQ(far.row(3).count, 0u);
}

TEST(TensorBox, ElementStridesThinOutOuterDimensions) {
  TensorMap map = mapOf({64, 32}, {16, 5}, TensorMap::F32);
  map.elementStrides[1] = 2;
  TensorBox box(map, {0, 1});
  EXPECT_EQ(box.rows(), 3u);
  EXPECT_EQ(box.row(2).address, 0x10000u + 5 * 256);
}

TEST(TensorBox, BrokenMapsAreNamed) {
  TensorMap good = mapOf({64, 32}, {16, 4}, TensorMap::F32);
  EXPECT_EQ(problemOf(good, 2), "");
  EXPECT_NE(problemOf(good, 3).find("2 dimensions"), std::string::npos);
  auto broken = [&](auto change, const char *word) {
    TensorMap map = good;
    change(map);
    EXPECT_NE(problemOf(map, 2).find(word), std::string::npos) << problemOf(map, 2);
  };
  broken([](TensorMap &m) { m.magic = 0; }, "no tensor map");
  broken([](TensorMap &m) { m.box[1] = 0; }, "box size of dimension 1");
  broken([](TensorMap &m) { m.strides[0] = 24; }, "stride of dimension 1");
  broken([](TensorMap &m) { m.globalAddress += 8; }, "multiple of 16");
  broken([](TensorMap &m) { m.box[0] = 3; }, "multiple of 16 bytes");
  broken([](TensorMap &m) { m.swizzle = TensorMap::Swizzle32; }, "32 bytes");
  broken([](TensorMap &m) { m.interleave = TensorMap::Interleave16; }, "interleaved");
  broken([](TensorMap &m) { m.element = TensorMap::U4x16Align8; }, "element type");
}

template <class T> T reduced(Reduction op, ReduceType type, T a, T b) {
  reduce(op, type, reinterpret_cast<uint8_t *>(&a), reinterpret_cast<uint8_t *>(&b),
         sizeof(T));
  return a;
}

TEST(Reduce, Operations) {
  using R = Reduction;
  using T = ReduceType;
  EXPECT_EQ(reduced<uint32_t>(R::Add, T::U32, ~0u, 2), 1u);
  EXPECT_EQ(reduced<int32_t>(R::Min, T::S32, -1, 1), -1);
  EXPECT_EQ(reduced<uint32_t>(R::Min, T::U32, ~0u, 1), 1u);
  EXPECT_EQ(reduced<int64_t>(R::Max, T::S64, -1, 1), 1);
  EXPECT_EQ(reduced<uint32_t>(R::Inc, T::U32, 5, 5), 0u);
  EXPECT_EQ(reduced<uint32_t>(R::Inc, T::U32, 4, 5), 5u);
  EXPECT_EQ(reduced<uint32_t>(R::Dec, T::U32, 0, 5), 5u);
  EXPECT_EQ(reduced<uint32_t>(R::Dec, T::U32, 9, 5), 5u);
  EXPECT_EQ(reduced<uint32_t>(R::Dec, T::U32, 3, 5), 2u);
  EXPECT_EQ(reduced<uint64_t>(R::Xor, T::B64, 6, 3), 5u);
  EXPECT_EQ(reduced<float>(R::Add, T::F32, 1.5f, 2.0f), 3.5f);
  EXPECT_EQ(reduced<float>(R::Add, T::F32, 1e-40f, 1e-40f), 0.0f); // flushed
  EXPECT_EQ(reduced<double>(R::Add, T::F64, 1e-310, 1e-310), 2e-310);
  EXPECT_EQ(reduced<uint16_t>(R::Add, T::F16, 0x3c00, 0x4000), 0x4200);
  EXPECT_EQ(reduced<uint16_t>(R::Add, T::F16, 1, 1), 2); // not flushed
  EXPECT_EQ(reduced<uint16_t>(R::Max, T::BF16, 0x3f80, 0xbf80), 0x3f80);
}

TEST(Reduce, LegalPairs) {
  using R = Reduction;
  using T = ReduceType;
  EXPECT_TRUE(legal({R::And, T::B64}));
  EXPECT_FALSE(legal({R::And, T::U32}));
  EXPECT_TRUE(legal({R::Min, T::F16}));
  EXPECT_FALSE(legal({R::Min, T::F32}));
  EXPECT_FALSE(legal({R::Inc, T::U64}));
  EXPECT_TRUE(legal({R::Add, T::F64}));
  EXPECT_FALSE(legal({R::Add, T::B32}));
}

} // namespace

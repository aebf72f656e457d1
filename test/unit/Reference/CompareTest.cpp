//===- CompareTest.cpp - difference of two tensors ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "kiln/Reference/Compare.h"

using namespace kiln::reference;

using CompareTest = GraphTest;

TEST_F(CompareTest, Measures) {
  Tensor reference = f32({2, 2}, {3, -4, 0, 0}), found = f32({2, 2}, {3, -4, 0.5, 0});
  Difference d = compare(found, reference, 0.1);
  EXPECT_FALSE(d.same);
  EXPECT_EQ(d.maxAbsolute, 0.5);
  EXPECT_EQ(d.maxRelative, 0.125);
  EXPECT_EQ(d.relativeL2, 0.1);
  EXPECT_EQ(d.firstMismatch, 2);
  EXPECT_EQ(d.mismatches, 1);
  std::string text = d.str({2, 2});
  EXPECT_NE(text.find("1 of 4 elements, first at [1, 0]"), std::string::npos) << text;
  EXPECT_TRUE(compare(found, reference, 0.125).same);
}

TEST_F(CompareTest, NonFinite) {
  Tensor a = f32({3}, {kNaN, kInf, -kInf});
  EXPECT_TRUE(compare(a, a, 0).same);
  EXPECT_EQ(compare(f32({1}, {1}), f32({1}, {kNaN}), 1).maxAbsolute, kInf);
  EXPECT_FALSE(compare(f32({2}, {1, kInf}), f32({2}, {1, -kInf}), 1).same);
  EXPECT_FALSE(compare(f32({2}, {1, 1}), f32({2}, {1, kInf}), 1).same);
}

TEST_F(CompareTest, IntegersAreExact) {
  Tensor a = ints("i64", {1}, {(int64_t(1) << 60) + 1}), b = ints("i64", {1}, {int64_t(1) << 60});
  EXPECT_FALSE(compare(a, b, 1).same);
  EXPECT_TRUE(compare(a, a, 0).same);
}

TEST_F(CompareTest, OtherShapesOrTypes) {
  EXPECT_FALSE(compare(f32({2}, {1, 2}), f32({1, 2}, {1, 2}), 1).comparable);
  EXPECT_FALSE(compare(f32({1}, {1}), floats("f64", {1}, {1}), 1).comparable);
  EXPECT_FALSE(compare(f32({1}, {1}), floats("f64", {1}, {1}), 1).same);
}

TEST_F(CompareTest, AllZeroReference) {
  Difference d = compare(f32({1}, {1e-30}), f32({1}, {0}), 1e-9);
  EXPECT_FALSE(d.same);
  EXPECT_EQ(d.maxRelative, kInf);
  EXPECT_TRUE(compare(f32({0}, {}), f32({0}, {}), 0).same);
}

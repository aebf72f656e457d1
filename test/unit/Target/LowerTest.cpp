//===- LowerTest.cpp - Every tile op on the host --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostHarness.h"

#include <cmath>
#include <vector>

using namespace kiln;
using namespace kiln::test;

namespace {

class Lower : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    target = targetOrSkip(GetParam());
    if (!target)
      GTEST_SKIP() << "this machine cannot run " << GetParam();
  }
  /// Compiles one kernel @k with the given body; operands %x.., result %y.
  std::unique_ptr<LoadedImage> build(const std::string &signature, const std::string &symbols,
                                     const std::string &body) {
    std::string names, arguments;
    for (char c : symbols) {
      names += (names.empty() ? "\"" : ", \"") + std::string(1, c) + "\"";
      arguments += (arguments.empty() ? "%" : ", %") + std::string(1, c);
    }
    std::string maps = symbols.empty() ? "()" : "()[" ;
    for (size_t i = 0; i < symbols.size(); ++i)
      maps += (i ? ", s" : "s") + std::to_string(i);
    maps += symbols.empty() ? "" : "]";
    std::string text = "tile.kernel @k" + signature + " symbols(" + arguments +
                       ") task(%t) attributes {symbols = [" + names +
                       "], hero = \"test\", grid = affine_map<" + maps +
                       " -> (1)>, scratch = affine_map<" + maps + " -> (4096)>} {\n" + body +
                       "\n}\n";
    return compile(context, text, *target);
  }
  void run(const LoadedImage &image, std::vector<void *> buffers,
           std::vector<int64_t> symbols = {}, int64_t tasks = 1) {
    alignas(64) static char scratch[4096];
    image.kernel("k")(buffers.data(), symbols.data(), 0, tasks, scratch);
  }
  mlir::MLIRContext context;
  std::optional<TargetInfo> target;
};

TEST_P(Lower, MaskedLoadAndStoreStayInside) {
  auto image = build("(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>)", "n", R"(
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.0 : f32
    %c1 = arith.constant 1.0 : f32
    %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
    %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
    %f = tile.load %v[%c0] pad %pad : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<16xf32>
    %g = tile.map %f : !tile.frag<16xf32> -> !tile.frag<16xf32> {
    ^bb0(%e: f32):
      %s = arith.addf %e, %c1 : f32
      tile.yield %s : f32
    }
    tile.store %g, %w[%c0] masked [0] : !tile.frag<16xf32>, !tile.view<?xf32, [1]>
  )");
  ASSERT_TRUE(image);
  for (int64_t n = 0; n <= 20; ++n) {
    std::vector<float> x(32, 3), y(32, -1);
    run(*image, {x.data(), y.data()}, {n});
    for (int64_t i = 0; i < 32; ++i)
      EXPECT_EQ(y[i], i < std::min<int64_t>(n, 16) ? 4 : -1) << n << " " << i;
  }
}

TEST_P(Lower, LoadsInFrontOfAViewArePadded) {
  auto image = build("(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>, %z: !tile.buffer<f32>)",
                     "in", R"(
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %pad = arith.constant 7.0 : f32
    %v = tile.view %x offset %c8 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
    %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16xf32, [1]>
    %f = tile.load %v[%i] pad %pad : f32 masked [0] before : !tile.view<?xf32, [1]> -> !tile.frag<16xf32>
    tile.store %f, %w[%c0] : !tile.frag<16xf32>, !tile.view<16xf32, [1]>
    %r = tile.view %x offset %c8 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<1x?xf32, [1, 2]>
    %u = tile.view %z offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
    %g = tile.load %r[%c0, %i] pad %pad : f32 masked [0, 1] before : !tile.view<1x?xf32, [1, 2]> -> !tile.frag<2x8xf32>
    tile.store %g, %u[%c0, %c0] : !tile.frag<2x8xf32>, !tile.view<2x8xf32, [8, 1]>
  )");
  ASSERT_TRUE(image);
  std::vector<float> x(64), y(16), z(16);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 100 + i;
  auto at = [&](int64_t position, int64_t step, int64_t n) {
    return position >= 0 && position < n ? x[8 + position * step] : 7;
  };
  for (int64_t n : {0, 1, 5, 16, 20})
    for (int64_t first = -18; first <= 4; ++first) {
      run(*image, {x.data(), y.data(), z.data()}, {first, n});
      for (int64_t i = 0; i < 16; ++i) {
        EXPECT_EQ(y[i], at(first + i, 1, n)) << n << " " << first << " " << i;
        EXPECT_EQ(z[i], i < 8 ? at(first + i, 2, n) : 7) << n << " " << first << " " << i;
      }
    }
}

TEST_P(Lower, StridedTransposeBroadcastReduce) {
  auto image = build("(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>, %z: !tile.buffer<f32>)",
                     "s", R"(
    %c0 = arith.constant 0 : index
    %v = tile.view %x offset %c0 sizes() strides(%s) : !tile.buffer<f32> -> !tile.view<8x8xf32, [8, ?]>
    %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x8xf32, [8, 1]>
    %r = tile.view %z offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<9xf32, [1]>
    %f = tile.load %v[%c0, %c0] : !tile.view<8x8xf32, [8, ?]> -> !tile.frag<8x8xf32>
    %t8 = tile.transpose %f : !tile.frag<8x8xf32> -> !tile.frag<8x8xf32>
    %sum = tile.reduce sum %f axis 1 : !tile.frag<8x8xf32> -> !tile.frag<8xf32>
    %max = tile.reduce max %sum axis 0 : !tile.frag<8xf32> -> f32
    %col = tile.broadcast %sum axis 1 : !tile.frag<8xf32> -> !tile.frag<8x8xf32>
    %d = tile.map %t8, %col : !tile.frag<8x8xf32>, !tile.frag<8x8xf32> -> !tile.frag<8x8xf32> {
    ^bb0(%a: f32, %b: f32):
      %o = arith.subf %a, %b : f32
      tile.yield %o : f32
    }
    tile.store %d, %w[%c0, %c0] : !tile.frag<8x8xf32>, !tile.view<8x8xf32, [8, 1]>
    tile.store %sum, %r[%c0] : !tile.frag<8xf32>, !tile.view<9xf32, [1]>
    %c8 = arith.constant 8 : index
    tile.store %max, %r[%c8] : f32, !tile.view<9xf32, [1]>
  )");
  ASSERT_TRUE(image);
  for (int64_t stride : {0, 1, 2}) {
    std::vector<float> x(128), y(64), z(9);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i * i % 37);
    run(*image, {x.data(), y.data(), z.data()}, {stride});
    float most = -1;
    for (int r = 0; r < 8; ++r) {
      float sum = 0;
      for (int c = 0; c < 8; ++c)
        sum += x[8 * r + c * stride];
      most = std::max(most, sum);
      EXPECT_EQ(z[r], sum);
      for (int c = 0; c < 8; ++c)
        EXPECT_EQ(y[8 * r + c], x[8 * c + r * stride] - sum) << r << " " << c;
    }
    EXPECT_EQ(z[8], most);
  }
}

TEST_P(Lower, GatherSelectIotaScatter) {
  auto image = build("(%x: !tile.buffer<i8>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<i8>)",
                     "n", R"(
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %pad = arith.constant 99 : i8
    %five = arith.constant 5 : i32
    %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<i8> -> !tile.view<?xi8, [1]>
    %iv = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8xi32, [1]>
    %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<16xi8, [1]>
    %at = tile.load %iv[%c0] : !tile.view<8xi32, [1]> -> !tile.frag<8xi32>
    %g = tile.gather %v[] at %at pad %pad : i8 : !tile.view<?xi8, [1]>, !tile.frag<8xi32> -> !tile.frag<8xi8>
    %k = tile.select_range %g in [%c2, %n) else %pad : i8 axis 0 : !tile.frag<8xi8>
    %to = tile.iota %five axis 0 : i32 -> !tile.frag<8xi32>
    tile.scatter %k, %w[] at %to : !tile.frag<8xi8>, !tile.view<16xi8, [1]>, !tile.frag<8xi32>
  )");
  ASSERT_TRUE(image);
  std::vector<int8_t> x = {10, 11, 12, 13, 14, 15, 16, 17}, y(16, 0);
  std::vector<int32_t> at = {0, 1, -1, 3, 2, 6, 7, 5};
  run(*image, {x.data(), at.data(), y.data()}, {7});
  std::vector<int8_t> expected = {0,  0,  0,  0,  0,  99, 99, 99,
                                  13, 12, 16, 99, 99, 0,  0,  0};
  EXPECT_EQ(y, expected);
}

TEST_P(Lower, BooleansAreBytes) {
  auto image = build("(%x: !tile.buffer<i1>) -> (%y: !tile.buffer<i1>)", "n", R"(
    %c0 = arith.constant 0 : index
    %no = arith.constant false
    %yes = arith.constant true
    %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<i1> -> !tile.view<?xi1, [1]>
    %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<i1> -> !tile.view<?xi1, [1]>
    %f = tile.load %v[%c0] pad %no : i1 masked [0] : !tile.view<?xi1, [1]> -> !tile.frag<16xi1>
    %g = tile.map %f : !tile.frag<16xi1> -> !tile.frag<16xi1> {
    ^bb0(%e: i1):
      %s = arith.xori %e, %yes : i1
      tile.yield %s : i1
    }
    tile.store %g, %w[%c0] masked [0] : !tile.frag<16xi1>, !tile.view<?xi1, [1]>
  )");
  ASSERT_TRUE(image);
  std::vector<uint8_t> x = {0, 1, 1, 0, 1}, y(8, 9);
  run(*image, {x.data(), y.data()}, {5});
  EXPECT_EQ(y, (std::vector<uint8_t>{1, 0, 0, 1, 0, 9, 9, 9}));
}

TEST_P(Lower, FragmentsCrossControlFlow) {
  auto image = build("(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>)", "n", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?x2x4xf32, [8, 4, 1]>
    %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x4xf32, [4, 1]>
    %zero = arith.constant 0.0 : f32
    %z = tile.fill %zero : f32 -> !tile.frag<2x4xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (!tile.frag<2x4xf32>) {
      %f = tile.load %v[%i, %c0, %c0] : !tile.view<?x2x4xf32, [8, 4, 1]> -> !tile.frag<2x4xf32>
      %even = arith.andi %i, %c1 : index
      %is = arith.cmpi eq, %even, %c0 : index
      %q = scf.if %is -> (!tile.frag<2x4xf32>) {
        %s = tile.map %acc, %f : !tile.frag<2x4xf32>, !tile.frag<2x4xf32> -> !tile.frag<2x4xf32> {
        ^bb0(%a: f32, %b: f32):
          %o = arith.addf %a, %b : f32
          tile.yield %o : f32
        }
        scf.yield %s : !tile.frag<2x4xf32>
      } else {
        scf.yield %acc : !tile.frag<2x4xf32>
      }
      scf.yield %q : !tile.frag<2x4xf32>
    }
    %two = scf.index_switch %n -> !tile.frag<2x4xf32>
    case 3 {
      scf.yield %z : !tile.frag<2x4xf32>
    }
    default {
      scf.yield %r : !tile.frag<2x4xf32>
    }
    tile.store %two, %w[%c0, %c0] : !tile.frag<2x4xf32>, !tile.view<2x4xf32, [4, 1]>
  )");
  ASSERT_TRUE(image);
  std::vector<float> x(64), y(8);
  for (int i = 0; i < 64; ++i)
    x[i] = float(i);
  run(*image, {x.data(), y.data()}, {5});
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(y[i], float(3 * i + 48));
  run(*image, {x.data(), y.data()}, {3});
  EXPECT_EQ(y[5], 0);
}

/// An MMA with symbolic K, two adjacent panels and weights in a narrower type: every
/// element is one chain of fused multiply-adds.
TEST_P(Lower, MmaIsOneChainPerElement) {
  auto image = build("(%a: !tile.buffer<f32>, %b: !tile.buffer<f16>) -> (%c: !tile.buffer<f32>)",
                     "kn", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %A = tile.view %a offset %c0 sizes(%k) strides(%k) : !tile.buffer<f32> -> !tile.view<2x?xf32, [?, 1]>
    %B = tile.view %b offset %c0 sizes(%k) strides() : !tile.buffer<f16> -> !tile.view<?x32xf16, [32, 1]>
    %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x32xf32, [32, 1]>
    %c16 = arith.constant 16 : index
    %z = tile.fill %zero : f32 -> !tile.frag<2x16xf32>
    %r:2 = tile.pipeline %c0 to %k step %c3 init(%z, %z) : !tile.frag<2x16xf32>, !tile.frag<2x16xf32> load {
    ^bb0(%p: index):
      %left = arith.subi %k, %p : index
      %len = arith.minsi %left, %c3 : index
      %sa = tile.stage %A[%c0, %p] sizes(%len) : !tile.view<2x?xf32, [?, 1]> -> !tile.staged<2x?xf32>
      %sb = tile.stage %B[%p, %c0] sizes(%len) : !tile.view<?x32xf16, [32, 1]> -> !tile.staged<?x16xf16>
      %sc = tile.stage %B[%p, %c16] sizes(%len) : !tile.view<?x32xf16, [32, 1]> -> !tile.staged<?x16xf16>
      tile.prefetch %B[%len, %c0] : !tile.view<?x32xf16, [32, 1]>
      tile.yield %sa, %sb, %sc : !tile.staged<2x?xf32>, !tile.staged<?x16xf16>, !tile.staged<?x16xf16>
    } compute {
    ^bb0(%p: index, %sa: !tile.staged<2x?xf32>, %sb: !tile.staged<?x16xf16>, %sc: !tile.staged<?x16xf16>, %x: !tile.frag<2x16xf32>, %y: !tile.frag<2x16xf32>):
      %n0 = tile.mma %sa, %sb, %x : !tile.staged<2x?xf32>, !tile.staged<?x16xf16>, !tile.frag<2x16xf32>
      %n1 = tile.mma %sa, %sc, %y : !tile.staged<2x?xf32>, !tile.staged<?x16xf16>, !tile.frag<2x16xf32>
      tile.yield %n0, %n1 : !tile.frag<2x16xf32>, !tile.frag<2x16xf32>
    }
    tile.store %r#0, %C[%c0, %c0] : !tile.frag<2x16xf32>, !tile.view<2x32xf32, [32, 1]>
    tile.store %r#1, %C[%c0, %c16] : !tile.frag<2x16xf32>, !tile.view<2x32xf32, [32, 1]>
  )");
  ASSERT_TRUE(image);
  for (int64_t k : {1, 2, 3, 7, 16}) {
    std::vector<float> a(2 * k), c(64);
    std::vector<_Float16> b(32 * k);
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = 0.1f * float(i % 13) - 0.5f;
    for (size_t i = 0; i < b.size(); ++i)
      b[i] = _Float16(0.3f * float(i % 7) - 0.7f);
    run(*image, {a.data(), b.data(), c.data()}, {k, 0});
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 32; ++j) {
        float sum = 0;
        for (int64_t p = 0; p < k; ++p)
          sum = std::fma(a[i * k + p], float(b[p * 32 + j]), sum);
        EXPECT_EQ(c[32 * i + j], sum) << k << " " << i << " " << j;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Lower, testing::Values("x86-64-v3", "x86-64-v4", "native"));

} // namespace

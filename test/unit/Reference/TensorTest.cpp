//===- TensorTest.cpp - storage and conversions ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"

#include <cmath>
#include <cstring>

using namespace kiln::reference;

using TensorTest = GraphTest;

TEST_F(TensorTest, ReadsUnalignedBorrowedBytes) {
  alignas(8) char bytes[17];
  double value = 1.25;
  std::memcpy(bytes + 1, &value, 8);
  float other = -3;
  std::memcpy(bytes + 9, &other, 4);
  Tensor x = Tensor::borrow(type("f64"), {1}, bytes + 1);
  EXPECT_EQ(x.getDouble(0), 1.25);
  EXPECT_EQ(x.widen().doubles()[0], 1.25);
  EXPECT_EQ(Tensor::borrow(type("f32"), {1}, bytes + 9).widen().doubles()[0], -3);
}

TEST_F(TensorTest, MovedDataIsNotCopied) {
  float bytes[2] = {1, 2};
  auto owner = std::make_shared<int>(0);
  Tensor x = Tensor::borrow(type("f32"), {2}, bytes, owner);
  EXPECT_EQ(x.withShape({1, 2}).data(), x.data());
  EXPECT_EQ(x.rounded().data(), x.data());
  EXPECT_EQ(owner.use_count(), 2);
  x = Tensor();
  EXPECT_EQ(owner.use_count(), 1);
}

/// All 2^16 bit patterns survive decoding and encoding, and midpoints round to the even
/// neighbour.
static void checkSmallFormat(const std::function<Tensor(double)> &make,
                             const std::function<double(uint16_t)> &decode) {
  for (uint32_t bits = 0; bits < 0x7c00; bits += 7) {
    double value = decode(bits), next = decode(bits + 1);
    if (!std::isfinite(next))
      break;
    uint16_t stored;
    std::memcpy(&stored, make(value).data(), 2);
    EXPECT_EQ(stored, bits);
    std::memcpy(&stored, make((value + next) / 2).data(), 2);
    EXPECT_EQ(stored, bits + (bits & 1)) << bits;
    std::memcpy(&stored, make(-std::nextafter((value + next) / 2, kInf)).data(), 2);
    EXPECT_EQ(stored, (bits + 1) | 0x8000) << bits;
  }
}

TEST_F(TensorTest, SmallFloatsRoundToNearestEven) {
  for (std::string element : {"f16", "bf16"})
    checkSmallFormat([&](double value) { return floats(element, {}, {value}); },
                     [&](uint16_t bits) {
                       return Tensor::borrow(type(element), {}, &bits).getDouble(0);
                     });
}

/// Converting stored floats directly gives the same bits as converting them through f64.
TEST_F(TensorTest, StoredFloatsConvertAsWideOnesDo) {
  std::vector<uint32_t> singles;
  std::vector<uint16_t> halves;
  for (uint32_t high = 0; high < 0x10000; ++high) {
    halves.push_back(high);
    for (uint32_t low : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      singles.push_back(high << 16 | low);
  }
  auto check = [&](const char *from, const char *to, const void *bytes, int64_t count) {
    Tensor stored = Tensor::borrow(type(from), {count}, bytes);
    EXPECT_EQ(stored.convert(type(to)).toBytes(), stored.widen().convert(type(to)).toBytes());
  };
  check("f32", "bf16", singles.data(), singles.size());
  check("bf16", "f32", halves.data(), halves.size());
}

TEST_F(TensorTest, SmallFloatsAtTheirEnds) {
  auto f16 = [&](double value) { return floats("f16", {}, {value}).getDouble(0); };
  EXPECT_EQ(f16(65504), 65504);
  EXPECT_EQ(f16(65519.999), 65504);
  EXPECT_EQ(f16(65520), kInf);
  EXPECT_EQ(f16(-1e300), -kInf);
  EXPECT_EQ(f16(std::ldexp(1, -24)), std::ldexp(1, -24));
  EXPECT_EQ(f16(std::ldexp(1, -25)), 0); // a tie, to even
  EXPECT_EQ(f16(std::ldexp(1.0001, -25)), std::ldexp(1, -24));
  EXPECT_TRUE(std::signbit(f16(-0.0)));
  EXPECT_TRUE(std::isnan(f16(kNaN)));
  EXPECT_EQ(floats("bf16", {}, {3.4e38}).getDouble(0), kInf);
  EXPECT_EQ(f16(std::numeric_limits<double>::denorm_min()), 0);
}

TEST_F(TensorTest, ToBytesRoundsOnce) {
  // Rounding to f32 first would give a tie, and then 1; direct rounding is above the tie.
  double value = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  Tensor wide = Tensor::fromDoubles(type("f64"), {1}, {value});
  uint16_t bits;
  std::memcpy(&bits, wide.toBytes(type("f16")).data(), 2);
  EXPECT_EQ(bits, 0x3c01);
  Tensor third = Tensor::fromDoubles(type("f32"), {1}, {1.0 / 3});
  float rounded;
  std::memcpy(&rounded, third.toBytes().data(), 4);
  EXPECT_EQ(rounded, 1.0f / 3);
  EXPECT_EQ(third.getDouble(0), 1.0 / 3);
}

TEST_F(TensorTest, AttributesRoundTrip) {
  for (std::string text : {"dense<[1.0, 2.5]> : tensor<2xf16>", "dense<[-1, 7]> : tensor<2xi8>",
                           "dense<[true, false]> : tensor<2xi1>", "dense<3> : tensor<2x2xui64>",
                           "dense<> : tensor<0xf64>", "dense<1.0> : tensor<bf16>"}) {
    auto attr = mlir::cast<mlir::DenseElementsAttr>(mlir::parseAttribute(text, &context));
    std::optional<Tensor> value = Tensor::fromAttr(attr);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->toAttr(), attr) << text;
  }
}

TEST_F(TensorTest, CountsElements) {
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({3, 0, 5}), 0);
  EXPECT_EQ(countElements({2, -1}), std::nullopt);
  EXPECT_EQ(countElements({0, -1}), std::nullopt);
  EXPECT_EQ(countElements({int64_t(1) << 40, int64_t(1) << 40}), std::nullopt);
}

//===- WgmmaTest.cpp - wgmma descriptors against TMA layouts --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares two independent models: where a TMA copy writes an element of a box, and where
// an instruction reads it according to its descriptor.
//
//===----------------------------------------------------------------------===//

#include "lib/Target/NVPTX/Layout/Wgmma.h"
#include "gtest/gtest.h"

using namespace kiln::nvptx;

namespace {

/// Swizzles an address: exclusive-or of the 16-byte unit's index in its line with the
/// line number modulo 8 (fewer for short lines).
int64_t swizzled(int64_t address, int64_t span) {
  int64_t units = span / 16, line = address / 128 % units;
  return address ^ (line % units) * 16;
}

/// Returns where a copy writes a byte of a box whose lines of `span` bytes start at
/// `base`.
int64_t placeOfCopy(int64_t base, int64_t span, int64_t line, int64_t byte) {
  return swizzled(base + line * span + byte, span);
}

/// Fields of a matrix descriptor as in the ISA: 14-bit fields count units of 16 bytes.
struct Decoded {
  int64_t start, leading, stride, span;

  explicit Decoded(uint64_t bits) {
    auto field = [&](unsigned at) { return int64_t(bits >> at & 0x3fff) * 16; };
    start = field(0), leading = field(16), stride = field(32);
    span = bits >> 62 == 1 ? 128 : bits >> 62 == 2 ? 64 : 32;
  }
  int64_t place(bool isMnMajor, int64_t mn, int64_t k) const {
    int64_t line = isMnMajor ? k : mn, byte = (isMnMajor ? mn : k) * 2;
    int64_t blocks = isMnMajor ? byte / span * leading : 0;
    int64_t inLine = isMnMajor ? byte % span : byte;
    return swizzled(start + line / 8 * stride + line % 8 * span + blocks + inLine, span);
  }
};

uint64_t at(const WgmmaOperand &operand, int64_t address) {
  return operand.descriptor() | uint64_t(address / 16);
}

TEST(Wgmma, linesAlongKAreFound) {
  WgmmaOperand operand{/*isMnMajor=*/false, 128, 0};
  constexpr int64_t kBase = 5 * 1024, kLines = 128;
  for (int64_t group = 0; group < kLines / 64; ++group)
    for (int64_t step = 0; step < 4; ++step) {
      Decoded decoded(at(operand, kBase + operand.ownOffset(group * 64) + operand.stepOffset(step)));
      for (int64_t row = 0; row < 64; ++row)
        for (int64_t k = 0; k < 16; ++k)
          ASSERT_EQ(decoded.place(false, row, k),
                    placeOfCopy(kBase, 128, group * 64 + row, (step * 16 + k) * 2));
    }
}

TEST(Wgmma, linesAlongColumnsAreFound) {
  for (int64_t span : {32, 64, 128}) {
    constexpr int64_t kBase = 3 * 1024, kDepth = 64, kColumns = 128;
    WgmmaOperand operand{/*isMnMajor=*/true, span, kDepth * span};
    for (int64_t step = 0; step < 4; ++step) {
      Decoded decoded(at(operand, kBase + operand.stepOffset(step)));
      for (int64_t column = 0; column < kColumns; ++column)
        for (int64_t k = 0; k < 16; ++k) {
          // Boxes, each with the columns of one line, are contiguous.
          int64_t box = column * 2 / span;
          ASSERT_EQ(decoded.place(true, column, k),
                    placeOfCopy(kBase + box * kDepth * span, span, step * 16 + k,
                                column * 2 % span))
              << span << " " << column << " " << k;
        }
    }
  }
}

int64_t count(const std::string &text, const std::string &what) {
  int64_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

TEST(Wgmma, linesLongerThanASwizzledOneAreFound) {
  constexpr int64_t kBase = 2 * 1024, kLines = 64, kDepth = 128;
  WgmmaOperand operand{/*isMnMajor=*/false, 128, kLines * 128};
  for (int64_t step = 0; step < kDepth / 16; ++step) {
    Decoded decoded(at(operand, kBase + operand.stepOffset(step)));
    for (int64_t row = 0; row < kLines; ++row)
      for (int64_t k = 0; k < 16; ++k) {
        int64_t byte = (step * 16 + k) * 2;
        ASSERT_EQ(decoded.place(false, row, k),
                  placeOfCopy(kBase + byte / 128 * kLines * 128, 128, row, byte % 128));
      }
  }
}

TEST(Wgmma, aStepIsOneGroup) {
  WgmmaGroup step{96, 64, "bf16", WgmmaOperand{false, 128, 0}, {true, 32, 2048}};
  std::string text = step.text();
  EXPECT_EQ(count(text, "wgmma.mma_async.sync.aligned.m64n96k16.f32.bf16.bf16"), 4);
  EXPECT_EQ(count(text, "1, 1, 0, 1;"), 4) << "only the right operand runs along columns";
  EXPECT_EQ(count(text, "wgmma.fence"), 1);
  EXPECT_EQ(count(text, "commit_group"), 1);
  EXPECT_EQ(count(text, "wait_group"), 0) << "tile.wait_mma says what is waited for";
  EXPECT_LT(text.find("fence"), text.find("mma_async"));
  EXPECT_LT(text.rfind("mma_async"), text.find("commit_group"));
  EXPECT_EQ(count(text, "add.s64 a, $48, 6;"), 1) << text;
  EXPECT_EQ(count(text, "add.s64 b, $49, 96;"), 1) << text;
}

TEST(Wgmma, aLeftOperandMayBeInRegisters) {
  WgmmaGroup group{64, 32, "bf16", std::nullopt, {true, 128, 4096}};
  std::string text = group.text();
  EXPECT_EQ(count(text, "{$32, $33, $34, $35}, b, p, 1, 1, 1;"), 1) << text;
  EXPECT_EQ(count(text, "{$36, $37, $38, $39}, b, p, 1, 1, 1;"), 1) << text;
  EXPECT_EQ(count(text, "add.s64 b, $40, 128;"), 1) << text;
  EXPECT_EQ(count(group.constraints(), ",r,r,r,r,r,r,r,r,l,0,"), 1);
}

TEST(Wgmma, aProductMayStartAtZero) {
  WgmmaGroup group{8, 32, "bf16", WgmmaOperand{}, {}, /*startsAtZero=*/true};
  EXPECT_EQ(count(group.text(), "a, b, none, 1, 1"), 1) << "the first step only";
  EXPECT_EQ(count(group.text(), "a, b, p, 1, 1"), 1);
  EXPECT_EQ(group.constraints(), "=&f,=&f,=&f,=&f,l,l,~{memory}");
}

TEST(Wgmma, sumsAreTiedToResults) {
  WgmmaGroup step{16, 64, "f16", WgmmaOperand{}, {}};
  EXPECT_EQ(step.registers(), 8);
  EXPECT_EQ(step.constraints(), "=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,~{memory}");
}

} // namespace

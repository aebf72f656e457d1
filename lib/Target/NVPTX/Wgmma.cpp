//===- Wgmma.cpp - Products of a warpgroup as PTX -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"

using namespace kiln::nvptx;

/// Addresses and strides count 16 bytes. Swizzled lines come in blocks of 8.
static constexpr int64_t kUnitBytes = 16, kBlockLines = 8;
/// K of one instruction, and bytes of an element.
static constexpr int64_t kStepDepth = 16, kElementBytes = 2;

uint64_t WgmmaOperand::descriptor() const {
  uint64_t mode = span == 128 ? 1 : span == 64 ? 2 : 3;
  uint64_t stride = kBlockLines * span / kUnitBytes;
  // K-major lines hold all that is read along K: the field is not looked at.
  uint64_t next = isMnMajor ? leading / kUnitBytes : 1;
  return mode << 62 | stride << 32 | next << 16;
}

int64_t WgmmaOperand::stepBytes() const {
  return isMnMajor ? kStepDepth * span : kStepDepth * kElementBytes;
}

static std::string numbered(int64_t number) { return "$" + std::to_string(number); }

std::string WgmmaStep::text() const {
  int64_t count = registers();
  std::string sums = "{";
  for (int64_t i = 0; i < count; ++i)
    sums += (i ? ", " : "") + numbered(i);
  sums += "}";
  std::string product = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) +
                        "k16.f32." + element + "." + element + " " + sums +
                        ", a, b, p, 1, 1, " + (left.isMnMajor ? "1" : "0") + ", " +
                        (right.isMnMajor ? "1" : "0") + ";\n";
  auto advance = [&](const char *name, const WgmmaOperand &operand, int64_t input,
                     int64_t step) {
    return std::string("add.s64 ") + name + ", " + numbered(input) + ", " +
           std::to_string(step * operand.stepBytes() / kUnitBytes) + ";\n";
  };
  std::string text = "{\n.reg .pred p;\n.reg .b64 a, b;\nsetp.ne.b32 p, 1, 0;\n"
                     "wgmma.fence.sync.aligned;\n";
  for (int64_t step = 0; step < depth / kStepDepth; ++step)
    text +=
        advance("a", left, count, step) + advance("b", right, count + 1, step) + product;
  return text + "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n}";
}

std::string WgmmaStep::constraints() const {
  std::string results, ties;
  for (int64_t i = 0; i < registers(); ++i) {
    results += "=f,";
    ties += "," + std::to_string(i);
  }
  return results + "l,l" + ties + ",~{memory}";
}

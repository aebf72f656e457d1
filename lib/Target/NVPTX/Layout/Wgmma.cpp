//===- Wgmma.cpp - wgmma groups as PTX ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"

using namespace kiln;
using namespace kiln::nvptx;

/// Descriptors count in units of 16 bytes. The swizzle pattern repeats every 8 lines.
static constexpr int64_t kUnitBytes = 16, kBlockLines = 8;
/// K of one instruction, and bytes per element.
static constexpr int64_t kWgmmaStepK = 16, kElementBytes = 2;

WgmmaOperand WgmmaOperand::of(tile::MemType type, unsigned depthDim) {
  int64_t span = type.getLayout().getSwizzle();
  return {type.getLayout().getContiguous() != depthDim, span, type.getLines() * span};
}

uint64_t WgmmaOperand::descriptor() const {
  uint64_t mode = span == 128 ? 1 : span == 64 ? 2 : 3;
  uint64_t stride = kBlockLines * span / kUnitBytes;
  // The leading-dimension offset is ignored for swizzled K-major operands.
  uint64_t next = isMnMajor ? pieceBytes / kUnitBytes : 1;
  return mode << 62 | stride << 32 | next << 16;
}

int64_t WgmmaOperand::stepOffset(int64_t step) const {
  if (isMnMajor)
    return step * kWgmmaStepK * span;
  int64_t along = step * kWgmmaStepK * kElementBytes;
  return along / span * pieceBytes + along % span;
}

int64_t WgmmaOperand::ownOffset(int64_t position) const {
  return isMnMajor ? position * kElementBytes / span * pieceBytes : position * span;
}

static std::string numbered(int64_t number) { return "$" + std::to_string(number); }

static std::string registerList(int64_t first, int64_t count) {
  std::string list = "{";
  for (int64_t i = 0; i < count; ++i)
    list += (i ? ", " : "") + numbered(first + i);
  return list + "}";
}

std::string WgmmaGroup::text() const {
  int64_t count = registers(), rightOperand = count + leftOperands();
  std::string product = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) +
                        "k16.f32." + element + "." + element + " " + registerList(0, count);
  std::string transposeLeft = left ? (left->isMnMajor ? ", 1" : ", 0") : "";
  std::string flags = ", 1, 1" + transposeLeft + (right.isMnMajor ? ", 1" : ", 0");
  auto advance = [&](const char *name, const WgmmaOperand &operand, int64_t input,
                     int64_t step) {
    return std::string("add.s64 ") + name + ", " + numbered(input) + ", " +
           std::to_string(operand.stepOffset(step) / kUnitBytes) + ";\n";
  };
  std::string text = "{\n.reg .pred p, none;\n.reg .b64 a, b;\n"
                     "setp.ne.b32 p, 1, 0;\nsetp.ne.b32 none, 0, 0;\n"
                     "wgmma.fence.sync.aligned;\n";
  for (int64_t step = 0; step < steps(); ++step) {
    if (left)
      text += advance("a", *left, count, step);
    text += advance("b", right, rightOperand, step) + product + ", " +
            (left ? "a" : registerList(count + 4 * step, 4)) + ", b, " +
            (startsAtZero && step == 0 ? "none" : "p") + flags + ";\n";
  }
  return text + "wgmma.commit_group.sync.aligned;\n}";
}

std::string WgmmaGroup::constraints() const {
  std::string results, ties, lefts;
  for (int64_t i = 0; i < registers(); ++i) {
    results += startsAtZero ? "=&f," : "=f,";
    ties += startsAtZero ? "" : "," + std::to_string(i);
  }
  for (int64_t i = 0; i < leftOperands(); ++i)
    lefts += left ? "l," : "r,";
  return results + lefts + "l" + ties + ",~{memory}";
}

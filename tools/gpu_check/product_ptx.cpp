//===- product_ptx.cpp - PTX that computes one product per block ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates PTX of kernels for MMA instructions, with fragments laid out as in the PTX
// manual. In units of 32-bit words the layouts are the same for all types: with g = lane
// / 4 and t = lane % 4, register r of A has word t + 4 (r / 2) of row g + 8 (r % 2), and
// register r of B word t + 4 r of column g.
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/products.h"

using namespace kiln::gpucheck;

namespace {
std::string number(size_t value) { return std::to_string(value); }

/// Returns a register list "{%a0,%a1}".
std::string list(const char *name, int count) {
  std::string out = "{";
  for (int i = 0; i < count; ++i)
    out += (i ? ",%" : "%") + std::string(name) + number(i);
  return out + "}";
}

/// Returns the offset in bytes of accumulator register r from the thread's first one.
size_t sumOffset(const Product &p, int r) {
  // 8 rows below: every other register of f16, which has two columns, or every other pair
  // of 32-bit registers. Then the next 8 columns follow.
  size_t row = size_t(p.n) * p.sum.bits / 8;
  if (p.sum.bits == 16)
    return size_t(r % 2) * 8 * row + size_t(r / 2) * 16;
  return size_t(r / 2 % 2) * 8 * row + size_t(r / 4) * 32 + size_t(r % 2) * 4;
}

int sumRegisters(const Product &p) { return int(p.bytesSum() / 4 / p.threads()); }

/// Returns the entry, register declarations, and the addresses %pa, %pb, %pc, %pd of the
/// block's operands.
std::string head(const Product &p, const char *version) {
  std::string text = std::string(".version ") + version + "\n.target " + p.target() +
                     "\n.address_size 64\n.visible .entry product(.param .u64 a, "
                     ".param .u64 b, .param .u64 c, .param .u64 d)\n{\n";
  text += "  .reg .b32 %lane, %warp, %g, %t, %block, %x, %y, %v<4>, %a<4>, %b<2>, %s<" +
          number(sumRegisters(p)) + ">;\n";
  text += "  .reg .b64 %pa, %pb, %pc, %pd, %at, %desca, %descb;\n  .reg .pred %p;\n";
  text += "  mov.u32 %x, %tid.x;\n  and.b32 %lane, %x, 31;\n  shr.u32 %warp, %x, 5;\n"
          "  shr.u32 %g, %lane, 2;\n  and.b32 %t, %lane, 3;\n  mov.u32 %block, "
          "%ctaid.x;\n";
  const std::pair<const char *, size_t> operands[] = {
      {"a", p.bytesA()}, {"b", p.bytesB()}, {"c", p.bytesSum()}, {"d", p.bytesSum()}};
  for (auto [name, bytes] : operands)
    text += std::string("  ld.param.u64 %p") + name + ", [" + name +
            "];\n  cvta.to.global.u64 %p" + name + ", %p" + name +
            ";\n  mad.wide.u32 %p" + name + ", %block, " + number(bytes) + ", %p" + name +
            ";\n";
  return text;
}

/// Adds %g * rowBytes + %t * stepBytes to an address, and 16 rows for each warp.
std::string addLane(const char *address, size_t rowBytes, size_t stepBytes) {
  return "  mad.lo.u32 %y, %warp, 16, %g;\n  mad.wide.u32 %" + std::string(address) +
         ", %y, " + number(rowBytes) + ", %" + address + ";\n  mad.wide.u32 %" + address +
         ", %t, " + number(stepBytes) + ", %" + address + ";\n";
}

std::string moveSums(const Product &p, bool load) {
  std::string text;
  for (int r = 0; r < sumRegisters(p); ++r) {
    std::string reg = "%s" + number(r), at = number(sumOffset(p, r));
    text += load ? "  ld.global.b32 " + reg + ", [%pc+" + at + "];\n"
                 : "  st.global.b32 [%pd+" + at + "], " + reg + ";\n";
  }
  return text;
}

std::string addLaneOfSums(const Product &p) {
  size_t row = size_t(p.n) * p.sum.bits / 8, step = size_t(p.sum.bits) / 4;
  return addLane("pc", row, step) + addLane("pd", row, step);
}

std::string loadFragment(const char *name, int count, auto offset) {
  std::string text;
  for (int r = 0; r < count; ++r)
    text += "  ld.global.b32 %" + std::string(name) + number(r) + ", [%p" + name + "+" +
            number(offset(r)) + "];\n";
  return text;
}

std::string mmaPtx(const Product &p) {
  size_t row = size_t(p.k) * p.a.bits / 8;
  int countA = int(p.bytesA() / 128), countB = int(p.bytesB() / 128);
  bool small = std::string(p.target()) == "sm_89";
  std::string sums = list("s", sumRegisters(p));
  return head(p, small ? "8.4" : "7.0") + addLane("pa", row, 4) + addLane("pb", row, 4) +
         addLaneOfSums(p) +
         loadFragment(
             "a", countA,
             [&](int r) { return size_t(r % 2) * 8 * row + size_t(r / 2) * 16; }) +
         loadFragment("b", countB, [](int r) { return size_t(r) * 16; }) +
         moveSums(p, true) + "  " + p.instruction() + " " + sums + ", " +
         list("a", countA) + ", " + list("b", countB) + ", " + sums + ";\n" +
         moveSums(p, false) + "  ret;\n}\n";
}

/// Copies rows of 32 bytes to shared memory as core matrices of 8 rows by 16 bytes; the
/// two core matrices of the same rows are adjacent. Each thread copies every 128th
/// 16-byte chunk.
std::string stage(const char *global, const char *shared, int rows) {
  std::string text, name = shared;
  for (int first = 0; first < 2 * rows; first += 128) {
    bool partial = 2 * rows - first < 128;
    std::string guard = partial ? "  @%p " : "  ";
    if (partial)
      text += "  setp.lt.u32 %p, %x, " + number(2 * rows - first) + ";\n";
    // Chunk i: rows i/16*8 + i/2%8, half i%2.
    text += "  add.u32 %y, %x, " + number(first) + ";\n  mad.wide.u32 %at, %y, 16, %" +
            std::string(global) + ";\n" + guard +
            "ld.global.v4.b32 {%v0,%v1,%v2,%v3}, [%at];\n"
            "  and.b32 %g, %y, 1;\n  shl.b32 %g, %g, 3;\n  shr.u32 %t, %y, 4;\n"
            "  shl.b32 %t, %t, 4;\n  add.u32 %g, %g, %t;\n  shr.u32 %t, %y, 1;\n"
            "  and.b32 %t, %t, 7;\n  add.u32 %g, %g, %t;\n  shl.b32 %g, %g, 4;\n"
            "  mov.u32 %t, " +
            name + ";\n  add.u32 %g, %g, %t;\n" + guard +
            "st.shared.v4.b32 [%g], {%v0,%v1,%v2,%v3};\n";
  }
  return text;
}

/// Builds the matrix descriptor without swizzle: stride 128 bytes to the next core matrix
/// of the same rows, 256 to the next 8 rows.
std::string descriptor(const char *name, const char *shared) {
  std::string reg = std::string("%desc") + name;
  return "  mov.u32 %y, " + std::string(shared) +
         ";\n  shr.u32 %y, %y, 4;\n  and.b32 %y, %y, 16383;\n  cvt.u64.u32 " + reg +
         ", %y;\n  or.b64 " + reg + ", " + reg + ", " +
         number(uint64_t(128 / 16) << 16 | uint64_t(256 / 16) << 32) + ";\n";
}

std::string wgmmaPtx(const Product &p) {
  bool mixed = p.a.isInteger() && &p.a != &p.b;
  std::string text = head(p, mixed ? "8.4" : "8.0");
  text += addLaneOfSums(p); // before stage(), which overwrites %g and %t
  text += "  .shared .align 128 .b8 sa[" + number(p.bytesA()) +
          "];\n  .shared .align 128 .b8 sb[" + number(p.bytesB()) + "];\n";
  text += stage("pa", "sa", p.m) + stage("pb", "sb", p.n) + moveSums(p, true);
  text += "  fence.proxy.async;\n  bar.sync 0;\n" + descriptor("a", "sa") +
          descriptor("b", "sb") + "  setp.eq.u32 %p, 0, 0;\n";
  // Only 16-bit types can be transposed, and only floating-point types negated.
  std::string rest = p.a.isInteger() ? "" : p.a.bits == 16 ? ", 1, 1, 0, 0" : ", 1, 1";
  text += "  wgmma.fence.sync.aligned;\n  " + p.instruction() + " " +
          list("s", sumRegisters(p)) + ", %desca, %descb, %p" + rest + ";\n";
  return text +
         "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n" +
         moveSums(p, false) + "  ret;\n}\n";
}
} // namespace

std::string Product::ptx() const {
  return unit == Unit::Mma ? mmaPtx(*this) : wgmmaPtx(*this);
}

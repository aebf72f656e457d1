//===- async_rows_test.cpp - mbarriers, bulk copies, tensor maps -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: counts and bytes computed by hand, host integers, the formats of host.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/memory/tensor_map.h"
#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

#include <algorithm>

namespace kiln::sim::test {

namespace {
const std::string onlyFirst = "setp.ne.u32 %p0, %i, 0; @%p0 exit;\n";

/// Waits for phase 0 of the mbarrier `bar`.
const std::string waitForBar =
    "wait: mbarrier.try_wait.parity.shared::cta.b64 %p9, [bar], 0; @!%p9 bra wait;\n";

Outcome runOne(Machine &machine, const std::string &body, const Machine::Shape &shape,
               uint64_t a, uint64_t c, const std::string &target = "sm_90a") {
  Outcome outcome = machine.load(kernelOf("k", body), target);
  EXPECT_EQ(outcome.message, "") << body;
  if (!outcome.ok())
    return outcome;
  outcome = machine.run("k", shape, a, a, c);
  EXPECT_EQ(outcome.message, "") << body;
  return outcome;
}

/// Copies or reduces 64 bytes at s in block 0 into block 1's s with `copy` and returns
/// block 1's result, which combines them with what block 1 wrote before. `copy` has the
/// remote addresses of s and bar in %r5 and %r6.
std::vector<uint32_t> intoPeer(const std::string &copy, uint32_t bytes,
                               const std::vector<uint32_t> &both) {
  Machine machine;
  auto a = machine.upload(both);
  auto c = machine.zeros<uint32_t>(16);
  runOne(
      machine,
      ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar;\n" + onlyFirst +
          "mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, s; mov.u32 %r2, bar;\n"
          "mad.wide.u32 %d0, %r0, 64, %a; mbarrier.init.shared.b64 [bar], 1;\n"
          "mov.u32 %r3, 0;\n"
          "fill: mad.wide.u32 %d1, %r3, 4, %d0; ld.global.u32 %r4, [%d1];\n"
          "mad.lo.u32 %r7, %r3, 4, %r1; st.shared.u32 [%r7], %r4; add.u32 %r3, %r3, 1;\n"
          "setp.lt.u32 %p1, %r3, 16; @%p1 bra fill;\n"
          "fence.mbarrier_init.release.cluster; fence.proxy.async;\n"
          "barrier.cluster.arrive; barrier.cluster.wait;\n"
          "mapa.shared::cluster.u32 %r5, %r1, 1; mapa.shared::cluster.u32 %r6, %r2, 1;\n"
          "setp.eq.u32 %p2, %r0, 1; @%p2 bra receive;\n" +
          copy +
          "\nbra done;\nreceive: mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], " +
          std::to_string(bytes) + ";\n" + waitForBar +
          "mov.u32 %r3, 0;\nread: mad.lo.u32 %r7, %r3, 4, %r1; ld.shared.u32 %r4, "
          "[%r7];\n"
          "mad.wide.u32 %d1, %r3, 4, %c; st.global.u32 [%d1], %r4; add.u32 %r3, %r3, 1;\n"
          "setp.lt.u32 %p1, %r3, 16; @%p1 bra read;\n"
          "done: barrier.cluster.arrive; barrier.cluster.wait;",
      {.grid = {2}, .block = {32}, .cluster = {2}}, a.address(), c.address());
  return {c.data(), c.data() + 16};
}

/// Returns the two 64-byte operands, block 0's first.
std::vector<uint32_t> mixedWords() {
  std::vector<uint64_t> edges = integerEdges(32);
  std::vector<uint32_t> words;
  for (size_t n = 0; n < 32; ++n)
    words.push_back(
        uint32_t(edges[(n * (n < 16 ? 1 : 7) + (n >= 16) * 3) % edges.size()]));
  return words;
}

template <class T> T combined(const std::string &op, T old, T x) {
  using U = std::make_unsigned_t<T>;
  return op == "and"   ? T(old & x)
         : op == "or"  ? T(old | x)
         : op == "xor" ? T(old ^ x)
         : op == "add" ? T(U(old) + U(x))
         : op == "inc" ? (old >= x ? T(0) : T(old + 1))
         : op == "dec" ? (old == 0 || old > x ? x : T(old - 1))
         : op == "min" ? std::min(old, x)
                       : std::max(old, x);
}

/// Returns the 16 bits of an f16 or bf16 reduction.
uint16_t combinedHalf(const HalfType &t, const std::string &op, uint16_t old,
                      uint16_t x) {
  double a = t.decode(old), b = t.decode(x);
  if (op == "add")
    return uint16_t(t.encode(oddSum(a, b)));
  if (std::isnan(a) || std::isnan(b))
    return uint16_t(std::isnan(a) && std::isnan(b) ? t.nan : std::isnan(a) ? x : old);
  bool first = a == b ? std::signbit(a) == (op == "min") : (a < b) == (op == "min");
  return first ? old : x;
}

/// Combines elements of `type` one by one and returns the bytes.
std::vector<uint32_t> combinedWords(const std::string &op, const std::string &type,
                                    std::vector<uint32_t> old,
                                    const std::vector<uint32_t> &x) {
  auto each = [&](auto sample, auto f) {
    using T = decltype(sample);
    for (size_t at = 0; at < old.size() * 4; at += sizeof(T)) {
      T a, b;
      memcpy(&a, reinterpret_cast<const char *>(old.data()) + at, sizeof(T));
      memcpy(&b, reinterpret_cast<const char *>(x.data()) + at, sizeof(T));
      a = f(a, b);
      memcpy(reinterpret_cast<char *>(old.data()) + at, &a, sizeof(T));
    }
  };
  if (type == "f16" || type == "bf16") {
    const HalfType &t = halfTypes[type == "bf16"];
    each(uint16_t(), [&](uint16_t a, uint16_t b) { return combinedHalf(t, op, a, b); });
  } else if (type == "f32") {
    each(uint32_t(), [](uint32_t a, uint32_t b) {
      return uint32_t(bitsOf(flushed(flushed(single(a)) + flushed(single(b)))));
    });
  } else if (type == "f64") {
    each(double(), [](double a, double b) { return a + b; });
  } else if (type == "s32") {
    each(int32_t(), [&](int32_t a, int32_t b) { return combined(op, a, b); });
  } else if (type == "s64") {
    each(int64_t(), [&](int64_t a, int64_t b) { return combined(op, a, b); });
  } else if (type == "u64" || type == "b64") {
    each(uint64_t(), [&](uint64_t a, uint64_t b) { return combined(op, a, b); });
  } else {
    each(uint32_t(), [&](uint32_t a, uint32_t b) { return combined(op, a, b); });
  }
  return old;
}
} // namespace

TEST(AsyncRows, BarriersDropAndCount) {
  Machine machine;
  auto c = machine.zeros<uint32_t>(4);
  runOne(machine,
         ".shared .align 8 .b64 bar;\n" + onlyFirst +
             "mbarrier.init.shared.b64 [bar], 6;\n"
             "mbarrier.arrive_drop.release.cta.shared::cta.b64 %d1, [bar], 2;\n"
             "mbarrier.arrive_drop.expect_tx.shared::cta.b64 %d2, [bar], 16;\n"
             "mbarrier.arrive.release.cta.shared::cta.b64 %d3, [bar], 3;\n"
             "mbarrier.test_wait.shared.b64 %p1, [bar], %d3; selp.u32 %r0, 1, 0, %p1;\n"
             "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16;\n"
             "mbarrier.test_wait.shared.b64 %p1, [bar], %d3; selp.u32 %r1, 1, 0, %p1;\n"
             "mbarrier.arrive.noComplete.shared.b64 %d4, [bar], 1;\n"
             "mbarrier.pending_count.b64 %r2, %d4; mbarrier.pending_count.b64 %r3, %d2;\n"
             "st.global.v4.u32 [%c], {%r0, %r1, %r2, %r3};",
         {}, c.address(), c.address());
  EXPECT_EQ(c[0], 0u) << "16 bytes were missing";
  EXPECT_EQ(c[1], 1u);
  EXPECT_EQ(c[2], 3u) << "three of six have left";
  EXPECT_EQ(c[3], 4u) << "before the second arrival";
}

TEST(AsyncRows, RemoteArrivals) {
  // Block 0 arrives three times at block 1's mbarrier of count 3, twice with arrive_drop,
  // and sends the 16 bytes that it announced; then one arrival completes the next phase.
  Machine machine;
  auto c = machine.zeros<uint32_t>(4);
  runOne(
      machine,
      ".shared .align 16 .b8 s[16]; .shared .align 8 .b64 bar;\n" + onlyFirst +
          "mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, s; mov.u32 %r2, bar;\n"
          "mbarrier.init.shared.b64 [bar], 3; fence.mbarrier_init.release.cluster;\n"
          "barrier.cluster.arrive; barrier.cluster.wait;\n"
          "mapa.shared::cluster.u32 %r5, %r1, 1; mapa.shared::cluster.u32 %r6, %r2, 1;\n"
          "setp.eq.u32 %p2, %r0, 1; @%p2 bra receive;\n"
          "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r6], 8;\n"
          "mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%r6], 1;\n"
          "mbarrier.arrive_drop.expect_tx.release.cluster.shared::cluster.b64 _, [%r6], "
          "8;\n"
          "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%r5], 5, [%r6];\n"
          "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%r5 + 8], 6, "
          "[%r6];\n"
          "bra done;\nreceive:\n" +
          waitForBar +
          "ld.shared.v2.b64 {%d1, %d2}, [s]; cvt.u32.u64 %r7, %d1; cvt.u32.u64 %r8, "
          "%d2;\n"
          "mbarrier.arrive.shared.b64 %d3, [bar];\n"
          "mbarrier.test_wait.shared.b64 %p1, [bar], %d3; selp.u32 %r9, 1, 0, %p1;\n"
          "st.global.u32 [%c], %r7; st.global.u32 [%c + 4], %r8; st.global.u32 [%c + 8], "
          "%r9;\n"
          "done: barrier.cluster.arrive; barrier.cluster.wait;",
      {.grid = {2}, .cluster = {2}}, c.address(), c.address());
  EXPECT_EQ(c[0], 5u);
  EXPECT_EQ(c[1], 6u);
  EXPECT_EQ(c[2], 1u);
}

TEST(AsyncRows, ReductionsIntoThePeer) {
  std::vector<uint32_t> both = mixedWords();
  std::vector<uint32_t> x(both.begin(), both.begin() + 16),
      old(both.begin() + 16, both.end());
  auto check = [&](const std::string &op, const std::string &type) {
    std::string copy = "cp.reduce.async.bulk.shared::cluster.shared::cta."
                       "mbarrier::complete_tx::bytes." +
                       op + "." + type + " [%r5], [%r1], 64, [%r6];";
    EXPECT_EQ(intoPeer(copy, 64, both), combinedWords(op, type, old, x)) << copy;
  };
  for (const char *op : {"and", "or", "xor"})
    check(op, "b32");
  for (const char *type : {"u32", "s32", "u64"})
    check("add", type);
  for (const char *op : {"inc", "dec"})
    check(op, "u32");
  for (const char *type : {"u32", "s32"})
    for (const char *op : {"min", "max"})
      check(op, type);
}

TEST(AsyncRows, ReductionsOfOneWordIntoThePeer) {
  std::vector<uint32_t> both = mixedWords();
  std::vector<uint32_t> old(both.begin() + 16, both.end());
  auto check = [&](const std::string &op, const std::string &type, uint64_t x) {
    bool wide = type == "u64";
    std::string copy =
        "mov.b64 %d5, " + std::to_string(x) + "; cvt.u32.u64 %r10, %d5;\n" +
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." + op +
        "." + type + " [%r5 + 8], " + (wide ? "%d5" : "%r10") + ", [%r6];";
    std::vector<uint32_t> operand(wide ? 2 : 1, uint32_t(x)),
        part(old.begin() + 2, old.end());
    if (wide)
      operand[1] = uint32_t(x >> 32);
    part.resize(operand.size());
    std::vector<uint32_t> expected = old;
    part = combinedWords(op, type, part, operand);
    std::copy(part.begin(), part.end(), expected.begin() + 2);
    EXPECT_EQ(intoPeer(copy, wide ? 8 : 4, both), expected) << copy;
  };
  for (uint64_t x : {uint64_t(0), uint64_t(0x80000001), uint64_t(0x5a5a5a5a5)}) {
    for (const char *op : {"and", "or", "xor"})
      check(op, "b32", x);
    for (const char *op : {"inc", "dec", "min", "max", "add"})
      check(op, "u32", x);
    for (const char *op : {"min", "max", "add"})
      check(op, "s32", x);
    check("add", "u64", x);
  }
}

TEST(AsyncRows, ReductionsIntoGlobalMemory) {
  std::vector<uint32_t> integers = mixedWords(), floats, doubles, halves;
  std::vector<uint64_t> edges = singleEdges(), wide = doubleEdges();
  for (size_t n = 0; n < 32; ++n) {
    floats.push_back(
        uint32_t(edges[n * (n < 16 ? 1 : 3) % (edges.size() - 3)])); // no NaNs
    uint64_t word = wide[n / 2 * (n < 16 ? 1 : 5) % (wide.size() - 4)];
    doubles.push_back(uint32_t(word >> n % 2 * 32));
    uint64_t low = halfEdges()[n * 2 % 27], high = halfEdges()[(n * 7 + 1) % 27];
    halves.push_back(uint32_t(high << 16 | low));
  }
  auto check = [](const std::string &op, const std::string &type,
                  std::vector<uint32_t> both) {
    bool half = type == "f16" || type == "bf16";
    std::vector<uint32_t> x(both.begin(), both.begin() + 16),
        old(both.begin() + 16, both.end());
    Machine machine;
    auto a = machine.upload(x), c = machine.upload(old);
    runOne(
        machine,
        ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar;\n" + onlyFirst +
            "mbarrier.init.shared.b64 [bar], 1; mov.u32 %r1, s; mov.u32 %r2, bar;\n"
            "fence.proxy.async; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;\n"
            "cp.async.bulk.prefetch.L2.global [%a], 64;\n"
            "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%a], "
            "64, [%r2];\n" +
            waitForBar + "cp.reduce.async.bulk.global.shared::cta.bulk_group." + op +
            (half && op == "add" ? ".noftz." : ".") + type +
            " [%c], [%r1], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
        {}, a.address(), c.address());
    EXPECT_EQ(std::vector<uint32_t>(c.data(), c.data() + 16),
              combinedWords(op, type, old, x))
        << op << "." << type;
  };
  for (const char *bits : {"b32", "b64"})
    for (const char *op : {"and", "or", "xor"})
      check(op, bits, integers);
  for (const char *type : {"u32", "s32", "u64"})
    check("add", type, integers);
  for (const char *type : {"u32", "s32", "u64", "s64"})
    for (const char *op : {"min", "max"})
      check(op, type, integers);
  for (const char *op : {"inc", "dec"})
    check(op, "u32", integers);
  for (const char *type : {"f16", "bf16"})
    for (const char *op : {"add", "min", "max"})
      check(op, type, halves);
  check("add", "f32", floats);
  check("add", "f64", doubles);
}

TEST(AsyncRows, MaskedStoresAndZeros) {
  Machine machine("b200");
  std::vector<uint8_t> old(64, 0xee);
  auto c = machine.upload(old);
  runOne(
      machine,
      ".shared .align 16 .b8 s[64];\n" + onlyFirst +
          "mov.u32 %r1, s; st.shared.v4.u32 [s], {0x03020100, 0x07060504, 0x0b0a0908, "
          "0x0f0e0d0c}; st.bulk.weak.shared::cta [s + 16], 48, 0;\n"
          "st.shared.u32 [s + 32], 0x44332211; mov.b16 %h1, 0xa50f; fence.proxy.async;\n"
          "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%c], [%r1], 64, %h1;\n"
          "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
      {}, c.address(), c.address(), "sm_100a");
  for (unsigned n = 0; n < 64; ++n) {
    unsigned value = n < 16 ? n : n >= 32 && n < 36 ? 0x11 * (n - 31) : 0;
    EXPECT_EQ(c[n], 0xa50f >> n % 16 & 1 ? value : 0xee) << n;
  }
}

/// Changes a map of one dimension to 4 rows of 8 halves with a box of 4 by 8 and NaN
/// fill; the kernel writes every field.
TEST(AsyncRows, ReplacedFields) {
  for (bool late : {false, true}) {
    Machine machine(late ? "b200" : "h200");
    TensorMap map = {};
    map.magic = TensorMap::Valid;
    map.rank = 1;
    map.element = TensorMap::U8;
    map.box[0] = 16;
    map.elementStrides[0] = 1;
    std::vector<uint8_t> bytes(128);
    memcpy(bytes.data(), &map, sizeof(map));
    std::vector<uint16_t> tensor(32);
    for (size_t n = 0; n < tensor.size(); ++n)
      tensor[n] = uint16_t(n);
    auto data = machine.upload(tensor);
    auto a = machine.upload(bytes);
    auto c = machine.zeros<uint16_t>(64);
    auto field = [](const std::string &name, const std::string &value,
                    const char *bits = "b32") {
      return "tensormap.replace.tile." + name + ".global.b1024." + bits + " [%a], " +
             value + ";\n";
    };
    std::string replaced =
        field("global_address", "%d9", "b64") + field("rank", "1") +
        field("box_dim", "0, 8") + field("box_dim", "1, 8") +
        field("global_dim", "0, 8") + field("global_dim", "1, 4") +
        field("global_stride", "0, 16", "b64") + field("element_stride", "0, 1") +
        field("element_stride", "1, 1") + field("elemtype", "6") +
        field("interleave_layout", "0") + field("swizzle_mode", late ? "3" : "0") +
        field("fill_mode", "1");
    if (late) // 16-byte units, as .swizzle_mode 128B implies
      replaced += field("swizzle_atomicity", "0");
    std::string body =
        ".shared .align 1024 .b8 s[1024]; .shared .align 8 .b64 bar;\n" + onlyFirst +
        "mbarrier.init.shared.b64 [bar], 1; mov.u32 %r1, s; mov.u32 %r2, bar;\n"
        "mov.b64 %d9, " +
        std::to_string(data.address()) + ";\n" + replaced +
        "fence.proxy.tensormap::generic.release.gpu;\n"
        "fence.proxy.tensormap::generic.acquire.gpu [%a], 128; fence.proxy.async;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128; mov.u32 %r3, 0;\n"
        "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes "
        "[%r1], [%a, {%r3, %r3}], [%r2];\n" +
        waitForBar +
        "copy: mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];\n"
        "mad.wide.u32 %d1, %r3, 4, %c; st.global.u32 [%d1], %r5; add.u32 %r3, %r3, 1;\n"
        "setp.lt.u32 %p1, %r3, 32; @%p1 bra copy;";
    runOne(machine, body, {}, a.address(), c.address(), late ? "sm_100a" : "sm_90a");
    // The swizzle leaves the first 128 bytes of a box unchanged.
    for (unsigned n = 0; n < 64; ++n)
      EXPECT_EQ(c[n], n < 32 ? n : 0xffffu) << n << (late ? " sm_100a" : "");
  }
}

} // namespace kiln::sim::test

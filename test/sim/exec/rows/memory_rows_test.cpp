//===- memory_rows_test.cpp - Loads and stores -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the bytes themselves. Each thread has the 32 bytes of its operands at [%a0]:
// loads of every form must return them word by word; plain loads read back what a store
// of every form wrote.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/rows.h"

namespace kiln::sim::test {

namespace {
const char *kept(const std::string &id) {
  static std::set<std::string> ids;
  return ids.insert(id).first->c_str();
}

std::vector<In> words() {
  std::vector<In> sets;
  for (uint64_t n = 0; n < 100; ++n) {
    uint64_t x = (n + 1) * 0x9e3779b97f4a7c15;
    sets.push_back({x, x * 3 ^ n, ~x, x * x + 5});
  }
  return sets;
}

/// A vector of up to 32 bytes that is moved between memory and registers.
struct Vector {
  const char *type; ///< including its count: ".v8.b32"
  unsigned bytes;   ///< of one element
  unsigned count;
  const char *rowSuffix; ///< ".wide"
};
const Vector narrow[] = {
    {".b8", 1, 1, ""},  {".v2.u8", 1, 2, ""},  {".v4.b8", 1, 4, ""},
    {".u16", 2, 1, ""}, {".v2.b16", 2, 2, ""}, {".v4.u16", 2, 4, ""},
    {".f32", 4, 1, ""}, {".v2.s32", 4, 2, ""}, {".v4.b32", 4, 4, ""},
    {".f64", 8, 1, ""}, {".v2.u64", 8, 2, ""}, {".b128", 16, 1, ".b128"}};
const Vector wide[] = {{".v8.b32", 4, 8, ".wide"},
                       {".v8.f32", 4, 8, ".wide"},
                       {".v4.b64", 8, 4, ".wide64"},
                       {".v4.f64", 8, 4, ".wide64"}};

std::string reg(const Vector &v, unsigned n) {
  return (v.bytes == 8 ? "%d" : v.bytes == 4 ? "%r" : "%h") + std::to_string(10 + n);
}

/// Returns "{%r10, %r11}" or "%r10"; in reverse order if `reversed`.
std::string list(const Vector &v, bool reversed = false) {
  if (v.bytes == 16)
    return "%q1";
  std::string text;
  for (unsigned n = 0; n < v.count; ++n)
    text += (n ? ", " : "") + reg(v, reversed ? v.count - 1 - n : n);
  return v.count == 1 ? text : "{" + text + "}";
}

/// Returns element n of the bytes that start with the first operand.
uint64_t element(const In &i, const Vector &v, unsigned n) {
  uint8_t bytes[32];
  memcpy(bytes, i.data(), sizeof(bytes));
  uint64_t result = 0;
  memcpy(&result, bytes + n * v.bytes, std::min(v.bytes, 8u));
  return result;
}

/// Returns PTX that sets %d9 to element n, which is in registers.
std::string widened(const Vector &v, unsigned n) {
  switch (v.bytes) {
  case 1:
    return " cvt.u64.u8 %d9, " + reg(v, n) + ";";
  case 2:
    return " cvt.u64.u16 %d9, " + reg(v, n) + ";";
  case 4:
    return " cvt.u64.u32 %d9, " + reg(v, n) + ";";
  case 8:
    return " mov.b64 %d9, " + reg(v, n) + ";";
  default:
    return " mov.b128 {%d9, %d8}, %q1;";
  }
}

void addLoads(std::vector<Form> &forms, const std::string &row, const std::string &head,
              const Vector &v, const std::string &address,
              const std::string &before = "") {
  for (unsigned n = 0; n < v.count; ++n)
    forms.push_back(
        {kept(row + v.rowSuffix),
         before + head + v.type + " " + list(v) + ", [" + address + "];" + widened(v, n),
         'd', [=](const In &i) { return element(i, v, n); }});
}

/// Loads elements into registers, stores them in reverse order and reads them back one by
/// one.
void addStores(std::vector<Form> &forms, const std::string &row, const std::string &head,
               const Vector &v, const std::string &space = "global",
               const std::string &before = "", const std::string &address = "%a0") {
  std::string fill;
  for (unsigned n = 0; n < v.count && v.bytes < 16; ++n) {
    std::string bits = std::to_string(std::max(v.bytes * 8, 8u));
    fill += "ld.global.b" + bits + " " + reg(v, n) + ", [%a0 + " +
            std::to_string(n * v.bytes) + "]; ";
  }
  if (v.bytes == 16)
    fill = "mov.b128 %q1, {%d1, %d0}; ";
  std::string restore =
      " st.global.v2.b64 [%a0], {%d0, %d1}; st.global.v2.b64 [%a0 + 16], {%d2, %d3};";
  for (unsigned n = 0; n < v.count; ++n) {
    std::string width = v.bytes == 16 ? "b64" : "u" + std::to_string(v.bytes * 8);
    std::string back = v.bytes == 16 ? " %d9" : v.bytes == 8 ? " %d9" : " %r9";
    forms.push_back({kept(row + v.rowSuffix),
                     fill + before + head + v.type + " [" + address + "], " +
                         list(v, true) + "; ld." + space + "." + width + back + ", [" +
                         address + " + " + std::to_string(n * v.bytes) + "];" +
                         (v.bytes < 8 ? " cvt.u64.u32 %d9, %r9;" : "") + restore,
                     'd', [=](const In &i) {
                       return v.bytes == 16 ? i[1] : element(i, v, v.count - 1 - n);
                     }});
  }
}

struct Head {
  const char *row, *text;
};
} // namespace

TEST(MemoryRows, Loads) {
  const Head heads[] = {{"ld", "ld.global"},
                        {"ld", "ld.weak.global.ca"},
                        {"ld", "ld.global.cg.L2::64B"},
                        {"ld", "ld.cs"},
                        {"ld", "ld.global.cv"},
                        {"ld.evict", "ld.global.L1::evict_last"},
                        {"ld.evict", "ld.L1::no_allocate.L2::128B"},
                        {"ld.volatile", "ld.volatile.global"},
                        {"ld.relaxed", "ld.relaxed.gpu.global"},
                        {"ld.relaxed", "ld.relaxed.cluster.L1::evict_first"},
                        {"ld.acquire", "ld.acquire.sys.global"},
                        {"ld.acquire", "ld.acquire.cta"},
                        {"ld.nc", "ld.global.nc"},
                        {"ld.nc", "ld.global.ca.nc.L2::256B"},
                        {"ld.nc.evict", "ld.global.nc.L1::evict_unchanged"}};
  std::vector<Form> forms, late;
  for (const Head &head : heads) {
    for (const Vector &v : narrow)
      addLoads(forms, head.row, head.text, v, "%a0");
    for (const Vector &v : wide)
      addLoads(late, head.row, head.text, v, "%a0");
  }
  for (const Vector &v : narrow)
    if (v.count == 1 && v.bytes < 16)
      addLoads(forms, "ld.mmio", "ld.mmio.relaxed.sys.global", v, "%a0");
  for (const Vector &v : narrow)
    addLoads(forms, "ldu", "ldu.global", v, "%a0");
  for (const Vector &v : wide) {
    addLoads(late, "ld.evict", "ld.global.L1::evict_last.L2::evict_first", v, "%a0");
    addLoads(late, "ld.nc.evict", "ld.global.nc.L1::evict_last.L2::evict_last", v, "%a0");
  }
  checkForms(forms, words());
  checkForms(late, words(), "sm_100a");
}

TEST(MemoryRows, NarrowLoadsExtend) {
  std::vector<Form> forms;
  for (unsigned bits : {8u, 16u, 32u})
    for (bool isSigned : {false, true}) {
      std::string type = (isSigned ? "s" : "u") + std::to_string(bits);
      forms.push_back(
          {"ld", "ld.global." + type + " %d9, [%a0 + 4];", 'd', [=](const In &i) {
             uint64_t x = i[0] >> 32 << (64 - bits);
             return isSigned ? uint64_t(int64_t(x) >> (64 - bits)) : x >> (64 - bits);
           }});
    }
  checkForms(forms, words());
}

TEST(MemoryRows, Stores) {
  const Head heads[] = {{"st", "st.global"},
                        {"st", "st.weak.global.wb"},
                        {"st", "st.cg"},
                        {"st", "st.global.cs"},
                        {"st", "st.global.wt"},
                        {"st.evict", "st.global.L1::evict_first"},
                        {"st.evict", "st.L1::no_allocate"},
                        {"st.volatile", "st.volatile.global"},
                        {"st.relaxed", "st.relaxed.sys.global"},
                        {"st.release", "st.release.gpu.global"},
                        {"st.release", "st.release.cluster.global.L1::evict_last"}};
  std::vector<Form> forms, late;
  for (const Head &head : heads) {
    for (const Vector &v : narrow)
      addStores(forms, head.row, head.text, v);
    for (const Vector &v : wide)
      addStores(late, head.row, head.text, v);
  }
  for (const Vector &v : narrow)
    if (v.count == 1 && v.bytes < 16)
      addStores(forms, "st.mmio", "st.mmio.relaxed.sys.global", v);
  for (const Vector &v : wide)
    addStores(late, "st.evict", "st.global.L1::evict_last.L2::evict_normal", v);
  checkForms(forms, words());
  checkForms(late, words(), "sm_100a");
}

TEST(MemoryRows, SharedAndLocal) {
  // Shared memory: 96 threads with 32 bytes each; local memory: 32 bytes per thread.
  const std::string slot =
      ".shared .align 32 .b8 s[3072]; .local .align 32 .b8 l[32];\n"
      "mov.u32 %t2, %tid.x; mov.b32 %t3, s; mad.lo.u32 %t2, %t2, 32, %t3; mov.b32 %t3, l;\n";
  std::vector<Form> forms;
  for (const char *space : {"shared", "shared::cta", "local"}) {
    std::string address = std::string(space) == "local" ? "%t3" : "%t2";
    std::string copy = slot;
    for (const char *k : {"0", "1"})
      copy += "st." + std::string(space) + ".v2.b64 [" + address + " + " +
              (*k == '0' ? "0" : "16") + "], {%d" + (*k == '0' ? "0, %d1" : "2, %d3") +
              "};\n";
    for (const Vector &v : narrow) {
      addLoads(forms, "ld", std::string("ld.") + space, v, address, copy);
      addStores(forms, "st", std::string("st.") + space, v, space, slot, address);
      if (address == "%t3")
        continue; // local memory is private to the thread
      addLoads(forms, "ld.volatile", std::string("ld.volatile.") + space, v, address,
               copy);
      addStores(forms, "st.volatile", std::string("st.volatile.") + space, v, space, slot,
                address);
    }
  }
  checkForms(forms, words());
}

TEST(MemoryRows, HintsChangeNothing) {
  auto first = [](const In &i) { return i[0]; };
  auto hinted = [&](const char *row, const std::string &hint) {
    return Form{row, hint + " ld.global.b64 %d9, [%a0];", 'd', first};
  };
  const std::string policy =
      "createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %d8, 0.5;";
  checkForms(
      {hinted("prefetch", "prefetch.global.L1 [%a0]; prefetch.L2 [%a0];"),
       hinted("prefetch.evict", "prefetch.global.L2::evict_last [%a0];"
                                "prefetch.global.L2::evict_normal [%a0];"),
       hinted("prefetchu", "prefetchu.L1 [%a0];"),
       hinted(
           "applypriority",
           "and.b64 %d8, %a0, -128; applypriority.global.L2::evict_normal [%d8], 128;"),
       hinted("createpolicy.fractional", policy),
       hinted("createpolicy.range", "createpolicy.range.global.L2::evict_last.L2::evict_"
                                    "unchanged.b64 %d8, [%a0], 32, 64;"),
       hinted("createpolicy.cvt", policy + " createpolicy.cvt.L2.b64 %d8, %d8;"),
       {"ld", policy + " ld.global.L2::cache_hint.b64 %d9, [%a0], %d8;", 'd', first},
       {"st",
        policy +
            " st.global.L2::cache_hint.b64 [%a0], %d0, %d8; ld.global.b64 %d9, [%a0];",
        'd', first}},
      words());
}

TEST(MemoryRows, Windows) {
  // Tests isspacep of a generic address, and cvta in both directions.
  const std::string all =
      ".shared .b64 s; .local .b64 l; mov.u64 %d4, s; cvta.shared.u64 %d5, %d4;\n"
      "mov.u64 %d6, l; cvta.local.u64 %d7, %d6;\n";
  std::vector<Form> forms;
  struct {
    const char *space, *address;
    uint64_t inside;
  } cases[] = {{"shared", "%d5", 1},
               {"shared", "%d7", 0},
               {"shared", "%a0", 0},
               {"shared::cta", "%d5", 1},
               {"shared::cluster", "%d5", 1},
               {"local", "%d7", 1},
               {"local", "%d5", 0},
               {"global", "%a0", 1},
               {"global", "%d5", 0},
               {"const", "%a0", 0},
               {"param", "%d5", 0}};
  for (const auto &c : cases)
    forms.push_back({"isspacep", all + "isspacep." + c.space + " %p9, " + c.address + ";",
                     'p', [=](const In &) { return c.inside; }});
  forms.push_back(
      {"cvta.to",
       all + "st.b64 [%d7], %d0; cvta.to.local.u64 %d8, %d7; ld.local.b64 %d9, [%d8];",
       'd', [](const In &i) { return i[0]; }});
  checkForms(forms, words());
}

TEST(MemoryRows, DiscardedBytesAreWrittenAnew) {
  Machine machine;
  ASSERT_EQ(
      machine
          .load(kernelOf("k", "setp.ne.u32 %p0, %i, 0; @%p0 ret;\n"
                              "discard.global.L2 [%a], 128; st.global.u32 [%a], 7;\n"
                              "ld.global.u32 %r0, [%a]; st.global.u32 [%c], %r0;"))
          .message,
      "");
  auto a = machine.upload(std::vector<uint32_t>(64, 1)), c = machine.zeros<uint32_t>(1);
  Outcome outcome = machine.run("k", {}, a.address(), a.address(), c.address());
  ASSERT_EQ(outcome.message, "");
  EXPECT_EQ(c[0], 7u);
  EXPECT_EQ(a[32], 1u) << "beyond the 128 bytes";
}

} // namespace kiln::sim::test

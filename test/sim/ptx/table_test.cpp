//===- table_test.cpp - The table of instruction forms --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser.h"
#include "runtime/sim/ptx/pattern.h"
#include "test/sim/ptx/spell.h"

#include <gtest/gtest.h>
#include <set>

using namespace kiln::sim::ptx;

namespace {

TEST(Table, EveryRowCompiles) {
  std::set<std::string_view> ids;
  for (const Row &row : rows()) {
    EXPECT_TRUE(ids.insert(row.id).second) << "two rows are called " << row.id;
    EXPECT_EQ(pattern(row).problem, "") << row.id;
    EXPECT_EQ(findRow(row.id), &row);
  }
  EXPECT_EQ(findRow("no such row"), nullptr);
}

/// Returns the parsed instruction of a spelling, if the module parsed.
const Instruction *instructionOf(const ParseResult &result) {
  return result.ok() ? &result.module->function("kernel")->code.front() : nullptr;
}

TEST(Table, EveryExecutableRowHasALegalSpelling) {
  for (const Row &row : rows()) {
    if (!row.executable())
      continue;
    bool found = false;
    std::string last;
    for (const std::string &text : spellings(row)) {
      ParseResult result = parse(moduleAround(text, 90, targetOf(row)));
      const Instruction *instruction = instructionOf(result);
      found |= instruction && instruction->row == &row;
      if (!result.ok())
        last = text + ": " + format(result.errors.front());
    }
    EXPECT_TRUE(found) << row.id << ": " << last;
  }
}

TEST(Table, OlderVersionsAndTargetsAreRefused) {
  for (const Row &row : rows()) {
    if (!row.executable())
      continue;
    std::string text = spellings(row).front();
    if (row.minSm > 80) {
      ParseResult old = parse(moduleAround(text, 90, "sm_80"));
      EXPECT_FALSE(old.ok()) << text << " needs sm_" << row.minSm;
    }
    if (row.minPtx > 70 && row.minSm <= 80) {
      ParseResult old = parse(moduleAround(text, 70, "sm_80"));
      EXPECT_FALSE(old.ok()) << text << " needs PTX " << row.minPtx;
    }
    if (row.feature != Feature::None) {
      std::string plain = "sm_" + std::to_string(row.minSm);
      EXPECT_FALSE(parse(moduleAround(text, 90, plain)).ok())
          << text << " needs a suffix";
    }
  }
}

TEST(Table, RefusedRowsNameTheirReason) {
  std::pair<const char *, const char *> refused[] = {
      {"vadd.u32.u32.u32 %r1, %r2, %r3;", "video"},
      {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [global, {%f5, %f6}];", "textures"},
      {"tcgen05.fence::before_thread_sync;", "tensor memory"},
      {"mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1}, {%r2};", "sparse"},
      {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%r1};", "single-bit"},
      {"multimem.st.global.u32 [global], %r1;", "multicast"},
      {"shfl.up.b32 %r1, %r2, 1, 0;", "shfl.sync"},
      {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1};", "sparse"}};
  for (auto [text, reason] : refused) {
    ParseResult result = parse(moduleAround(text, 90, "sm_90a"));
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.errors.size(), 1u) << text;
    EXPECT_EQ(result.errors[0].problem, Problem::Refused) << text;
    EXPECT_NE(result.errors[0].message.find(reason), std::string::npos)
        << format(result.errors[0]);
  }
}

TEST(Table, ModifiersMayComeInAnotherOrder) {
  auto row = [](const char *text) {
    ParseResult result = parse(moduleAround(text, 90, "sm_90"));
    return result.ok() ? std::string(result.module->function("kernel")->code[0].row->id)
                       : format(result.errors.front());
  };
  EXPECT_EQ(row("atom.add.release.gpu.u32 %r1, [%rd1], %r2;"), "atom.add");
  EXPECT_EQ(row("atom.shared.cta.add.u32 %r1, [shared], 1;"), "atom.add");
  EXPECT_EQ(row("add.ftz.rn.f32 %f1, %f2, %f3;"), "add.f32");
  EXPECT_EQ(row("max.s32.relu %r1, %r2, %r3;"), "max.relu");
  EXPECT_EQ(row("min.xorsign.abs.NaN.f32 %f1, %f2, %f3;"), "min.f32.xorsign");
  // Words that identify the instruction, and types, must stay in order.
  EXPECT_NE(row("cvt.f32.rzi.s32 %r1, %f2;"), "cvt.int.f32");
  EXPECT_NE(row("mbarrier.b64.init [shared], 1;"), "mbarrier.init");
  EXPECT_NE(row("add.u32.u32 %r1, %r2, %r3;"), "add.int");
}

} // namespace

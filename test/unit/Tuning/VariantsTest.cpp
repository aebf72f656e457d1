//===- VariantsTest.cpp -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dims that run every variant of a kernel.
//
//===----------------------------------------------------------------------===//
#include "kiln/Tuning/Variants.h"
#include "GpuModels.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace kiln::tuning;
using namespace kiln::test;
using kiln::SymbolValues;
namespace fb = kiln::fb;

static uint32_t product(fb::PlanT &plan, uint32_t a, uint32_t b) {
  auto expr = std::make_unique<fb::ExprT>();
  expr->kind = fb::ExprKind::Mul;
  expr->lhs = a;
  expr->rhs = b;
  plan.exprs.push_back(std::move(expr));
  return static_cast<uint32_t>(plan.exprs.size() - 1);
}

namespace {
class Coverage : public testing::Test {
protected:
  /// Makes a kernel with variants; batch is 1..4 and seq 1..256. `rows`: made of both.
  void open(const std::function<uint32_t(fb::PlanT &, uint32_t, uint32_t)> &rows,
            std::vector<int64_t> bounds) {
    kiln::package::PackageContents contents = withGpu(scaleModel());
    fb::PlanT &plan = contents.plan;
    uint32_t counted = rows(plan, symbolOf(plan, 0), symbolOf(plan, 1));
    for (int64_t most : bounds)
      addVariant(contents, counted, most, "mul.rn.f32 %x, %x, %z;");
    writeModel(folder / "m.kiln", contents);
    model = loadModel(folder / "m.kiln");
    ASSERT_TRUE(model);
  }
  /// Returns the dims to run after `dims`, until every variant has run or is named.
  std::vector<SymbolValues> after(SymbolValues dims) {
    std::vector<SymbolValues> runs;
    VariantCoverage coverage(model.get(), "sm_80");
    while (true) {
      EXPECT_FALSE(bool(coverage.run(dims)));
      std::optional<SymbolValues> next = llvm::cantFail(coverage.next());
      if (!next)
        break;
      dims = *next;
      runs.push_back(dims);
    }
    unreachable = coverage.unreachable();
    return runs;
  }
  TempFolder folder;
  ModelPtr model{nullptr, kiln_model_release};
  std::vector<std::string> unreachable;
};

uint32_t batchTimesSeq(fb::PlanT &plan, uint32_t batch, uint32_t seq) {
  return product(plan, batch, seq);
}

TEST_F(Coverage, RunsTheEdgeOfEveryBound) {
  open(batchTimesSeq, {8, 64});
  std::vector<SymbolValues> runs = after({{"batch", 1}, {"seq", 3}});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0]["batch"] * runs[0]["seq"], 64);
  EXPECT_EQ(runs[1]["batch"] * runs[1]["seq"], 65);
  runs = after({{"batch", 4}, {"seq", 100}});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0]["batch"] * runs[0]["seq"], 8);
  EXPECT_TRUE(unreachable.empty());
}

TEST_F(Coverage, TakesWhatComesClosestToABound) {
  // The number of rows is 7, 14, 21 or 28.
  open([](fb::PlanT &plan, uint32_t batch,
          uint32_t) { return product(plan, batch, constant(plan, 7)); },
       {8, 20});
  std::vector<SymbolValues> runs = after({{"batch", 1}, {"seq", 1}});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0]["batch"], 2);
  EXPECT_EQ(runs[1]["batch"], 3);
}

TEST_F(Coverage, NamesWhatNoDimsRun) {
  open([](fb::PlanT &plan, uint32_t batch,
          uint32_t) { return product(plan, batch, constant(plan, 10)); },
       {8, 20, 29, 40});
  std::vector<SymbolValues> runs = after({{"batch", 1}, {"seq", 1}});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0]["batch"], 4);
  ASSERT_EQ(unreachable.size(), 3u);
  EXPECT_EQ(unreachable[0], "scale_rows8 (batch*10 <= 8)");
  EXPECT_EQ(unreachable[1], "scale_rows29 (batch*10 <= 29)");
  EXPECT_EQ(unreachable[2], "scale (batch*10 > 40)");
}

TEST_F(Coverage, NothingFollowsWhereThereIsOneCode) {
  open(batchTimesSeq, {});
  EXPECT_TRUE(after({{"batch", 1}, {"seq", 3}}).empty());
  EXPECT_TRUE(variantsOf(model.get(), "sm_80").empty());
  open(batchTimesSeq, {8});
  EXPECT_TRUE(variantsOf(model.get(), "x86-64-v3").empty());
  EXPECT_EQ(variantsOf(model.get(), "sm_80").size(), 2u);
}

TEST_F(Coverage, FindsCodeByName) {
  open(batchTimesSeq, {8});
  EXPECT_NE(
      std::string(ptxOf(model.get(), "scale_rows8", "sm_80")).find(".entry scale_rows8("),
      std::string::npos);
  EXPECT_NE(std::string(ptxOf(model.get(), "scale", "sm_80")).find(".entry scale("),
            std::string::npos);
  EXPECT_EQ(ptxOf(model.get(), "scale_rows9", "sm_80"), nullptr);
  EXPECT_EQ(ptxOf(model.get(), "scale", "sm_90a"), nullptr);
  EXPECT_STREQ(configOf(model.get(), "scale_rows8", "sm_80"), "");
  EXPECT_EQ(configOf(model.get(), "scale_rows9", "sm_80"), nullptr);
}

TEST_F(Coverage, DescribesEveryCode) {
  open(batchTimesSeq, {8, 64});
  std::vector<KernelVariant> codes = variantsOf(model.get(), "sm_80");
  ASSERT_EQ(codes.size(), 3u);
  EXPECT_EQ(codes[0].code, "scale_rows8");
  EXPECT_EQ(codes[0].suffix, "rows8");
  EXPECT_EQ(codes[0].text, "batch*seq <= 8");
  EXPECT_FALSE(codes[0].isOwn());
  EXPECT_EQ(codes[1].text, "batch*seq <= 64");
  EXPECT_EQ(codes[1].index, 1u);
  EXPECT_EQ(codes[2].code, "scale");
  EXPECT_EQ(codes[2].text, "batch*seq > 64");
  EXPECT_EQ(codes[2].suffix, "");
  EXPECT_TRUE(codes[2].isOwn());
  for (const KernelVariant &code : codes)
    EXPECT_EQ(code.kernel, codes[0].kernel);
}

TEST_F(Coverage, ARunMayTakeTheKernelsOwnCodeFirst) {
  open(batchTimesSeq, {8});
  VariantCoverage coverage(model.get(), "sm_80");
  EXPECT_FALSE(coverage.empty());
  ASSERT_FALSE(bool(coverage.run({{"batch", 4}, {"seq", 256}})));
  std::optional<SymbolValues> next = llvm::cantFail(coverage.next());
  ASSERT_TRUE(next);
  EXPECT_EQ((*next)["batch"] * (*next)["seq"], 8);
  ASSERT_FALSE(bool(coverage.run(*next)));
  EXPECT_FALSE(llvm::cantFail(coverage.next()));
}

TEST_F(Coverage, IsEmptyOnOtherTargets) {
  open(batchTimesSeq, {8});
  VariantCoverage coverage(model.get(), "sm_90a");
  EXPECT_TRUE(coverage.empty());
  EXPECT_FALSE(llvm::cantFail(coverage.next()));
}

TEST(BoundsText, JoinsAllBounds) {
  kiln_bound_info when[] = {{"batch*seq", 8}, {"seq", 4}};
  kiln_variant_info variant = {"matmul_0_rows8", "", 0, 2, when};
  EXPECT_EQ(boundsText(variant), "batch*seq <= 8 and seq <= 4");
  variant.bound_count = 1;
  EXPECT_EQ(boundsText(variant), "batch*seq <= 8");
}
} // namespace

//===- ValidateTest.cpp ---------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contradictory plans: wrong indices, kinds, names, and cycles.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include <functional>
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace kiln::rt;

static constexpr uint32_t planFar = 1000000;

struct PlanDefect {
  const char *name;
  const char *message; ///< part of it
  std::function<void(Plan &)> plant;
};

static const PlanDefect planDefects[] = {
    {"SymbolRange", "the range is empty", [](Plan &p) { p.symbols[0].max = 0; }},
    {"SymbolNegative", "the range is empty", [](Plan &p) { p.symbols[0].min = -1; }},
    {"SymbolName", "used twice", [](Plan &p) { p.symbols[1].name = p.symbols[0].name; }},
    {"ExprKind", "the kind is unknown", [](Plan &p) { p.exprs[0].kind = ExprKind(9); }},
    {"ExprSymbol", "a symbol is out of range", [](Plan &p) { p.exprs[0].lhs = planFar; }},
    {"ExprCycle", "does not come before its user",
     [](Plan &p) { p.exprs.back() = {ExprKind::Add, 0, uint32_t(p.exprs.size() - 1)}; }},
    {"ExprOperand", "does not come before its user",
     [](Plan &p) { p.exprs.back() = {ExprKind::Max, planFar, 0}; }},
    {"ArenaKind", "the kind is unknown",
     [](Plan &p) { p.arenas[0].kind = kiln_arena_kind(6); }},
    {"ArenaSize", "an expression is out of range",
     [](Plan &p) { p.arenas[0].size = planFar; }},
    {"ArenaTwice", "a second arena of kind input",
     [](Plan &p) { p.arenas[0].kind = KILN_ARENA_INPUT; }},
    {"BufferArena", "an arena is out of range",
     [](Plan &p) { p.buffers[2].arena = planFar; }},
    {"BufferSize", "an expression is out of range",
     [](Plan &p) { p.buffers[2].size = planFar; }},
    {"BufferLife", "the lifetime is not within the steps",
     [](Plan &p) { p.buffers[2].lastStep = planFar; }},
    {"BufferLifeOrder", "the lifetime is not within the steps",
     [](Plan &p) { p.buffers[2].firstStep = 4; }},
    {"BufferAboveItself", "placed above a buffer",
     [](Plan &p) { p.buffers[2].above = {2}; }},
    {"BufferAboveFar", "placed above a buffer",
     [](Plan &p) { p.buffers[2].above = {planFar}; }},
    {"BufferAboveOtherArena", "placed above a buffer",
     [](Plan &p) { p.buffers[2].above = {1}; }},
    {"AliasOfItself", "an alias of a buffer that is not before it",
     [](Plan &p) { p.buffers[2].aliasOf = 2; }},
    {"AliasNegative", "an alias of a buffer that is not before it",
     [](Plan &p) { p.buffers[2].aliasOf = -7; }},
    {"AliasOtherArena", "an alias of a buffer in another arena",
     [](Plan &p) { p.buffers[2].aliasOf = 1; }},
    {"WorkspaceBuffer", "holds scratch, no buffers",
     [](Plan &p) {
       p.buffers[2].arena = 4;
       p.buffers[3].above = {};
     }},
    {"TensorName", "empty or used twice", [](Plan &p) { p.outputs[1].name = "y"; }},
    {"TensorDType", "the element type is unknown",
     [](Plan &p) { p.inputs[0].dtype = kiln_dtype(KILN_DTYPE_COUNT); }},
    {"TensorRank", "the rank is too large", [](Plan &p) { p.inputs[0].dims.resize(9); }},
    {"TensorDim", "an expression is out of range",
     [](Plan &p) { p.inputs[0].dims[0] = planFar; }},
    {"TensorBuffer", "a buffer is out of range",
     [](Plan &p) { p.outputs[0].buffer = planFar; }},
    {"InputInActivations", "does not have an input buffer of its own",
     [](Plan &p) { p.inputs[0].buffer = 2; }},
    {"UnnamedOutputBuffer", "no input or output names it",
     [](Plan &p) { p.outputs.pop_back(); }},
    {"KernelWithoutTarget", "kernels but no target", [](Plan &p) { p.targets.clear(); }},
    {"TargetImage", "a host image is out of range",
     [](Plan &p) { p.targets[0].image = 1; }},
    {"KernelEntries", "one entry per target",
     [](Plan &p) { p.kernels[0].entries.clear(); }},
    {"KernelEntryOutside", "outside the image",
     [](Plan &p) { p.kernels[0].entries[0] = 1 << 20; }},
    {"KernelSymbol", "a symbol is out of range",
     [](Plan &p) { p.kernels[0].symbols = {2}; }},
    {"KernelScratch", "an expression is out of range",
     [](Plan &p) { p.kernels[0].scratch = planFar; }},
    {"StepKind", "the kind is unknown", [](Plan &p) { p.steps[0].kind = StepKind(3); }},
    {"StepKernel", "a kernel is out of range", [](Plan &p) { p.steps[0].kernel = 2; }},
    {"StepReads", "a buffer is out of range",
     [](Plan &p) { p.steps[0].reads[0] = planFar; }},
    {"StepWrites", "a buffer is out of range",
     [](Plan &p) { p.steps[0].writes[0] = planFar; }},
    {"StepGrid", "an expression is out of range",
     [](Plan &p) { p.steps[0].grids[0] = planFar; }},
    {"StepFlops", "an expression is out of range",
     [](Plan &p) { p.steps[0].flops = planFar; }},
    {"CopyOperands", "a copy needs one source",
     [](Plan &p) { p.steps[3].reads.push_back(0); }},
};

class Validate : public testing::TestWithParam<PlanDefect> {};

TEST_P(Validate, Refuses) {
  auto contents = scaleModel();
  Plan plan = decode(contents);
  GetParam().plant(plan);
  Status status = validatePlan(surroundings(contents), "test", plan);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::PlanInvalid);
  EXPECT_NE(std::string(status.message()).find(GetParam().message), std::string::npos)
      << status.message();
}

INSTANTIATE_TEST_SUITE_P(Defects, Validate, testing::ValuesIn(planDefects),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(ValidateAbi, OtherVersion) {
  auto contents = scaleModel();
  Plan plan = decode(contents);
  plan.abiVersion = 99;
  Status status = validatePlan(surroundings(contents), "test", plan);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::PackageAbi);
}

//===- GpuPackageTest.cpp -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages with PTX: what the loader refuses, and what its queries return.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "runtime/package/checker.h"
#include <functional>
#include <gtest/gtest.h>

using namespace kiln::test;
using kiln::package::PackageContents;
namespace Code = kiln::rt::Code;
namespace fb = kiln::fb;

static std::string textOf(const char *kernel) {
  return std::string("// made up\n.visible .entry ") + kernel + "(\n)\n{\n\tret;\n}\n" +
         '\0';
}

/// Returns scaleModel with a second target, sm_80; without host targets if `alone`.
static PackageContents gpuModel(bool alone = false) {
  PackageContents contents = scaleModel();
  fb::PlanT &plan = contents.plan;
  std::string texts;
  for (auto &kernel : plan.kernels) {
    auto block = std::make_unique<fb::BlockT>(), none = std::make_unique<fb::BlockT>();
    block->threads = 128;
    if (alone)
      kernel->entries.clear();
    else
      kernel->blocks.push_back(std::move(none));
    kernel->entries.push_back(texts.size());
    kernel->blocks.push_back(std::move(block));
    texts += textOf(kernel->name.c_str());
  }
  for (auto &step : plan.steps)
    if (step->kind == fb::StepKind::Launch && !alone)
      step->grids.push_back(step->grids[0]);
  auto target = std::make_unique<fb::TargetT>();
  target->name = "sm_80";
  target->kind = fb::TargetKind::Cuda;
  target->features = {"sm_80", "ptx80"};
  if (alone) {
    plan.targets.clear();
    contents.hostImages.clear();
  }
  plan.targets.push_back(std::move(target));
  contents.ptx = {texts};
  return contents;
}

static kiln::rt::Status validate(PackageContents &contents) {
  kiln::rt::Plan plan = decode(contents);
  return kiln::rt::validatePlan(surroundings(contents), "test", plan);
}

TEST(GpuPackage, RunsOnTheHostBesideIt) {
  TempFolder folder;
  writeModel(folder / "m.kiln", gpuModel());
  ModelPtr model = loadModel(folder / "m.kiln");
  ASSERT_TRUE(model);
  EXPECT_EQ(kiln_model_target_count(model.get()), 2u);
  EXPECT_STREQ(kiln_model_target(model.get(), 1)->missing, "a GPU of sm_80");
  EXPECT_TRUE(makeSession(model.get()));
}

TEST(GpuPackage, ShowsItsPtx) {
  TempFolder folder;
  writeModel(folder / "m.kiln", gpuModel());
  ModelPtr model = loadModel(folder / "m.kiln");
  ASSERT_TRUE(model);
  ASSERT_EQ(kiln_model_kernel_count(model.get()), 2u);
  EXPECT_STREQ(kiln_model_kernel_name(model.get(), 1), "row_sum");
  EXPECT_STREQ(kiln_model_kernel_ptx(model.get(), 1, 1), textOf("row_sum").c_str());
  EXPECT_EQ(kiln_model_kernel_ptx(model.get(), 0, 0), nullptr); // a host target
  EXPECT_EQ(kiln_model_kernel_ptx(model.get(), 2, 1), nullptr);
  EXPECT_EQ(kiln_model_kernel_ptx(model.get(), 0, 2), nullptr);
}

TEST(GpuPackage, AloneIsForNoCpu) {
  TempFolder folder;
  writeModel(folder / "m.kiln", gpuModel(/*alone=*/true));
  for (const char *target : {static_cast<const char *>(nullptr), "sm_80"}) {
    kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
    options.target = target;
    kiln_model *raw = nullptr;
    ASSERT_FALSE(own(kiln_model_load((folder / "m.kiln").c_str(), &options, &raw)));
    ModelPtr model(raw, kiln_model_release);
    kiln_session *session = nullptr;
    EXPECT_EQ(kiln_status_code(own(kiln_session_create(raw, nullptr, &session)).get()),
              510u);
  }
  EXPECT_EQ(
      kiln_status_code(own(kiln_package_validity((folder / "m.kiln").c_str())).get()),
      510u);
  kiln_model_options unknown = KILN_MODEL_OPTIONS_INIT;
  unknown.target = "sm_90";
  EXPECT_EQ(loadCode(folder / "m.kiln", &unknown), 511u);
}

/// Adds a valid map with 64 x 64 boxes over the kernel's first buffer.
static kiln::rt::TensorMap &addMap(kiln::rt::Plan &plan) {
  plan.kernels[0].blocks[1].maps.push_back(
      {0, KILN_DTYPE_BF16, 0, {0, 0}, {0}, {64, 64}, 128});
  return plan.kernels[0].blocks[1].maps.back();
}

static uint32_t addConstant(kiln::rt::Plan &plan, int64_t value) {
  plan.exprs.push_back({kiln::rt::ExprKind::Const, 0, 0, value});
  return static_cast<uint32_t>(plan.exprs.size() - 1);
}

/// Gives the first kernel a workspace of 192 bytes and 4 arrival counters; every step
/// that runs it has the same.
static kiln::rt::Plan &addWorkspace(kiln::rt::Plan &plan) {
  uint32_t bytes = addConstant(plan, 192), count = addConstant(plan, 4);
  uint32_t room = addConstant(plan, 4096), ticketBytes = addConstant(plan, 16);
  uint32_t state = static_cast<uint32_t>(plan.arenas.size()), activations = 0;
  plan.arenas.push_back({KILN_ARENA_STATE, room, ""});
  while (plan.arenas[activations].kind != KILN_ARENA_ACTIVATIONS)
    ++activations;
  std::vector<uint32_t> below;
  for (uint32_t b = 0; b < plan.buffers.size(); ++b)
    if (plan.buffers[b].arena == activations)
      below.push_back(b);
  plan.exprs.push_back({kiln::rt::ExprKind::Add, plan.arenas[activations].size, room, 0});
  plan.arenas[activations].size = static_cast<uint32_t>(plan.exprs.size() - 1);
  plan.kernels[0].blocks[1].workspace = static_cast<int32_t>(bytes);
  plan.kernels[0].blocks[1].tickets = static_cast<int32_t>(count);
  std::vector<uint32_t> tickets;
  for (uint32_t s = 0; s < plan.steps.size(); ++s) {
    kiln::rt::Step &step = plan.steps[s];
    if (step.kind != kiln::rt::StepKind::Launch || step.kernel != 0)
      continue;
    auto next = static_cast<uint32_t>(plan.buffers.size());
    step.workspace = static_cast<int32_t>(next);
    step.tickets = static_cast<int32_t>(next + 1);
    plan.buffers.push_back({"workspace", activations, bytes, 0, below, s, s, -1, next});
    auto last = static_cast<uint32_t>(plan.steps.size() - 1);
    plan.buffers.push_back(
        {"tickets", state, ticketBytes, 0, tickets, 0, last, -1, next + 1});
    tickets.push_back(next + 1);
  }
  return plan;
}

/// Adds variants for at most 8 and 64 rows with the first kernel's own text.
static kiln::rt::Kernel &addVariants(kiln::rt::Plan &plan) {
  kiln::rt::Kernel &kernel = plan.kernels[0];
  uint32_t rows = addConstant(plan, 5), keys = addConstant(plan, 7);
  uint32_t grid = addConstant(plan, 1);
  for (int64_t max : {8, 64})
    kernel.variants.push_back({kernel.name,
                               "",
                               1,
                               {{rows, max}, {keys, 100}},
                               kernel.entries[1],
                               grid,
                               kernel.blocks[1]});
  return kernel;
}

struct Defect {
  const char *name;
  const char *message; ///< part of it
  std::function<void(kiln::rt::Plan &)> plant;
};

static const Defect defects[] = {
    {"Kind", "the kind is unknown",
     [](kiln::rt::Plan &p) { p.targets[1].kind = kiln::rt::TargetKind(2); }},
    {"Section", "a PTX section is out of range",
     [](kiln::rt::Plan &p) { p.targets[1].image = 1; }},
    {"EntryFar", "no PTX text of target sm_80 begins",
     [](kiln::rt::Plan &p) { p.kernels[0].entries[1] = 1000000; }},
    {"EntryInside", "no PTX text of target sm_80 begins",
     [](kiln::rt::Plan &p) { p.kernels[0].entries[1] = 3; }},
    {"OtherKernel", "has another entry",
     [](kiln::rt::Plan &p) {
       std::swap(p.kernels[0].entries[1], p.kernels[1].entries[1]);
     }},
    {"Blocks", "one block per target",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks.clear(); }},
    {"NoThreads", "whole number of warps",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].threads = 0; }},
    {"OddThreads", "whole number of warps",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].threads = 100; }},
    {"ManyThreads", "whole number of warps",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].threads = 2048; }},
    {"NoCluster", "its cluster is no number of blocks",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].cluster = 0; }},
    {"OddCluster", "its cluster is no number of blocks",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].cluster = 3; }},
    {"ClusterOfTasks", "its cluster is no number of blocks",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].cluster = 2; }},
    {"Shared", "an expression is out of range",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].shared = 1000000; }},
    {"MapBuffer", "a buffer that a tensor map describes is out of range",
     [](kiln::rt::Plan &p) { addMap(p).buffer = 100; }},
    {"MapOffset", "an expression is out of range",
     [](kiln::rt::Plan &p) { addMap(p).offset = 1000000; }},
    {"MapExtent", "an expression is out of range",
     [](kiln::rt::Plan &p) { addMap(p).extents[1] = 1000000; }},
    {"MapStride", "an expression is out of range",
     [](kiln::rt::Plan &p) { addMap(p).strides[0] = 1000000; }},
    {"MapRank", "its dims do not fit together",
     [](kiln::rt::Plan &p) { addMap(p).strides.clear(); }},
    {"MapNoDims", "its dims do not fit together",
     [](kiln::rt::Plan &p) {
       kiln::rt::TensorMap &map = addMap(p);
       map.extents.clear(), map.strides.clear(), map.box.clear();
     }},
    {"MapBox", "its dims do not fit together",
     [](kiln::rt::Plan &p) { addMap(p).box.push_back(1); }},
    {"MapLongBox", "a copy is too long or empty",
     [](kiln::rt::Plan &p) { addMap(p).box[1] = 257; }},
    {"MapEmptyBox", "a copy is too long or empty",
     [](kiln::rt::Plan &p) { addMap(p).box[1] = 0; }},
    {"MapType", "do not bring this element type",
     [](kiln::rt::Plan &p) { addMap(p).dtype = KILN_DTYPE_I8; }},
    {"MapSwizzle", "cannot be swizzled",
     [](kiln::rt::Plan &p) { addMap(p).swizzle = 256; }},
    {"MapLine", "cannot be swizzled", [](kiln::rt::Plan &p) { addMap(p).swizzle = 32; }},
    {"MapOddLine", "cannot be swizzled",
     [](kiln::rt::Plan &p) { addMap(p).box[0] = 12; }},
    {"WorkspaceSize", "an expression is out of range",
     [](kiln::rt::Plan &p) { addWorkspace(p).kernels[0].blocks[1].workspace = 1000000; }},
    {"WorkspaceAlone", "an expression is out of range",
     [](kiln::rt::Plan &p) { addWorkspace(p).kernels[0].blocks[1].tickets = -1; }},
    {"StepWithoutWorkspace", "it has no workspace, but its kernel needs one",
     [](kiln::rt::Plan &p) {
       kiln::rt::Step &step = addWorkspace(p).steps[0];
       step.workspace = step.tickets = -1;
     }},
    {"StepWithoutTickets", "a buffer is out of range",
     [](kiln::rt::Plan &p) { addWorkspace(p).steps[0].tickets = -1; }},
    {"WorkspaceBuffer", "a buffer is out of range",
     [](kiln::rt::Plan &p) { addWorkspace(p).steps[0].workspace = 1000; }},
    {"WorkspaceArena", "its workspace lies in the wrong arena",
     [](kiln::rt::Plan &p) {
       kiln::rt::Step &step = addWorkspace(p).steps[0];
       step.workspace = step.tickets;
     }},
    {"TicketsArena", "its tickets lie in the wrong arena",
     [](kiln::rt::Plan &p) {
       kiln::rt::Step &step = addWorkspace(p).steps[0];
       step.tickets = step.workspace;
     }},
    {"WorkspaceOfAResult", "its workspace holds what it reads or writes",
     [](kiln::rt::Plan &p) {
       kiln::rt::Step &step = addWorkspace(p).steps[0];
       step.workspace = static_cast<int32_t>(step.writes[0]);
     }},
    {"TicketsOfTwoSteps", "its tickets are used by step 0 too",
     [](kiln::rt::Plan &p) {
       addWorkspace(p);
       p.steps[1].tickets = p.steps[0].tickets;
     }},
    {"ReadsNowhere", "an index of a buffer is out of range",
     [](kiln::rt::Plan &p) { addWorkspace(p).steps[1].reads[0] = 1000; }},
    {"NoBounds", "it has no bounds",
     [](kiln::rt::Plan &p) { addVariants(p).variants[0].when.clear(); }},
    {"BoundFar", "an expression is out of range",
     [](kiln::rt::Plan &p) { addVariants(p).variants[0].when[1].value = 1000000; }},
    {"BoundsDescend", "it never runs",
     [](kiln::rt::Plan &p) { addVariants(p).variants[1].when[0].max = 7; }},
    {"BoundsEqual", "it never runs",
     [](kiln::rt::Plan &p) { addVariants(p).variants[1].when[0].max = 8; }},
    {"BoundsWithin", "it never runs",
     [](kiln::rt::Plan &p) { auto &w = addVariants(p).variants[0].when; w[0] = w[1]; }},
    {"BoundOfNothing", "a bound is negative",
     [](kiln::rt::Plan &p) { addVariants(p).variants[0].when[0].max = -1; }},
    {"VariantOrder", "not in the order of their targets",
     [](kiln::rt::Plan &p) { addVariants(p).variants[1].target = 0; }},
    {"VariantTarget", "a target is out of range",
     [](kiln::rt::Plan &p) { addVariants(p).variants[1].target = 2; }},
    {"VariantOfAHost", "has one way to run a kernel",
     [](kiln::rt::Plan &p) { addVariants(p).variants[0].target = 0; }},
    {"VariantEntry", "no PTX text of target sm_80 begins",
     [](kiln::rt::Plan &p) { addVariants(p).variants[1].entry += 1; }},
    {"VariantName", "has another entry",
     [](kiln::rt::Plan &p) { addVariants(p).variants[1].name = "other"; }},
    {"VariantThreads", "whole number of warps",
     [](kiln::rt::Plan &p) { addVariants(p).variants[1].block.threads = 7; }},
    {"VariantGrid", "an expression is out of range",
     [](kiln::rt::Plan &p) { addVariants(p).variants[1].grid = 1000000; }},
    {"VariantMap", "a buffer that a tensor map describes is out of range",
     [](kiln::rt::Plan &p) {
       kiln::rt::TensorMap map = addMap(p);
       map.buffer = 100;
       addVariants(p).variants[0].block.maps[0] = map;
     }},
    {"VariantWorkspace", "it has no workspace, but its kernel needs one",
     [](kiln::rt::Plan &p) {
       kiln::rt::Block &block = addVariants(p).variants[1].block;
       block.workspace = block.tickets = 0;
     }},
    {"TicketsRead", "its tickets are used by step 1 too",
     [](kiln::rt::Plan &p) {
       addWorkspace(p);
       p.steps[1].reads[0] = static_cast<uint32_t>(p.steps[0].tickets);
     }},
};

class GpuValidate : public testing::TestWithParam<Defect> {};

TEST_P(GpuValidate, Refuses) {
  PackageContents contents = gpuModel();
  kiln::rt::Plan plan = decode(contents);
  GetParam().plant(plan);
  kiln::rt::Status status = kiln::rt::validatePlan(surroundings(contents), "test", plan);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::PlanInvalid);
  EXPECT_NE(std::string(status.message()).find(GetParam().message), std::string::npos)
      << status.message();
}

INSTANTIATE_TEST_SUITE_P(Defects, GpuValidate, testing::ValuesIn(defects),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(GpuPackage, MapsAreTaken) {
  PackageContents contents = gpuModel();
  kiln::rt::Plan plan = decode(contents);
  addMap(plan);
  kiln::rt::Status status = kiln::rt::validatePlan(surroundings(contents), "test", plan);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(GpuPackage, VariantsAreTaken) {
  PackageContents contents = gpuModel();
  kiln::rt::Plan plan = decode(contents);
  addVariants(plan);
  kiln::rt::Status status = kiln::rt::validatePlan(surroundings(contents), "test", plan);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(GpuPackage, TextsNeedTheirEnd) {
  PackageContents contents = gpuModel();
  EXPECT_TRUE(validate(contents).ok());
  kiln::rt::Plan plan = decode(contents);
  contents.ptx[0].pop_back();
  EXPECT_FALSE(kiln::rt::validatePlan(surroundings(contents), "test", plan).ok());
}

static std::string prove(kiln::rt::Plan &plan, const PackageContents &contents) {
  kiln::rt::Status status = kiln::rt::validatePlan(surroundings(contents), "test", plan);
  if (status.ok())
    status = kiln::rt::MemoryChecker().proveCorners(plan, 8, "test");
  if (status.ok())
    return "";
  EXPECT_EQ(status.code(), Code::PlanMemory);
  return status.message();
}

TEST(GpuPackage, WorkspacesAreTaken) {
  PackageContents contents = gpuModel();
  kiln::rt::Plan plan = decode(contents);
  addWorkspace(plan);
  EXPECT_EQ(prove(plan, contents), "");
}

TEST(GpuPackage, WorkspacesMustBeLargeEnough) {
  PackageContents contents = gpuModel();
  kiln::rt::Plan large = decode(contents), many = large, negative = large;
  addWorkspace(large).kernels[0].blocks[1].workspace =
      static_cast<int32_t>(addConstant(large, 193));
  EXPECT_NE(prove(large, contents).find("more bytes of workspace than"),
            std::string::npos);
  addWorkspace(many).kernels[0].blocks[1].tickets =
      static_cast<int32_t>(addConstant(many, 5));
  EXPECT_NE(prove(many, contents).find("more tickets than"), std::string::npos);
  addWorkspace(negative).kernels[0].blocks[1].tickets =
      static_cast<int32_t>(addConstant(negative, -1));
  EXPECT_NE(prove(negative, contents).find("more tickets than"), std::string::npos);
  kiln::rt::Plan few = decode(contents);
  addVariants(addWorkspace(few)).variants[1].block.workspace =
      static_cast<int32_t>(addConstant(few, 193));
  EXPECT_NE(prove(few, contents).find("more bytes of workspace than"), std::string::npos);
}

TEST(GpuPackage, WorkspacesShareNothingThatLives) {
  PackageContents contents = gpuModel();
  kiln::rt::Plan plan = decode(contents);
  addWorkspace(plan);
  plan.buffers[static_cast<uint32_t>(plan.steps[1].workspace)].above.clear();
  EXPECT_NE(prove(plan, contents).find("which is live at the same time"),
            std::string::npos);
  plan = decode(contents);
  addWorkspace(plan);
  kiln::rt::Buffer &late = plan.buffers[static_cast<uint32_t>(plan.steps[1].workspace)];
  late.firstStep = late.lastStep = 2;
  EXPECT_NE(prove(plan, contents).find("outside its lifetime"), std::string::npos);
}

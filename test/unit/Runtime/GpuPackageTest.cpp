//===- GpuPackageTest.cpp -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages with PTX: what the loader refuses, and what it shows.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include <functional>
#include <gtest/gtest.h>

using namespace kiln::test;
using kiln::package::PackageContents;
using kiln::rt::Code;
namespace fb = kiln::fb;

static std::string textOf(const char *kernel) {
  return std::string("// made up\n.visible .entry ") + kernel + "(\n)\n{\n\tret;\n}\n" + '\0';
}

/// scaleModel with a second target, sm_80; hosts lose theirs if `alone`.
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
  EXPECT_EQ(kiln_status_code(own(kiln_package_validity((folder / "m.kiln").c_str())).get()),
            510u);
  kiln_model_options unknown = KILN_MODEL_OPTIONS_INIT;
  unknown.target = "sm_90";
  EXPECT_EQ(loadCode(folder / "m.kiln", &unknown), 511u);
}

/// A map of 64 x 64 boxes over the kernel's first buffer, as a right one could be.
static kiln::rt::TensorMap &addMap(kiln::rt::Plan &plan) {
  plan.kernels[0].blocks[1].maps.push_back(
      {0, KILN_DTYPE_BF16, 0, {0, 0}, {0}, {64, 64}, 128});
  return plan.kernels[0].blocks[1].maps.back();
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
     [](kiln::rt::Plan &p) { std::swap(p.kernels[0].entries[1], p.kernels[1].entries[1]); }},
    {"Blocks", "one block per target", [](kiln::rt::Plan &p) { p.kernels[0].blocks.clear(); }},
    {"NoThreads", "whole number of warps",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].threads = 0; }},
    {"OddThreads", "whole number of warps",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].threads = 100; }},
    {"ManyThreads", "whole number of warps",
     [](kiln::rt::Plan &p) { p.kernels[0].blocks[1].threads = 2048; }},
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
    {"MapSwizzle", "cannot be swizzled", [](kiln::rt::Plan &p) { addMap(p).swizzle = 256; }},
    {"MapLine", "cannot be swizzled", [](kiln::rt::Plan &p) { addMap(p).swizzle = 32; }},
    {"MapOddLine", "cannot be swizzled", [](kiln::rt::Plan &p) { addMap(p).box[0] = 12; }},
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

TEST(GpuPackage, TextsNeedTheirEnd) {
  PackageContents contents = gpuModel();
  EXPECT_TRUE(validate(contents).ok());
  kiln::rt::Plan plan = decode(contents);
  contents.ptx[0].pop_back();
  EXPECT_FALSE(kiln::rt::validatePlan(surroundings(contents), "test", plan).ok());
}

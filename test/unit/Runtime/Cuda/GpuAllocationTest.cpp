//===- GpuAllocationTest.cpp --------------------------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run on a GPU makes no host allocation, with known and new dims, as a CUDA graph and
// step by step. The driver computes nothing, so results are not checked.
//
//===----------------------------------------------------------------------===//
#include "../CountAllocations.h"
#include "GpuModels.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace kiln::test;
namespace fb = kiln::fb;

/// Returns scaleModel with kernels that take a tensor map of their first operand, and a
/// variant for short rows that takes none.
static kiln::package::PackageContents withMaps() {
  kiln::package::PackageContents contents = withGpu(scaleModel());
  fb::PlanT &plan = contents.plan;
  uint32_t zero = constant(plan, 0), two = constant(plan, 2);
  addVariant(contents, symbolOf(plan, 1), 8, "mul.rn.f32 %x, %x, %z;");
  for (auto &kernel : plan.kernels) {
    auto map = std::make_unique<fb::TensorMapT>();
    map->dtype = fb::DType::BF16;
    map->offset = zero;
    map->extents = {two};
    map->box = {8};
    map->swizzle = 32;
    kernel->blocks[1]->maps.push_back(std::move(map));
  }
  return contents;
}

class GpuAllocation : public testing::TestWithParam<bool> {};

TEST_P(GpuAllocation, RunsMakeNone) {
  if (!canCountAllocations())
    GTEST_SKIP() << "the sanitizer owns malloc";
  setenv("KILN_CUDA_DRIVER", KILN_TEST_QUIET_DRIVER, 1);
  TempFolder folder;
  writeModel(folder / "m.kiln", withMaps());
  ModelPtr model = loadModel(folder / "m.kiln");
  kiln_session_options options = onGpu("cuda", /*graph=*/GetParam());
  options.graph_memory = 1 << 20; // room for fewer graphs than sets of dims
  long before = countAllocations();
  SessionPtr session = makeSession(model.get(), &options);
  ASSERT_TRUE(session);
  EXPECT_GT(countAllocations(), before); // the counter works
  expectNoAllocations(session.get());
}

INSTANTIATE_TEST_SUITE_P(Graph, GpuAllocation, testing::Bool());

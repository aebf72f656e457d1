//===- TensorMapsTest.cpp -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Invalid tensor maps, and the arguments passed to the driver.
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/tensor_maps.h"
#include "test/unit/Runtime/TestPackage.h"
#include <algorithm>
#include <gmock/gmock.h>

using namespace kiln::rt;
using namespace kiln::rt::cuda;
using testing::ElementsAreArray;
using testing::HasSubstr;

namespace {

/// 100 rows of 96 elements with a stride of 192 bytes, starting at byte 32.
TensorShape someShape() {
  TensorShape shape;
  shape.offset = 32;
  shape.extents[0] = 96, shape.extents[1] = 100;
  shape.strides[0] = 192;
  return shape;
}
constexpr uint64_t someBytes = 32 + 100 * 192;

TensorMap someMap() { return {0, KILN_DTYPE_BF16, 0, {0, 0}, {0}, {64, 128}, 128}; }

std::string problem(const TensorShape &shape, uint64_t bytes = someBytes) {
  Status status = shape.check(someMap(), bytes, [] { return "here"; });
  if (status.ok())
    return "";
  EXPECT_EQ(status.code(), Code::PlanInvalid);
  return std::string(status.message());
}

TEST(TensorMaps, TheLastByteCounts) {
  EXPECT_EQ(problem(someShape()), "");
  EXPECT_THAT(problem(someShape(), someBytes - 1), HasSubstr("beyond its buffer"));
  TensorShape shape = someShape();
  shape.offset += 16;
  EXPECT_THAT(problem(shape), HasSubstr("beyond its buffer"));
  shape.offset = ~uint64_t(15);
  EXPECT_THAT(problem(shape), HasSubstr("beyond its buffer"));
}

TEST(TensorMaps, ProductsThatOverflowAreBeyondTheBuffer) {
  TensorShape shape = someShape();
  shape.extents[1] = uint64_t(1) << 32;
  shape.strides[0] = (uint64_t(1) << 40) - 16;
  EXPECT_THAT(problem(shape), HasSubstr("beyond its buffer"));
}

TEST(TensorMaps, Limits) {
  for (uint64_t extent : {uint64_t(0), (uint64_t(1) << 32) + 1, ~uint64_t(0)}) {
    TensorShape shape = someShape();
    shape.extents[1] = extent;
    EXPECT_THAT(problem(shape), HasSubstr("an extent")) << extent;
  }
  for (uint64_t stride : {uint64_t(0), uint64_t(200), uint64_t(1) << 40}) {
    TensorShape shape = someShape();
    shape.strides[0] = stride;
    EXPECT_THAT(problem(shape), HasSubstr("a stride")) << stride;
  }
  TensorShape shape = someShape();
  shape.offset = 8;
  EXPECT_THAT(problem(shape), HasSubstr("not aligned"));
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

/// Recorded arguments of a driver call.
struct Call {
  int type, swizzle, fill;
  uint64_t address;
  std::vector<uint64_t> extents, strides;
  std::vector<uint32_t> box, steps;
} last;

CUresult record(CUtensorMap *map, int type, uint32_t rank, void *address,
                const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
                const uint32_t *steps, int, int swizzle, int, int fill) {
  last = {type,
          swizzle,
          fill,
          reinterpret_cast<uint64_t>(address),
          {extents, extents + rank},
          {strides, strides + rank - 1},
          {box, box + rank},
          {steps, steps + rank}};
  map->opaque[0] = 7;
  return CUDA_SUCCESS;
}

TEST(TensorMaps, TheDriverIsToldTheShape) {
  Driver driver;
  driver.tensorMapEncodeTiled = record;
  TensorMap map = someMap();
  LaunchMap launch{&map, someShape(), {}};
  ASSERT_TRUE(launch.encode(driver, 0x1000, [] { return "here"; }).ok());
  EXPECT_EQ(launch.encoded.opaque[0], 7u);
  EXPECT_EQ(last.address, 0x1020u);
  EXPECT_EQ(last.type, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  EXPECT_EQ(last.swizzle, CU_TENSOR_MAP_SWIZZLE_128B);
  EXPECT_EQ(last.fill, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  EXPECT_THAT(last.extents, ElementsAreArray({96u, 100u}));
  EXPECT_THAT(last.strides, ElementsAreArray({192u}));
  EXPECT_THAT(last.box, ElementsAreArray({64u, 128u}));
  EXPECT_THAT(last.steps, ElementsAreArray({1u, 1u}));
}

TEST(TensorMaps, DriversWithoutThemAreNamed) {
  Driver driver;
  TensorMap map = someMap();
  LaunchMap launch{&map, someShape(), {}};
  Status status = launch.encode(driver, 0x1000, [] { return "kernel \"gemm\""; });
  EXPECT_EQ(status.code(), Code::DriverFunction);
  EXPECT_THAT(status.message(), HasSubstr("cuTensorMapEncodeTiled"));
  EXPECT_THAT(status.message(), HasSubstr("kernel \"gemm\""));
}

TEST(TensorMaps, LaunchesOfAPlanAreChecked) {
  kiln::package::PackageContents contents = kiln::test::scaleModel();
  Plan plan = kiln::test::decode(contents);
  auto constant = [&](int64_t value) {
    plan.exprs.push_back({ExprKind::Const, 0, 0, value});
    return static_cast<ExprIndex>(plan.exprs.size() - 1);
  };
  ExprIndex none = constant(0), two = constant(2), line = constant(16),
            odd = constant(24);
  for (Kernel &kernel : plan.kernels)
    kernel.blocks.resize(plan.targets.size());
  TensorMap &map = plan.kernels[0].blocks[0].maps.emplace_back(
      TensorMap{0, KILN_DTYPE_F16, none, {two, two}, {line}, {64, 64}, 128});
  auto check = [&] {
    Layout layout(plan);
    EXPECT_TRUE(layout.compute(plan, corner(plan.symbols, true), "test").ok());
    return checkTensorMaps(plan, 0, layout, "test");
  };
  EXPECT_TRUE(check().ok());
  map.strides[0] = odd;
  Status status = check();
  EXPECT_EQ(status.code(), Code::PlanInvalid);
  EXPECT_THAT(status.message(), HasSubstr("a stride"));
  EXPECT_THAT(status.message(), HasSubstr("step 0"));
}

} // namespace

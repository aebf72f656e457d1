//===- tensor_map_test.cpp - Tensor maps: every rule of the driver's page ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/memory/tensor_map.h"
#include "test/sim/driver/driver.h"
#include <cstring>
#include <functional>

using namespace kiln::sim;
using namespace kiln::sim::cu;

namespace {

/// A valid map; each test changes one thing.
struct Arguments {
  int type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  cuuint32_t rank = 3;
  uint64_t address = 0x3000'0000'1000;
  cuuint64_t extents[5] = {1024, 64, 8, 1, 1};
  cuuint64_t strides[4] = {2048, 131072, 16, 16};
  cuuint32_t box[5] = {64, 32, 1, 1, 1};
  cuuint32_t steps[5] = {1, 1, 1, 1, 1};
  int interleave = 0, swizzle = CU_TENSOR_MAP_SWIZZLE_128B, promotion = 2, fill = 0;
};

CUresult encode(const Arguments &a, CUtensorMap *map) {
  return driver().cuTensorMapEncodeTiled(
      map, CUtensorMapDataType(a.type), a.rank, reinterpret_cast<void *>(a.address),
      a.extents, a.strides, a.box, a.steps, CUtensorMapInterleave(a.interleave),
      CUtensorMapSwizzle(a.swizzle), CUtensorMapL2promotion(a.promotion),
      CUtensorMapFloatOOBfill(a.fill));
}

CUresult with(const std::function<void(Arguments &)> &change) {
  Arguments arguments;
  CUtensorMap map;
  change(arguments);
  return encode(arguments, &map);
}

constexpr auto Bad = CUDA_ERROR_INVALID_VALUE;

} // namespace

TEST(TensorMap, HoldsWhatWasAsked) {
  Arguments arguments;
  arguments.extents[0] = 1ull << 32;
  arguments.steps[1] = 8;
  arguments.fill = 1;
  CUtensorMap blob;
  ASSERT_OK(encode(arguments, &blob));
  TensorMap map;
  memcpy(&map, &blob, sizeof map);
  EXPECT_EQ(map.magic, TensorMap::Valid);
  EXPECT_EQ(map.globalAddress, arguments.address);
  EXPECT_EQ(map.rank, 3);
  EXPECT_EQ(map.element, TensorMap::BF16);
  EXPECT_EQ(map.extent(0), 1ull << 32);
  EXPECT_EQ(map.extent(1), 64u);
  EXPECT_EQ(map.strides[1], 131072u);
  EXPECT_EQ(map.box[0], 64);
  EXPECT_EQ(map.elementStrides[1], 8);
  EXPECT_EQ(map.swizzle, TensorMap::Swizzle128);
  EXPECT_EQ(map.fill, TensorMap::FillNan);
  EXPECT_OK(driver().cuTensorMapReplaceAddress(&blob, reinterpret_cast<void *>(0x4000)));
  memcpy(&map, &blob, sizeof map);
  EXPECT_EQ(map.globalAddress, 0x4000u);
  EXPECT_CU(Bad,
            driver().cuTensorMapReplaceAddress(&blob, reinterpret_cast<void *>(0x4008)));
  memset(&blob, 0, sizeof blob);
  EXPECT_CU(Bad,
            driver().cuTensorMapReplaceAddress(&blob, reinterpret_cast<void *>(0x4000)));
}

TEST(TensorMap, LegalOnes) {
  EXPECT_OK(with([](auto &) {}));
  EXPECT_OK(with([](auto &a) { a.rank = 1; }));
  EXPECT_OK(with([](auto &a) { a.rank = 5; }));
  EXPECT_OK(with([](auto &a) { a.address += 16; }));
  EXPECT_OK(with([](auto &a) { a.swizzle = 0, a.box[0] = 256; }));
  EXPECT_OK(with([](auto &a) { a.swizzle = 1, a.box[0] = 16; }));
  EXPECT_OK(with([](auto &a) { a.type = 0, a.box[0] = 128; }));
  EXPECT_OK(with([](auto &a) { a.type = 7, a.box[0] = 32; }));
  EXPECT_OK(with([](auto &a) { a.strides[0] = 16; }));
  EXPECT_OK(with([](auto &a) { a.strides[1] = (1ull << 40) - 16; }));
  EXPECT_OK(with([](auto &a) { a.steps[0] = 0; })); // ignored without interleave
  EXPECT_OK(with([](auto &a) { a.box[1] = 256; }));
}

TEST(TensorMap, IllegalOnes) {
  const std::pair<const char *, std::function<void(Arguments &)>> cases[] = {
      {"type", [](auto &a) { a.type = 16; }},
      {"type below", [](auto &a) { a.type = -1; }},
      {"interleave", [](auto &a) { a.interleave = 3; }},
      {"swizzle", [](auto &a) { a.swizzle = 7; }},
      {"promotion", [](auto &a) { a.promotion = 4; }},
      {"fill", [](auto &a) { a.fill = 2; }},
      {"fill of integers", [](auto &a) { a.fill = 1, a.type = 1; }},
      {"rank 0", [](auto &a) { a.rank = 0; }},
      {"rank 6", [](auto &a) { a.rank = 6; }},
      {"rank of interleave", [](auto &a) { a.interleave = 1, a.rank = 2; }},
      {"interleave 32B without its swizzle", [](auto &a) { a.interleave = 2; }},
      {"address", [](auto &a) { a.address += 8; }},
      {"null address", [](auto &a) { a.address = 0; }},
      {"extent 0", [](auto &a) { a.extents[1] = 0; }},
      {"extent above 2^32", [](auto &a) { a.extents[1] = (1ull << 32) + 1; }},
      {"stride", [](auto &a) { a.strides[0] += 8; }},
      {"stride 2^40", [](auto &a) { a.strides[1] = 1ull << 40; }},
      {"box 0", [](auto &a) { a.box[2] = 0; }},
      {"box 257", [](auto &a) { a.box[1] = 257; }},
      {"inner box not of 16 bytes", [](auto &a) { a.box[0] = 12; }},
      {"inner box above the swizzle", [](auto &a) { a.box[0] = 72; }},
      {"inner box above 64", [](auto &a) { a.swizzle = 2, a.box[0] = 40; }},
      {"inner box above 32", [](auto &a) { a.swizzle = 1, a.box[0] = 24; }},
      {"step 0", [](auto &a) { a.steps[1] = 0; }},
      {"step 9", [](auto &a) { a.steps[1] = 9; }},
      {"packed type on capability 9.0", [](auto &a) { a.type = 13; }},
      {"swizzle atom on capability 9.0", [](auto &a) { a.swizzle = 4; }},
  };
  for (const auto &[name, change] : cases)
    EXPECT_CU(Bad, with(change)) << name;
}

TEST(TensorMap, PointersAndRefusals) {
  Arguments a;
  alignas(128) char bytes[256];
  EXPECT_CU(Bad, encode(a, nullptr));
  EXPECT_CU(Bad, encode(a, reinterpret_cast<CUtensorMap *>(bytes + 32)));
  EXPECT_OK(encode(a, reinterpret_cast<CUtensorMap *>(bytes + 64)));
  EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, with([](auto &a) { a.interleave = 1; }));
  EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
            driver().cuTensorMapEncodeIm2col(
                nullptr, CU_TENSOR_MAP_DATA_TYPE_UINT8, 3, nullptr, nullptr, nullptr,
                nullptr, nullptr, 0, 0, nullptr, CU_TENSOR_MAP_INTERLEAVE_NONE,
                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
}

TEST(TensorMap, DISABLED_Old) {
  EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, with([](auto &) {}));
}

TEST(TensorMap, DISABLED_Packed) {
  auto packed = [](int type, const std::function<void(Arguments &)> &change) {
    return with([&](Arguments &a) {
      a.type = type, a.box[0] = 128;
      change(a);
    });
  };
  auto none = [](Arguments &) {};
  for (int type : {14, 15}) {
    EXPECT_OK(packed(type, none));
    EXPECT_CU(Bad, packed(type, [](auto &a) { a.box[0] = 64; }));
    EXPECT_CU(Bad, packed(type, [](auto &a) { a.extents[0] += 64; }));
    EXPECT_CU(Bad, packed(type, [](auto &a) { a.address += 16; }));
    EXPECT_CU(Bad, packed(type, [](auto &a) { a.strides[0] += 16; }));
    EXPECT_CU(Bad, packed(type, [](auto &a) { a.swizzle = 1; }));
  }
  EXPECT_OK(packed(15, [](auto &a) { a.swizzle = 6; }));
  EXPECT_CU(Bad, packed(14, [](auto &a) { a.swizzle = 6; }));
  EXPECT_CU(Bad, packed(15, [](auto &a) { a.swizzle = 5; }));
  EXPECT_OK(packed(13, none));
  EXPECT_CU(Bad, packed(13, [](auto &a) { a.extents[0]++; }));
  EXPECT_OK(with([](auto &a) { a.swizzle = 4; }));
}

TEST(TensorMap, OtherDevices) {
  Child child = runChild("DISABLED_Old", {{"KILN_SIM_DEVICES", "a100"}});
  EXPECT_EQ(child.status, 0) << child.output;
  child = runChild("DISABLED_Packed", {{"KILN_SIM_DEVICES", "b200"}});
  EXPECT_EQ(child.status, 0) << child.output;
}

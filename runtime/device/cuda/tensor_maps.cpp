//===- tensor_maps.cpp - Tensor maps at given dims ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/tensor_maps.h"

using namespace kiln::rt;
using namespace kiln::rt::cuda;

/// Alignment of addresses and strides in bytes, and the driver's limits (CUDA Driver API,
/// cuTensorMapEncodeTiled).
static constexpr uint64_t unit = 16, extentLimit = uint64_t(1) << 32,
                          strideLimit = uint64_t(1) << 40;

TensorShape::TensorShape(const TensorMap &map, const Layout &layout)
    : offset(static_cast<uint64_t>(layout.value(map.offset))) {
  for (size_t d = 0; d < map.extents.size(); ++d)
    extents[d] = static_cast<uint64_t>(layout.value(map.extents[d]));
  for (size_t d = 0; d < map.strides.size(); ++d)
    strides[d] = static_cast<uint64_t>(layout.value(map.strides[d]));
}

Status TensorShape::check(const TensorMap &map, uint64_t bufferBytes,
                          const Where &where) const {
  auto fail = [&](const char *what, std::string expected, uint64_t found) {
    return Failure{Code::PlanInvalid,
                   where(),
                   what,
                   std::move(expected),
                   std::to_string(found),
                   "compile the model again"};
  };
  size_t rank = map.extents.size();
  for (size_t d = 0; d < rank; ++d)
    if (extents[d] < 1 || extents[d] > extentLimit)
      return fail("an extent of a tensor map is out of range",
                  "1.." + std::to_string(extentLimit), extents[d]);
  for (size_t d = 0; d + 1 < rank; ++d)
    if (strides[d] % unit || strides[d] >= strideLimit || !strides[d])
      return fail("a stride of a tensor map is out of range",
                  "a multiple of 16 bytes below 2^40", strides[d]);
  if (offset % unit)
    return fail("a tensor of a tensor map is not aligned", "a multiple of 16 bytes",
                offset);
  uint64_t end = offset, line = extents[0] * kiln_dtype_size(map.dtype);
  bool inside = offset <= bufferBytes && line <= bufferBytes - offset;
  end += inside ? line : 0;
  for (size_t d = 1; inside && d < rank; ++d) {
    uint64_t steps = extents[d] - 1;
    inside = steps <= (bufferBytes - end) / strides[d - 1];
    end += inside ? steps * strides[d - 1] : 0;
  }
  if (!inside)
    return fail("a tensor map reaches beyond its buffer",
                "at most " + std::to_string(bufferBytes) + " bytes", end);
  return {};
}

Status LaunchMap::encode(const Driver &driver, CUdeviceptr buffer, const Where &where) {
  if (!driver.tensorMapEncodeTiled)
    return Failure{Code::DriverFunction,
                   where(),
                   "the CUDA driver is too old for this kernel",
                   "the function cuTensorMapEncodeTiled",
                   "none of that name",
                   "install a driver of CUDA 12.0 or later"};
  constexpr uint32_t ones[TensorShape::maxRank] = {1, 1, 1, 1, 1};
  int type = map->dtype == KILN_DTYPE_F16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                          : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  int swizzle = map->swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                : map->swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                     : CU_TENSOR_MAP_SWIZZLE_32B;
  CUresult result = driver.tensorMapEncodeTiled(
      &encoded, type, static_cast<uint32_t>(map->extents.size()),
      reinterpret_cast<void *>(buffer + shape.offset), shape.extents, shape.strides,
      map->box.data(), ones, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return driver.check(result, "cuTensorMapEncodeTiled", where);
}

Status cuda::checkTensorMaps(const Plan &plan, size_t target, const Layout &layout,
                             const std::string &where) {
  for (uint32_t i = 0; i < plan.steps.size(); ++i) {
    const Step &step = plan.steps[i];
    if (step.kind != StepKind::Launch)
      continue;
    const Kernel &kernel = plan.kernels[step.kernel];
    const Variant *variant = layout.choose(kernel, target);
    if (layout.value(variant ? variant->grid : step.grids[target]) <= 0)
      continue;
    const Block &block = variant ? variant->block : kernel.blocks[target];
    for (const TensorMap &map : block.maps) {
      bool reads = map.buffer < step.reads.size();
      uint32_t buffer =
          reads ? step.reads[map.buffer] : step.writes[map.buffer - step.reads.size()];
      KILN_TRY(TensorShape(map, layout).check(map, layout.size(plan, buffer), [&] {
        return where + ": " + plan.stepName(i) + ", " + plan.bufferName(buffer);
      }));
    }
  }
  return {};
}

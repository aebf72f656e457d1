//===- tensor_maps.h - Tensor maps at given dims ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A TMA tensor map is a descriptor of 128 bytes that the driver encodes from a tensor's
// address, extents and strides. Extents and strides are expressions of the plan,
// evaluated for a run's dims; the address depends on the caller's memory.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_TENSOR_MAPS_H
#define KILN_DEVICE_CUDA_TENSOR_MAPS_H

#include "runtime/device/cuda/driver.h"
#include "runtime/package/layout.h"

namespace kiln::rt::cuda {

/// Extents and strides of a tensor map for one set of dims. Allocates nothing.
struct TensorShape {
  static constexpr size_t maxRank = 5;

  TensorShape() = default;
  TensorShape(const TensorMap &map, const Layout &layout);
  /// Checks the hardware's limits of tensor maps, and that no TMA copy leaves the buffer.
  /// Errors: KILN-E0506.
  Status check(const TensorMap &map, uint64_t bufferBytes, const Where &where) const;

  uint64_t offset = 0; ///< bytes
  uint64_t extents[maxRank] = {}, strides[maxRank - 1] = {};
};

/// A tensor map as a parameter of one launch.
struct LaunchMap {
  const TensorMap *map; ///< its description in the plan
  TensorShape shape;
  CUtensorMap encoded = {};
  uint32_t buffer = 0;        ///< buffer index in the plan
  uint32_t bufferSlot = 0;    ///< slot with the buffer's address
  uint32_t parameterSlot = 0; ///< slot that reserves the parameter's position

  /// Encodes the map. Errors: KILN-E0705 (a driver without tensor maps), E0706.
  Status encode(const Driver &driver, CUdeviceptr buffer, const Where &where);
};

/// Checks the maps of all launches of a plan on a target. Errors: those of check().
Status checkTensorMaps(const Plan &plan, size_t target, const Layout &layout,
                       const std::string &where);

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_TENSOR_MAPS_H

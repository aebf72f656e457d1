//===- tensor_maps.h - Tensor maps at given dims ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor map is 128 bytes that the driver makes from a tensor's address, extents and
// strides. The plan states these as expressions; they change with the dims, and the
// address with the caller's memory.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_TENSOR_MAPS_H
#define KILN_DEVICE_CUDA_TENSOR_MAPS_H

#include "runtime/device/cuda/driver.h"
#include "runtime/package/layout.h"

namespace kiln::rt::cuda {

/// The numbers of a map for one set of dims. Allocates nothing.
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

/// A parameter of one launch.
struct LaunchMap {
  const TensorMap *map; ///< of the plan
  TensorShape shape;
  CUtensorMap encoded = {};
  uint32_t buffer = 0;        ///< of the plan
  uint32_t bufferSlot = 0;    ///< where Launches keeps the buffer's address
  uint32_t parameterSlot = 0; ///< where it keeps the parameter's place

  /// Errors: KILN-E0705 (a driver without tensor maps), E0706.
  Status encode(const Driver &driver, CUdeviceptr buffer, const Where &where);
};

/// Checks the maps of all launches of a plan on a target. Errors as of check().
Status checkTensorMaps(const Plan &plan, size_t target, const Layout &layout,
                       const std::string &where);

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_TENSOR_MAPS_H

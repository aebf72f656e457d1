//===- rank_weights.h - The weights of a rank on its GPU --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package has the weights of all ranks. A rank copies only those that it reads to its
// GPU: its shards of divided weights, and the weights of its stage.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_RANK_WEIGHTS_H
#define KILN_DEVICE_CUDA_RANK_WEIGHTS_H

#include "runtime/device/cuda/context.h"
#include <span>
#include <vector>

struct kiln_model;

namespace kiln::rt::cuda {

class RankWeights {
public:
  /// A range of the package's weights and its offset on the GPU.
  struct Range {
    uint64_t from, size, to;
  };

  /// Finds the weights that a rank reads in any program of the model, and assigns their
  /// offsets on the GPU. Packages for one rank keep the weights' offsets. Errors:
  /// KILN-E0508.
  Status find(const kiln_model &model, uint32_t rank);
  /// Allocates GPU memory and copies the weights; returns when the package's memory is no
  /// longer read. Errors: KILN-E0708, E0706.
  Status copy(std::shared_ptr<const Context> context, const kiln_model &model);

  uint64_t bytes() const { return total; }
  std::span<const Range> ranges() const { return list; }
  /// Returns the GPU address of the byte at an offset of the package's weights; 0 if the
  /// rank reads no weight there.
  CUdeviceptr address(uint64_t offset) const noexcept;

private:
  Status addProgram(const kiln_model &program, uint32_t rank);
  void placeRanges();

  std::vector<Range> list; ///< sorted by `from`, disjoint
  uint64_t total = 0;
  Memory memory;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_RANK_WEIGHTS_H

//===- collectives.h - Collectives of ranks on GPUs -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By way of pinned host memory: the stream copies this rank's operand there and is waited
// for, the ranks meet as those of a CPU do, and the stream copies the result back. So it
// works between any GPUs and has the bits of ranks on the CPU.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_COLLECTIVES_H
#define KILN_DEVICE_CUDA_COLLECTIVES_H

#include "runtime/collective/communicator.h"
#include "runtime/device/cuda/context.h"
#include "runtime/package/layout.h"

namespace kiln::rt::cuda {

class Collectives {
public:
  Collectives(const Plan &plan, const RankPlace &place);

  /// Memory for an operand and a result of so many bytes. Errors: KILN-E0708.
  Status allocate(std::shared_ptr<const Context> context, uint64_t bytes);
  void bind(const Layout &layout) noexcept;
  /// from, to: of this rank, on its GPU. where: the step, for messages. Errors:
  /// KILN-E0706, E0709, and those of Communicator::run.
  Status run(uint32_t step, CUdeviceptr from, CUdeviceptr to, CUstream stream,
             const Where &where);
  /// Says that this rank has completed a step.
  void noteStep() const {
    if (place.communicator)
      place.communicator->noteStep();
  }

private:
  struct Entry {
    CollectiveCall call;
    uint64_t fromBytes = 0, toBytes = 0;
  };

  const Plan &plan;
  RankPlace place;
  std::shared_ptr<const Context> context;
  Memory operand, result;     ///< pinned
  std::vector<Entry> entries; ///< by step; those of other steps mean nothing
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_COLLECTIVES_H

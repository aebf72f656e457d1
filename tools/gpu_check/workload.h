//===- workload.h - A package with generated inputs -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_WORKLOAD_H
#define KILN_GPU_CHECK_WORKLOAD_H

#include "tools/gpu_check/package.h"
#include "tools/gpu_check/stopwatch.h"

namespace kiln::gpucheck {

using Dims = std::map<std::string, int64_t>;

/// Bytes that a step of a plan reads and writes, and its floating-point operations.
struct StepCost {
  double bytes, flops;
};

/// A package with several sets of inputs and outputs in GPU memory. Each set has its own
/// session, whose graph keeps its pointers.
class Workload {
public:
  /// scale: of the random inputs.
  Workload(const OwnStream &stream, ModelPointer model, const Dims &dims, double scale);

  uint32_t sets() const { return uint32_t(all.size()); }
  /// Enqueues the graph of a set.
  void launch(uint32_t set);
  /// Returns the address of input `index` of a set, or the elements of output `index`.
  Address input(uint32_t set, size_t index) const;
  std::vector<double> output(uint32_t set, size_t index) const;
  size_t outputBytes(size_t index) const { return shapes[index].bytes; }
  kiln_dtype outputType(size_t index) const;
  std::vector<StepCost> costs() const;

private:
  struct Set {
    SessionPointer session;
    std::vector<Buffer> inputs, outputs;
    std::vector<kiln_tensor> inputTensors, outputTensors;
  };
  void addSet(double scale);
  uint32_t setsWanted() const;

  const OwnStream &stream;
  Dims dims;
  ModelPointer model;
  std::vector<std::vector<int64_t>> inputShapes;
  std::vector<kiln_shape> shapes; ///< shapes of the outputs
  std::vector<Set> all;
};

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_WORKLOAD_H

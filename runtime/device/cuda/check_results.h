//===- check_results.h - What index checks found on a GPU --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the results of a program's index checks. A run on the caller's stream returns
// before its kernels have run, so each run copies its results to a separate row of
// pinned memory, which is read when the stream has been synchronized.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_CHECK_RESULTS_H
#define KILN_DEVICE_CUDA_CHECK_RESULTS_H

#include "runtime/device/cuda/launches.h"
#include "runtime/device/device.h"

namespace kiln::rt::cuda {

class CheckResults {
public:
  explicit CheckResults(const Plan &plan) : plan(plan) {}

  /// Allocates the pinned memory. Errors: KILN-E0708.
  Status allocate(std::shared_ptr<const Context> context);
  /// Disables the checks of inputs that the host has compared before the run, unless
  /// `all`.
  void select(std::span<const TensorPlace> inputs, bool all, Launches &launches);
  /// Whether `collect` must be called before the next run.
  bool isFull() const { return runs == maxRuns; }
  /// Enqueues the copies of a run with these dims. Errors: KILN-E0706.
  Status copyOut(const Launches &launches, std::span<const int64_t> dims,
                 CUstream stream);
  /// Checks the results of the runs since the last call; the stream must have been
  /// synchronized. Errors: KILN-E0614, of the first run that failed.
  Status collect();

private:
  static constexpr size_t maxRuns = 64;

  int64_t *numbers(size_t run) const {
    return reinterpret_cast<int64_t *>(found.host()) + run * plan.indexChecks.size();
  }

  const Plan &plan;
  std::shared_ptr<const Context> context;
  Memory found;              ///< row per run, element per check
  std::vector<int64_t> dims; ///< row per run, element per symbol
  std::vector<bool> works;   ///< per check: enabled in the next run
  size_t runs = 0;           ///< since the last collect()
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_CHECK_RESULTS_H

//===- check_results.h - What index checks found on a GPU --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run on the caller's stream returns before its kernels have run, so what they found
// is read later: each run copies its numbers to a place of its own in pinned memory,
// which is looked at once the stream has been waited for.
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

  /// Errors: KILN-E0708.
  Status allocate(std::shared_ptr<const Context> context);
  /// Leaves out the checks of inputs that were compared before the run, unless `all`.
  void select(std::span<const TensorPlace> inputs, bool all, Launches &launches);
  /// Whether the next run needs `collect` first.
  bool isFull() const { return runs == maxRuns; }
  /// Enqueues the copies of a run with these dims. Errors: KILN-E0706.
  Status copyOut(const Launches &launches, std::span<const int64_t> dims,
                 CUstream stream);
  /// For the runs since the last call, which have been waited for. Errors: KILN-E0614,
  /// of the first.
  Status collect();

private:
  static constexpr size_t maxRuns = 64;

  int64_t *numbers(size_t run) const {
    return reinterpret_cast<int64_t *>(found.host()) + run * plan.indexChecks.size();
  }

  const Plan &plan;
  std::shared_ptr<const Context> context;
  Memory found;              ///< per run, then per check
  std::vector<int64_t> dims; ///< per run, then per symbol
  std::vector<bool> works;   ///< per check, in the next run
  size_t runs = 0;           ///< since the last collect()
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_CHECK_RESULTS_H

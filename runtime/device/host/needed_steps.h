//===- needed_steps.h - What a run computes for some outputs ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_NEEDED_STEPS_H
#define KILN_DEVICE_HOST_NEEDED_STEPS_H

#include "runtime/package/plan.h"

namespace kiln::rt {

/// The steps of a plan that a run needs. Steps that only compute outputs which the caller
/// does not want are left out.
class NeededSteps {
public:
  explicit NeededSteps(const Plan &plan);

  /// Sets whether an output is wanted; returns whether that is a change.
  bool want(size_t output, bool isWanted);
  /// Recomputes the steps after a change. Allocates nothing.
  void find();
  bool isOutputWanted(size_t output) const { return wanted[output]; }
  bool isNeeded(size_t step) const { return steps[step]; }

private:
  bool isRoot(size_t step) const;

  const Plan &plan;
  std::vector<bool> wanted; ///< by output
  std::vector<bool> steps;
  std::vector<bool> values; ///< by storage: needed by a step or an output
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_NEEDED_STEPS_H

//===- needed_steps.cpp - What a run computes for some outputs ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/needed_steps.h"
#include <algorithm>

using namespace kiln::rt;

NeededSteps::NeededSteps(const Plan &plan)
    : plan(plan), wanted(plan.outputs.size(), true), steps(plan.steps.size(), true),
      values(plan.buffers.size()) {}

bool NeededSteps::want(size_t output, bool isWanted) {
  bool isNew = wanted[output] != isWanted;
  wanted[output] = isWanted;
  return isNew;
}

/// Whether a step has effects besides outputs: other ranks take part, a later run reads
/// the state that it writes, or it checks indices.
bool NeededSteps::isRoot(size_t step) const {
  if (plan.steps[step].collective)
    return true;
  for (uint32_t buffer : plan.steps[step].writes)
    if (plan.kindOf(buffer) == KILN_ARENA_STATE)
      return true;
  return std::ranges::any_of(plan.indexChecks,
                             [&](const IndexCheck &check) { return check.step == step; });
}

/// Goes from the last step to the first. If a storage is needed, all steps that write a
/// part of it are needed.
void NeededSteps::find() {
  std::fill(values.begin(), values.end(), false);
  auto storageOf = [&](uint32_t buffer) { return plan.buffers[buffer].storage; };
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    if (wanted[i])
      values[storageOf(plan.outputs[i].buffer)] = true;
  for (size_t s = plan.steps.size(); s-- > 0;) {
    const Step &step = plan.steps[s];
    steps[s] = isRoot(s) || std::ranges::any_of(step.writes, [&](uint32_t buffer) {
                 return values[storageOf(buffer)];
               });
    for (uint32_t buffer : step.reads)
      if (steps[s])
        values[storageOf(buffer)] = true;
  }
}

//===- Stages.h - A workload as a pipeline ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule of lib/Planning/AssignStages.cpp applied to plain numbers, in time linear in
// the number of steps; the compiler evaluates every possible cut.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_STAGES_H
#define KILN_ESTIMATE_STAGES_H

#include "kiln/Estimate/Workload.h"

#include <optional>

namespace kiln::estimate {

/// Marks a step that the ranks of all stages run.
inline constexpr int64_t kAllStages = -1;

/// Value that a stage sends to one other stage, or to all others, after a step.
struct Handover {
  unsigned step = 0, value = 0;
  int64_t to = kAllStages;

  CollectiveKind kind() const {
    return to == kAllStages ? CollectiveKind::Broadcast : CollectiveKind::Permute;
  }
};

struct StagedProgram {
  std::vector<int64_t> stages;     ///< stage of each step, or kAllStages
  std::vector<Handover> handovers; ///< in the order of steps
};

struct StagedWorkload {
  int64_t stages = 1;
  std::vector<StagedProgram> programs;
  /// Bytes per stage: weights, weights that every rank of the stage has in full, and
  /// states.
  std::vector<double> weightBytes, replicatedBytes, stateBytes;
};

/// Cuts a workload into stages; nullopt, with the reason in `why`, if it cannot be cut
/// into so many.
std::optional<StagedWorkload> assignStages(const Workload &workload, int64_t stages,
                                           std::string &why);

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_STAGES_H

//===- Stages.h - A workload as a pipeline ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule of lib/Planning/AssignStages.cpp on numbers: in time proportional to the steps
// for any number of stages, where the compiler evaluates every place to cut.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_STAGES_H
#define KILN_ESTIMATE_STAGES_H

#include "kiln/Estimate/Workload.h"

#include <optional>

namespace kiln::estimate {

/// In place of a stage: all ranks run a step.
inline constexpr int64_t kAllStages = -1;

/// Value that a stage sends to one other stage, or to all others, behind a step.
struct Handover {
  unsigned step = 0, value = 0;
  int64_t to = kAllStages;

  CollectiveKind kind() const {
    return to == kAllStages ? CollectiveKind::Broadcast : CollectiveKind::Permute;
  }
};

struct StagedProgram {
  std::vector<int64_t> stages;     ///< of each step, or kAllStages
  std::vector<Handover> handovers; ///< in the order of the steps
};

struct StagedWorkload {
  int64_t stages = 1;
  std::vector<StagedProgram> programs;
  /// Bytes per stage: of weights, of the weights that all ranks of the stage have whole,
  /// and of states.
  std::vector<double> weightBytes, replicatedBytes, stateBytes;
};

/// Nullopt where the workload cannot be cut into so many stages; `why` says the reason.
std::optional<StagedWorkload> assignStages(const Workload &workload, int64_t stages,
                                           std::string &why);

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_STAGES_H

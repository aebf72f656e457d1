//===- CostModel.h - Memory and time of ranks -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A closed form: each step by a roofline, collectives by the cheapest algorithm over the
// links, memory of the rank that needs the largest amount. docs/guides/estimate.md has
// the formulas.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_COSTMODEL_H
#define KILN_ESTIMATE_COSTMODEL_H

#include "kiln/Estimate/Collectives.h"
#include "kiln/Estimate/Stages.h"
#include "kiln/Support/Division.h"

namespace kiln::estimate {

/// tp ranks of each of pp stages, whatever they divide; rank r is number r % tp of stage
/// r / tp.
struct MeshShape {
  int64_t tp = 1, pp = 1;
  Division division = Division::Tensor; ///< of what the ranks of a stage have parts
  /// Size of the groups of ranks that divide weights, where tensor parallelism is
  /// combined with context parallelism (Division::Context): a group divides the weights
  /// among its ranks, and the tp / weightRanks groups divide the rows.
  int64_t weightRanks = 1;
  /// Whether the ranks of Division::Context divide caches by positions, too (dcp).
  bool dividesCaches = false;
  /// In how many parts a run is computed: those of --overlap with one stage, else
  /// micro-batches.
  int64_t parts = 1;
  int64_t ranks() const { return tp * pp; }
  int64_t overlap() const { return pp == 1 ? parts : 1; }
  int64_t microBatches() const { return pp > 1 ? parts : 1; }
  std::string str() const; ///< "pp=2,tp=4", "sp=2", "tp=2,cp=2", "dcp=2"
  /// str(), and the parts if there are several: "sp=8, overlap 4".
  std::string withParts() const;
};

/// Bytes of the rank that needs the largest amount.
struct Memory {
  double weights = 0;
  double replicated = 0; ///< of the weights: what all tensor-parallel ranks have
  double state = 0, activations = 0, workspace = 0, inputsAndOutputs = 0;
  double total() const {
    return weights + state + activations + workspace + inputsAndOutputs;
  }
};

/// Resource that takes the largest part of a program's time.
enum class Limit { Compute, Memory, Collectives, Steps };
llvm::StringRef nameOf(Limit limit);

/// Collectives of one kind, algorithm and size in one run of a program, added up.
struct CollectiveCount {
  CollectiveKind kind;
  Algorithm algorithm;
  double bytes = 0; ///< of each
  int64_t count = 0;
  double seconds = 0; ///< of all
};

/// Predicted time of several runs of a program that follow each other through the stages.
struct ProgramTime {
  std::string name;
  double seconds = 0; ///< of all runs
  double first = 0;   ///< until the first run is done
  /// Seconds of one run, added up over the stages that run one after the other.
  /// `kernels`: kernels and copies; `compute` and `memory`: what their arithmetic alone
  /// and their memory traffic alone would take; `steps`: what starting them takes
  /// (Device::stepSeconds).
  double kernels = 0, compute = 0, memory = 0, steps = 0;
  double collectives = 0;
  std::vector<CollectiveCount> counts;
  double tokens = 0;  ///< of all runs
  double waiting = 0; ///< fraction of the time that a stage waits for others (bubble)
  Limit limit = Limit::Compute;
};

struct Prediction {
  MeshShape mesh;
  Memory memory;
  std::vector<ProgramTime> programs;
};

/// The groups that meet side by side in a collective of a stage.
std::vector<Group> groupsOf(const Step &step, const MeshShape &mesh, int64_t stage,
                            const Topology &topology);
/// The ranks that share a stage, and those that have the same place in all stages.
Group tensorGroup(const MeshShape &mesh, int64_t stage);
Group pipelineGroup(const MeshShape &mesh, int64_t place, const Topology &topology);
/// Returns the two ranks with number `place` in the stages `from` and `to`.
Group pairGroup(const MeshShape &mesh, int64_t place, int64_t from, int64_t to,
                const Topology &topology);

/// Returns the seconds of a kernel or a copy by the roofline model, max(compute, memory),
/// without Device::stepSeconds.
double secondsOf(const Step &step, const Device &device);

/// mesh.tp is workload.ranks, and `staged` has mesh.pp stages.
Prediction predict(const Workload &workload, const StagedWorkload &staged,
                   const MeshShape &mesh, const Topology &topology, int64_t runs = 1);

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_COSTMODEL_H

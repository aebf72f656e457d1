//===- CostModel.h - Memory and time of ranks -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A closed form: a roofline for each step, the fastest algorithm for each collective, and
// the memory of the rank that needs most. docs/guides/estimate.md has the formulas.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_COSTMODEL_H
#define KILN_ESTIMATE_COSTMODEL_H

#include "kiln/Estimate/Collectives.h"
#include "kiln/Estimate/Stages.h"
#include "kiln/Support/Division.h"

namespace kiln::estimate {

/// pp stages with tp ranks each, whatever these divide; rank r has index r % tp in stage
/// r / tp.
struct MeshShape {
  int64_t tp = 1, pp = 1;
  Division division = Division::Tensor; ///< what the ranks of a stage divide
  /// Group size of tensor parallelism where it is combined with context parallelism
  /// (Division::Context): a group divides the weights among its ranks, and the tp /
  /// weightRanks groups divide the rows.
  int64_t weightRanks = 1;
  /// Whether the ranks of Division::Context divide caches by positions, too (dcp).
  bool dividesCaches = false;
  /// Number of parts in which a run is computed: with one stage those of --overlap, else
  /// micro-batches.
  int64_t parts = 1;
  int64_t ranks() const { return tp * pp; }
  int64_t overlap() const { return pp == 1 ? parts : 1; }
  int64_t microBatches() const { return pp > 1 ? parts : 1; }
  std::string str() const; ///< "pp=2,tp=4", "sp=2", "tp=2,cp=2", "dcp=2"
  /// str(), with the number of parts if there are several: "sp=8, overlap 4".
  std::string withParts() const;
};

/// Bytes of the rank that needs the most memory.
struct Memory {
  double weights = 0;
  double replicated = 0; ///< part of `weights` that all tensor-parallel ranks have in
                         ///< full
  double state = 0, activations = 0, workspace = 0, inputsAndOutputs = 0;
  double total() const {
    return weights + state + activations + workspace + inputsAndOutputs;
  }
};

/// Resource that dominates a program's time.
enum class Limit { Compute, Memory, Collectives, Steps };
llvm::StringRef nameOf(Limit limit);

/// Collectives of equal kind, algorithm and size in one run of a program, summed.
struct CollectiveCount {
  CollectiveKind kind;
  Algorithm algorithm;
  double bytes = 0; ///< per collective
  int64_t count = 0;
  double seconds = 0; ///< sum over all of them
};

/// Predicted time of several runs of a program, pipelined through the stages.
struct ProgramTime {
  std::string name;
  double seconds = 0; ///< for all runs
  double first = 0;   ///< until the first run is done
  /// Seconds of one run, summed over the stages, which run one after the other.
  /// `kernels`: kernels and copies; `compute` and `memory`: the time of their arithmetic
  /// alone and of their memory traffic alone; `steps`: launch overhead
  /// (Device::stepSeconds).
  double kernels = 0, compute = 0, memory = 0, steps = 0;
  double collectives = 0;
  std::vector<CollectiveCount> counts;
  double tokens = 0;  ///< in all runs
  double waiting = 0; ///< fraction of the time in which a stage waits for others
                      ///< (pipeline bubble)
  Limit limit = Limit::Compute;
};

struct Prediction {
  MeshShape mesh;
  Memory memory;
  std::vector<ProgramTime> programs;
};

/// Returns the groups that run a collective of a stage at the same time.
std::vector<Group> groupsOf(const Step &step, const MeshShape &mesh, int64_t stage,
                            const Topology &topology);
/// Returns the ranks of one stage, and the ranks with the same index in all stages.
Group tensorGroup(const MeshShape &mesh, int64_t stage);
Group pipelineGroup(const MeshShape &mesh, int64_t place, const Topology &topology);
/// Returns the two ranks with index `place` in the stages `from` and `to`.
Group pairGroup(const MeshShape &mesh, int64_t place, int64_t from, int64_t to,
                const Topology &topology);

/// Returns the seconds of a kernel or a copy by the roofline model, max(compute, memory),
/// without Device::stepSeconds.
double secondsOf(const Step &step, const Device &device);

/// Predicts memory and time. mesh.tp must be workload.ranks, and `staged` must have
/// mesh.pp stages.
Prediction predict(const Workload &workload, const StagedWorkload &staged,
                   const MeshShape &mesh, const Topology &topology, int64_t runs = 1);

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_COSTMODEL_H

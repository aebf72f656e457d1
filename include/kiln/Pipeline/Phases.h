//===- Phases.h - The compiler as a table of phases -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one ordered list that drives `kiln compile --compile-to=PHASE`, the
// pipelines of kiln-opt (--kiln-<phase>-pipeline), dumps and timings. Each
// phase reads the module that the one before it leaves.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_PHASES_H
#define KILN_PIPELINE_PHASES_H

#include "kiln/Transforms/Fusion/IndexReport.h"
#include "kiln/Transforms/Graph/PrecisionReport.h"
#include "kiln/Transforms/Graph/Sharding.h"
#include "kiln/Transforms/Graph/StateOptions.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
}

namespace kiln {

/// Options of the phases of the pipeline. Defaults are those of `kiln compile`.
struct PhaseOptions {
  std::vector<std::string> targets = {"native"};
  uint64_t memoryLimit = 0;    ///< bytes, 0 for none
  PrecisionPolicy precision;   ///< of products
  bool batchInvariant = false; ///< one kernel for any number of rows
  std::string configs;         ///< file of configs; empty: none
  bool clampIndices = false;   ///< leave indices out of range unnoticed
  StateOptions state;
  int64_t ranks = 1;                              ///< of a stage, that divide weights
  Division division = Division::Tensor;           ///< among them
  int64_t contextRanks = 1;                       ///< of a stage, that divide rows alone
  bool dividesCaches = false;                     ///< among the ranks that divide rows
  int64_t stages = 1;                             ///< of a pipeline
  int64_t overlap = 1;                            ///< parts of rows, see kiln-split-rows
  int64_t microBatches = 1;                       ///< of a run, between stages
  ShardReport *shardReport = nullptr;             ///< filled by the graph phase
  PrecisionReport *precisionReport = nullptr;     ///< filled by the graph phase
  std::vector<ObservedInput> *observed = nullptr; ///< in place of precision
  Observation observation;
  IndexReport *indexReport = nullptr; ///< filled by the kernels phase
};

struct Phase {
  llvm::StringLiteral name;
  /// Invariant of the module after the phase; the phase's last pass checks it.
  llvm::StringLiteral contract;
  void (*build)(mlir::OpPassManager &pm, const PhaseOptions &options);
};

/// In order: graph, kernels, code, plan.
llvm::ArrayRef<Phase> getPhases();

/// Registers --kiln-<name>-pipeline for every phase.
void registerPhasePipelines();

} // namespace kiln

#endif // KILN_PIPELINE_PHASES_H

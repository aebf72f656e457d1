//===- Pipeline.h - The graph passes in their order ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function adds all passes of the graph level, with one struct of options.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PIPELINE_H
#define KILN_TRANSFORMS_GRAPH_PIPELINE_H

#include "kiln/Transforms/Graph/Passes.h"
#include "kiln/Transforms/Graph/StateOptions.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
}

namespace kiln {

/// Options of addGraphPasses; defaults are those of `kiln compile` for one host.
struct GraphOptions {
  /// Columns of a weight panel; 0 leaves weights as they are.
  int64_t panelWidth = 16;
  /// Columns of a panel of 16-bit weights, and how many of them a kernel reads at once.
  int64_t narrowPanelWidth = 16;
  int64_t narrowTileWidth = 16;
  /// Precision of matmuls: f32 keeps that of the model.
  PrecisionPolicy precision;
  /// Whether a target is a GPU, whose tensor cores read f8E4M3FN and quantized weights.
  bool hasGpu = false;
  /// Whether all targets have an MMA instruction with block scales of both operands.
  bool takesScales = false;
  /// Receives the report of the passes of precision; null: there is none.
  PrecisionReport *precisionReport = nullptr;
  /// Receives the inputs of matmuls, which are then observed and not lowered; null: not.
  std::vector<ObservedInput> *observed = nullptr;
  Observation observation;
  /// Names of the package's targets, and which attentions each computes as one kernel.
  std::vector<std::string> targets;
  HoldsAttention holdsAttention;
  StateOptions state;
  /// Number of ranks that divide weights (and rows, as `division` says).
  int64_t ranks = 1;
  Division division = Division::Tensor;
  /// Number of groups of `ranks` ranks that divide the rows of sequences alone.
  int64_t contextRanks = 1;
  bool dividesCaches = false; ///< among these groups, by positions
  /// Number of parts of a sequence's rows whose collectives run beside matmuls.
  int64_t overlap = 1;
  /// Number of micro-batches of a run, for stages of a pipeline.
  int64_t microBatches = 1;
  ShardReport *shardReport = nullptr; ///< null: nowhere
  /// Verify the level between the steps and not only at the end.
  bool verifyEach = false;
};

/// Every graph pass, in the order in which each finds its input.
void addGraphPasses(mlir::OpPassManager &manager, const GraphOptions &options);

#define GEN_PASS_REGISTRATION
#include "kiln/Transforms/Graph/Passes.h.inc"

/// The passes, and `kiln-graph-pipeline`: addGraphPasses under one name.
void registerGraphPipelines();

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PIPELINE_H

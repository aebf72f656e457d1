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

struct GraphOptions {
  /// Columns of a weight panel; 0 leaves weights as they are.
  int64_t panelWidth = 16;
  /// The same for weights of 16 bits, and how many of them a kernel takes at once.
  int64_t narrowPanelWidth = 16;
  int64_t narrowTileWidth = 16;
  /// What products are computed in: f32 leaves what the model says.
  PrecisionPolicy precision;
  /// A target is a GPU, whose tensor cores read weights of f8E4M3FN and codes.
  bool hasGpu = false;
  /// All targets have instructions that take the scales of both operands' blocks.
  bool takesScales = false;
  /// Where its report goes; null: nowhere.
  PrecisionReport *precisionReport = nullptr;
  /// Products say what they multiply, instead of being lowered; null: they do not.
  std::vector<ObservedInput> *observed = nullptr;
  Observation observation;
  /// Of the package, by name, and what they hold.
  std::vector<std::string> targets;
  HoldsAttention holdsAttention;
  StateOptions state;
  /// That divide weights (and rows, as `division` says).
  int64_t ranks = 1;
  Division division = Division::Tensor;
  /// That divide rows of sequences alone; each is as many ranks as divide weights.
  int64_t contextRanks = 1;
  bool dividesCaches = false; ///< among them, by positions
  /// Of the rows of a sequence, so that collectives run beside products; 1: all at once.
  int64_t overlap = 1;
  /// Of a run, which stages of a pipeline compute one behind the other.
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

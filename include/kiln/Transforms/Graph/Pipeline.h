//===- Pipeline.h - The graph pipeline --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds all passes of the graph level.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PIPELINE_H
#define KILN_TRANSFORMS_GRAPH_PIPELINE_H

#include "kiln/Transforms/Graph/Passes.h"
#include "kiln/Transforms/Graph/PhaseOptions.h"

#include <cstdint>

namespace mlir {
class OpPassManager;
}

namespace kiln {

/// Properties of the targets that graph passes depend on. Defaults are for one host.
struct GraphTargets {
  /// Columns of a panel of 16-bit weights, and columns that a kernel reads at once.
  int64_t narrowPanelWidth = 16;
  int64_t narrowTileWidth = 16;
  /// Whether a target is a GPU, whose tensor cores multiply f8E4M3FN and quantized
  /// weights.
  bool hasGpu = false;
  /// Whether all targets have an MMA instruction with block scales of both operands.
  bool takesScales = false;
  /// True if a target computes the attention as one kernel; null: always.
  HoldsAttention holdsAttention;
};

/// Adds every graph pass in the required order.
void addGraphPasses(mlir::OpPassManager &manager, const PhaseOptions &options,
                    const GraphTargets &targets);

#define GEN_PASS_REGISTRATION
#include "kiln/Transforms/Graph/Passes.h.inc"

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PIPELINE_H

//===- Passes.h - Graph passes ----------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what an exporter wrote to what a model means. Each transform is a plain
// function; the pass of the same name (Passes.td, with IR before and after)
// calls it. The functions return how many places they changed.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PASSES_H
#define KILN_TRANSFORMS_GRAPH_PASSES_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <cstdint>
#include <memory>

namespace mlir {
class OpPassManager;
class RewritePatternSet;
} // namespace mlir

namespace kiln {

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// Evaluates ops on constants where every result has at most 1 KiB.
unsigned foldConstants(mlir::func::FuncOp function);
/// The identities of kiln-simplify-graph, in three families.
void populateSimplifyElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyMovementPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyContractionPatterns(mlir::RewritePatternSet &patterns);
/// Erases weights that nothing reads or sets.
unsigned eraseUnusedWeights(mlir::ModuleOp module);
unsigned raiseGelu(mlir::func::FuncOp function);
unsigned raiseLayerNorm(mlir::func::FuncOp function);
unsigned raiseAttention(mlir::func::FuncOp function);
/// Returns the matmuls merged away.
unsigned mergeMatmuls(mlir::func::FuncOp function);
unsigned packWeights(mlir::func::FuncOp function, int64_t width);
unsigned hoistBake(mlir::ModuleOp module);
/// Reports every violation of the graph level.
mlir::LogicalResult verifyGraph(mlir::ModuleOp module);

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

#define GEN_PASS_DECL
#include "kiln/Transforms/Graph/Passes.h.inc"

struct GraphOptions {
  /// Columns of a weight panel; 0 leaves weights as they are.
  int64_t panelWidth = 16;
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

#endif // KILN_TRANSFORMS_GRAPH_PASSES_H

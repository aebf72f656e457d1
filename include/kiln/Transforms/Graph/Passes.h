//===- Passes.h - Graph passes ----------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph passes turn the graph that an exporter wrote into what the model computes. Each
// transform is a plain function that the pass of the same name calls (Passes.td, with IR
// before and after). The functions return the number of changes.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PASSES_H
#define KILN_TRANSFORMS_GRAPH_PASSES_H

#include "dialects/Graph/Graph.h"
#include "kiln/Transforms/Graph/PrecisionPolicy.h"
#include "kiln/Transforms/Graph/PrecisionReport.h"
#include "kiln/Transforms/Graph/Sharding.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace kiln {

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// Evaluates ops on constants whose every result has at most 1 KiB.
unsigned foldConstants(mlir::func::FuncOp function);
/// The identities of kiln-simplify-graph, in five families.
void populateSimplifyElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyMovementPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyContractionPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyEmptyPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyConcatPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyPositionPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyGeneratedPatterns(mlir::RewritePatternSet &patterns);
/// Erases weights without readers and writers.
unsigned eraseUnusedWeights(mlir::ModuleOp module);
unsigned raiseGelu(mlir::func::FuncOp function);
unsigned raiseLayerNorm(mlir::func::FuncOp function);
unsigned raiseRope(mlir::func::FuncOp function);
unsigned raiseAttention(mlir::func::FuncOp function);
/// Returns the number of matmuls merged into others.
unsigned mergeMatmuls(mlir::func::FuncOp function);
/// Returns the number of ops that now move 16-bit weights instead of f32.
unsigned delayWidening(mlir::func::FuncOp function);
/// Merges the two matmuls of a gated unit, the gate and the values it gates, into one
/// whose weight has in each panel half of the columns from the gate and half from the
/// values. Panels have `width` columns, `narrowWidth` for 16-bit weights. Returns the
/// number of merged units.
unsigned mergeGates(mlir::func::FuncOp function, int64_t width, int64_t narrowWidth);
/// Columns per panel of packed weights.
struct PanelWidths {
  int64_t width;      ///< for weights of other element types
  int64_t narrow;     ///< for 16-bit weights whose columns fill such panels
  int64_t narrowTile; ///< for other 16-bit weights
};
unsigned packWeights(mlir::func::FuncOp function, const PanelWidths &widths);
unsigned hoistBake(mlir::ModuleOp module);

/// Lowers matmuls to tf32, bf16 or f16 according to the policy, and reports each. Fails
/// after reporting a rule that matches no matmul.
mlir::FailureOr<PrecisionReport> lowerPrecision(mlir::func::FuncOp main,
                                                const PrecisionPolicy &policy);
/// Quantizes weights of matmuls, with 8-bit activations, and reports like lowerPrecision;
/// fp8 weights have activations of f32, which tensor cores may round to tf32
/// (`float8InTf32`). Activations of f4E2M1FN are stored as 8-bit integers unless MMA
/// instructions take their scales.
mlir::FailureOr<PrecisionReport> quantizeProducts(mlir::func::FuncOp main,
                                                  const PrecisionPolicy &policy,
                                                  bool float8InTf32 = false,
                                                  bool takesScales = false);
/// Records a policy's `calibration` and `ranges` as attributes of the module, which
/// kiln-quantize-products reads. The data stays where it is; a weight is found by its
/// hash.
void recordSamples(mlir::ModuleOp module, const PrecisionPolicy &policy);
/// Sets `calibration` and `ranges` from the module's attributes; other policy fields are
/// not changed.
void readSamples(mlir::ModuleOp module, PrecisionPolicy &policy);
/// Adds results X^T X for the left operands X of matmuls with weights to a function.
/// Returns all of these operands, including those that are not observed.
std::vector<ObservedInput> observeProducts(mlir::func::FuncOp main,
                                           const Observation &observation);
/// Raises matmuls that read quantized weights of the model to graph.scaled_matmul, and
/// reports each.
PrecisionReport raiseScaledProducts(mlir::func::FuncOp main,
                                    const PrecisionPolicy &policy,
                                    bool expandHalves = false);
/// Quantizes caches that only attention reads to format "int8" or "fp8", and reports
/// each.
PrecisionReport quantizeCaches(mlir::func::FuncOp main, llvm::StringRef format);
/// Decomposes the attentions for which `isHeld` is false; returns how many.
unsigned decomposeAttention(mlir::func::FuncOp function,
                            llvm::function_ref<bool(graph::AttentionOp)> isHeld);
/// Divides @main among ranks, by pairs of matmuls, and reports each matmul
/// (dialects/Graph/Reports.h). Fails after reporting KILN-E0209 if no matmul is divided.
mlir::LogicalResult shard(mlir::ModuleOp module, int64_t ranks);
/// Divides rows of sequences among the module's ranks where @main has an all-reduce, and
/// reports each.
void shardSequence(mlir::ModuleOp module);
/// Divides rows of sequences, and optionally positions of caches, among `ranks` ranks
/// that each have all weights, and reports matmuls and attentions. Fails after reporting
/// KILN-E0209 if none of them is divided.
mlir::LogicalResult shardContext(mlir::ModuleOp module, int64_t ranks,
                                 bool dividesCaches);
/// Divides the rows of sequences into `parts` parts, so that the all-reduces of one part
/// overlap with matmuls of another.
void splitRows(mlir::ModuleOp module, int64_t parts);
/// Divides programs into `parts` micro-batches of rows or sequences that pipeline stages
/// process one after the other. Fails after reporting KILN-E0209 if no program can be
/// divided.
mlir::LogicalResult splitMicroBatches(mlir::ModuleOp module, int64_t parts);
/// Reports every violation of the graph level's invariants.
mlir::LogicalResult verifyGraph(mlir::ModuleOp module);

/// Columns that panels of weights may have.
inline constexpr int64_t kMaxPanelWidth = 4096;

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

#define GEN_PASS_DECL
#include "kiln/Transforms/Graph/Passes.h.inc"

/// Create the precision passes with a policy's options.
std::unique_ptr<mlir::Pass> createLowerPrecisionPass(const PrecisionPolicy &policy);
std::unique_ptr<mlir::Pass> createQuantizeProductsPass(const PrecisionPolicy &policy,
                                                       bool float8InTf32 = false,
                                                       bool takesScales = false);
std::unique_ptr<mlir::Pass> createRaiseScaledProductsPass(const PrecisionPolicy &policy,
                                                          bool expandHalves = false);

/// Returns whether code for the named target can compute the attention as one kernel. The
/// pipeline passes code generation's function, so that these passes do not depend on it.
using HoldsAttention = std::function<bool(graph::AttentionOp op, llvm::StringRef target)>;
/// Creates kiln-decompose-attention for these targets; with a null `holds` it decomposes
/// nothing.
std::unique_ptr<mlir::Pass>
createDecomposeAttentionPass(llvm::ArrayRef<std::string> targets, HoldsAttention holds);

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PASSES_H

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

/// Evaluates ops on constants where every result has at most 1 KiB.
unsigned foldConstants(mlir::func::FuncOp function);
/// The identities of kiln-simplify-graph, in five families.
void populateSimplifyElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyMovementPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyContractionPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyEmptyPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyConcatPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyPositionPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyGeneratedPatterns(mlir::RewritePatternSet &patterns);
/// Erases weights that nothing reads or sets.
unsigned eraseUnusedWeights(mlir::ModuleOp module);
unsigned raiseGelu(mlir::func::FuncOp function);
unsigned raiseLayerNorm(mlir::func::FuncOp function);
unsigned raiseRope(mlir::func::FuncOp function);
unsigned raiseAttention(mlir::func::FuncOp function);
/// Returns the matmuls merged away.
unsigned mergeMatmuls(mlir::func::FuncOp function);
/// Returns the ops that move weights of 16 bits now.
unsigned delayWidening(mlir::func::FuncOp function);
/// Merges the two matmuls of a gated unit, the gate and the values it gates, into one
/// whose weight has their columns side by side in halves of panels. Panels have `width`
/// columns, `narrowWidth` for weights of 16 bits. Returns the units merged.
unsigned mergeGates(mlir::func::FuncOp function, int64_t width, int64_t narrowWidth);
/// Columns of panels.
struct PanelWidths {
  int64_t width;      ///< for weights of other types
  int64_t narrow;     ///< for weights of 16 bits whose columns fill such panels
  int64_t narrowTile; ///< for other weights of 16 bits
};
unsigned packWeights(mlir::func::FuncOp function, const PanelWidths &widths);
unsigned hoistBake(mlir::ModuleOp module);

/// Products in tf32, bf16 or f16, where the policy says so; what became of each. An error
/// has been reported where a rule names no product.
mlir::FailureOr<PrecisionReport> lowerPrecision(mlir::func::FuncOp main,
                                                const PrecisionPolicy &policy);
/// Products with weights of few bits and activations of 8, in the same way; fp8 with
/// activations of f32, which tensor cores may round to tf32 or not. Activations of
/// f4E2M1FN are integers of 8 bits unless instructions take their scales.
mlir::FailureOr<PrecisionReport> quantizeProducts(mlir::func::FuncOp main,
                                                  const PrecisionPolicy &policy,
                                                  bool float8InTf32 = false,
                                                  bool takesScales = false);
/// Records what samples say of products, a policy's `calibration` and `ranges`, as
/// attributes of the module, which kiln-quantize-products reads. Bytes stay where they
/// are; a weight is found by its hash.
void recordSamples(mlir::ModuleOp module, const PrecisionPolicy &policy);
/// Sets `calibration` and `ranges` as the module records them; others stay as they are.
void readSamples(mlir::ModuleOp module, PrecisionPolicy &policy);
/// Adds X^T X of what products with weights multiply to the results of a function.
/// Returns all inputs of products, those too that are not observed.
std::vector<ObservedInput> observeProducts(mlir::func::FuncOp main,
                                           const Observation &observation);
/// Products that read codes of a quantized model; what became of each.
PrecisionReport raiseScaledProducts(mlir::func::FuncOp main,
                                    const PrecisionPolicy &policy,
                                    bool expandHalves = false);
/// Caches that only attention reads, in format "int8" or "fp8"; what became of each.
PrecisionReport quantizeCaches(mlir::func::FuncOp main, llvm::StringRef format);
/// Writes out the attentions that are not held; returns how many.
unsigned decomposeAttention(mlir::func::FuncOp function,
                            llvm::function_ref<bool(graph::AttentionOp)> isHeld);
/// Splits @main among ranks, in pairs of products, and records what became of each
/// product (dialects/Graph/Reports.h). KILN-E0209 has been reported where none is split.
mlir::LogicalResult shard(mlir::ModuleOp module, int64_t ranks);
/// Divides rows of sequences among the module's ranks where it says all-reduce, and
/// records what became of each.
void shardSequence(mlir::ModuleOp module);
/// Divides rows of sequences, and positions of caches if that is asked for, among so many
/// ranks, of which each has all weights, and records what became of products and
/// attentions. KILN-E0209 has been reported where none of them is divided.
mlir::LogicalResult shardContext(mlir::ModuleOp module, int64_t ranks,
                                 bool dividesCaches);
/// Writes rows of sequences in so many parts, so that all-reduces of one part can run
/// beside products of another one.
void splitRows(mlir::ModuleOp module, int64_t parts);
/// Writes programs in so many parts of rows or sequences that stages of a pipeline can
/// compute one behind the other. KILN-E0209 has been reported where none can be split.
mlir::LogicalResult splitMicroBatches(mlir::ModuleOp module, int64_t parts);
/// Reports every violation of the graph level.
mlir::LogicalResult verifyGraph(mlir::ModuleOp module);

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

#define GEN_PASS_DECL
#include "kiln/Transforms/Graph/Passes.h.inc"

/// Passes of precision with the options that a policy stands for.
std::unique_ptr<mlir::Pass> createLowerPrecisionPass(const PrecisionPolicy &policy);
std::unique_ptr<mlir::Pass> createQuantizeProductsPass(const PrecisionPolicy &policy,
                                                       bool float8InTf32 = false,
                                                       bool takesScales = false);
std::unique_ptr<mlir::Pass> createRaiseScaledProductsPass(const PrecisionPolicy &policy,
                                                          bool expandHalves = false);

/// True if code for the target, by its name, can compute the attention as one kernel.
/// The pipeline passes code generation's answer, so that these passes do not depend on
/// it.
using HoldsAttention = std::function<bool(graph::AttentionOp op, llvm::StringRef target)>;
/// kiln-decompose-attention for these targets; without `holds` nothing is written out.
std::unique_ptr<mlir::Pass>
createDecomposeAttentionPass(llvm::ArrayRef<std::string> targets, HoldsAttention holds);

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PASSES_H

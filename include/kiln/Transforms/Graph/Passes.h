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
class OpPassManager;
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
void populateSimplifyPositionPatterns(mlir::RewritePatternSet &patterns);
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
/// The same for a gate and what it gates, in halves of panels of so many columns;
/// `narrowWidth` for weights of 16 bits.
unsigned mergeGates(mlir::func::FuncOp function, int64_t width, int64_t narrowWidth);
/// Columns of panels.
struct PanelWidths {
  int64_t width;      ///< for weights of other types
  int64_t narrow;     ///< for weights of 16 bits whose columns fill such panels
  int64_t narrowTile; ///< for other weights of 16 bits
};
unsigned packWeights(mlir::func::FuncOp function, const PanelWidths &widths);
unsigned hoistBake(mlir::ModuleOp module);

/// How a product reads its weight.
struct StoredWeight {
  std::string weight = {};      ///< "int4", "E2M1", "bf16"; empty: as it was
  std::string activations = {}; ///< "int8", "fp8", "f32", "tf32", "bf16"
  std::string scales = {};      ///< "bf16", "E8M0", "E4M3", "f32"; empty: there are none
  int64_t bits = 0;             ///< of a weight without scales
  int64_t block = 0;            ///< steps of K that have a scale; 0: all
  bool hasZeroPoints = false;
};

/// By which factor the cost model says that products become faster on a target
/// (kiln/Target/ProductModel.h): one row, as in a decode step, and 512.
struct PredictedSpeed {
  std::string target;
  double decode = 1, prefill = 1;
};

/// What became of one product, norm, reduction or cache.
struct PrecisionEntry {
  static constexpr llvm::StringLiteral kCache = "cache";
  std::string op;          ///< "matmul", or kCache
  std::string node;        ///< the ONNX node it is from
  std::string was, became; ///< "f32", "bf16"; equal: it was left
  std::string why;
  /// Of the weight, with scales and zero points; 0: it is as it was.
  uint64_t bytesBefore = 0, bytesAfter = 0;
  int64_t k = 0, columns = 0; ///< of the weight; 0: it has none, or no matrix
  StoredWeight stored = {};
  std::optional<ActivationRange> range = {}; ///< of activations with a static scale
  /// The product under whose name the error of the weight's codes is measured if it is
  /// not under `node`: the first that reads this weight. Empty: a model gives the codes,
  /// or there are none.
  std::string measuredAs = {};
  /// Of MatMulNBits: the least accuracy of activations that the model asks for.
  std::optional<int64_t> accuracyLevel = {};
  /// Of MatMulNBits whose weight is expanded: how level 4 would store it, in so many
  /// bytes.
  StoredWeight atLevel4 = {};
  uint64_t bytesAtLevel4 = 0;
  std::vector<PredictedSpeed> predicted = {}; ///< filled when targets are known
  std::vector<PredictedSpeed> predictedAtLevel4 = {};
};
using PrecisionReport = std::vector<PrecisionEntry>;
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
/// Splits @main among ranks, in pairs of products, and writes what became of each product
/// where `report` says (null: nowhere). KILN-E0209 has been reported where none is split.
mlir::LogicalResult shard(mlir::ModuleOp module, int64_t ranks, ShardReport *report);
/// Divides rows of sequences among the module's ranks where it says all-reduce; what
/// became of each goes to `report` (null: nowhere).
void shardSequence(mlir::ModuleOp module, ShardReport *report);
/// Divides rows of sequences, and positions of caches if that is asked for, among so many
/// ranks, of which each has all weights; what became of products and attentions goes to
/// `report` (null: nowhere). KILN-E0209 has been reported where none of them is divided.
mlir::LogicalResult shardContext(mlir::ModuleOp module, int64_t ranks, bool dividesCaches,
                                 ShardReport *report);
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

/// kiln-lower-precision that also writes its report, which must outlive the pass,
/// where `report` says.
std::unique_ptr<mlir::Pass> createLowerPrecisionPass(const PrecisionPolicy &policy,
                                                     PrecisionReport *report);

/// kiln-quantize-products, in the same way.
std::unique_ptr<mlir::Pass> createQuantizeProductsPass(const PrecisionPolicy &policy,
                                                       PrecisionReport *report,
                                                       bool float8InTf32 = false,
                                                       bool takesScales = false);

/// kiln-observe-products that says where its outputs are; null: nowhere.
std::unique_ptr<mlir::Pass>
createObserveProductsPass(const Observation &observation,
                          std::vector<ObservedInput> *observed);
/// kiln-raise-scaled-products, in the same way.
std::unique_ptr<mlir::Pass> createRaiseScaledProductsPass(const PrecisionPolicy &policy,
                                                          PrecisionReport *report,
                                                          bool expandHalves = false);

/// kiln-quantize-caches, in the same way; an empty format leaves caches as they are.
std::unique_ptr<mlir::Pass> createQuantizeCachesPass(llvm::StringRef format,
                                                     PrecisionReport *report);

/// kiln-shard that also writes its report, which must outlive the pass.
std::unique_ptr<mlir::Pass> createShardPass(int64_t ranks, ShardReport *report);
/// The same of kiln-shard-sequence.
std::unique_ptr<mlir::Pass> createShardSequencePass(ShardReport *report);
/// The same of kiln-shard-context.
std::unique_ptr<mlir::Pass> createShardContextPass(int64_t ranks, bool dividesCaches,
                                                   ShardReport *report);

/// True if code for the target, by its name, can compute the attention as one kernel.
/// The pipeline passes code generation's answer, so that these passes do not depend on
/// it.
using HoldsAttention = std::function<bool(graph::AttentionOp op, llvm::StringRef target)>;
/// kiln-decompose-attention for these targets; without `holds` nothing is written out.
std::unique_ptr<mlir::Pass>
createDecomposeAttentionPass(llvm::ArrayRef<std::string> targets, HoldsAttention holds);

/// What becomes of pasts and presents.
struct StateOptions {
  bool enabled = false;
  /// Names of pasts and presents, "past=present"; empty: what is found.
  std::vector<std::string> pairs;
  /// Inputs that stay though they follow from the state, by name.
  std::vector<std::string> keptInputs;
  /// Ranges of the dims that a state has: "rows=1..4", "capacity=1..256".
  std::vector<std::string> dims;
  /// Range of the new positions of @decode, "1..4"; empty: 1 to 16.
  std::string tokens;
};

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

#endif // KILN_TRANSFORMS_GRAPH_PASSES_H

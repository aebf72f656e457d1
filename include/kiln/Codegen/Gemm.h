//===- Gemm.h - Matrix products -----------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels around one graph.matmul: operands reached through views, the right
// one perhaps packed in panels, and any elementwise epilogue.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_GEMM_H
#define KILN_CODEGEN_GEMM_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::codegen {

/// Properties of a GEMM on a target that its config may depend on. Nothing of a request
/// is among them: the same model gives the same order of operations for all dims.
struct GemmProblem {
  /// Columns of an accumulator of multiply-adds are dealt out to threads where the right
  /// operand lies along K, and rows where the left one does as well.
  struct Deal {
    bool columns = false, rows = false;
  };
  /// Extents that are constants; `m` also where the ranges of symbols keep the rows
  /// between one and this many, fewer than an unknown number counts as.
  std::optional<int64_t> m, n, k;
  /// Rows are a constant, or few in all launches that the code is for: a workspace stays
  /// small, and what is right for `m` rows is not wrong for fewer.
  bool allowSplitK = true;
  bool hasConstantRows = true; ///< `m` is no bound
  /// Products beside this one: the extents of batches; an unknown one as a few.
  int64_t batch = 1;
  bool isBatchKnown = true;
  int64_t accumulatorBytes = 4, rhsBytes = 4;
  /// Bytes of both operands' elements, and that tensor cores multiply them.
  int64_t operandBytes = 4;
  bool onTensorCores = false;
  /// The right operand lies in panels of `width` columns.
  bool isPacked = false;
  int64_t width = 16;
  /// So many of which lie side by side in a panel of the packed operand.
  int64_t panelsPerPack = 1;
  /// Steps of K that have one scale, of quantized operands; 0: they are of numbers.
  int64_t scaleBlock = 0;
  int64_t codeBits = 0; ///< of those of the right operand
  /// Both operands are codes: accumulators of a block are integers, and blocks are added in
  /// one order on all targets.
  bool multipliesCodes = false;
  /// Steps of K that have one scale, of a right operand of numbers; 0: it has none.
  int64_t rhsScaleBlock = 0;
  /// An element of the result takes a column of each half of a panel.
  bool hasHalves = false;
  /// Instructions per element of the epilogue, roughly.
  int64_t epilogueCost = 0;
  /// Neighbours of a row that all accesses of the epilogue are aligned for.
  int64_t resultRun = 16;
  /// Operands of one 16-bit float type that tensor copies can bring.
  bool hasTensorOperands = false;
  /// How lanes of a GPU would read the right operand: neighbours that are aligned
  /// for one access (0: nothing is contiguous), and if they are steps of K.
  int64_t rhsVector = 0;
  bool isAlongDepth = false;
  /// Neighbours of the left operand are steps of K.
  bool isLhsAlongDepth = true;
  Deal deal;
  /// Both operands are floats of at most four bytes and sums f32.
  bool sumsInF32 = false;
};

/// Columns of a panel of packed weights, the same for every target so that they
/// share the weights of a package.
int64_t gemmPanelWidth(mlir::Type elementType);

/// Configs for a problem, best first; never empty.
llvm::SmallVector<tile::GemmConfigAttr> rankGemmConfigs(mlir::MLIRContext *context,
                                                        const GemmProblem &problem,
                                                        const TargetInfo &target);

/// Configs for blocks of threads of a GPU, by mma.sync or multiply-adds, best first;
/// empty if no tile fits its shared memory.
llvm::SmallVector<tile::BlockGemmConfigAttr>
rankBlockGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                     const TargetInfo &target);

/// Cycles of the fullest multiprocessor with a config of multiply-adds, by a model that
/// tells apart how often K is shared and what few rows leave idle.
int64_t blockGemmCycles(const GemmProblem &problem, const TargetInfo &target,
                        tile::BlockGemmConfigAttr config);

/// Configs for warpgroups and tensor copies, best first; empty where the target
/// has none of these or the product does not suit them.
llvm::SmallVector<tile::WarpgroupGemmConfigAttr>
rankWarpgroupGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                         const TargetInfo &target);

/// Cost that rankWarpgroupGemmConfigs orders by: waves of tasks times columns and steps
/// of K, and in the same unit what combining splits of K costs. A unit is
/// GpuModel::wgmmaColumnCycles.
int64_t warpgroupGemmCost(const GemmProblem &problem, const TargetInfo &target,
                          tile::WarpgroupGemmConfigAttr config);

/// Configs for the few rows that multiply-adds take while the right operand
/// streams by, best first; empty where there are more rows or nothing is contiguous.
llvm::SmallVector<tile::GemvConfigAttr> rankGemvConfigs(mlir::MLIRContext *context,
                                                        const GemmProblem &problem,
                                                        const TargetInfo &target);

/// Cost that rankGemvConfigs orders by: cycles of the fullest multiprocessor, by the
/// model that times tiles of tensor cores.
int64_t gemvCycles(const GemmProblem &problem, const TargetInfo &target,
                   tile::GemvConfigAttr config);

/// True if tiles of tensor cores may be faster than what rankGemvConfigs lists.
bool competesWithTiles(const GemmProblem &problem);

/// The config of a product of few rows, unless tensor cores are faster; null: none.
tile::GemvConfigAttr chooseGemvConfig(mlir::MLIRContext *context,
                                      const GemmProblem &problem,
                                      const TargetInfo &target);

/// Returns the config that a GPU's code for a problem is emitted from: the best for
/// warpgroups, else for GEMV, else for blocks of threads, by the rules and models that
/// select between them; null if none fits the target.
mlir::Attribute chooseGpuConfig(mlir::MLIRContext *context, const GemmProblem &problem,
                                const TargetInfo &target);

/// Cost that the list of a config's kind is ordered by: warpgroupGemmCost for warpgroups,
/// cycles of the fullest multiprocessor for others.
int64_t gpuConfigCost(const GemmProblem &problem, const TargetInfo &target,
                      mlir::Attribute config);

/// Estimated nanoseconds of a problem with a config, which compares configs of all kinds.
double gpuConfigTime(const GemmProblem &problem, const TargetInfo &target,
                     mlir::Attribute config);

/// Why a config cannot be emitted for a problem; nullopt: it can.
std::optional<Diagnosis> checkGemmConfig(const GemmProblem &problem,
                                         const TargetInfo &target,
                                         mlir::Attribute config);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_GEMM_H

//===- Gemm.h - GEMM kernels ------------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels around one graph.matmul: operands are accessed through views, the right one may
// be packed in panels, and any elementwise epilogue follows.
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

/// Properties of a GEMM on a target that its config may depend on. They do not include
/// the dims of a single run: a model sums in the same order for all dims.
struct GemmProblem {
  /// Cyclic distribution of the accumulator to threads, where FMA computes it: of columns
  /// if the right operand is contiguous along K, and of rows if the left one is as well.
  struct Deal {
    bool columns = false, rows = false;
  };
  /// Extents that are constants. `m` is also set to the upper bound of the number of
  /// rows, if that is smaller than the default for an unknown number.
  std::optional<int64_t> m, n, k;
  /// Split-K is allowed: M is constant or has a small upper bound, so that its workspace
  /// is small and a config chosen for the bound also suits fewer rows.
  bool allowSplitK = true;
  bool hasConstantRows = true; ///< `m` is exact, not a bound
  /// Number of GEMMs in the batch; a small default if it is unknown.
  int64_t batch = 1;
  bool isBatchKnown = true;
  int64_t accumulatorBytes = 4, rhsBytes = 4;
  /// Size of the elements of both operands, and whether tensor cores multiply them.
  int64_t operandBytes = 4;
  bool onTensorCores = false;
  /// The dot product by which a CPU multiplies operands of bf16; nullopt: FMAs of f32.
  std::optional<tile::DotProduct> dot;
  /// The right operand is packed in panels of `width` columns.
  bool isPacked = false;
  int64_t width = 16;
  /// Number of such panels that one panel of the packed operand contains.
  int64_t panelsPerPack = 1;
  /// Block size along K of the scales of quantized operands; 0 if they are not quantized.
  int64_t scaleBlock = 0;
  int64_t codeBits = 0; ///< bits per quantized element of the right operand
  /// Both operands are quantized: a block is accumulated in integers, and blocks are
  /// added in the same order on all targets.
  bool multipliesCodes = false;
  /// Block size along K of the scales of a right operand of floats; 0 without scales.
  int64_t rhsScaleBlock = 0;
  /// Each element of the result combines one column of each half of a panel.
  bool hasHalves = false;
  /// Estimated instructions per element of the epilogue.
  int64_t epilogueCost = 0;
  /// Contiguous elements of a row that all accesses of the epilogue are aligned for.
  int64_t resultRun = 16;
  /// Both operands have one 16-bit float type and a layout that TMA can copy.
  bool hasTensorOperands = false;
  /// Vector width of reads of the right operand by a GPU lane (0: not contiguous), and
  /// whether they are contiguous along K.
  int64_t rhsVector = 0;
  bool isAlongDepth = false;
  /// Whether the left operand is contiguous along K.
  bool isLhsAlongDepth = true;
  Deal deal;
  /// Both operands are floats of at most 4 bytes, and the accumulator is f32.
  bool sumsInF32 = false;
};

/// Returns the columns per panel of packed weights, the same for all targets, as these
/// use the same weights of a package.
int64_t gemmPanelWidth(mlir::Type elementType);

/// Returns configs for a problem, best first; never empty.
llvm::SmallVector<tile::GemmConfigAttr> rankGemmConfigs(mlir::MLIRContext *context,
                                                        const GemmProblem &problem,
                                                        const TargetInfo &target);

/// Returns configs for GPU blocks with mma.sync or FMA, best first; empty if no tile fits
/// into shared memory.
llvm::SmallVector<tile::BlockGemmConfigAttr>
rankBlockGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                     const TargetInfo &target);

/// Estimated cycles of the busiest multiprocessor with a config for FMA. The model
/// accounts for split-K and for threads that are idle if there are few rows.
int64_t blockGemmCycles(const GemmProblem &problem, const TargetInfo &target,
                        tile::BlockGemmConfigAttr config);

/// Returns configs with wgmma and TMA, best first; empty on targets without them and for
/// GEMMs that they do not support.
llvm::SmallVector<tile::WarpgroupGemmConfigAttr>
rankWarpgroupGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                         const TargetInfo &target);

/// Cost that orders rankWarpgroupGemmConfigs: waves of tasks times columns and K, plus
/// the cost of combining splits of K in the same unit, GpuModel::wgmmaColumnCycles.
int64_t warpgroupGemmCost(const GemmProblem &problem, const TargetInfo &target,
                          tile::WarpgroupGemmConfigAttr config);

/// Returns GEMV configs, in which FMA multiplies a few rows while the right operand is
/// streamed, best first; empty if there are more rows or the operand is not contiguous.
llvm::SmallVector<tile::GemvConfigAttr> rankGemvConfigs(mlir::MLIRContext *context,
                                                        const GemmProblem &problem,
                                                        const TargetInfo &target);

/// Cost that orders rankGemvConfigs: estimated cycles of the busiest multiprocessor,
/// comparable with those of tiles of tensor cores.
int64_t gemvCycles(const GemmProblem &problem, const TargetInfo &target,
                   tile::GemvConfigAttr config);

/// True if tensor cores may be faster than the configs of rankGemvConfigs.
bool competesWithTiles(const GemmProblem &problem);

/// Returns the GEMV config of a problem unless tensor cores are faster; null if there is
/// none.
tile::GemvConfigAttr chooseGemvConfig(mlir::MLIRContext *context,
                                      const GemmProblem &problem,
                                      const TargetInfo &target);

/// Returns the config from which GPU code for a problem is emitted: by rules and models,
/// the best for wgmma, else for GEMV, else for mma.sync or FMA; null if none fits the
/// target.
mlir::Attribute chooseGpuConfig(mlir::MLIRContext *context, const GemmProblem &problem,
                                const TargetInfo &target);

/// Cost that orders configs of this kind: warpgroupGemmCost for wgmma, cycles of the
/// busiest multiprocessor for others.
int64_t gpuConfigCost(const GemmProblem &problem, const TargetInfo &target,
                      mlir::Attribute config);

/// Estimated nanoseconds of a problem with a config, comparable between all kinds of
/// configs.
double gpuConfigTime(const GemmProblem &problem, const TargetInfo &target,
                     mlir::Attribute config);

/// Returns why a config cannot be emitted for a problem; nullopt if it can.
std::optional<Diagnosis> checkGemmConfig(const GemmProblem &problem,
                                         const TargetInfo &target,
                                         mlir::Attribute config);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_GEMM_H

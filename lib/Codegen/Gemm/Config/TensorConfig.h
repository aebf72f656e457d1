//===- TensorConfig.h - Configs of GEMMs on tensor cores --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_CONFIG_TENSORCONFIG_H
#define KILN_LIB_CODEGEN_GEMM_CONFIG_TENSORCONFIG_H

#include "kiln/Codegen/Gemm.h"
#include "lib/Codegen/ConfigCheck.h"

namespace kiln::codegen {

inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Return the padding between rows of an epilogue tile of `columns`, in elements of four
/// bytes, which puts the elements that a warp stores at once in different banks. On
/// tensor cores each quarter of a warp stores 2 columns of 8 rows. With multiply-adds
/// each half of a warp stores 16 columns of two rows or, if columns are distributed, the
/// warp stores 8 columns of four rows; these rows are rows / 16 apart, or adjacent if
/// rows are distributed.
int64_t tensorEpiloguePadding();
int64_t epiloguePadding(int64_t rows, int64_t columns, GemmProblem::Deal deal);

/// Returns a thread's instructions to widen one byte of the right operand to f32; 0 if
/// its elements are not bytes.
int64_t widenInstructions(const GemmProblem &problem, const GpuInfo &gpu);

/// Returns the threads that finish a row of `columns` in the epilogue. Each has as many
/// contiguous elements as all accesses allow, so that the threads read all banks and
/// write full sectors even if few accesses are aligned.
int64_t epilogueTeam(const GemmProblem &problem, int64_t columns, const GpuInfo &gpu);

/// Returns the columns per panel of an unpacked right operand for tensor cores: a cache
/// line, or the next power of two if there are fewer columns.
int64_t tensorPanelWidth(std::optional<int64_t> columns, int64_t operandBytes);

/// Returns configs for a problem that tensor cores support, the one with the shortest
/// estimated time first; empty if no tile fits the target.
llvm::SmallVector<tile::BlockGemmConfigAttr>
rankTensorGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                      const TargetInfo &target);

/// Returns the estimated cycles of the busiest multiprocessor, the sort key of
/// rankTensorGemmConfigs.
int64_t tensorGemmCycles(const GemmProblem &problem, const TargetInfo &target,
                         tile::BlockGemmConfigAttr config);

//===----------------------------------------------------------------------===//
// Checks of configs that users give: the resources that they need, by the models, and
// whether the emitters support them. Values must be positive, and every warp must have
// columns.
//===----------------------------------------------------------------------===//

BlockResources tensorGemmResources(const GemmProblem &problem, const TargetInfo &target,
                                   tile::BlockGemmConfigAttr config);
bool isTensorGemmTile(const GemmProblem &problem, const TargetInfo &target,
                      tile::BlockGemmConfigAttr config);

BlockResources blockGemmResources(const GemmProblem &problem,
                                  tile::BlockGemmConfigAttr config);
bool isBlockGemmTile(const GemmProblem &problem, const TargetInfo &target,
                     tile::BlockGemmConfigAttr config);

/// Returns true if the config's cluster size is valid and divides its panels.
bool isWarpgroupCluster(tile::WarpgroupGemmConfigAttr config);

BlockResources warpgroupGemmResources(const GemmProblem &problem,
                                      const TargetInfo &target,
                                      tile::WarpgroupGemmConfigAttr config);
/// Returns true if the config's tail_blocks can split the last wave.
bool isStreamKTail(const GemmProblem &problem, const TargetInfo &target,
                   tile::WarpgroupGemmConfigAttr config);
bool isWarpgroupGemmTile(const GemmProblem &problem, const TargetInfo &target,
                         tile::WarpgroupGemmConfigAttr config);

BlockResources gemvResources(const GemmProblem &problem, const TargetInfo &target,
                             tile::GemvConfigAttr config);
bool isGemvTile(const GemmProblem &problem, const TargetInfo &target,
                tile::GemvConfigAttr config);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_CONFIG_TENSORCONFIG_H

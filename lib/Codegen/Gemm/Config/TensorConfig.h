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

/// Elements of four bytes that rows of an epilogue tile lie apart beyond their
/// `columns`, so that what a warp stores at a time meets in different banks. Tensor
/// cores leave 2 columns of 8 rows to each quarter of a warp. Multiply-adds leave 16
/// columns of two rows to each half, or 8 columns, distributed, of four rows to the warp;
/// rows lie `rows` over 16 rows of the tile apart, or none where they are distributed.
int64_t tensorEpiloguePadding();
int64_t epiloguePadding(int64_t rows, int64_t columns, GemmProblem::Deal deal);

/// Instructions of a thread to widen one byte of the right operand to f32; 0: its
/// elements are no bytes.
int64_t widenInstructions(const GemmProblem &problem, const GpuInfo &gpu);

/// Threads that finish a row of `columns` in the epilogue: each has as many contiguous
/// elements as all accesses allow, so that they read whole rounds of banks and write
/// whole sectors also where few are aligned.
int64_t epilogueTeam(const GemmProblem &problem, int64_t columns, const GpuInfo &gpu);

/// Columns of a panel of a right operand that is not packed, for tensor cores: a
/// line of memory, or the next power of two where there are fewer.
int64_t tensorPanelWidth(std::optional<int64_t> columns, int64_t operandBytes);

/// Configs for a problem that tensor cores take, the one of the shortest
/// estimated time first; empty if no tile fits the target.
llvm::SmallVector<tile::BlockGemmConfigAttr>
rankTensorGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                      const TargetInfo &target);

/// Estimated cycles of the fullest multiprocessor, which rankTensorGemmConfigs orders by.
int64_t tensorGemmCycles(const GemmProblem &problem, const TargetInfo &target,
                         tile::BlockGemmConfigAttr config);

//===----------------------------------------------------------------------===//
// Configs given from outside: what they take, by the models, and whether the emitters
// have code for them. Values are positive, and a warp has its columns.
//===----------------------------------------------------------------------===//

BlockResources tensorGemmResources(const GemmProblem &problem, const TargetInfo &target,
                                   tile::BlockGemmConfigAttr config);
bool isTensorGemmTile(const GemmProblem &problem, const TargetInfo &target,
                      tile::BlockGemmConfigAttr config);

BlockResources blockGemmResources(const GemmProblem &problem,
                                  tile::BlockGemmConfigAttr config);
bool isBlockGemmTile(const GemmProblem &problem, const TargetInfo &target,
                     tile::BlockGemmConfigAttr config);

/// True if clusters are of a number of blocks that can divide the panels.
bool isWarpgroupCluster(tile::WarpgroupGemmConfigAttr config);

BlockResources warpgroupGemmResources(const GemmProblem &problem,
                                      const TargetInfo &target,
                                      tile::WarpgroupGemmConfigAttr config);
/// True if its tail_blocks can cut the last wave.
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

//===- ScaledConfig.h - GPU configs of quantized GEMMs ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp computes one panel, or several warps of a block split the K of one: a
// block_gemm_config has threads / panels / 32 warps per panel. A loop step processes
// `block_k` steps of K, and nothing is staged. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_CONFIG_SCALEDCONFIG_H
#define KILN_LIB_CODEGEN_GEMM_CONFIG_SCALEDCONFIG_H

#include "kiln/Codegen/Gemm.h"
#include "lib/Codegen/ConfigCheck.h"

namespace kiln::codegen {

/// Threads per panel.
inline constexpr int64_t kScaledWarp = 32;
/// Bytes of quantized weights that a block prefetches per panel before any other read.
inline constexpr int64_t kScaledPrefetch = 16384;

/// Returns the number of warps that split K of a panel. GEMMs of quantized activations
/// have one, which adds blocks of K in the host's order, so that results are bitwise
/// equal.
int64_t scaledSplit(tile::BlockGemmConfigAttr config);

/// Returns the padding between rows of an epilogue tile, in elements: each quarter of a
/// warp stores 16 columns of two rows to different banks.
int64_t scaledEpiloguePadding(int64_t panels);

/// Returns every config for a GEMM of quantized operands, the one with the shortest
/// estimated time first.
llvm::SmallVector<tile::BlockGemmConfigAttr>
rankScaledGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                      const TargetInfo &target);

/// Returns the estimated cycles of the busiest multiprocessor, the sort key of
/// rankScaledGemmConfigs.
int64_t scaledGemmCycles(const GemmProblem &problem, const TargetInfo &target,
                         tile::BlockGemmConfigAttr config);

BlockResources scaledGemmResources(const GemmProblem &problem,
                                   tile::BlockGemmConfigAttr config);

/// Returns true if the host has AMX tile registers and the quantized values are packed in
/// blocks for them.
bool hasTileRegisters(const GemmProblem &problem, const TargetInfo &target);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_CONFIG_SCALEDCONFIG_H

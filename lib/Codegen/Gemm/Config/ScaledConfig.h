//===- ScaledConfig.h - Configs of products of codes on GPUs ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp has a panel, or several warps of a block split the steps of K of one: as many as
// `threads` of a block_gemm_config has for each of its `panels`. A step of the loop takes
// as many steps of K as it says, and nothing is staged. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_CONFIG_SCALEDCONFIG_H
#define KILN_LIB_CODEGEN_GEMM_CONFIG_SCALEDCONFIG_H

#include "kiln/Codegen/Gemm.h"
#include "lib/Codegen/ConfigCheck.h"

namespace kiln::codegen {

/// Threads that have a panel.
inline constexpr int64_t kScaledWarp = 32;
/// Bytes of the codes of a panel that a block prefetches before it reads anything else.
inline constexpr int64_t kScaledPrefetch = 16384;

/// Warps among which the steps of K of a panel are split. Products of codes have one,
/// which adds blocks in the order, and so the bits, of the host's.
int64_t scaledSplit(tile::BlockGemmConfigAttr config);

/// Elements that rows of an epilogue tile of so many panels lie apart beyond its columns:
/// each quarter of a warp stores 16 columns of two rows.
int64_t scaledEpiloguePadding(int64_t panels);

/// Every config for a product of codes, the one of the shortest estimated time first.
llvm::SmallVector<tile::BlockGemmConfigAttr>
rankScaledGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                      const TargetInfo &target);

/// Estimated cycles of the fullest multiprocessor, which rankScaledGemmConfigs orders by.
int64_t scaledGemmCycles(const GemmProblem &problem, const TargetInfo &target,
                         tile::BlockGemmConfigAttr config);

BlockResources scaledGemmResources(const GemmProblem &problem,
                                   tile::BlockGemmConfigAttr config);

/// True if a host has registers for tiles of bytes (AMX), and codes lie in blocks that
/// they multiply.
bool hasTileRegisters(const GemmProblem &problem, const TargetInfo &target);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_CONFIG_SCALEDCONFIG_H

//===- TensorConfig.h - Configs of products on tensor cores -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_TENSORCONFIG_H
#define KILN_LIB_CODEGEN_GEMM_TENSORCONFIG_H

#include "kiln/Codegen/Gemm.h"

namespace kiln::codegen {

/// Elements that rows of a block's strip lie apart beyond their length. Tensor
/// cores leave 2 columns of 8 rows to each quarter of a warp, which so meet in
/// different banks; multiply-adds leave 16 columns of two rows to each half, which lie
/// `rows` over 16 rows of the strip apart.
int64_t stripPadding(bool onTensorCores, int64_t rows);

/// Columns of a panel of a right operand that is not packed, for tensor cores: a
/// line of memory, or the next power of two where there are fewer.
int64_t tensorPanelWidth(std::optional<int64_t> columns, int64_t operandBytes);

/// Configs for a problem that tensor cores take, the one of least estimated time
/// first; empty if no tile fits the target.
llvm::SmallVector<tile::BlockGemmConfigAttr>
rankTensorGemmConfigs(mlir::MLIRContext *context, const GemmProblem &problem,
                      const TargetInfo &target);

/// What these are ordered by: cycles of the fullest multiprocessor.
int64_t tensorGemmCycles(const GemmProblem &problem, const TargetInfo &target,
                         tile::BlockGemmConfigAttr config);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_TENSORCONFIG_H

//===- ColumnHalves.h - Two GEMMs with interleaved columns ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate and the gated projection of an MLP are columns of one GEMM: each panel has a
// block of columns of one, then the same block of the other (kiln-merge-gates), so that
// the epilogue has both at hand. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_COLUMNHALVES_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_COLUMNHALVES_H

#include "dialects/Graph/Graph.h"

namespace kiln::codegen {

/// A result [..., 2N], seen as [..., N / block, 2, block], and its two halves of [...,
/// N].
struct ColumnHalves {
  mlir::Value first, second;
  int64_t block = 0;
};

/// Returns nullopt if the result has any other use.
std::optional<ColumnHalves> columnHalvesOf(mlir::Value product);
/// Returns true if `value` is a half of the result of `hero`.
bool isColumnHalf(mlir::Value value, mlir::Operation *hero);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_COLUMNHALVES_H

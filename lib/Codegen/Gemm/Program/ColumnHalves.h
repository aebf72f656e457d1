//===- ColumnHalves.h - Two products in the panels of one -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gate and what it gates are columns of one product: each panel has a block of columns
// of the one in front of the same block of the other (kiln-merge-gates), so that an
// epilogue has both at hand. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_COLUMNHALVES_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_COLUMNHALVES_H

#include "dialects/Graph/Graph.h"

namespace kiln::codegen {

/// The product [..., 2N] as [..., N / block, 2, block], each half [..., N].
struct ColumnHalves {
  mlir::Value first, second;
  int64_t block = 0;
};

/// Nullopt if the product is read in another way.
std::optional<ColumnHalves> columnHalvesOf(mlir::Value product);
/// Whether `value` is a half of the product `hero`.
bool isColumnHalf(mlir::Value value, mlir::Operation *hero);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_COLUMNHALVES_H

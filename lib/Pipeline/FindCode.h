//===- FindCode.h - The tile program of a graph kernel ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_FINDCODE_H
#define KILN_PIPELINE_FINDCODE_H

#include "dialects/Tile/Tile.h"
#include "kiln/Codegen/KernelAnalyses.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Transforms/Fusion/Passes.h"

namespace kiln {

/// Converts an affine map of a tile.kernel to an expression over its named symbols.
graph::SymbolicExpr toSymbolic(tile::KernelOp kernel, mlir::AffineMap map);

/// Returns grids and scratch of the kernel that `kernel.code` names, one per target
/// module.
mlir::FailureOr<KernelCode> findCode(graph::KernelOp kernel);

/// Returns code generation's functions for fusion, with a cache of analyses.
KernelCodegen getKernelCodegen(
    codegen::SharedAnalyses analyses = std::make_shared<codegen::KernelAnalyses>());

} // namespace kiln

#endif // KILN_PIPELINE_FINDCODE_H

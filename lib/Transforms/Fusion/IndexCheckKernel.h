//===- IndexCheckKernel.h - A kernel that checks indices --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Fusion.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_INDEXCHECKKERNEL_H
#define KILN_TRANSFORMS_FUSION_INDEXCHECKKERNEL_H

#include "dialects/Graph/IndexRows.h"
#include "dialects/Graph/SymbolBounds.h"
#include "llvm/ADT/SetVector.h"

namespace kiln {

/// Indices of which each is to lie in [-rows, rows).
struct IndexCheckPart {
  mlir::Value index; ///< in a kernel, or an argument of @main
  graph::SymbolicExpr rows;
  mlir::Location node;        ///< that takes the rows
  mlir::DictionaryAttr input; ///< the entry of graph.rows; null if it is computed
};

/// Returns the values of @main that a kernel reads which computes `index` for itself.
llvm::SetVector<mlir::Value> findCheckInputs(mlir::Value index);

/// Whether there may be so many indices that a check is worth two kernels: the first of
/// one task per row of them. Such a part is checked alone.
bool isLargeCheck(const IndexCheckPart &part, const graph::SymbolRanges &symbols);

struct IndexCheckKernels {
  llvm::SmallVector<graph::KernelOp, 2> kernels; ///< in order; the last has the result
  mlir::DictionaryAttr description;              ///< graph.check
};

/// Kernels the last of which says where the first index out of range is, and its value.
IndexCheckKernels buildIndexCheck(mlir::OpBuilder &builder,
                                  llvm::ArrayRef<IndexCheckPart> parts,
                                  const graph::SymbolRanges &symbols);

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_INDEXCHECKKERNEL_H

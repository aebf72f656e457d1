//===- IndexCheckKernel.h - Kernels that check indices ----------*- C++ -*-===//
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

/// Indices that must each be in [-rows, rows).
struct IndexCheckPart {
  mlir::Value index; ///< a value in a kernel, or an argument of @main
  graph::SymbolicExpr rows;
  mlir::Location node;        ///< the node that gathers or scatters
  mlir::DictionaryAttr input; ///< entry of graph.rows; null if the indices are computed
};

/// Returns the values of @main that a kernel that recomputes `index` would read.
llvm::SetVector<mlir::Value> findCheckInputs(mlir::Value index);

/// Whether there may be so many indices that the check is divided into two kernels, the
/// first with one task per row of indices. Such a part is checked separately.
bool isLargeCheck(const IndexCheckPart &part, const graph::SymbolRanges &symbols);

struct IndexCheckKernels {
  llvm::SmallVector<graph::KernelOp, 2> kernels; ///< in order; the last has the result
  mlir::DictionaryAttr description;              ///< graph.check
};

/// Builds kernels that compute the position and value of the first index out of range.
IndexCheckKernels buildIndexCheck(mlir::OpBuilder &builder,
                                  llvm::ArrayRef<IndexCheckPart> parts,
                                  const graph::SymbolRanges &symbols);

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_INDEXCHECKKERNEL_H

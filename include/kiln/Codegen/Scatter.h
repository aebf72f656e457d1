//===- Scatter.h - Scatter kernels ------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels around one graph.scatter: operands are accessed through views.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_SCATTER_H
#define KILN_CODEGEN_SCATTER_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::codegen {

/// Properties of a scatter that its config depends on.
struct ScatterProblem {
  /// Columns of data and updates; nullopt if known only at run time.
  std::optional<int64_t> columns;
  /// Size of an element of the data in memory.
  int64_t elementBytes = 4;
};

ScatterProblem scatterProblem(graph::KernelOp kernel);

/// Returns configs for a problem, best first; never empty.
llvm::SmallVector<tile::ScatterConfigAttr>
rankScatterConfigs(mlir::MLIRContext *context, const ScatterProblem &problem,
                   const TargetInfo &target);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_SCATTER_H

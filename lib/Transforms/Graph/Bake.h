//===- Bake.h - The function that computes weights --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Graph.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_GRAPH_BAKE_H
#define KILN_LIB_TRANSFORMS_GRAPH_BAKE_H

#include "dialects/Graph/Graph.h"

namespace kiln::graph {

/// @bake, which is made where there is none.
mlir::func::FuncOp getOrCreateBake(mlir::SymbolTable &symbols);
/// A weight without a file, behind the others; another name where this one is taken.
WeightOp createWeight(mlir::SymbolTable &symbols, mlir::Location loc,
                      const llvm::Twine &name, mlir::Type type);
/// The name of the first weight that the ops of a value read, to name others after;
/// "constant" if there is none.
llvm::StringRef weightNameOf(llvm::ArrayRef<mlir::Operation *> tree);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_GRAPH_BAKE_H

//===- SubstituteSymbols.h - Symbols become expressions ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/State.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_STATE_SUBSTITUTESYMBOLS_H
#define KILN_LIB_TRANSFORMS_STATE_SUBSTITUTESYMBOLS_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace kiln::graph {

using SymbolMap = llvm::DenseMap<mlir::StringAttr, SymbolicExpr>;

/// Replaces symbols in every type and attribute of a function.
void substituteSymbols(mlir::func::FuncOp function, const SymbolMap &map);
/// Erases graph.symbol ops of symbols that no function mentions.
void eraseUnusedSymbols(mlir::ModuleOp module);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_SUBSTITUTESYMBOLS_H

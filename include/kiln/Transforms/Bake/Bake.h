//===- Bake.h - The function that computes weights --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_BAKE_BAKE_H
#define KILN_TRANSFORMS_BAKE_BAKE_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace kiln::graph {

/// @bake, which is made where there is none.
mlir::func::FuncOp getOrCreateBake(mlir::SymbolTable &symbols);
/// A weight without a file, behind the others; another name where this one is taken.
WeightOp createWeight(mlir::SymbolTable &symbols, mlir::Location loc,
                      const llvm::Twine &name, mlir::Type type);
/// The name of the first weight that the ops of a value read, to name others after;
/// "constant" if there is none.
llvm::StringRef weightNameOf(llvm::ArrayRef<mlir::Operation *> tree);

/// Copies values that are known at compile time from a function to @bake, each op once.
class BakeCopier {
public:
  explicit BakeCopier(mlir::ModuleOp module) : symbols(module) {}
  /// The value in @bake, and a builder behind it.
  mlir::Value copy(mlir::Value value);
  mlir::OpBuilder builder();
  /// A weight that @bake sets to one of its values.
  WeightOp set(mlir::Value made, const llvm::Twine &name);
  mlir::SymbolTable &getSymbols() { return symbols; }

private:
  mlir::SymbolTable symbols;
  mlir::IRMapping copied;
};

/// This rank's part, along the axis, of a weight that is whole; read in front of the
/// builder. The ranks that divide it are `stride` apart.
mlir::Value readPart(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::SymbolTable &symbols, WeightOp whole, int64_t axis,
                     int64_t length, int64_t stride = 1);

} // namespace kiln::graph

#endif // KILN_TRANSFORMS_BAKE_BAKE_H

//===- Bake.h - The function @bake ------------------------------*- C++ -*-===//
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

/// Returns @bake, and creates it if it does not exist.
mlir::func::FuncOp getOrCreateBake(mlir::SymbolTable &symbols);
/// Creates a weight without a file after the others; the name is made unique.
WeightOp createWeight(mlir::SymbolTable &symbols, mlir::Location loc,
                      const llvm::Twine &name, mlir::Type type);
/// Returns the name of the first weight that the ops of a value read, to derive other
/// names from; "constant" if there is none.
llvm::StringRef weightNameOf(llvm::ArrayRef<mlir::Operation *> tree);

/// Copies values that are known at compile time from a function to @bake, each op once.
class BakeCopier {
public:
  explicit BakeCopier(mlir::ModuleOp module) : symbols(module) {}
  /// Returns the value in @bake, and a builder at its end.
  mlir::Value copy(mlir::Value value);
  mlir::OpBuilder builder();
  /// Creates a weight that @bake sets to one of its values.
  WeightOp set(mlir::Value made, const llvm::Twine &name);
  mlir::SymbolTable &getSymbols() { return symbols; }

private:
  mlir::SymbolTable symbols;
  mlir::IRMapping copied;
};

/// Reads this rank's part of a weight, along the axis, at the builder's insertion point.
/// The ranks that divide the weight are `stride` apart.
mlir::Value readPart(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::SymbolTable &symbols, WeightOp whole, int64_t axis,
                     int64_t length, int64_t stride = 1);

} // namespace kiln::graph

#endif // KILN_TRANSFORMS_BAKE_BAKE_H

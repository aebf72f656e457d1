//===- VerifyPrograms.h - Promises of graphs at every level -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ANALYSIS_VERIFYPROGRAMS_H
#define KILN_ANALYSIS_VERIFYPROGRAMS_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/SymbolBounds.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln::graph {

/// Checks types of values: tensors of numbers that a model can have, with dims over
/// declared symbols, whose bytes are bounded. Reports each wrong one at the op that has
/// it: KILN-E0113, KILN-E0114, KILN-E0115, KILN-E0202.
class ValueTypes {
public:
  explicit ValueTypes(mlir::ModuleOp module);
  /// Checks the type of a value that the message calls `what`, as in "argument 0 of
  /// @main".
  mlir::LogicalResult check(mlir::Operation *op, mlir::Type type,
                            const llvm::Twine &what);
  mlir::LogicalResult check(mlir::Operation *op, ShapeAttr shape);
  /// Checks the arguments and results of a function.
  mlir::LogicalResult check(mlir::FunctionOpInterface function);

private:
  mlir::LogicalResult checkTensor(mlir::Operation *op, mlir::RankedTensorType type,
                                  const llvm::Twine &what);

  SymbolRanges ranges;
  llvm::DenseSet<mlir::StringAttr> declared;
  llvm::DenseSet<mlir::Type> valid;
};

/// Checks the types of a function's arguments, results and values. Reports each wrong one
/// with a code of ValueTypes.
mlir::LogicalResult verifyValues(mlir::func::FuncOp function);
/// Checks them in all functions of a module.
mlir::LogicalResult verifyValues(mlir::ModuleOp module);

/// Checks what holds of a module at every level of the graph: it has a program, each
/// function has one block, and all values in it have valid types. Reports each violation;
/// KILN-E0200 or a code of ValueTypes.
mlir::LogicalResult verifyPrograms(mlir::ModuleOp module);

} // namespace kiln::graph

#endif // KILN_ANALYSIS_VERIFYPROGRAMS_H

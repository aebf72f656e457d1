//===- IndexMath.h - Index expressions of fused bodies ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index into a tensor is a SymbolicExpr over the symbols of the model, over
// loop variables ("%0": one per dim of the iteration space) and over data
// variables ("$0": the value of an index tensor). The variables and their
// extents are kept here, so that reshapes simplify: with v < 64, the quotient
// (64 * u + v) floordiv 64 is u. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_INDEXMATH_H
#define KILN_CODEGEN_EXPRESSION_INDEXMATH_H

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/MapVector.h"

#include <utility>

namespace kiln::codegen {

using graph::Dims;
using graph::SymbolicExpr;
using Indices = llvm::SmallVector<SymbolicExpr>;

/// True for loop and data variables, false for symbols of the model.
bool isVariable(mlir::StringAttr name);
/// True if `name` occurs anywhere in `expr`.
bool mentions(const SymbolicExpr &expr, mlir::StringAttr name);
/// Returns the factor of `name` in a sum, 0 where it does not occur; nullopt if it occurs
/// inside a floordiv or mod, or more than once in a term.
std::optional<SymbolicExpr> coefficientOf(const SymbolicExpr &expr,
                                          mlir::StringAttr name);
/// A quotient or remainder of `name` in the expression: its divisor, if that is
/// free of variables.
std::optional<SymbolicExpr> findDivisor(const SymbolicExpr &expr, mlir::StringAttr name);
/// `expr` with `name` replaced.
SymbolicExpr replace(const SymbolicExpr &expr, mlir::StringAttr name,
                     const SymbolicExpr &by);

/// The variables of one kernel and the arithmetic that uses their extents.
class IndexVars {
public:
  explicit IndexVars(mlir::MLIRContext *context) : context(context) {}

  /// A new variable with values in [0, extent).
  mlir::StringAttr addLoop(SymbolicExpr extent) { return add('%', std::move(extent)); }
  mlir::StringAttr addData(SymbolicExpr extent) { return add('$', std::move(extent)); }
  const SymbolicExpr &extentOf(mlir::StringAttr name) const {
    return extents.find(name)->second;
  }

  /// Quotient and remainder of an index, simplified where the extents allow.
  std::pair<SymbolicExpr, SymbolicExpr> divMod(const SymbolicExpr &index,
                                               const SymbolicExpr &divisor) const;
  /// Position in row-major order, and back.
  static SymbolicExpr linearize(llvm::ArrayRef<SymbolicExpr> indices,
                                llvm::ArrayRef<SymbolicExpr> dims);
  Indices delinearize(SymbolicExpr position, llvm::ArrayRef<SymbolicExpr> dims) const;
  /// 0 <= expr < limit for all values of variables and symbols.
  bool provablyInside(const SymbolicExpr &expr, const SymbolicExpr &limit) const;

private:
  mlir::StringAttr add(char prefix, SymbolicExpr extent);
  /// Something that is never less; itself free of variables.
  SymbolicExpr upperBound(const SymbolicExpr &expr) const;
  SymbolicExpr upperBound(const SymbolicExpr::Atom &atom) const;
  /// How many times the divisor has to be added for an expression that is not negative
  /// for any values of variables and symbols.
  SymbolicExpr shortfall(const SymbolicExpr &expr, const SymbolicExpr &divisor) const;

  mlir::MLIRContext *context;
  llvm::MapVector<mlir::StringAttr, SymbolicExpr> extents;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_INDEXMATH_H

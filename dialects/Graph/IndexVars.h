//===- IndexVars.h - Variables of index expressions -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index into a tensor is a SymbolicExpr over the symbols of the model and over
// variables: indices of a result ("%d0"), reduction indices of an op ("%r0"), loops of a
// kernel ("%0": one per dim of the iteration space), and values read from an index tensor
// ("$0"). IndexVars keeps the variables with their extents, so that reshapes simplify:
// with v < 64, (64 * u + v) floordiv 64 is u.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_INDEXVARS_H
#define KILN_DIALECTS_GRAPH_INDEXVARS_H

#include "dialects/Graph/SymbolicExpr.h"
#include "llvm/ADT/MapVector.h"

#include <utility>

namespace kiln::graph {

/// True for variables, false for symbols of the model.
bool isVariable(mlir::StringAttr name);
/// True if `name` occurs anywhere in `expr`.
bool mentions(const SymbolicExpr &expr, mlir::StringAttr name);
/// Returns the factor of `name` in a sum, 0 if it does not occur; nullopt if it occurs
/// inside a floordiv or mod, or more than once in a term.
std::optional<SymbolicExpr> coefficientOf(const SymbolicExpr &expr,
                                          mlir::StringAttr name);
/// Returns the divisor of a floordiv or mod of `name` in the expression, if there is one
/// that is free of variables.
std::optional<SymbolicExpr> findDivisor(const SymbolicExpr &expr, mlir::StringAttr name);
/// Returns `expr` with `name` replaced by `by`.
SymbolicExpr replace(const SymbolicExpr &expr, mlir::StringAttr name,
                     const SymbolicExpr &by);
/// Returns the index into an operand that broadcasts to the dims that `places` index.
Dims broadcastPlaces(llvm::ArrayRef<SymbolicExpr> places,
                     llvm::ArrayRef<SymbolicExpr> operandDims);

/// Variables and the arithmetic that uses their extents.
class IndexVars {
public:
  explicit IndexVars(mlir::MLIRContext *context) : context(context) {}

  /// Adds a variable with values in [0, extent).
  mlir::StringAttr addLoop(SymbolicExpr extent) {
    return add("%" + llvm::Twine(extents.size()), std::move(extent));
  }
  mlir::StringAttr addData(SymbolicExpr extent) {
    return add("$" + llvm::Twine(extents.size()), std::move(extent));
  }
  /// Adds a variable whose name is `prefix`, which begins with % or $, followed by the
  /// next number from 0.
  mlir::StringAttr addNumbered(llvm::StringRef prefix, SymbolicExpr extent);
  /// Adds one variable per dim of a tensor; the index along a dim of one element is 0.
  Dims addPlaces(llvm::ArrayRef<SymbolicExpr> dims);
  const SymbolicExpr &extentOf(mlir::StringAttr name) const {
    return extents.find(name)->second;
  }

  /// True for a variable whose only value is 0.
  bool isSingle(const SymbolicExpr &expr) const {
    auto known = extents.find(expr.getSymbol());
    return known != extents.end() && known->second.isConstant(1);
  }

  /// Returns index floordiv divisor and index mod divisor, simplified where the extents
  /// allow.
  std::pair<SymbolicExpr, SymbolicExpr> divMod(const SymbolicExpr &index,
                                               const SymbolicExpr &divisor) const;
  /// Converts between indices per dim and the linear row-major position.
  static SymbolicExpr linearize(llvm::ArrayRef<SymbolicExpr> indices,
                                llvm::ArrayRef<SymbolicExpr> dims);
  Dims delinearize(SymbolicExpr position, llvm::ArrayRef<SymbolicExpr> dims) const;
  /// True if 0 <= expr < limit is proved for all values of variables and symbols.
  bool provablyInside(const SymbolicExpr &expr, const SymbolicExpr &limit) const;
  /// True if expr >= limit is proved for all values of variables and symbols.
  bool provablyAtLeast(const SymbolicExpr &expr, const SymbolicExpr &limit) const;

private:
  mlir::StringAttr add(const llvm::Twine &name, SymbolicExpr extent);
  /// Returns an upper bound that is free of variables.
  SymbolicExpr upperBound(const SymbolicExpr &expr) const;
  SymbolicExpr upperBound(const SymbolicExpr::Atom &atom) const;
  /// Returns a lower bound that is free of variables.
  SymbolicExpr lowerBound(const SymbolicExpr &expr) const;
  /// Returns how many times the divisor has to be added to make the expression >= 0 for
  /// all values of variables and symbols.
  SymbolicExpr shortfall(const SymbolicExpr &expr, const SymbolicExpr &divisor) const;

  mlir::MLIRContext *context;
  llvm::MapVector<mlir::StringAttr, SymbolicExpr> extents;
};

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_INDEXVARS_H

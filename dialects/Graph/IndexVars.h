//===- IndexVars.h - Variables of index expressions -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index into a tensor is a SymbolicExpr over the symbols of the model and over
// variables: places in a result ("%d0"), places that an op reduces over ("%r0"), loops of
// a kernel ("%0": one per dim of the iteration space), and values read from an index
// tensor ("$0"). The variables and their extents are kept here, so that reshapes
// simplify: with v < 64, the quotient (64 * u + v) floordiv 64 is u.
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
/// Places in an operand that broadcasts to the dims that `places` are in.
Dims broadcastPlaces(llvm::ArrayRef<SymbolicExpr> places,
                     llvm::ArrayRef<SymbolicExpr> operandDims);

/// Variables and the arithmetic that uses their extents.
class IndexVars {
public:
  explicit IndexVars(mlir::MLIRContext *context) : context(context) {}

  /// A new variable with values in [0, extent).
  mlir::StringAttr addLoop(SymbolicExpr extent) {
    return add("%" + llvm::Twine(extents.size()), std::move(extent));
  }
  mlir::StringAttr addData(SymbolicExpr extent) {
    return add("$" + llvm::Twine(extents.size()), std::move(extent));
  }
  /// A new variable named `prefix`, which begins with % or $, and a number: the first 0.
  mlir::StringAttr addNumbered(llvm::StringRef prefix, SymbolicExpr extent);
  /// New variables for the places in a tensor; 0 along a dim of one element.
  Dims addPlaces(llvm::ArrayRef<SymbolicExpr> dims);
  const SymbolicExpr &extentOf(mlir::StringAttr name) const {
    return extents.find(name)->second;
  }

  /// True for a variable whose only value is 0.
  bool isSingle(const SymbolicExpr &expr) const {
    auto known = extents.find(expr.getSymbol());
    return known != extents.end() && known->second.isConstant(1);
  }

  /// Quotient and remainder of an index, simplified where the extents allow.
  std::pair<SymbolicExpr, SymbolicExpr> divMod(const SymbolicExpr &index,
                                               const SymbolicExpr &divisor) const;
  /// Position in row-major order, and back.
  static SymbolicExpr linearize(llvm::ArrayRef<SymbolicExpr> indices,
                                llvm::ArrayRef<SymbolicExpr> dims);
  Dims delinearize(SymbolicExpr position, llvm::ArrayRef<SymbolicExpr> dims) const;
  /// 0 <= expr < limit for all values of variables and symbols.
  bool provablyInside(const SymbolicExpr &expr, const SymbolicExpr &limit) const;
  /// expr >= limit for all values of variables and symbols.
  bool provablyAtLeast(const SymbolicExpr &expr, const SymbolicExpr &limit) const;

private:
  mlir::StringAttr add(const llvm::Twine &name, SymbolicExpr extent);
  /// Something that is never less; itself free of variables.
  SymbolicExpr upperBound(const SymbolicExpr &expr) const;
  SymbolicExpr upperBound(const SymbolicExpr::Atom &atom) const;
  /// Something that is never more.
  SymbolicExpr lowerBound(const SymbolicExpr &expr) const;
  /// How many times the divisor has to be added for an expression that is not negative
  /// for any values of variables and symbols.
  SymbolicExpr shortfall(const SymbolicExpr &expr, const SymbolicExpr &divisor) const;

  mlir::MLIRContext *context;
  llvm::MapVector<mlir::StringAttr, SymbolicExpr> extents;
};

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_INDEXVARS_H

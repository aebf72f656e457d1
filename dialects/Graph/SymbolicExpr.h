//===- SymbolicExpr.h - Integer expressions over symbols --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of dims: polynomials with integer coefficients over atoms, where an atom
// is a symbol ("batch"), an opaque floordiv or mod of two expressions, or the maximum of
// an expression and 0. Every expression is in normal form (terms and factors sorted, zero
// terms dropped), so structural equality is equality of polynomials. Minima and maxima
// are such polynomials too: min(a, b) is a - max(a - b, 0), where the sign of a - b is
// normalized by its first term.
//
// Symbols stand for integers >= 0; quotients round towards minus infinity.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_SYMBOLICEXPR_H
#define KILN_DIALECTS_GRAPH_SYMBOLICEXPR_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <string>

namespace kiln::graph {

class SymbolicExpr {
public:
  enum class AtomKind { Symbol, FloorDiv, CeilDiv, Mod, Max };

  /// A symbol, or an operation on two expressions that is not a polynomial. The right
  /// side of Max is always 0.
  struct Atom {
    AtomKind kind = AtomKind::Symbol;
    mlir::StringAttr symbol;
    std::shared_ptr<const SymbolicExpr> lhs, rhs;
    int compare(const Atom &other) const;
  };

  /// coefficient * product of factors (sorted, repeats allowed).
  struct Term {
    int64_t coefficient = 0;
    llvm::SmallVector<Atom, 2> factors;
  };

  SymbolicExpr() = default;
  SymbolicExpr(int64_t constant);
  static SymbolicExpr symbol(mlir::StringAttr name);
  /// Makes an expression of an atom or a term.
  static SymbolicExpr fromAtom(const Atom &atom);
  static SymbolicExpr fromTerm(const Term &term);
  /// Returns the maximum or minimum of two expressions.
  static SymbolicExpr max(const SymbolicExpr &a, const SymbolicExpr &b);
  static SymbolicExpr min(const SymbolicExpr &a, const SymbolicExpr &b);

  SymbolicExpr operator+(const SymbolicExpr &rhs) const;
  SymbolicExpr operator-(const SymbolicExpr &rhs) const;
  SymbolicExpr operator*(const SymbolicExpr &rhs) const;
  SymbolicExpr &operator+=(const SymbolicExpr &rhs) { return *this = *this + rhs; }
  SymbolicExpr &operator*=(const SymbolicExpr &rhs) { return *this = *this * rhs; }
  bool operator==(const SymbolicExpr &rhs) const { return compare(rhs) == 0; }
  bool operator!=(const SymbolicExpr &rhs) const { return compare(rhs) != 0; }
  /// A total order that only serves to make the normal form deterministic.
  int compare(const SymbolicExpr &rhs) const;

  /// Division, simplified if the divisor divides every term and an atom otherwise.
  SymbolicExpr floorDiv(const SymbolicExpr &rhs) const;
  SymbolicExpr ceilDiv(const SymbolicExpr &rhs) const;
  SymbolicExpr mod(const SymbolicExpr &rhs) const;
  /// Returns the quotient if it is a polynomial with integer coefficients: (4*b*s + 20*b)
  /// divided by (b*s + 5*b) is 4.
  std::optional<SymbolicExpr> exactDiv(const SymbolicExpr &rhs) const;
  /// Rounds up to a multiple of `alignment`.
  SymbolicExpr alignTo(int64_t alignment) const;

  std::optional<int64_t> getConstant() const;
  bool isConstant() const { return getConstant().has_value(); }
  bool isConstant(int64_t value) const { return getConstant() == value; }
  /// Returns the name if the expression is exactly one symbol, else null.
  mlir::StringAttr getSymbol() const;
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  /// The expression as max(a, b) or min(a, b).
  struct Extremum;
  /// Returns the expression as max or min of two others in which its outermost Max atom
  /// does not occur. The two have bounds, a sign and a text that the terms alone do not
  /// show. nullopt if there is no such atom or the sign of its factor is unknown.
  std::optional<Extremum> getExtremum() const;

  /// Returns every symbol used, sorted by name, without repeats.
  llvm::SmallVector<mlir::StringAttr> getSymbols() const;
  /// True if this >= rhs for all symbol values >= 0 because every coefficient and every
  /// floordiv in (this - rhs) is >= 0, for either or both operands of an extremum.
  bool dominates(const SymbolicExpr &rhs) const;
  /// Returns the value for given symbol values; nullopt on overflow or division by a
  /// value <= 0.
  std::optional<int64_t>
  evaluate(llvm::function_ref<int64_t(mlir::StringAttr)> valueOf) const;
  /// Replaces symbols by `map` (nullopt: keep the symbol).
  SymbolicExpr substitute(
      llvm::function_ref<std::optional<SymbolicExpr>(mlir::StringAttr)> map) const;
  /// Replaces each max(x, 0) by x if isPositive(x) is true (x is never negative) and by 0
  /// if it is false (x is never positive); nullopt keeps the maximum.
  SymbolicExpr resolveMaxima(
      llvm::function_ref<std::optional<bool>(const SymbolicExpr &)> isPositive) const;

  /// Converts to and from affine expressions; `symbols[i]` is affine symbol i.
  mlir::AffineExpr toAffine(llvm::ArrayRef<mlir::StringAttr> symbols,
                            mlir::MLIRContext *context) const;
  static SymbolicExpr fromAffine(mlir::AffineExpr expr,
                                 llvm::ArrayRef<mlir::StringAttr> symbols);
  /// "12*batch*seq + 64"
  std::string str() const;

private:
  static SymbolicExpr atom(AtomKind kind, SymbolicExpr lhs, SymbolicExpr rhs);
  /// Applies the operation of an atom of `kind` to two expressions.
  static SymbolicExpr apply(AtomKind kind, const SymbolicExpr &a, const SymbolicExpr &b);
  static SymbolicExpr positivePart(const SymbolicExpr &expr);
  void addTerm(Term term);
  llvm::SmallVector<Term, 2> terms; // sorted, coefficients != 0
};

struct SymbolicExpr::Extremum {
  bool isMax;
  SymbolicExpr a, b;
};

/// One expression per dim of a tensor.
using Dims = llvm::SmallVector<SymbolicExpr>;

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_SYMBOLICEXPR_H

//===- Symbols.h - The symbolic dims of a model -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every dynamic dim of an input is a symbol with a range. If the model requires two dims
// to be equal, one symbol is replaced by the other (or by an expression or a constant),
// and the importer runs again.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_SYMBOLS_H
#define KILN_LIB_IMPORT_SYMBOLS_H

#include "dialects/Graph/Graph.h"
#include "kiln/Import/Import.h"
#include "kiln/Support/Error.h"
#include "lib/Import/Onnx/Proto.h"
#include "llvm/ADT/StringMap.h"

#include <utility>

namespace kiln::import {

using graph::SymbolicExpr;

/// Reason why a value is unknown: a comparison of two sizes whose result is not the same
/// for all sizes in the ranges.
struct Undecided {
  enum class Kind {
    Order,   ///< a <= b or b <= a
    AtLeast, ///< a >= b or a < b
    Equal,   ///< a == b or not
  };
  SymbolicExpr a, b;
  Kind kind;
};

class Symbols {
public:
  explicit Symbols(mlir::MLIRContext *context) : context(context) {}

  /// Declares the dims of all inputs and applies ranges given by the user.
  llvm::Error declare(const onnx::GraphProto &graph, const ImportOptions &options,
                      llvm::StringRef path);
  /// See ImportOptions::pastIsState.
  bool pastIsState() const { return statePast; }
  /// Returns true if a dim depends on the length of a decoder's past.
  bool mentionsPast(const SymbolicExpr &expr) const;
  /// See ImportOptions::pastIsEmpty.
  bool pastIsEmpty() const { return emptyPast; }
  /// Returns given ranges of dims that only a later pass creates.
  llvm::ArrayRef<std::string> dimsLeft() const { return left; }
  /// Returns dim `index` of an input, after all replacements.
  SymbolicExpr dimOf(const onnx::ValueInfoProto &input, int index) const;
  /// Returns the expression with all replacements applied, and without minima and maxima
  /// that are decided for all sizes in the ranges.
  SymbolicExpr canonical(const SymbolicExpr &expr) const;
  /// Return the minimum or maximum of two expressions: one of them if it is the same one
  /// for all sizes in the ranges.
  SymbolicExpr minOf(const SymbolicExpr &a, const SymbolicExpr &b) const;
  SymbolicExpr maxOf(const SymbolicExpr &a, const SymbolicExpr &b) const;

  /// Makes two dims equal by replacing a symbol: one of the dims must be, after removing
  /// common terms, a symbol that may become the other. Else returns false. A symbol that
  /// becomes a constant gives a warning at `where`.
  bool unify(const SymbolicExpr &a, const SymbolicExpr &b, llvm::StringRef where = "");
  /// Makes two dims equal by `unify`, or by `narrowToEqual` if needed.
  bool makeEqual(const SymbolicExpr &a, const SymbolicExpr &b, llvm::StringRef where) {
    return unify(a, b, where) || narrowToEqual(a, b, where);
  }
  /// Makes two products of dims equal, as unify does; a symbol may also become a
  /// quotient: with a = s * rest and b = q * rest, s becomes q.
  bool unifyProducts(const SymbolicExpr &a, const SymbolicExpr &b,
                     llvm::StringRef where = "");
  /// Makes two dims equal that differ by a minimum or maximum, such as min(n, 77) and n,
  /// by narrowing ranges to the sizes for which they are equal, or, if ranges cannot
  /// express that, by making both sides of the minimum or maximum equal. A range given by
  /// the user is changed too, but then reported: see `refusals`.
  bool narrowToEqual(const SymbolicExpr &a, const SymbolicExpr &b, llvm::StringRef where);
  /// Makes expr >= 0 hold for all sizes, in the same way.
  bool narrowToPositive(const SymbolicExpr &expr, llvm::StringRef where);
  /// Decides by narrowing default ranges; false if the ranges are the user's.
  bool decide(const Undecided &undecided, llvm::StringRef where);
  /// Makes expr >= limit hold for all sizes by raising the lower bound of its only
  /// symbol; false if that is impossible. With `reach`, the upper bound of a default
  /// range is raised until expr reaches that value. A range given by the user is changed
  /// too, but then reported: see `refusals`.
  bool raise(const SymbolicExpr &expr, int64_t limit, llvm::StringRef where,
             std::optional<int64_t> reach = std::nullopt);
  /// Returns the minimum size for expr >= limit, as "dim 's' of at least 400"; "" if
  /// unknown.
  std::string smallestFor(const SymbolicExpr &expr, int64_t limit);
  /// Returns ranges that decide it, as "--dims s=1..64 or --dims s=64..512"; "" if
  /// unknown.
  std::string proposal(const Undecided &undecided) const;
  /// Returns one sentence per change made by `unify`.
  llvm::ArrayRef<std::string> remarks() const { return unifications; }
  /// Returns one sentence per default range that `decide` or `raise` changed, and per dim
  /// that became a constant.
  std::vector<std::string> warnings() const;
  /// Returns the ranges given by the user that the model does not support.
  std::vector<Diagnosis> refusals() const;
  /// Counts changes of symbols and ranges.
  size_t changes() const { return unifications.size() + rangeChanges; }
  /// Reason why the last `unify` failed, if it would narrow a range given by the user,
  /// and the range that would be needed.
  struct Conflict {
    std::string given, needed;
  };
  std::optional<Conflict> takeConflict() { return std::exchange(conflict, std::nullopt); }

  struct Bounds {
    int64_t lo, hi; ///< saturated
  };
  /// Returns bounds of the expression over all sizes in the ranges.
  Bounds boundsOf(const SymbolicExpr &expr) const;
  /// Return true or false if that holds for all sizes in the ranges, else nullopt.
  std::optional<bool> isAtLeast(const SymbolicExpr &a, const SymbolicExpr &b) const;
  std::optional<bool> isEqual(const SymbolicExpr &a, const SymbolicExpr &b) const;
  /// Searches sizes for which two expressions differ, returned as "s = 3, t = 1", or are
  /// equal, as "--dims s=3,t=1". Returns "" if no tried size is such a one (for
  /// Different, all sizes were tried) and nullopt if there are too many to try.
  enum class Wanted { Different, Equal };
  std::optional<std::string> findSizes(const SymbolicExpr &a, const SymbolicExpr &b,
                                       Wanted wanted) const;

  /// Returns the symbols that remain, in the order of the inputs.
  std::vector<ImportedSymbol> remaining() const;
  /// Returns the replaced symbols, as "total = past + sequence".
  std::vector<std::string> replaced() const;

private:
  struct Symbol {
    ImportedSymbol info;
    mlir::StringAttr attr;
    std::optional<SymbolicExpr> replacement;
    int64_t firstLo, firstHi; ///< range as declared or given
    bool narrowed = false;    ///< by a decision, not by --dims
    bool isPast = false;      ///< length of a past

    SymbolicExpr expr() const {
      return replacement ? *replacement : SymbolicExpr::symbol(attr);
    }
    std::string changedAt;    ///< the last node that changed the range
  };
  class Probe;
  Symbol *onlySymbolOf(const SymbolicExpr &expr);
  /// Sets a range; returns true if that changed it.
  bool setRange(Symbol &symbol, int64_t lo, int64_t hi, llvm::StringRef where);
  void add(llvm::StringRef key, llvm::StringRef source, bool leading, bool isPast);
  llvm::Error apply(const ImportOptions &options, llvm::StringRef path);
  const Symbol *find(llvm::StringRef name) const;
  /// Returns true if expr >= 0 is proven for all sizes in the ranges.
  bool isProvenNonNegative(const SymbolicExpr &expr) const;
  /// Returns bounds of a canonical expression.
  Bounds rangeOf(const SymbolicExpr &expr) const;
  std::optional<SymbolicExpr> parseExpression(llvm::StringRef text) const;
  bool replace(mlir::StringAttr name, const SymbolicExpr &by, llvm::StringRef where);
  bool narrowsGiven(const ImportedSymbol &symbol, const SymbolicExpr &by,
                    const Bounds &common);
  std::vector<std::vector<DimRange>> partsOf(const Undecided &undecided,
                                             bool defaultsOnly) const;

  mlir::MLIRContext *context;
  std::vector<Symbol> symbols;
  llvm::StringMap<size_t> byKey; ///< dim_param, or input and index of an unnamed dim
  llvm::StringMap<size_t> byName;
  llvm::StringMap<SymbolicExpr> expressions; ///< dim_params that are formulas
  std::vector<std::string> unifications;
  std::vector<std::string> left;
  bool statePast = false, emptyPast = false;
  size_t rangeChanges = 0;
  std::optional<Conflict> conflict;
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_SYMBOLS_H

//===- Symbols.h - The symbolic dims of a model -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every free dim of an input is a symbol with a range. Where the model requires
// two dims to be equal, one symbol is replaced by the other (or by an
// expression or a constant); the importer then runs again.
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

/// Reason why a value is not known: two sizes of which the larger, or their being equal,
/// is not the same for all sizes in the ranges.
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

  /// Declares the dims of all inputs and applies the ranges given.
  llvm::Error declare(const onnx::GraphProto &graph, const ImportOptions &options,
                      llvm::StringRef path);
  /// See ImportOptions::pastIsState.
  bool pastIsState() const { return statePast; }
  /// Whether a dim follows from the length of a decoder's past.
  bool mentionsPast(const SymbolicExpr &expr) const;
  /// See ImportOptions::pastIsEmpty.
  bool pastIsEmpty() const { return emptyPast; }
  /// The ranges given of dims that only a later pass makes.
  llvm::ArrayRef<std::string> dimsLeft() const { return left; }
  /// Dim `index` of an input, after all replacements.
  SymbolicExpr dimOf(const onnx::ValueInfoProto &input, int index) const;
  /// The expression with every replaced symbol replaced, and without minima and maxima of
  /// which one side is the answer for all sizes in the ranges.
  SymbolicExpr canonical(const SymbolicExpr &expr) const;
  /// The smaller and the larger one of two expressions: one of them where that is the
  /// same for all sizes in the ranges.
  SymbolicExpr minOf(const SymbolicExpr &a, const SymbolicExpr &b) const;
  SymbolicExpr maxOf(const SymbolicExpr &a, const SymbolicExpr &b) const;

  /// Makes two dims equal by replacing a symbol of one; false if neither is, but for what
  /// they have in common, a symbol that may become the other. A symbol that becomes a
  /// number is a warning at `where`.
  bool unify(const SymbolicExpr &a, const SymbolicExpr &b, llvm::StringRef where = "");
  /// Makes two dims equal by `unify`, or by `narrowToEqual` if need be.
  bool makeEqual(const SymbolicExpr &a, const SymbolicExpr &b, llvm::StringRef where) {
    return unify(a, b, where) || narrowToEqual(a, b, where);
  }
  /// Makes two products of dims equal as unify does; a symbol of one may become a
  /// quotient: with a = s * rest and b = q * rest, s becomes q.
  bool unifyProducts(const SymbolicExpr &a, const SymbolicExpr &b,
                     llvm::StringRef where = "");
  /// Makes two dims equal that differ by a minimum or maximum, as min(n, 77) and n, by
  /// narrowing ranges to the sizes for which they are, or, where no ranges say that, by
  /// making the sides of the minimum or maximum equal. Of a range that the user gave it
  /// is only found out what it should have been: see `refusals`.
  bool narrowToEqual(const SymbolicExpr &a, const SymbolicExpr &b, llvm::StringRef where);
  /// Makes expr >= 0 hold for all sizes in the same way.
  bool narrowToPositive(const SymbolicExpr &expr, llvm::StringRef where);
  /// Decides by narrowing ranges that are defaults; false if the user gave them.
  bool decide(const Undecided &undecided, llvm::StringRef where);
  /// Makes expr >= limit hold for all sizes by raising the lower end of the range of
  /// the one symbol in it; false if that cannot be. With `reach`, the upper end of a
  /// default follows until expr is as large as that. Of a range that the user gave it
  /// is only found out what it should have been: see `refusals`.
  bool raise(const SymbolicExpr &expr, int64_t limit, llvm::StringRef where,
             std::optional<int64_t> reach = std::nullopt);
  /// "dim 's' of at least 400", from where on expr >= limit; "" if not known.
  std::string smallestFor(const SymbolicExpr &expr, int64_t limit);
  /// Ranges that decide, as "--dims s=1..64 or --dims s=64..512"; "" if none are known.
  std::string proposal(const Undecided &undecided) const;
  /// One sentence per change made by `unify`.
  llvm::ArrayRef<std::string> remarks() const { return unifications; }
  /// One sentence per default range that `decide` and `raise` changed, and per dim that
  /// became a number.
  std::vector<std::string> warnings() const;
  /// The ranges that the user gave and the model cannot do with.
  std::vector<Diagnosis> refusals() const;
  /// Rises with every change of a symbol or a range.
  size_t changes() const { return unifications.size() + rangeChanges; }
  /// Why the last `unify` failed, if a range given by the user would be narrowed; the
  /// range that it would be, too.
  struct Conflict {
    std::string given, needed;
  };
  std::optional<Conflict> takeConflict() { return std::exchange(conflict, std::nullopt); }

  struct Bounds {
    int64_t lo, hi; ///< saturated
  };
  /// Bounds of the expression over all sizes in the ranges.
  Bounds boundsOf(const SymbolicExpr &expr) const;
  /// True, false or unknown for all sizes in the ranges.
  std::optional<bool> isAtLeast(const SymbolicExpr &a, const SymbolicExpr &b) const;
  std::optional<bool> isEqual(const SymbolicExpr &a, const SymbolicExpr &b) const;
  /// Sizes for which two expressions differ, as "s = 3, t = 1", or for which they are
  /// equal, as "--dims s=3,t=1"; "" if no size that was tried is such a one, of differing
  /// ones all sizes; nullopt if there are too many to try all.
  enum class Wanted { Different, Equal };
  std::optional<std::string> findSizes(const SymbolicExpr &a, const SymbolicExpr &b,
                                       Wanted wanted) const;

  /// The symbols that are left, in the order of the inputs.
  std::vector<ImportedSymbol> remaining() const;
  /// The others, as "total = past + sequence".
  std::vector<std::string> replaced() const;

private:
  struct Symbol {
    ImportedSymbol info;
    mlir::StringAttr attr;
    std::optional<SymbolicExpr> replacement;
    int64_t firstLo, firstHi; ///< of the range as it was declared or given
    bool narrowed = false;    ///< by `decide`
    bool isPast = false;      ///< the length of a past

    SymbolicExpr expr() const {
      return replacement ? *replacement : SymbolicExpr::symbol(attr);
    }
    std::string changedAt;    ///< the last node that changed the range
  };
  class Probe;
  Symbol *onlySymbolOf(const SymbolicExpr &expr);
  /// Whether that changed anything.
  bool setRange(Symbol &symbol, int64_t lo, int64_t hi, llvm::StringRef where);
  void add(llvm::StringRef key, llvm::StringRef source, bool leading, bool isPast);
  llvm::Error apply(const ImportOptions &options, llvm::StringRef path);
  const Symbol *find(llvm::StringRef name) const;
  /// True if expr >= 0 for all sizes in the ranges; false also where that is not known.
  bool isProvenNonNegative(const SymbolicExpr &expr) const;
  /// Bounds of a canonical expression.
  Bounds rangeOf(const SymbolicExpr &expr) const;
  std::optional<SymbolicExpr> parseExpression(llvm::StringRef text) const;
  bool replace(mlir::StringAttr name, const SymbolicExpr &by, llvm::StringRef where);
  bool narrowsGiven(const ImportedSymbol &symbol, const SymbolicExpr &by,
                    const Bounds &common);
  std::vector<std::vector<DimRange>> partsOf(const Undecided &undecided,
                                             bool defaultsOnly) const;

  mlir::MLIRContext *context;
  std::vector<Symbol> symbols;
  llvm::StringMap<size_t> byKey; ///< dim_param, or place of an unnamed dim
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

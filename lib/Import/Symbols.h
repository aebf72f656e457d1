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
#include "lib/Import/Onnx/Proto.h"
#include "llvm/ADT/StringMap.h"

#include <utility>

namespace kiln::import {

using graph::SymbolicExpr;

/// What keeps a value from being known: two sizes of which the larger, or their being
/// equal, is not the same for all sizes in the ranges.
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
  llvm::Error declare(const onnx::GraphProto &graph, llvm::ArrayRef<DimRange> given,
                      llvm::StringRef path);
  /// Dim `index` of an input, after all replacements.
  SymbolicExpr dimOf(const onnx::ValueInfoProto &input, int index) const;
  /// The expression with every replaced symbol replaced.
  SymbolicExpr canonical(const SymbolicExpr &expr) const;

  /// Makes two dims equal by replacing a symbol of one; false if neither is a
  /// symbol that may become the other.
  bool unify(const SymbolicExpr &a, const SymbolicExpr &b);
  /// The same for two products, of which one symbol may be a quotient.
  bool unifyProducts(const SymbolicExpr &a, const SymbolicExpr &b);
  /// Decides by narrowing ranges that are defaults; false if the user gave them.
  bool decide(const Undecided &undecided, llvm::StringRef where);
  /// Makes expr >= limit hold for all sizes by raising the lower end of the range of
  /// the one symbol in it, unless the user gave that range; false if that cannot be.
  bool raise(const SymbolicExpr &expr, int64_t limit, llvm::StringRef where);
  /// Ranges that decide, as "--dims s=1..64 or --dims s=64..512"; "" if none are known.
  std::string proposal(const Undecided &undecided) const;
  /// One sentence per change made by `unify`.
  llvm::ArrayRef<std::string> remarks() const { return unifications; }
  /// One sentence per change made by `decide` and `raise`.
  llvm::ArrayRef<std::string> warnings() const { return narrowings; }
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
  /// Sizes for which two expressions differ, as "s = 3, t = 1"; "" if every size
  /// was tried and none tells them apart; nullopt if there are too many to try.
  std::optional<std::string> findDifference(const SymbolicExpr &a,
                                            const SymbolicExpr &b) const;

  /// The symbols that are left, in the order of the inputs.
  std::vector<ImportedSymbol> remaining() const;

private:
  struct Symbol {
    ImportedSymbol info;
    mlir::StringAttr attr;
    std::optional<SymbolicExpr> replacement;
  };
  void add(llvm::StringRef key, llvm::StringRef source, bool leading);
  llvm::Error apply(llvm::ArrayRef<DimRange> given, llvm::StringRef path);
  SymbolicExpr exprOf(const Symbol &symbol) const;
  const Symbol *find(llvm::StringRef name) const;
  std::optional<SymbolicExpr> parseExpression(llvm::StringRef text) const;
  bool replace(mlir::StringAttr name, const SymbolicExpr &by);
  bool narrowsGiven(const ImportedSymbol &symbol, const SymbolicExpr &by,
                    const Bounds &common);
  std::vector<std::vector<DimRange>> partsOf(const Undecided &undecided,
                                             bool defaultsOnly) const;

  mlir::MLIRContext *context;
  std::vector<Symbol> symbols;
  llvm::StringMap<size_t> byKey; ///< dim_param, or place of an unnamed dim
  llvm::StringMap<size_t> byName;
  llvm::StringMap<SymbolicExpr> expressions; ///< dim_params that are formulas
  std::vector<std::string> unifications, narrowings;
  std::optional<Conflict> conflict;
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_SYMBOLS_H

//===- Indexing.h - How results read their operands -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index map says which elements of an operand one element of the result is computed
// of: the place in the operand is an expression of the place in the result, of reduction
// variables (every value is read) and of data variables (indices read from an operand).
// Ops state their maps at places that the caller gives, so that the maps of a chain of
// ops are composed by calling one op after the other. docs/rationale/index-maps.md
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_INDEXING_H
#define KILN_DIALECTS_GRAPH_INDEXING_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/IndexVars.h"

#include <optional>

namespace kiln::graph {

/// Holds where first <= index < end.
struct ReadCondition {
  SymbolicExpr index, first, end;
};

/// Elements of one operand that an element of the result reads: one for each value of the
/// reduction variables in `at`, where all conditions hold.
struct OperandRead {
  unsigned operand = 0;
  Dims at;                                        ///< one expression per dim
  llvm::SmallVector<ReadCondition, 1> conditions; ///< none: always
  bool isIndex = false;                           ///< the element is a data variable

  /// Adds the condition first <= index < end.
  OperandRead &where(SymbolicExpr index, SymbolicExpr first, SymbolicExpr end) {
    conditions.push_back({std::move(index), std::move(first), std::move(end)});
    return *this;
  }
};

/// An integer that is an element of an operand.
struct DataVariable {
  enum class Rule {
    Plain,   ///< the number as it is
    Wrapped, ///< a negative one counts from the end of the dim
    Clamped  ///< wrapped, then limited to [0, extent)
  };
  mlir::StringAttr name; ///< begins with $ if clamped, otherwise with ?
  size_t read = 0;       ///< number of the read of that element
  Rule rule = Rule::Plain;
  SymbolicExpr extent; ///< of the dim that it is an index of
};

/// The maps of one op at one place of its result.
class IndexingMaps {
public:
  /// places: one expression per dim of the op's result, whose variables are of `vars`.
  IndexingMaps(IndexVars &vars, llvm::ArrayRef<SymbolicExpr> places)
      : variables(vars), resultPlaces(places) {}

  llvm::ArrayRef<SymbolicExpr> places() const { return resultPlaces; }
  IndexVars &vars() { return variables; }

  /// Adds a read of an operand at `at`.
  OperandRead &read(unsigned operand, Dims at);
  /// Adds a read of an operand that broadcasts to the result.
  OperandRead &readBroadcast(unsigned operand, mlir::Value value);
  /// Returns a new variable that takes all values in [0, extent); 0 if that is the only
  /// one.
  SymbolicExpr reduce(const SymbolicExpr &extent);
  /// Returns the index that an operand holds at `at`; extent: of the dim it indexes.
  SymbolicExpr readIndex(unsigned operand, Dims at, DataVariable::Rule rule,
                         const SymbolicExpr &extent = 0);
  /// The element's value depends on this expression itself, as an iota's does.
  void dependOn(SymbolicExpr index) { dependences.push_back(std::move(index)); }
  /// The element of the result is an element of an operand: the one of the last read
  /// whose conditions hold, and of this for the largest values of reduction variables.
  void setMoves() { isMovement = true; }

  llvm::ArrayRef<OperandRead> reads() const { return operandReads; }
  llvm::ArrayRef<mlir::StringAttr> reductions() const { return reductionNames; }
  llvm::ArrayRef<DataVariable> data() const { return dataVariables; }
  llvm::ArrayRef<SymbolicExpr> dependsOn() const { return dependences; }
  bool moves() const { return isMovement; }

private:
  IndexVars &variables;
  Dims resultPlaces;
  llvm::SmallVector<OperandRead, 2> operandReads;
  llvm::SmallVector<mlir::StringAttr, 2> reductionNames;
  llvm::SmallVector<DataVariable, 1> dataVariables;
  Dims dependences;
  bool isMovement = false;
};

/// The maps of an op at the places %d0, %d1, ... of its result, with the variables that
/// they are of. Along dims of one element a reshape's places are 0.
class OpIndexing {
public:
  explicit OpIndexing(mlir::Operation *op);
  OpIndexing(const OpIndexing &) = delete;

  /// False for ops without maps; these have no reads.
  explicit operator bool() const { return isKnown; }
  const IndexingMaps &operator*() const { return maps; }
  const IndexingMaps *operator->() const { return &maps; }
  const IndexVars &vars() const { return variables; }

private:
  static Dims placesOf(mlir::Operation *op, IndexVars &vars);

  IndexVars variables;
  IndexingMaps maps;
  bool isKnown = false;
};

/// Operands whose elements the elements of the op's result are; none if the op computes
/// them. An operand that is read in several ways is there as often.
llvm::SmallVector<mlir::OpOperand *> movedOperands(mlir::Operation *op);

/// An element: of `value`, at `at`.
struct Place {
  mlir::Value value;
  Dims at;
};

/// Whether a read takes place for all values of the variables, or for none; nullopt: this
/// is not known.
std::optional<bool> takesPlace(const OperandRead &read, const IndexVars &vars);

/// The element of an operand that the element of an op's result at `at` is a copy of;
/// nullopt if the op computes it, or if it may be one of several.
std::optional<Place> movedFrom(mlir::Operation *op, llvm::ArrayRef<SymbolicExpr> at,
                               IndexVars &vars);

/// Overload for the places in `operand`.
inline Dims broadcastPlaces(llvm::ArrayRef<SymbolicExpr> places, mlir::Value operand) {
  return broadcastPlaces(places, getDims(operand));
}

/// Whether an op moves all elements of its only operand and keeps their row-major order,
/// as a reshape does.
bool keepsOrder(mlir::Operation *op);

/// Whether each element of an op's only operand is an element of its result, or several.
bool movesAll(mlir::Operation *op);

/// The place in the result of an op of the element that is computed of the element at
/// `at` of one of its operands; nullopt if there is not exactly one for each.
std::optional<Dims> movedTo(mlir::OpOperand &operand, llvm::ArrayRef<SymbolicExpr> at,
                            IndexVars &vars);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_INDEXING_H

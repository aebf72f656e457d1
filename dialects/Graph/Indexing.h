//===- Indexing.h - How results read their operands -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index map says which elements of an operand one element of the result is computed
// from: the index into the operand is an expression of the index into the result, of
// reduction variables (every value is read) and of data variables (indices read from an
// operand). Ops state their maps for result indices that the caller gives, so that the
// maps of a chain of ops are composed by calling one op after the other.
// docs/rationale/index-maps.md
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_INDEXING_H
#define KILN_DIALECTS_GRAPH_INDEXING_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/IndexVars.h"

#include <optional>

namespace kiln::graph {

/// The condition first <= index < end.
struct ReadCondition {
  SymbolicExpr index, first, end;
};

/// Elements of one operand that an element of the result reads: one for each value of the
/// reduction variables in `at` for which all conditions hold.
struct OperandRead {
  unsigned operand = 0;
  Dims at;                                        ///< one expression per dim
  llvm::SmallVector<ReadCondition, 1> conditions; ///< empty: always read
  bool isIndex = false;                           ///< the element is read as a data
                                                  ///< variable

  /// Adds the condition first <= index < end.
  OperandRead &where(SymbolicExpr index, SymbolicExpr first, SymbolicExpr end) {
    conditions.push_back({std::move(index), std::move(first), std::move(end)});
    return *this;
  }
};

/// An integer that is an element of an operand.
struct DataVariable {
  enum class Rule {
    Plain,   ///< the value is used as it is
    Wrapped, ///< a negative value counts from the end of the dim
    Clamped  ///< wrapped, then limited to [0, extent)
  };
  mlir::StringAttr name; ///< begins with $ if clamped, otherwise with ?
  size_t read = 0;       ///< number of the read that loads the element
  Rule rule = Rule::Plain;
  SymbolicExpr extent; ///< of the indexed dim
};

/// The index maps of one op at one index of its result.
class IndexingMaps {
public:
  /// places: index of the result element, one expression per dim, over variables of
  /// `vars`.
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
  /// Returns the index stored in an operand at `at`, which indexes a dim of `extent`.
  SymbolicExpr readIndex(unsigned operand, Dims at, DataVariable::Rule rule,
                         const SymbolicExpr &extent = 0);
  /// Notes that the element's value depends on this expression itself, as an iota's does.
  void dependOn(SymbolicExpr index) { dependences.push_back(std::move(index)); }
  /// Notes that the result's element is a copy of an operand's element: of the last read
  /// whose conditions hold, at the largest values of its reduction variables.
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

/// The maps of an op at the indices %d0, %d1, ... of its result, together with these
/// variables. A reshape has the index 0 along dims of one element.
class OpIndexing {
public:
  explicit OpIndexing(mlir::Operation *op);
  OpIndexing(const OpIndexing &) = delete;

  /// False for ops that state no maps and so have no reads.
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

/// Returns the operands whose elements the op copies to its result; empty if the op
/// computes elements. An operand that is read in several ways occurs once per read.
llvm::SmallVector<mlir::OpOperand *> movedOperands(mlir::Operation *op);

/// The element of `value` at the index `at`.
struct Place {
  mlir::Value value;
  Dims at;
};

/// Whether a read occurs for all values of the variables (true) or for none (false);
/// nullopt if unknown.
std::optional<bool> takesPlace(const OperandRead &read, const IndexVars &vars);

/// Returns the element of an operand that the result's element at `at` is a copy of;
/// nullopt if the op computes the element or if it may copy one of several.
std::optional<Place> movedFrom(mlir::Operation *op, llvm::ArrayRef<SymbolicExpr> at,
                               IndexVars &vars);

/// Overload for the indices of `operand`.
inline Dims broadcastPlaces(llvm::ArrayRef<SymbolicExpr> places, mlir::Value operand) {
  return broadcastPlaces(places, getDims(operand));
}

/// Whether an op copies all elements of its only operand in their row-major order, as a
/// reshape does.
bool keepsOrder(mlir::Operation *op);

/// Whether an op copies each element of its only operand to at least one element of its
/// result.
bool movesAll(mlir::Operation *op);

/// Returns the index of the result's element that is computed from the operand's element
/// at `at`; nullopt unless exactly one result element corresponds to each operand
/// element.
std::optional<Dims> movedTo(mlir::OpOperand &operand, llvm::ArrayRef<SymbolicExpr> at,
                            IndexVars &vars);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_INDEXING_H

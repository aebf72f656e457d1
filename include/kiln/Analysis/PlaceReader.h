//===- PlaceReader.h - Elements as functions of their indices ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters compute indices from positions: whether an iota is negative, or where an
// element lies in a flattened tensor. An element of such a value is a polynomial of its
// index and the model's dims, so some conditions are decided for all indices and dims.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ANALYSIS_PLACEREADER_H
#define KILN_ANALYSIS_PLACEREADER_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/IndexVars.h"

#include <optional>

namespace kiln::graph {

/// Returns the element of an iota at `at`, one index per dim; nullopt if it may be no
/// integer.
std::optional<SymbolicExpr> readIota(IotaOp iota, llvm::ArrayRef<SymbolicExpr> at);

/// Reads elements at symbolic indices, one variable per dim.
class PlaceReader {
public:
  /// Makes one variable per dim of `whole`.
  explicit PlaceReader(mlir::Value whole);

  /// Returns the element of `value`, an integer tensor, at the index `at` (one expression
  /// per dim) as a polynomial of the variables; nullopt if it is not a polynomial.
  std::optional<SymbolicExpr> read(mlir::Value value, llvm::ArrayRef<SymbolicExpr> at);
  /// Returns the value of a condition that is the same for all indices and dims; nullopt
  /// if it is not known to be.
  std::optional<bool> decide(mlir::Value condition, llvm::ArrayRef<SymbolicExpr> at);

  Dims places; ///< one variable per dim; 0 for a dim of size 1

private:
  std::optional<SymbolicExpr> readBinary(BinaryOp op, llvm::ArrayRef<SymbolicExpr> at);
  std::optional<bool> decideCompare(CompareOp op, llvm::ArrayRef<SymbolicExpr> at);
  std::optional<bool> decideLogical(BinaryOp op, llvm::ArrayRef<SymbolicExpr> at);

  IndexVars vars;
  unsigned left = 256; ///< limit on the number of ops visited
};

} // namespace kiln::graph

#endif // KILN_ANALYSIS_PLACEREADER_H

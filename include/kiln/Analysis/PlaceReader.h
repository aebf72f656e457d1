//===- PlaceReader.h - Elements as functions of their places ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters compute indices from positions: whether an iota is negative, or where in a
// flattened tensor an element lies. An element of such a value is a polynomial of its
// place and the model's dims, and what is so for all places and dims is known.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ANALYSIS_PLACEREADER_H
#define KILN_ANALYSIS_PLACEREADER_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/IndexVars.h"

#include <optional>

namespace kiln::graph {

/// Returns the element of an iota at places, one per dim; nullopt if it may be no
/// integer.
std::optional<SymbolicExpr> readIota(IotaOp iota, llvm::ArrayRef<SymbolicExpr> at);

/// Reads elements at places, one variable per dim.
class PlaceReader {
public:
  /// Places in the dims of `whole`.
  explicit PlaceReader(mlir::Value whole);

  /// Returns the element of `value`, an integer tensor, at the places `at` (one
  /// expression per dim) as a polynomial of the variables; nullopt if it is none.
  std::optional<SymbolicExpr> read(mlir::Value value, llvm::ArrayRef<SymbolicExpr> at);
  /// Whether the condition is the same everywhere, and which.
  std::optional<bool> decide(mlir::Value condition, llvm::ArrayRef<SymbolicExpr> at);

  Dims places; ///< 0 for a dim of one element

private:
  std::optional<SymbolicExpr> readBinary(BinaryOp op, llvm::ArrayRef<SymbolicExpr> at);
  std::optional<bool> decideCompare(CompareOp op, llvm::ArrayRef<SymbolicExpr> at);
  std::optional<bool> decideLogical(BinaryOp op, llvm::ArrayRef<SymbolicExpr> at);

  IndexVars vars;
  unsigned left = 256; ///< ops to look at
};

} // namespace kiln::graph

#endif // KILN_ANALYSIS_PLACEREADER_H

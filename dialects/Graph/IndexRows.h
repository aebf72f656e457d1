//===- IndexRows.h - Index operands and where they come from ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather clamps its indices and a scatter drops updates out of range, so that no index
// reaches other memory. ONNX calls such indices an error, which is detected in two ways:
// graph.rows on an argument of @main makes the runtime check the values of an input
// before a run; a result of @main with graph.check holds the first invalid index that the
// model itself computed.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_INDEXROWS_H
#define KILN_DIALECTS_GRAPH_INDEXROWS_H

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace kiln::graph {

/// Name of the attribute of an argument of @main that holds indices: a list of {node =
/// "...", rows = #graph.shape<... -> [N]>}, whose node gathers from or scatters to N
/// rows. The runtime refuses an index outside [-N, N). With first = F and step = S only
/// the elements F, F + S ... are such indices.
inline constexpr llvm::StringLiteral kIndexRowsAttr = "graph.rows";

/// Name of the attribute of a result of @main that is no output of the model but tensor
/// <1xi64> with the first index out of range: {bits = B, parts = [...]}. The elements of
/// all parts are numbered one after the other. The result is position * 2^B + (value +
/// 2^(B-1)), the value limited to B bits, or the largest i64 if all are in range. A part
/// is an entry like those of graph.rows with dims = #graph.shape<...>, the shape of the
/// indices, or with input = I for indices in argument I.
inline constexpr llvm::StringLiteral kIndexCheckAttr = "graph.check";

/// Name of the attribute of a graph.weight of integers: its smallest and its largest
/// element. Without it any value of the type is possible.
inline constexpr llvm::StringLiteral kBoundsAttr = "bounds";

/// Index values into `rows` rows; each must lie in [-rows, rows).
struct IndexUse {
  mlir::Value index;
  SymbolicExpr rows;
};

/// The elements `first`, `first + step`, ... of an argument of @main.
struct IndexSource {
  mlir::BlockArgument argument;
  int64_t first = 0, step = 1;
};

/// Returns the value outside of kernels that equals a value in a kernel or the result of
/// one: an argument of @main or the result of an op that is not a kernel.
mlir::Value lookThroughKernels(mlir::Value value);
/// Returns the op that defines a value, looking through kernels; null for an argument of
/// @main.
mlir::Operation *definingOp(mlir::Value value);

/// Returns the value that all elements of an integer tensor have.
std::optional<SymbolicExpr> uniformNumber(mlir::Value value);

/// select(x < 0, x + rows, x), as importers and exporters spell an index that may count
/// from the end of a dim: such an index must lie in [-rows, rows).
std::optional<IndexUse> matchWrappedIndex(mlir::Value value);

/// Returns the indices per dim that an index into flattened dims is computed from; empty
/// if it is not computed that way.
std::vector<IndexUse> findIndexParts(mlir::Value index);

/// Returns the argument whose elements are the indices; nullopt if the model computes
/// them.
std::optional<IndexSource> findIndexSource(mlir::Value index);

/// Makes an entry of graph.rows for the node at `node`, which gathers from `rows` rows by
/// these indices.
mlir::DictionaryAttr describeIndexRows(mlir::MLIRContext *context,
                                       const IndexSource &source,
                                       const SymbolicExpr &rows, mlir::Location node);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_INDEXROWS_H

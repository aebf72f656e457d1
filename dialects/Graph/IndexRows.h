//===- IndexRows.h - Inputs and results that hold indices -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_INDEXROWS_H
#define KILN_DIALECTS_GRAPH_INDEXROWS_H

#include "llvm/ADT/StringRef.h"

namespace kiln::graph {

/// Name of the attribute of an argument or result of @main that holds indices: a list of
/// {node = "...", rows = #graph.shape<... -> [N]>}, whose node takes from N rows. The
/// runtime refuses an index outside [-N, N). A result with it is no output of the model.
inline constexpr llvm::StringLiteral kIndexRowsAttr = "graph.rows";

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_INDEXROWS_H

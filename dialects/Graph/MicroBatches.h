//===- MicroBatches.h - Programs split into micro-batches -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_MICROBATCHES_H
#define KILN_DIALECTS_GRAPH_MICROBATCHES_H

#include "llvm/ADT/StringRef.h"

namespace kiln::graph {

/// Attribute (i64) of a program: the number of micro-batches, at least 2, into which
/// kiln-split-micro-batches divided it.
inline constexpr llvm::StringLiteral kMicroBatchesAttr = "graph.micro_batches";

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_MICROBATCHES_H

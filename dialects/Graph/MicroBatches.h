//===- MicroBatches.h - Programs in parts -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_MICROBATCHES_H
#define KILN_DIALECTS_GRAPH_MICROBATCHES_H

#include "llvm/ADT/StringRef.h"

namespace kiln::graph {

/// Attribute (i64) of a program: the number of micro-batches, 2 or more, that
/// kiln-split-micro-batches has written it in.
inline constexpr llvm::StringLiteral kMicroBatchesAttr = "graph.micro_batches";

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_MICROBATCHES_H

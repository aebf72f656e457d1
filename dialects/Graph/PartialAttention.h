//===- PartialAttention.h - Attention over parts of the keys ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_PARTIALATTENTION_H
#define KILN_DIALECTS_GRAPH_PARTIALATTENTION_H

#include "dialects/Graph/Graph.h"

#define GET_OP_CLASSES
#include "dialects/Graph/GraphPartialOps.h.inc"

namespace kiln::graph {

/// Whether the softmax denominators of `attention` give `lse`: both have the same scores,
/// and the denominator includes nothing else.
bool isOfScores(AttentionLseOp lse, AttentionOp attention);
/// Returns the log-sum-exp op of the same scores in the same block; null if there is
/// none.
AttentionLseOp lseOf(AttentionOp attention);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_PARTIALATTENTION_H

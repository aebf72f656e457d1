//===- PartialAttention.h - Attention in parts ------------------*- C++ -*-===//
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

/// Whether an attention's pass over the keys gives the log-sum-exp, too: its scores are
/// the same, and nothing but these is in its sums.
bool isOfScores(AttentionLseOp lse, AttentionOp attention);
/// The log-sum-exp of an attention, in the same block; null: there is none.
AttentionLseOp lseOf(AttentionOp attention);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_PARTIALATTENTION_H

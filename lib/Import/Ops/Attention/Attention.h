//===- Attention.h - Common to importers of attention -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_ATTENTION_ATTENTION_H
#define KILN_LIB_IMPORT_OPS_ATTENTION_ATTENTION_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// Query, key and value as [B, heads, length, size].
struct Heads {
  mlir::Value query, key, value;
  SymbolicExpr past = 0; ///< keys before the first query's own
};

/// [B, S, heads * size] -> [B, heads, S, size]
mlir::Value splitHeads(Node &n, mlir::Value x, int64_t heads);
/// [B, heads, S, size] -> [B, S, heads * size]
mlir::Value mergeHeads(Node &n, mlir::Value x);

/// Repeats key heads [B, own, S, size] for the query heads that read them: [B, heads, S,
/// size]; returns x itself if `heads` is not a multiple of `own`.
mlir::Value repeatHeads(Node &n, mlir::Value x, int64_t heads);

/// Builds the result of an attention op of com.microsoft, softmax(scale Q K^T + mask) V,
/// merged to [B, S, hidden]; `mask` and `bias` are indices of the node's inputs.
mlir::LogicalResult attend(Node &n, const Heads &heads, unsigned mask, unsigned bias);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_ATTENTION_ATTENTION_H

//===- HeadExchange.h - Exchanges rows for heads ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Context parallelism by heads (Jacobs et al., DeepSpeed Ulysses, 2023, arXiv
// 2309.14509): before an attention, each rank sends its rows of queries, keys and values
// for the heads of other ranks, and receives all rows of its own heads. After it, each
// rank receives its rows of all heads.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_HEADEXCHANGE_H
#define KILN_LIB_TRANSFORMS_SHARDING_HEADEXCHANGE_H

#include "RowSplit.h"

namespace kiln {

/// Whether ranks that divide rows should exchange an attention's queries, keys and values
/// for heads: if that moves fewer bytes than gathering keys and values, or as many and
/// the attention is causal, so that dividing rows would be imbalanced. canGather: false
/// if gathering is not possible.
bool gainsByHeads(graph::AttentionOp op, int64_t ranks, bool canGather);

/// Converts [sequences, heads, rows, elements] with ceil(rows / ranks) rows of all heads
/// to all `rows` of heads / ranks heads, and back. axis: the ranks.
mlir::Value rowsToHeads(mlir::OpBuilder &builder, mlir::Value value,
                        const graph::SymbolicExpr &rows, graph::MeshAxis axis);
mlir::Value headsToRows(mlir::OpBuilder &builder, mlir::Value value,
                        graph::MeshAxis axis);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_HEADEXCHANGE_H

//===- HeadExchange.h - Rows of all heads for some heads' rows --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Context parallelism by heads (Jacobs et al., DeepSpeed Ulysses, 2023,
// arXiv 2309.14509): in front of an attention each rank gives its rows of queries, keys
// and values, but for those of its heads, and gets all rows of these. Behind it each gets
// its rows of all heads.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_HEADEXCHANGE_H
#define KILN_LIB_TRANSFORMS_SHARDING_HEADEXCHANGE_H

#include "RowSplit.h"

namespace kiln {

/// Whether ranks that have rows of an attention's queries, keys and values should
/// exchange them for heads: where that moves less than gathering keys and values, or as
/// much and the attention is causal, so that ranks with rows would differ in what they
/// compute. canGather: false where gathering is not possible.
bool gainsByHeads(graph::AttentionOp op, int64_t ranks, bool canGather);

/// Dims [sequences, heads, rows, elements] with ceil(rows / ranks) rows -> all `rows` of
/// heads / ranks heads, and back. axis: the ranks.
mlir::Value rowsToHeads(mlir::OpBuilder &builder, mlir::Value value,
                        const graph::SymbolicExpr &rows, graph::MeshAxis axis);
mlir::Value headsToRows(mlir::OpBuilder &builder, mlir::Value value,
                        graph::MeshAxis axis);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_HEADEXCHANGE_H

//===- DivideCaches.h - Positions of caches among ranks ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decode context parallelism: rank r of N keeps positions [r * part, (r + 1) * part) of a
// cache, part = capacity ceildiv N. What the attention of a rank's keys gives is merged
// by log-sum-exp. Internal to kiln-shard-context.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_DIVIDECACHES_H
#define KILN_LIB_TRANSFORMS_SHARDING_DIVIDECACHES_H

#include "RowSplit.h"

namespace kiln {

/// Divides the caches that can be in all programs. Their attentions have a log-sum-exp
/// then (lseOf). Returns how many states were divided.
unsigned divideCaches(mlir::ModuleOp module, RankIndex &index, graph::MeshAxis axis);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_DIVIDECACHES_H

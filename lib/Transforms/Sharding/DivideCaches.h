//===- DivideCaches.h - Divides positions of caches among ranks -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decode context parallelism: rank r of N keeps the positions [r * part, (r + 1) * part)
// of a cache, with part = capacity ceildiv N. Results of attention over each rank's keys
// are merged by log-sum-exp. Internal to kiln-shard-context.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_DIVIDECACHES_H
#define KILN_LIB_TRANSFORMS_SHARDING_DIVIDECACHES_H

#include "RowSplit.h"

namespace kiln {

/// Divides those caches that can be divided in all programs; their attentions then have a
/// log-sum-exp (lseOf). Returns the number of divided states.
unsigned divideCaches(mlir::ModuleOp module, RankIndex &index, graph::MeshAxis axis);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_SHARDING_DIVIDECACHES_H

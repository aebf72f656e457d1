//===- Grouping.h - Which ops form a kernel ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decision of fusion, apart from the rewriting: ops of one block assigned to
// groups. Internal to lib/Transforms/Fusion.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_GROUPING_H
#define KILN_TRANSFORMS_FUSION_GROUPING_H

#include "dialects/Graph/Graph.h"
#include "kiln/Codegen/KernelFamily.h"
#include "llvm/ADT/DenseMap.h"

namespace kiln {

using codegen::Hero;
using HeroOf = llvm::function_ref<const Hero &(mlir::Operation *op)>;

/// Ops that form one kernel, in program order; the last one is the tail, the
/// only op whose result is used outside.
struct Group {
  const Hero *hero = nullptr;
  llvm::SmallVector<mlir::Operation *> ops;
  /// Groups that become one kernel, with a result each that is read outside: `ops` are
  /// those of all. Empty: one result.
  std::vector<Group> parts;
  mlir::Operation *tail() const { return ops.back(); }
};

/// Ops that stay outside of kernels: weights, collectives, terminators.
bool staysOutside(mlir::Operation *op);
/// Ops that cost nothing to repeat, copied into every kernel that reads them:
/// views, constants, fills, iotas, dims, weights of 16 bits or fewer as f32.
bool isCopiedIntoUsers(mlir::Operation *op);

/// Makes one group of rows that are written to the caches of a layer, and of queries that
/// are rotated beside them: the same positions of the same product.
void joinCacheWrites(llvm::SmallVector<Group> &groups);

/// Makes one group of what quantizes the rows of an activation, and of the norm that
/// computes them; what gives integers only with `hasGpu`.
void joinQuantizedRows(llvm::SmallVector<Group> &groups, bool hasGpu);

/// Makes one group of an attention and its log-sum-exp.
void joinAttentionLse(llvm::SmallVector<Group> &groups);

/// The groups of the compute ops of a block, in program order of their tails.
/// Copied ops are in no group.
llvm::SmallVector<Group> formGroups(mlir::Block &block, HeroOf heroes, bool hasGpu);

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_GROUPING_H

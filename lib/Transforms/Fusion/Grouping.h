//===- Grouping.h - Grouping of ops into kernels ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decision of fusion, separate from rewriting: a partition of a block's ops. Internal
// to lib/Transforms/Fusion.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_GROUPING_H
#define KILN_TRANSFORMS_FUSION_GROUPING_H

#include "dialects/Graph/Graph.h"
#include "kiln/Codegen/KernelFamily.h"
#include "llvm/ADT/DenseMap.h"

namespace kiln {

/// Pass of the decision, which leaves remarks of it.
inline constexpr llvm::StringLiteral kFuseKernelsPass = "kiln-fuse-kernels";

using codegen::Hero;
using HeroOf = llvm::function_ref<const Hero &(mlir::Operation *op)>;

/// Ops that form one kernel, in program order; the last one, the tail, is the only op
/// whose result is used outside.
struct Group {
  const Hero *hero = nullptr;
  llvm::SmallVector<mlir::Operation *> ops;
  /// Groups that form one kernel with one result each; `ops` is their union. Empty: one
  /// group with one result.
  std::vector<Group> parts;
  mlir::Operation *tail() const { return ops.back(); }
};

/// Ops that stay outside of kernels: weights, collectives, terminators.
bool staysOutside(mlir::Operation *op);
/// Ops that are free to repeat and are copied into every kernel that reads them: views,
/// constants, fills, iotas, dims, and weights of at most 16 bits as f32.
bool isCopiedIntoUsers(mlir::Operation *op);

/// Joins the writes of rows to the caches of a layer and the rotation of queries (RoPE):
/// both are for the same positions of one matmul.
void joinCacheWrites(llvm::SmallVector<Group> &groups);

/// Joins the ops that quantize the rows of an activation and the norm that computes the
/// rows; for integers only with `hasGpu`.
void joinQuantizedRows(llvm::SmallVector<Group> &groups, bool hasGpu);

/// Joins an attention and its log-sum-exp.
void joinAttentionLse(llvm::SmallVector<Group> &groups);

/// Returns the groups of a block's compute ops, in program order of their tails. Ops that
/// are copied into users are in no group.
llvm::SmallVector<Group> formGroups(mlir::Block &block, HeroOf heroes, bool hasGpu);

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_GROUPING_H

//===- ShardRules.h - Propagation of shards through ops ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Sharding.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_SHARDING_SHARDRULES_H
#define KILN_LIB_TRANSFORMS_SHARDING_SHARDRULES_H

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/DenseMapInfo.h"

namespace kiln::graph {

/// Part of a value on a rank: elements [begin, begin + length) along an axis are divided
/// into `parts` equal parts, one per rank in the order of ranks. With fewer parts than
/// ranks, consecutive ranks have the same part; with one part, all ranks have it.
struct Shard {
  int64_t axis = 0, begin = 0, length = 0, parts = 1;
  int64_t partLength() const { return length / parts; }
  bool operator==(const Shard &other) const {
    return axis == other.axis && begin == other.begin && length == other.length &&
           parts == other.parts;
  }
  bool operator!=(const Shard &other) const { return !(*this == other); }
};

/// Returns the shard of the entire dim `axis`; nullopt if the dim is not constant.
std::optional<Shard> wholeAxis(mlir::Value value, int64_t axis, int64_t parts);
/// Whether the shard covers all elements of its axis.
bool isWholeAxis(mlir::Value value, const Shard &shard);
/// Whether every rank has the entire value.
inline bool isWhole(mlir::Value value, const Shard &shard) {
  return shard.parts == 1 && isWholeAxis(value, shard);
}
/// Returns the type of a rank's shard of `value`.
mlir::RankedTensorType shardType(mlir::Value value, const Shard &shard);

/// Shards of the operands that an op needs to compute a shard of its result.
struct ShardRule {
  /// Shard of each operand; nullopt: the entire operand.
  llvm::SmallVector<std::optional<Shard>> operands;
  /// Reason why the op cannot be computed from shards; empty if it can.
  std::string refusal;
};

/// Returns the rule of `op`, which has one result. Heads, scale blocks and operands of a
/// concat are never divided.
ShardRule shardRuleOf(mlir::Operation *op, const Shard &result);

} // namespace kiln::graph

template <> struct llvm::DenseMapInfo<kiln::graph::Shard> {
  using Shard = kiln::graph::Shard;
  static Shard getEmptyKey() { return {-1, 0, 0, 1}; }
  static Shard getTombstoneKey() { return {-2, 0, 0, 1}; }
  static unsigned getHashValue(const Shard &shard) {
    return llvm::hash_combine(shard.axis, shard.begin, shard.length, shard.parts);
  }
  static bool isEqual(const Shard &a, const Shard &b) { return a == b; }
};

#endif // KILN_LIB_TRANSFORMS_SHARDING_SHARDRULES_H

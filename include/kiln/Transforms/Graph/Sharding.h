//===- Sharding.h - Report of sharding --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_SHARDING_H
#define KILN_TRANSFORMS_GRAPH_SHARDING_H

#include "kiln/Support/Division.h"

#include <string>
#include <vector>

namespace kiln {

/// How the sharding passes divided a matmul with a weight, or an attention.
struct ShardEntry {
  static constexpr char kColumns[] = "columns"; ///< columns of the weight; no collective
  /// Columns of the weight of a model's logits, followed by an all-gather.
  static constexpr char kGathered[] = "gathered columns";
  /// A gather from a table of which each rank has some rows, followed by an all-reduce.
  static constexpr char kTable[] = "table rows";
  static constexpr char kRows[] = "rows"; ///< rows of the weight, followed by an
                                          ///< all-reduce
  /// A sum over ranks that leaves each rank the rows of its part of the sequence.
  static constexpr char kSequence[] = "sequence";
  /// A matmul or an attention of which each rank computes the rows of its part of the
  /// sequence.
  static constexpr char kContext[] = "context";
  /// An attention of which each rank computes some heads, between two all-to-alls that
  /// exchange rows of the sequence for heads and back.
  static constexpr char kExchanged[] = "exchanged heads";
  /// An attention of which each rank computes the contribution of its part of the cache.
  static constexpr char kCache[] = "cache";
  static constexpr char kHeads[] = "heads";           ///< heads of an attention
  static constexpr char kReplicated[] = "replicated"; ///< every rank computes all of it
  std::string op;                                     ///< "matmul", "attention", "sum"
  std::string node;                                   ///< the original ONNX node
  std::string split, why;

  /// Visits the fields for dialects/Graph/Record.h.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("op", self.op);
    visitor("node", self.node);
    visitor("split", self.split);
    visitor("why", self.why);
  }
};
using ShardReport = std::vector<ShardEntry>;

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_SHARDING_H

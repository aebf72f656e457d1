//===- Sharding.h - What is split among ranks -------------------*- C++ -*-===//
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

/// How kiln-shard and its relatives divided a matmul with a weight, or an attention.
struct ShardEntry {
  static constexpr char kColumns[] = "columns"; ///< of the weight; no collective
  /// Columns of a head's weight (that of a model's logits); an all-gather behind the
  /// matmul.
  static constexpr char kGathered[] = "gathered columns";
  /// A lookup in a table of which each rank has some rows; an all-reduce behind it.
  static constexpr char kTable[] = "table rows";
  static constexpr char kRows[] = "rows"; ///< of the weight; an all-reduce behind it
  /// A sum of ranks, of which each has the rows of its part of the sequence.
  static constexpr char kSequence[] = "sequence";
  /// A product or an attention of which each rank computes the rows of its part of the
  /// sequence.
  static constexpr char kContext[] = "context";
  /// An attention of some heads on each rank, in front of which and behind which ranks
  /// exchange rows of the sequence for heads.
  static constexpr char kExchanged[] = "exchanged heads";
  /// An attention of which each rank computes what its part of the cache gives.
  static constexpr char kCache[] = "cache";
  static constexpr char kHeads[] = "heads";           ///< an attention
  static constexpr char kReplicated[] = "replicated"; ///< every rank computes all of it
  std::string op;                                     ///< "matmul", "attention", "sum"
  std::string node;                                   ///< the ONNX node it is from
  std::string split, why;

  /// The fields, as dialects/Graph/Record.h reads and writes them.
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

//===- Collectives.h - Time of collectives ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An algorithm is a sequence of rounds; in each, some ranks send to others, and the next
// round begins when all have received. The cost model adds up the rounds, the simulator
// carries out each transfer (Simulator.h).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_COLLECTIVES_H
#define KILN_ESTIMATE_COLLECTIVES_H

#include "kiln/Estimate/Topology.h"

namespace kiln::estimate {

/// Ring: chunks travel from neighbor to neighbor. Tree: entire tensors travel along a
/// binomial tree. OneShot: each rank reads the tensors of all others. TwoShot: each rank
/// reduces its chunk of all tensors, then reads the chunks that the others reduced.
/// Hierarchical: within nodes, then across, then within. Pairwise: in round d each rank
/// sends to the rank d places after it.
enum class Algorithm { None, Ring, Tree, OneShot, TwoShot, Hierarchical, Pairwise };
llvm::StringRef nameOf(Algorithm algorithm);
llvm::StringRef nameOf(CollectiveKind kind);
/// Returns the kind with this name in plans and packages, such as "all_gather".
CollectiveKind collectiveOf(llvm::StringRef name);

/// Ranks of a collective, and where they are.
struct Group {
  std::vector<int64_t> ranks; ///< device numbers, which are consecutive within a node
  /// Number of other groups that send at the same time from the same nodes.
  int64_t others = 0;

  int64_t size() const { return static_cast<int64_t>(ranks.size()); }
  /// Maximum number of the ranks in one node, and number of nodes.
  int64_t perNode(const Topology &topology) const;
  int64_t nodes(const Topology &topology) const;
};

/// A transfer from one rank of a group to another, by their indices in the group.
struct Transfer {
  int64_t from = 0, to = 0;
  double bytes = 0;
  bool isSplit = false; ///< divided among all network adapters of the node
};
/// Transfers that may begin at the same time.
using Round = std::vector<Transfer>;

/// Returns the rounds of a collective of `bytes` (as Step::bytes defines them), for the
/// simulator. root: index of the rank that a broadcast sends from.
std::vector<Round> roundsOf(CollectiveKind kind, Algorithm algorithm, double bytes,
                            const Group &group, const Topology &topology, int64_t root);

/// Prediction for one collective.
struct CollectiveTime {
  Algorithm algorithm = Algorithm::None;
  double seconds = 0; ///< without Device::stepSeconds
};

/// Returns the algorithms that the collective can use in this topology.
std::vector<Algorithm> algorithmsOf(CollectiveKind kind, const Group &group,
                                    const Topology &topology);
/// Returns the time by the closed form; root as for roundsOf.
double secondsOf(CollectiveKind kind, Algorithm algorithm, double bytes,
                 const Group &group, const Topology &topology, int64_t root = 0);
/// Returns the prediction for the fastest algorithm.
CollectiveTime cheapest(CollectiveKind kind, double bytes, const Group &group,
                        const Topology &topology, int64_t root = 0);

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_COLLECTIVES_H

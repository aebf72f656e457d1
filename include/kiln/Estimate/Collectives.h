//===- Collectives.h - How long collectives take ----------------*- C++ -*-===//
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

/// Ring: chunks go from neighbor to neighbor. Tree: whole tensors along a binomial tree.
/// OneShot: each rank reads the tensors of all others. TwoShot: each rank reads its chunk
/// of all others, then the chunks that these combined. Hierarchical: within nodes, then
/// across, then within. Pairwise: in round d each rank sends to the one d places behind
/// it.
enum class Algorithm { None, Ring, Tree, OneShot, TwoShot, Hierarchical, Pairwise };
llvm::StringRef nameOf(Algorithm algorithm);
llvm::StringRef nameOf(CollectiveKind kind);
/// By its name in plans and packages, such as "all_gather".
CollectiveKind collectiveOf(llvm::StringRef name);

/// Ranks that meet in a collective, and where they are.
struct Group {
  std::vector<int64_t> ranks; ///< by which devices are numbered, node after node
  /// Groups beside this one that send at the same time from the same nodes.
  int64_t others = 0;

  int64_t size() const { return static_cast<int64_t>(ranks.size()); }
  /// How many of the ranks are in one node at most, and how many nodes there are.
  int64_t perNode(const Topology &topology) const;
  int64_t nodes(const Topology &topology) const;
};

/// From one rank of a group to another one, by their places in it.
struct Transfer {
  int64_t from = 0, to = 0;
  double bytes = 0;
  bool isSplit = false; ///< among all network adapters of the node
};
/// Transfers that may begin together.
using Round = std::vector<Transfer>;

/// The rounds of a collective of `bytes` (as Step::bytes says), for the simulator. root:
/// the place of the rank that a broadcast comes from.
std::vector<Round> roundsOf(CollectiveKind kind, Algorithm algorithm, double bytes,
                            const Group &group, const Topology &topology, int64_t root);

/// A prediction of one collective.
struct CollectiveTime {
  Algorithm algorithm = Algorithm::None;
  double seconds = 0; ///< without Device::stepSeconds
};

/// The algorithms that a collective can use there.
std::vector<Algorithm> algorithmsOf(CollectiveKind kind, const Group &group,
                                    const Topology &topology);
/// Closed form; root as above.
double secondsOf(CollectiveKind kind, Algorithm algorithm, double bytes,
                 const Group &group, const Topology &topology, int64_t root = 0);
/// The algorithm that takes the shortest time.
CollectiveTime cheapest(CollectiveKind kind, double bytes, const Group &group,
                        const Topology &topology, int64_t root = 0);

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_COLLECTIVES_H

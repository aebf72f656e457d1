//===- Collectives.cpp - Time model of collectives ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Collectives.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace kiln::estimate;
using namespace llvm;

StringRef kiln::estimate::nameOf(Algorithm algorithm) {
  static constexpr StringLiteral names[] = {
      "none", "ring", "tree", "one-shot", "two-shot", "hierarchical", "pairwise"};
  return names[static_cast<int>(algorithm)];
}

StringRef kiln::estimate::nameOf(CollectiveKind kind) {
  static constexpr StringLiteral names[] = {"all-reduce", "all-gather", "reduce-scatter",
                                            "broadcast",  "all-to-all", "permute"};
  return names[static_cast<int>(kind)];
}

CollectiveKind kiln::estimate::collectiveOf(StringRef name) {
  return StringSwitch<CollectiveKind>(name)
      .Case("all_reduce", CollectiveKind::AllReduce)
      .Case("all_gather", CollectiveKind::AllGather)
      .Case("reduce_scatter", CollectiveKind::ReduceScatter)
      .Case("broadcast", CollectiveKind::Broadcast)
      .Case("all_to_all", CollectiveKind::AllToAll)
      .Case("permute", CollectiveKind::Permute);
}

static int64_t nodeOf(int64_t rank, const Topology &topology) {
  return rank / topology.devicesPerNode;
}

static std::map<int64_t, int64_t> countByNode(const Group &group,
                                              const Topology &topology) {
  std::map<int64_t, int64_t> counts;
  for (int64_t rank : group.ranks)
    ++counts[nodeOf(rank, topology)];
  return counts;
}

int64_t Group::perNode(const Topology &topology) const {
  int64_t largest = 0;
  for (auto [node, count] : countByNode(*this, topology))
    largest = std::max(largest, count);
  return largest;
}

int64_t Group::nodes(const Topology &topology) const {
  return static_cast<int64_t>(countByNode(*this, topology).size());
}

/// Returns true if a hierarchical algorithm is possible: the ranks are on several nodes,
/// each with the same number, two or more.
static bool isRegular(const Group &group, const Topology &topology) {
  std::map<int64_t, int64_t> counts = countByNode(group, topology);
  return counts.size() > 1 && counts.begin()->second > 1 &&
         all_of(counts, [&](auto one) { return one.second == counts.begin()->second; });
}

std::vector<Algorithm> kiln::estimate::algorithmsOf(CollectiveKind kind,
                                                    const Group &group,
                                                    const Topology &topology) {
  bool isReached = group.nodes(topology) == 1 && topology.node.reachesAll;
  std::vector<Algorithm> found;
  if (kind == CollectiveKind::Permute)
    return {Algorithm::Pairwise};
  if (kind == CollectiveKind::Broadcast) {
    found = {Algorithm::Tree};
    if (isReached)
      found.push_back(Algorithm::OneShot);
    return found;
  }
  found = {kind == CollectiveKind::AllToAll ? Algorithm::Pairwise : Algorithm::Ring};
  if (kind == CollectiveKind::AllReduce)
    found.push_back(Algorithm::Tree);
  if (kind == CollectiveKind::AllReduce && isReached)
    found.insert(found.end(), {Algorithm::OneShot, Algorithm::TwoShot});
  // The other collectives have a one-shot algorithm only.
  if (kind != CollectiveKind::AllReduce && isReached)
    found.push_back(Algorithm::OneShot);
  if (kind == CollectiveKind::AllReduce && isRegular(group, topology))
    found.push_back(Algorithm::Hierarchical);
  return found;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// Adds `rounds` rounds in which each rank of `places` sends a chunk to the next one.
static void addRing(std::vector<Round> &out, ArrayRef<int64_t> places, int64_t rounds,
                    double chunk, bool isSplit) {
  int64_t size = static_cast<int64_t>(places.size());
  for (int64_t i = 0; size > 1 && i < rounds; ++i) {
    Round round;
    for (int64_t place = 0; place < size; ++place)
      round.push_back({places[place], places[(place + 1) % size], chunk, isSplit});
    out.push_back(std::move(round));
  }
}

/// Merges rounds that run at the same time.
static void join(std::vector<Round> &rounds, std::vector<Round> more) {
  rounds.resize(std::max(rounds.size(), more.size()));
  for (auto [i, round] : enumerate(more))
    rounds[i].insert(rounds[i].end(), round.begin(), round.end());
}

/// Returns the rounds of a broadcast along a binomial tree; each round doubles the ranks
/// that have the data.
static std::vector<Round> treeFrom(int64_t root, int64_t size, double bytes) {
  std::vector<Round> rounds;
  for (int64_t distance = 1; distance < size; distance *= 2) {
    Round round;
    for (int64_t place = 0; place < distance && place + distance < size; ++place)
      round.push_back({(root + place) % size, (root + place + distance) % size, bytes});
    rounds.push_back(std::move(round));
  }
  return rounds;
}

/// Returns the rounds of a reduction to rank 0, which are those of a broadcast in
/// reverse, and of a broadcast from it.
static std::vector<Round> treeAllReduce(int64_t size, double bytes) {
  std::vector<Round> down = treeFrom(0, size, bytes), rounds(down.rbegin(), down.rend());
  for (Round &round : rounds)
    for (Transfer &transfer : round)
      std::swap(transfer.from, transfer.to);
  rounds.insert(rounds.end(), down.begin(), down.end());
  return rounds;
}

/// Returns rounds in which each rank sends a chunk to the rank 1, 2, 3 ... places after
/// it. A permute is a single transfer between two ranks.
static std::vector<Round> pairwiseRounds(CollectiveKind kind, int64_t size,
                                         double bytes) {
  if (kind == CollectiveKind::Permute)
    return {{{0, 1, bytes}}};
  std::vector<Round> rounds;
  for (int64_t distance = 1; distance < size; ++distance) {
    Round &round = rounds.emplace_back();
    for (int64_t place = 0; place < size; ++place)
      round.push_back({place, (place + distance) % size, bytes / double(size)});
  }
  return rounds;
}

/// Returns a round in which every rank reads a chunk from each other rank, starting with
/// its neighbor, so that no two read from the same rank at once.
static Round exchange(int64_t size, double chunk) {
  Round round;
  for (int64_t distance = 1; distance < size; ++distance)
    for (int64_t place = 0; place < size; ++place)
      round.push_back({place, (place + distance) % size, chunk});
  return round;
}

/// Groups the places of a group by node.
static std::vector<std::vector<int64_t>> placesByNode(const Group &group,
                                                      const Topology &topology) {
  std::map<int64_t, std::vector<int64_t>> places;
  for (auto [place, rank] : enumerate(group.ranks))
    places[nodeOf(rank, topology)].push_back(static_cast<int64_t>(place));
  std::vector<std::vector<int64_t>> list;
  for (auto &[node, own] : places)
    list.push_back(std::move(own));
  return list;
}

static std::vector<Round> hierarchicalRounds(double bytes, const Group &group,
                                             const Topology &topology) {
  std::vector<std::vector<int64_t>> nodes = placesByNode(group, topology);
  int64_t inside = static_cast<int64_t>(nodes.front().size());
  int64_t across = static_cast<int64_t>(nodes.size());
  auto within = [&] {
    std::vector<Round> rounds;
    for (ArrayRef<int64_t> places : nodes) {
      std::vector<Round> own;
      addRing(own, places, inside - 1, bytes / double(inside), false);
      join(rounds, std::move(own));
    }
    return rounds;
  };
  std::vector<Round> rounds = within(), between;
  for (int64_t i = 0; i < inside; ++i) {
    SmallVector<int64_t> places;
    for (ArrayRef<int64_t> node : nodes)
      places.push_back(node[i]);
    std::vector<Round> own;
    addRing(own, places, 2 * (across - 1), bytes / double(inside * across), false);
    join(between, std::move(own));
  }
  rounds.insert(rounds.end(), between.begin(), between.end());
  std::vector<Round> last = within();
  rounds.insert(rounds.end(), last.begin(), last.end());
  return rounds;
}

std::vector<Round> kiln::estimate::roundsOf(CollectiveKind kind, Algorithm algorithm,
                                            double bytes, const Group &group,
                                            const Topology &topology, int64_t root) {
  int64_t size = group.size();
  bool isReduction = kind == CollectiveKind::AllReduce;
  std::vector<Round> rounds;
  switch (algorithm) {
  case Algorithm::None:
    break;
  case Algorithm::Ring:
    addRing(rounds, to_vector(seq<int64_t>(0, size)), (isReduction ? 2 : 1) * (size - 1),
            bytes / double(size), /*isSplit=*/true);
    break;
  case Algorithm::Tree:
    return kind == CollectiveKind::Broadcast ? treeFrom(root, size, bytes)
                                             : treeAllReduce(size, bytes);
  case Algorithm::OneShot:
    if (kind != CollectiveKind::Broadcast)
      return {exchange(size, isReduction ? bytes : bytes / double(size))};
    rounds.emplace_back();
    for (int64_t i = 1; i < size; ++i)
      rounds.back().push_back({root, (root + i) % size, bytes});
    break;
  case Algorithm::TwoShot:
    return {exchange(size, bytes / double(size)), exchange(size, bytes / double(size))};
  case Algorithm::Hierarchical:
    return hierarchicalRounds(bytes, group, topology);
  case Algorithm::Pairwise:
    return pairwiseRounds(kind, size, bytes);
  }
  return rounds;
}

//===----------------------------------------------------------------------===//
// Closed form
//===----------------------------------------------------------------------===//

namespace {
/// Closed-form time of each algorithm, for one group.
class CollectiveCost {
public:
  CollectiveCost(const Group &group, const Topology &topology)
      : topology(topology), size(double(group.size())),
        inside(double(group.perNode(topology))), nodes(double(group.nodes(topology))),
        flows(group.others + 1), group(group) {}

  double ring(double bytes, double rounds) const;
  double inTurn(ArrayRef<Round> rounds) const;
  double direct(double bytes) const;
  double hierarchical(double bytes) const;

private:
  double within(double bytes) const {
    return topology.node.latency + bytes / topology.node.rate;
  }
  double across(double bytes, double rate) const {
    return topology.network.latency + bytes / rate;
  }

  const Topology &topology;
  double size, inside, nodes;
  int64_t flows; ///< groups that send at the same time
  const Group &group;
};
} // namespace

/// Returns the time of `rounds` rounds of a ring. Between nodes a chunk is divided over
/// all network adapters of a node, as if there were a ring per adapter.
double CollectiveCost::ring(double bytes, double rounds) const {
  double chunk = bytes / size, round = inside > 1 ? within(chunk) : 0;
  if (nodes > 1)
    round = std::max(round, across(chunk, topology.networkRate(1) *
                                              double(topology.adapters) / double(flows)));
  return rounds * round;
}

/// Returns the seconds of successive rounds, each as slow as its slowest transfer.
double CollectiveCost::inTurn(ArrayRef<Round> rounds) const {
  double seconds = 0;
  for (const Round &round : rounds) {
    double slowest = 0, bytes = round.front().bytes; // all transfers of a round have
                                                     // equal size
    std::map<int64_t, int64_t> leaving;              // transfers out of each node
    for (const Transfer &transfer : round) {
      int64_t from = nodeOf(group.ranks[transfer.from], topology);
      if (from == nodeOf(group.ranks[transfer.to], topology))
        slowest = std::max(slowest, within(bytes));
      else
        ++leaving[from];
    }
    for (auto [node, count] : leaving)
      slowest = std::max(slowest, across(bytes, topology.networkRate(count * flows)));
    seconds += slowest;
  }
  return seconds;
}

/// Returns the time in which every rank reads `bytes` from each other rank through a
/// switch.
double CollectiveCost::direct(double bytes) const { return within((size - 1) * bytes); }

double CollectiveCost::hierarchical(double bytes) const {
  double rate = topology.networkRate(static_cast<int64_t>(inside) * flows);
  return 2 * (inside - 1) * within(bytes / inside) +
         2 * (nodes - 1) * across(bytes / inside / nodes, rate);
}

double kiln::estimate::secondsOf(CollectiveKind kind, Algorithm algorithm, double bytes,
                                 const Group &group, const Topology &topology,
                                 int64_t root) {
  CollectiveCost cost(group, topology);
  double size = double(group.size());
  bool isReduction = kind == CollectiveKind::AllReduce;
  switch (algorithm) {
  case Algorithm::None:
    return 0;
  case Algorithm::Ring:
    return cost.ring(bytes, (isReduction ? 2 : 1) * (size - 1));
  case Algorithm::Tree:
    // A binomial tree: one pass for a broadcast, two for an all-reduce.
    return (isReduction ? 2 : 1) * cost.inTurn(treeFrom(root, group.size(), bytes));
  case Algorithm::OneShot:
    return cost.direct(isReduction || kind == CollectiveKind::Broadcast ? bytes
                                                                        : bytes / size);
  case Algorithm::TwoShot:
    return 2 * cost.direct(bytes / size);
  case Algorithm::Hierarchical:
    return cost.hierarchical(bytes);
  case Algorithm::Pairwise:
    return cost.inTurn(pairwiseRounds(kind, group.size(), bytes));
  }
  return 0;
}

CollectiveTime kiln::estimate::cheapest(CollectiveKind kind, double bytes,
                                        const Group &group, const Topology &topology,
                                        int64_t root) {
  CollectiveTime best;
  if (group.size() < 2)
    return best;
  for (Algorithm algorithm : algorithmsOf(kind, group, topology)) {
    double seconds = secondsOf(kind, algorithm, bytes, group, topology, root);
    if (best.algorithm == Algorithm::None || seconds < best.seconds)
      best = {algorithm, seconds};
  }
  return best;
}

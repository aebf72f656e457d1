//===- node_links.h - Ranks on several nodes share a segment ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each process has a segment of its own, and its rank's part of it is replicated in the
// segments of the others by messages. Barriers, checks and sums are then those of ranks
// that share memory, and nothing here knows of collectives.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_NODE_LINKS_H
#define KILN_COLLECTIVE_NODE_LINKS_H

#include "runtime/collective/node_bootstrap.h"
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace kiln::rt {

class NodeLinks {
public:
  /// Connects this rank with all others. segment: of this process alone; outlives the
  /// links. Errors: as rendezvous, KILN-E0702 (there is no plugin), KILN-E0621 (too many
  /// ranks).
  static Status open(const Rendezvous &self, Segment &segment,
                     std::unique_ptr<NodeLinks> &out);
  /// Sends what is still to be sent, for a short time.
  ~NodeLinks();

  /// Gives each rank its range of this rank's buffer, and says that this rank is at its
  /// barrier number `arrivals`, for a collective if it begins one. The ranges must stay
  /// as they are until all ranks have arrived at the next barrier. Allocates nothing.
  void publish(uint32_t arrivals, uint32_t bufferIndex, const CollectiveCall *call,
               std::span<const Segment::Range> ranges);
  /// Tells the others the failure that the segment has. Returns when they have it, or
  /// after a short time.
  void publishFailure();

  /// Whether the connection to a rank has ended.
  bool isLost(uint32_t rank) const;
  /// Time since the last message of a rank. A live rank sends one at least twice a
  /// second.
  std::chrono::milliseconds silence(uint32_t rank) const;
  std::string node(uint32_t rank) const { return cards[rank].node.str(); }
  /// Ranks on this machine.
  uint32_t localRanks() const { return local; }

private:
  struct Message;
  struct Peer;
  NodeLinks(uint32_t rank, Segment &segment);
  Status start();
  void send(Peer &peer);
  void receive(Peer &peer);
  bool apply(Peer &peer, const Message &message);
  bool receiveFailure(Peer &peer, const Message &message);
  void flush(std::chrono::milliseconds within);

  const uint32_t own;
  Segment &segment;
  const kiln_wire_table *table = nullptr;
  kiln_wire *wire = nullptr;
  std::vector<NodeCard> cards;
  uint32_t local = 1;
  std::vector<std::unique_ptr<Peer>> peers; ///< by rank; none of this one
  std::atomic<uint32_t> running{0};         ///< threads
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_NODE_LINKS_H

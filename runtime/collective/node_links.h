//===- node_links.h - Ranks on several nodes share a segment ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each process has its own segment (segment.h); messages replicate this rank's part of
// it into the segments of the other ranks. Barriers, checks and reductions then work as
// for ranks that share memory, and nothing here depends on the kind of collective.
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
  /// Connects this rank with all others. segment: this process's own; must outlive the
  /// links. Errors: as rendezvous, KILN-E0702 (there is no plugin), KILN-E0621 (too many
  /// ranks).
  static Status open(const Rendezvous &self, Segment &segment,
                     std::unique_ptr<NodeLinks> &out);
  /// Flushes pending messages, for a short time.
  ~NodeLinks();

  /// Sends each rank its range of this rank's staging buffer, and announces that this
  /// rank is at its barrier number `arrivals`; call: the collective that begins there, or
  /// null. The ranges must not change until all ranks have arrived at the next barrier.
  /// Allocates nothing.
  void publish(uint32_t arrivals, uint32_t bufferIndex, const CollectiveCall *call,
               std::span<const Segment::Range> ranges);
  /// Sends the failure in the segment to the other ranks. Returns when they have received
  /// it, or after a short time.
  void publishFailure();

  /// Whether the connection to a rank has ended.
  bool isLost(uint32_t rank) const;
  /// Time since the last message of a rank. A live rank sends a message at least twice a
  /// second.
  std::chrono::milliseconds silence(uint32_t rank) const;
  std::string node(uint32_t rank) const { return cards[rank].node.str(); }
  /// Number of ranks on this machine.
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
  std::vector<std::unique_ptr<Peer>> peers; ///< by rank; null for this one
  std::atomic<uint32_t> running{0};         ///< number of threads
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_NODE_LINKS_H

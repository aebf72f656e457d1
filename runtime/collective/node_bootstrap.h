//===- node_bootstrap.h - How ranks of several nodes connect ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bootstrap for ranks on several nodes. Each rank listens at one address for each other
// rank; rank 0 collects all addresses and sends each rank those at which the others
// listen for it.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_NODE_BOOTSTRAP_H
#define KILN_COLLECTIVE_NODE_BOOTSTRAP_H

#include "runtime/collective/rendezvous_socket.h"
#include "runtime/collective/wire.h"

namespace kiln::rt {

/// Description of a rank that all ranks get, in a message of fixed size.
struct NodeCard {
  FixedText<64> node; ///< name of its node, for error messages
  FixedText<64> boot; ///< boot id: equal for processes of one machine
  cpu_set_t cpus;     ///< CPUs that the process may use
};

/// Address at which a rank listens for another one.
struct WireAddress {
  uint32_t size;
  uint8_t bytes[252];
};

/// Max ranks of a group on several nodes: the number of connections is quadratic.
inline constexpr uint32_t maxNodeRanks = 256;

class NodeBootstrap final : public Bootstrap {
public:
  NodeBootstrap(const Rendezvous &self, const kiln_wire_table &table)
      : self(self), table(table), cards(self.ranks), addresses(self.ranks) {}
  ~NodeBootstrap() override;

  Status asHost(std::vector<Socket> &peers) override;
  Status asPeer(const Socket &host) override;

  kiln_wire *take() { return std::exchange(wire, nullptr); }
  std::vector<NodeCard> takeCards() { return std::move(cards); }

private:
  Status open(const Socket &connection);
  Status connect();
  Failure badMessage(uint32_t rank) const;

  const Rendezvous &self;
  const kiln_wire_table &table;
  kiln_wire *wire = nullptr;
  std::vector<NodeCard> cards;        ///< by rank
  std::vector<WireAddress> addresses; ///< where the others listen for this rank
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_NODE_BOOTSTRAP_H

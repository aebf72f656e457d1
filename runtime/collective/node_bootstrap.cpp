//===- node_bootstrap.cpp - How ranks of several nodes connect -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/node_bootstrap.h"
#include <fstream>
#include <sys/utsname.h>

using namespace kiln::rt;
using Clock = std::chrono::steady_clock;

/// Max time for a connected rank to send the addresses at which it listens.
static constexpr auto cardTime = std::chrono::seconds(10);

static NodeCard ownCard() {
  NodeCard card = {};
  utsname name;
  if (uname(&name) == 0)
    card.node = std::string(name.nodename);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  card.boot = boot;
  if (sched_getaffinity(0, sizeof card.cpus, &card.cpus) != 0)
    CPU_ZERO(&card.cpus);
  return card;
}

NodeBootstrap::~NodeBootstrap() {
  if (wire)
    table.close(wire);
}

Failure NodeBootstrap::badMessage(uint32_t rank) const {
  return {Code::RankFailed,
          rankText(rank),
          "it has not said where it listens for the others",
          "an address for each of " + std::to_string(self.ranks) + " ranks",
          "none of them",
          "see what that rank said, or how its launcher ended it"};
}

/// Listens at the IP address of this rank's connection with rank 0.
Status NodeBootstrap::open(const Socket &connection) {
  std::string host = connection.ownAddress();
  char reason[256] = "no reason given";
  auto timeout = static_cast<uint32_t>(self.timeout.count());
  wire = table.open(self.rank, self.ranks, host.c_str(), timeout, reason, sizeof reason);
  if (wire)
    return {};
  return Failure{Code::RankFailed,
                 rankText(self.rank),
                 "it cannot listen for ranks of other nodes",
                 "a port at " + host,
                 reason,
                 "look at the limits and the network of this process"};
}

Status NodeBootstrap::connect() {
  for (uint32_t peer = 0; peer < self.ranks; ++peer) {
    char reason[256] = "no reason given";
    const WireAddress &address = addresses[peer];
    if (peer == self.rank ||
        (address.size <= sizeof address.bytes &&
         table.connect(wire, peer, address.bytes, address.size, reason, sizeof reason)))
      continue;
    return Failure{Code::RankFailed,
                   rankText(self.rank),
                   "it cannot connect with " + rankText(peer) + " on node " +
                       cards[peer].node.str(),
                   "a connection of each rank with each other",
                   reason,
                   "let the nodes reach each other at all ports above 1023"};
  }
  return {};
}

namespace {
/// Exchange messages of fixed size, cards and addresses, between rank 0 and another rank.
template <typename T> bool sendAll(const Socket &to, const std::vector<T> &all) {
  return to.send(all.data(), all.size() * sizeof(T));
}
template <typename T> bool receiveAll(const Socket &from, std::vector<T> &all) {
  return from.receive(all.data(), all.size() * sizeof(T), Clock::now() + cardTime) ==
         Socket::Received::Message;
}
} // namespace

Status NodeBootstrap::asHost(std::vector<Socket> &peers) {
  using Row = std::vector<WireAddress>;
  std::vector<Row> rows(self.ranks, Row(self.ranks)); ///< by listening rank
  const Socket alone;
  KILN_TRY(open(self.ranks > 1 ? peers[1] : alone));
  cards[0] = ownCard();
  for (uint32_t peer = 1; peer < self.ranks; ++peer)
    rows[0][peer].size = static_cast<uint32_t>(
        table.address(wire, peer, rows[0][peer].bytes, sizeof rows[0][peer].bytes));
  Answer answer = Answer::of(Answer::Share);
  for (uint32_t rank = 1; rank < self.ranks; ++rank)
    if (!peers[rank].send(&answer, sizeof answer))
      return hasEnded(rank, "it ended before all ranks had come");
  for (uint32_t rank = 1; rank < self.ranks; ++rank) {
    std::vector<NodeCard> card(1);
    if (!receiveAll(peers[rank], card) || !receiveAll(peers[rank], rows[rank]))
      return badMessage(rank);
    cards[rank] = card[0];
  }
  for (uint32_t rank = 0; rank < self.ranks; ++rank) {
    for (uint32_t other = 0; other < self.ranks; ++other)
      addresses[other] = rows[other][rank];
    if (rank && (!peers[rank].send(&(answer = Answer::of(Answer::Go)), sizeof answer) ||
                 !sendAll(peers[rank], cards) || !sendAll(peers[rank], addresses)))
      return hasEnded(rank, "it ended before all ranks were connected");
  }
  for (uint32_t other = 0; other < self.ranks; ++other)
    addresses[other] = rows[other][0];
  return connect();
}

Status NodeBootstrap::asPeer(const Socket &host) {
  Answer answer;
  KILN_TRY(receiveAnswer(host, self, answer));
  KILN_TRY(open(host));
  std::vector<WireAddress> own(self.ranks);
  for (uint32_t peer = 0; peer < self.ranks; ++peer)
    if (peer != self.rank)
      own[peer].size = static_cast<uint32_t>(
          table.address(wire, peer, own[peer].bytes, sizeof own[peer].bytes));
  if (!sendAll(host, std::vector<NodeCard>{ownCard()}) || !sendAll(host, own))
    return hasEnded(0, "it ended before all ranks had come");
  KILN_TRY(receiveAnswer(host, self, answer));
  if (!receiveAll(host, cards) || !receiveAll(host, addresses))
    return badMessage(0);
  return connect();
}

//===- node_backend.cpp - Ranks on several nodes --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/node_backend.h"

using namespace kiln::rt;

NodeBackend::NodeBackend(std::unique_ptr<Segment> memory,
                         std::unique_ptr<NodeLinks> opened, uint32_t rank,
                         std::chrono::milliseconds timeout)
    : ProcessBackend(std::move(memory), rank, timeout), links(std::move(opened)) {
  ranges.resize(ranks);
}

Status NodeBackend::join(const Rendezvous &self, std::unique_ptr<HostBackend> &out) {
  auto segment = std::make_unique<Segment>();
  std::unique_ptr<NodeLinks> links;
  KILN_TRY(NodeLinks::open(self, *segment, links));
  out.reset(
      new NodeBackend(std::move(segment), std::move(links), self.rank, self.timeout));
  return {};
}

std::string NodeBackend::describe(uint32_t rank) const {
  return rankText(rank) + " on node " + links->node(rank);
}

/// Twice the max time between two messages of a live rank.
static constexpr std::chrono::milliseconds maxSilence(1500);

std::string NodeBackend::absence(uint32_t rank) const {
  bool isSilent = links->silence(rank) > maxSilence;
  return (isSilent ? "nothing for " + std::to_string(links->silence(rank).count()) +
                         " ms (it is stopped, or its node is cut off)"
                   : std::string("only that it lives")) +
         "; its last collective: " + lastCollective(rank);
}

/// Returns the rank to blame: the one that has been silent for longest, if longer than
/// maxSilence, rather than one that waits for it.
uint32_t NodeBackend::suspect(uint32_t rank) const {
  uint32_t result = rank;
  for (uint32_t other = 0; other < ranks; ++other)
    if (links->silence(other) > std::max(links->silence(result), maxSilence))
      result = other;
  return result;
}

std::optional<Failure> NodeBackend::lost(uint32_t rank) {
  if (!links->isLost(rank))
    return std::nullopt;
  return Failure{Code::RankFailed,
                 describe(rank),
                 "its process has ended, or its node " + links->node(rank) +
                     " is cut off; its last collective: " + lastCollective(rank),
                 "a process for each rank until all have their results",
                 "the connection has ended",
                 "see what that rank said, or how its launcher ended it"};
}

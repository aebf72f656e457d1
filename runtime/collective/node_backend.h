//===- node_backend.h - Ranks on several nodes ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each process has a copy of the segment (segment.h), which NodeLinks keeps up to date.
// Barriers, checks and reductions are those of ProcessBackend.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_NODE_BACKEND_H
#define KILN_COLLECTIVE_NODE_BACKEND_H

#include "runtime/collective/node_links.h"
#include "runtime/collective/process_backend.h"

namespace kiln::rt {

class NodeBackend final : public ProcessBackend {
public:
  /// Waits for the other ranks. Errors: as NodeLinks::open.
  static Status join(const Rendezvous &self, std::unique_ptr<HostBackend> &out);

  const char *name() const override { return "gloo"; }

private:
  NodeBackend(std::unique_ptr<Segment> segment, std::unique_ptr<NodeLinks> links,
              uint32_t rank, std::chrono::milliseconds timeout);
  std::optional<Failure> lost(uint32_t rank) override;
  uint32_t suspect(uint32_t rank) const override;
  std::string describe(uint32_t rank) const override;
  std::string absence(uint32_t rank) const override;
  void replicate(uint32_t arrivals, uint32_t bufferIndex, const CollectiveCall *call,
                 std::span<const Range> all) override {
    links->publish(arrivals, bufferIndex, call, all);
  }
  void replicateFailure() override { links->publishFailure(); }
  uint32_t localRanks() const override { return links->localRanks(); }

  const std::unique_ptr<NodeLinks> links;
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_NODE_BACKEND_H

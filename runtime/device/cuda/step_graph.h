//===- step_graph.h - The steps of a plan as a CUDA graph -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA graph with a node per command, and edges for dependencies. A collective is
// captured from what NCCL enqueues on a stream and added as a child graph. Collectives
// form one chain, the same on all ranks, even if other nodes run concurrently: a
// communicator can run only one collective at a time.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_STEP_GRAPH_H
#define KILN_DEVICE_CUDA_STEP_GRAPH_H

#include "runtime/device/cuda/collectives.h"
#include "runtime/device/cuda/launches.h"

namespace kiln::rt::cuda {

class StepGraph {
public:
  explicit StepGraph(const Context &context) : context(context) {}
  ~StepGraph();
  StepGraph(const StepGraph &) = delete;

  /// Creates the graph. The launches must be bound to valid memory. dependencies: per
  /// step. collectives: of a rank that captures them; null: there are none. Errors:
  /// KILN-E0706, E0708, and those of Collectives::capture.
  Status create(const Launches &launches,
                const std::vector<std::vector<uint32_t>> &dependencies,
                Collectives *collectives);
  /// Instantiates the graph and uploads it. Errors: KILN-E0706.
  Status instantiate(CUstream stream, CUgraphExec &out) const;
  CUgraphNode node(size_t command) const { return nodes[command]; }
  size_t size() const { return nodes.size(); }

private:
  Status addNode(const Launches &launches, size_t index, std::span<const uint32_t> after,
                 Collectives *collectives);
  Status addWork(const Launches &launches, const Command &command,
                 std::span<const CUgraphNode> after, CUgraphNode &out);
  Status addCopy(const Launches &launches, const Command &command,
                 std::span<const CUgraphNode> after, CUgraphNode &out);
  Status addCollective(const Launches &launches, size_t index,
                       std::vector<CUgraphNode> after, Collectives &collectives);
  Status addNothing(std::span<const CUgraphNode> after, const Where &where,
                    CUgraphNode &out);

  const Context &context;
  CUgraph graph = nullptr;
  CUdeviceptr placeholder = 0;    ///< for copies of empty buffers
  std::vector<CUgraphNode> nodes; ///< per command
  CUgraphNode lastCollective = nullptr, lastProgress = nullptr;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_STEP_GRAPH_H

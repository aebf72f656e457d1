//===- graph_cache.h - Instantiated graphs of a session -------------*- C++ -*- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of a session are the nodes of one CUDA graph, which is instantiated
// several times when the session is created. Each instance has the parameters of one
// set of dims. A run with dims that one of them has finds everything as it must be;
// with others the instance that was used longest ago gets new parameters. A request
// compiles, captures and instantiates nothing.
//
// With ranks whose collectives are on the GPU every instance has a graph of its own,
// which is made when dims come that no instance has: what NCCL enqueues depends on sizes
// and addresses, other nodes for other sizes, and cannot be set in an executable graph.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_GRAPH_CACHE_H
#define KILN_DEVICE_CUDA_GRAPH_CACHE_H

#include "runtime/device/cuda/step_graph.h"

namespace kiln::rt::cuda {

/// How many instances a session makes: as the memory allows, not more than there are
/// different dims, one at least and 64 at most. nodes: of the graph.
size_t graphInstances(size_t nodes, uint64_t memory, uint64_t choices);

/// An estimate for an instance; a driver does not say what it takes. Nodes of kernels
/// have room for their parameters and for what the launch needs on the device.
uint64_t graphBytes(size_t nodes);

class GraphCache {
public:
  explicit GraphCache(const Context &context) : context(context) {}
  /// For ranks: `capture` makes the graphs.
  GraphCache(const Context &context, size_t instances)
      : context(context), instances(instances) {}
  ~GraphCache();
  GraphCache(const GraphCache &) = delete;

  /// The launches must be bound to valid memory. dependencies: per step. Errors:
  /// KILN-E0706, E0708.
  Status create(const Launches &launches,
                const std::vector<std::vector<uint32_t>> &dependencies,
                std::span<const int64_t> dims, size_t instances, CUstream stream);

  /// An instance with the parameters that the launches have now. dims: what those
  /// depend on. Errors: KILN-E0706; a later call then puts right what is missing.
  Status prepare(const Launches &launches, std::span<const int64_t> dims,
                 CUgraphExec &out);

  // Of ranks.

  /// Whether an instance has these dims, and collectives with the operands at hand.
  bool hasCaptured(const Launches &launches, std::span<const int64_t> dims);
  /// Makes an instance for these dims, in place of the one that was used longest ago.
  /// Errors: of StepGraph.
  Status capture(const Launches &launches,
                 const std::vector<std::vector<uint32_t>> &dependencies,
                 std::span<const int64_t> dims, Collectives &collectives,
                 CUstream stream);
  /// Destroys all graphs, also of launches in progress.
  void drop();

private:
  /// Parameters that a node was last updated with: equal ones are not set again.
  struct Given {
    const DeviceCode *code = nullptr;
    int64_t tasks = 0;
    uint32_t sharedBytes = 0;
    bool enabled = true;
  };
  struct Instance {
    CUgraphExec exec = nullptr;
    const StepGraph *graph = nullptr; ///< that it is of
    std::unique_ptr<StepGraph> own;   ///< with captured collectives
    uint64_t lastUse = 0;
    std::vector<int64_t> dims;
    std::vector<Given> given;    ///< per command
    std::vector<uint64_t> slots; ///< that the nodes have
  };

  Status instantiate(const Launches &launches, const StepGraph &graph,
                     std::span<const int64_t> dims, CUstream stream, Instance &instance);
  void clear(Instance &instance);
  Status update(const Launches &launches, size_t index, Instance &instance);
  Status setParameters(const Launches &launches, const Command &command, CUgraphNode node,
                       CUgraphExec exec);
  Instance &choose(std::span<const int64_t> dims);

  const Context &context;
  std::unique_ptr<StepGraph> shared; ///< of all instances, for one rank
  std::vector<Instance> instances;
  uint64_t uses = 0;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_GRAPH_CACHE_H

//===- graph_cache.h - Instantiated graphs of a session -------------*- C++ -*- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of a session are the nodes of one CUDA graph, which is instantiated
// several times when the session is created. Each instance has the parameters for one
// set of dims. A run with the dims of an instance launches it unchanged; with other dims
// the least recently used instance gets new parameters. A run compiles, captures and
// instantiates nothing.
//
// If ranks have collectives on the GPU, every instance has a graph of its own, which is
// captured when dims occur that no instance has: the nodes that NCCL enqueues depend on
// sizes and addresses and cannot be updated in an executable graph.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_GRAPH_CACHE_H
#define KILN_DEVICE_CUDA_GRAPH_CACHE_H

#include "runtime/device/cuda/step_graph.h"

namespace kiln::rt::cuda {

/// Returns the number of instances of a session: as many as fit into memory, but at most
/// one per set of dims, and 1 to 64. nodes: number of nodes of the graph.
size_t graphInstances(size_t nodes, uint64_t memory, uint64_t choices);

/// Estimates the bytes of an instance, which a driver does not report. Kernel nodes hold
/// their parameters and what their launch needs on the device.
uint64_t graphBytes(size_t nodes);

class GraphCache {
public:
  explicit GraphCache(const Context &context) : context(context) {}
  /// Constructor for several ranks, which create graphs by `capture`.
  GraphCache(const Context &context, size_t instances)
      : context(context), instances(instances) {}
  ~GraphCache();
  GraphCache(const GraphCache &) = delete;

  /// Creates and instantiates the graph. The launches must be bound to valid memory.
  /// dependencies: per step. Errors: KILN-E0706, E0708.
  Status create(const Launches &launches,
                const std::vector<std::vector<uint32_t>> &dependencies,
                std::span<const int64_t> dims, size_t instances, CUstream stream);

  /// Returns an instance with the current parameters of the launches. dims: the dims that
  /// these depend on. Errors: KILN-E0706; a later call then completes the update.
  Status prepare(const Launches &launches, std::span<const int64_t> dims,
                 CUgraphExec &out);

  // For several ranks.

  /// Whether an instance has these dims and captured collectives with the current
  /// addresses.
  bool hasCaptured(const Launches &launches, std::span<const int64_t> dims);
  /// Captures an instance for these dims in place of the least recently used one. Errors:
  /// those of StepGraph.
  Status capture(const Launches &launches,
                 const std::vector<std::vector<uint32_t>> &dependencies,
                 std::span<const int64_t> dims, Collectives &collectives,
                 CUstream stream);
  /// Destroys all graphs, including those of launches in progress.
  void drop();

private:
  /// Parameters of a node's last update; equal ones are not set again.
  struct Given {
    const DeviceCode *code = nullptr;
    int64_t tasks = 0;
    uint32_t sharedBytes = 0;
    bool enabled = true;
  };
  struct Instance {
    CUgraphExec exec = nullptr;
    const StepGraph *graph = nullptr; ///< graph that was instantiated
    std::unique_ptr<StepGraph> own;   ///< graph with captured collectives
    uint64_t lastUse = 0;
    std::vector<int64_t> dims;
    std::vector<Given> given;    ///< last update, per command
    std::vector<uint64_t> slots; ///< slots as last set in the nodes
  };

  Status instantiate(const Launches &launches, const StepGraph &graph,
                     std::span<const int64_t> dims, CUstream stream, Instance &instance);
  void clear(Instance &instance);
  Status update(const Launches &launches, size_t index, Instance &instance);
  Status setParameters(const Launches &launches, const Command &command, CUgraphNode node,
                       CUgraphExec exec);
  Instance &choose(std::span<const int64_t> dims);

  const Context &context;
  std::unique_ptr<StepGraph> shared; ///< graph of all instances, for a single rank
  std::vector<Instance> instances;
  uint64_t uses = 0;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_GRAPH_CACHE_H

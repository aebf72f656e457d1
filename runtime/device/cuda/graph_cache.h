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
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_GRAPH_CACHE_H
#define KILN_DEVICE_CUDA_GRAPH_CACHE_H

#include "runtime/device/cuda/launches.h"

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

private:
  /// What a node was given last.
  struct Given {
    const DeviceCode *code = nullptr;
    int64_t tasks = 0;
    uint32_t sharedBytes = 0;
    bool enabled = true;
  };
  struct Instance {
    CUgraphExec exec = nullptr;
    uint64_t lastUse = 0;
    std::vector<int64_t> dims;
    std::vector<Given> given;    ///< per command
    std::vector<uint64_t> slots; ///< that the nodes have
  };

  Status addNode(const Launches &launches, size_t index, std::span<const uint32_t> after);
  Status addNode(const Launches &launches, const Command &command,
                 std::span<const CUgraphNode> after, CUgraphNode &out);
  Status instantiate(const Launches &launches, std::span<const int64_t> dims,
                     CUstream stream, Instance &instance);
  Status update(const Launches &launches, size_t index, Instance &instance);
  Status setParameters(const Launches &launches, const Command &command, CUgraphNode node,
                       CUgraphExec exec);
  Instance &choose(std::span<const int64_t> dims);

  const Context &context;
  CUgraph graph = nullptr;
  CUdeviceptr placeholder = 0;    ///< for copies of buffers that have no bytes
  std::vector<CUgraphNode> nodes; ///< per command
  std::vector<Instance> instances;
  uint64_t uses = 0;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_GRAPH_CACHE_H

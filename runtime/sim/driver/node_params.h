//===- node_params.h - Between a node's parameters and its work ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#ifndef KILN_SIM_DRIVER_NODE_PARAMS_H
#define KILN_SIM_DRIVER_NODE_PARAMS_H

#include "runtime/sim/driver/graph.h"

namespace kiln::sim::driver {

/// Returns the node parameters at `params`; throws if the pointer is null.
template <class P> const P &described(const P *params) {
  require(params, "the node's parameters are null");
  return *params;
}

/// Convert node parameters to work; throw if they are invalid.
KernelWork kernelWork(const CUDA_KERNEL_NODE_PARAMS_v1 &params);
KernelWork kernelWork(const CUDA_KERNEL_NODE_PARAMS_v2 &params);
HostWork hostWork(const CUDA_HOST_NODE_PARAMS &params);
Work workOf(const CUgraphNodeParams &params);

/// Returns the node's work as a W; throws if it is of another type.
template <class W> W &workAs(Node &node) {
  W *work = std::get_if<W>(&node.work);
  require(work, "the graph node is of another type");
  return *work;
}

/// Replaces a node's work by one of the same type. A kernel's attributes stay.
void replaceWork(Work &old, Work work);

/// Lists as the driver returns them: a null pointer asks for the count; a buffer that is
/// too short is filled; the rest of a longer one is zeroed.
struct NodeList {
  std::vector<CUgraphNode> nodes, others;
  std::vector<CUgraphEdgeData> edges;
  void add(const Node &node) { nodes.push_back(Handles::handle(node)); }
  void write(CUgraphNode *out, CUgraphNode *second, CUgraphEdgeData *edgeData,
             size_t *count, bool edgesMatter) const;
};

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_NODE_PARAMS_H

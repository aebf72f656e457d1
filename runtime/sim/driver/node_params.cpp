//===- node_params.cpp - Between a node's parameters and its work ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/node_params.h"
#include <algorithm>

using namespace kiln::sim;
using namespace kiln::sim::driver;

KernelWork driver::kernelWork(const CUDA_KERNEL_NODE_PARAMS_v2 &p) {
  require(p.func || p.kern, "a kernel node needs a function or a kernel");
  KernelWork work;
  work.handle = p.kern ? static_cast<void *>(p.kern) : p.func;
  work.function = functionOf(static_cast<CUfunction>(work.handle));
  work.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
  work.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
  work.dynamicShared = p.sharedMemBytes;
  work.parameters = packParameters(*work.function->info, p.kernelParams, p.extra);
  checkKernel(work);
  return work;
}

KernelWork driver::kernelWork(const CUDA_KERNEL_NODE_PARAMS_v1 &p) {
  return kernelWork(CUDA_KERNEL_NODE_PARAMS_v2{
      p.func, p.gridDimX, p.gridDimY, p.gridDimZ, p.blockDimX, p.blockDimY, p.blockDimZ,
      p.sharedMemBytes, p.kernelParams, p.extra, nullptr, nullptr});
}

HostWork driver::hostWork(const CUDA_HOST_NODE_PARAMS &p) {
  require(p.fn, "a host node's function is null");
  return {p.fn, p.userData, nullptr, nullptr};
}

Work driver::workOf(const CUgraphNodeParams &p) {
  for (int reserved : p.reserved0)
    require(!reserved, "reserved fields of node parameters must be 0");
  require(!p.reserved2, "reserved fields of node parameters must be 0");
  switch (p.type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return kernelWork(CUDA_KERNEL_NODE_PARAMS_v2{
        p.kernel.func, p.kernel.gridDimX, p.kernel.gridDimY, p.kernel.gridDimZ,
        p.kernel.blockDimX, p.kernel.blockDimY, p.kernel.blockDimZ,
        p.kernel.sharedMemBytes, p.kernel.kernelParams, p.kernel.extra, p.kernel.kern,
        p.kernel.ctx});
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    require(!p.memcpy.flags && !p.memcpy.reserved, "a memcpy node has no flags");
    return makeCopy(p.memcpy.copyParams);
  case CU_GRAPH_NODE_TYPE_MEMSET:
    return makeFill({p.memset.dst, p.memset.pitch, p.memset.value, p.memset.elementSize,
                     p.memset.width, p.memset.height});
  case CU_GRAPH_NODE_TYPE_HOST:
    return hostWork({p.host.fn, p.host.userData});
  case CU_GRAPH_NODE_TYPE_GRAPH: {
    std::shared_ptr<Graph> graph = graphOf(p.graph.graph);
    require(!graph->child || p.graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE,
            "a child graph cannot be moved into another node");
    if (p.graph.ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE)
      graph = cloneGraph(*graph);
    graph->child = true;
    return ChildWork{graph};
  }
  case CU_GRAPH_NODE_TYPE_EMPTY:
    return EmptyWork();
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    return WaitWork{eventOf(p.eventWait.event)};
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    return RecordWork{eventOf(p.eventRecord.event)};
  default:
    fail(CUDA_ERROR_NOT_SUPPORTED, "graph nodes of type %d are not modelled",
         int(p.type));
  }
}

void driver::replaceWork(Work &old, Work work) {
  require(old.index() == work.index(), "the graph node is of another type");
  if (auto *kernel = std::get_if<KernelWork>(&work)) {
    kernel->attributes = std::get<KernelWork>(old).attributes;
    checkKernel(*kernel);
  }
  old = std::move(work);
}

void NodeList::write(CUgraphNode *out, CUgraphNode *second, CUgraphEdgeData *edgeData,
                     size_t *count, bool edgesMatter) const {
  size_t &number = output(count);
  if (!out) {
    number = nodes.size();
    return;
  }
  bool plain = std::all_of(edges.begin(), edges.end(),
                           [](auto &e) { return !e.type && !e.from_port && !e.to_port; });
  if (edgesMatter && !edgeData && !plain)
    failQuietly(CUDA_ERROR_LOSSY_QUERY);
  for (size_t i = 0; i < number; i++) {
    bool there = i < nodes.size();
    out[i] = there ? nodes[i] : nullptr;
    if (second)
      second[i] = there ? others[i] : nullptr;
    if (edgeData)
      edgeData[i] = there ? edges[i] : CUgraphEdgeData();
  }
  number = std::min(number, nodes.size());
}

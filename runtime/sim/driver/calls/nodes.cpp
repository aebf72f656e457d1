//===- nodes.cpp - Graph nodes of each type ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/launch_attributes.h"
#include "runtime/sim/driver/node_params.h"

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

void add(CUgraphNode *handle, CUgraph graphHandle, const CUgraphNode *dependencies,
         const CUgraphEdgeData *edges, size_t count, Work work) {
  CUgraphNode &out = output(handle);
  std::shared_ptr<Graph> graph = graphOf(graphHandle);
  Dependencies list = readDependencies(*graph, dependencies, edges, count);
  out = Handles::handle(*addNode(graph, std::move(work), std::move(list)));
}

/// Throws if the context of a copy or fill node is invalid; null is the current one.
void checkContext(CUcontext handle) {
  if (handle)
    contextOf(handle);
}

template <class P> void kernelParams(CUgraphNode handle, P *out) {
  std::shared_ptr<Node> node = nodeOf(handle);
  KernelWork &work = workAs<KernelWork>(*node);
  const KernelInfo &info = *work.function->info;
  node->argumentPointers.clear();
  for (uint32_t offset : info.parameterOffsets)
    node->argumentPointers.push_back(work.parameters.data() + offset);
  P &params = output(out);
  params = {};
  params.func = static_cast<CUfunction>(work.handle);
  params.gridDimX = work.grid[0];
  params.gridDimY = work.grid[1];
  params.gridDimZ = work.grid[2];
  params.blockDimX = work.block[0];
  params.blockDimY = work.block[1];
  params.blockDimZ = work.block[2];
  params.sharedMemBytes = work.dynamicShared;
  params.kernelParams = node->argumentPointers.data();
}

} // namespace

void calls::graphAddKernelNode(CUgraphNode *node, CUgraph graph,
                               const CUgraphNode *dependencies, size_t count,
                               const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  add(node, graph, dependencies, nullptr, count, kernelWork(described(params)));
}

void calls::graphAddKernelNode(CUgraphNode *node, CUgraph graph,
                               const CUgraphNode *dependencies, size_t count,
                               const CUDA_KERNEL_NODE_PARAMS *params) {
  add(node, graph, dependencies, nullptr, count, kernelWork(described(params)));
}

void calls::graphKernelNodeGetParams(CUgraphNode node,
                                     CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  kernelParams(node, params);
}

void calls::graphKernelNodeGetParams(CUgraphNode handle,
                                     CUDA_KERNEL_NODE_PARAMS *params) {
  kernelParams(handle, params);
  std::shared_ptr<Node> node = nodeOf(handle);
  void *named = std::get<KernelWork>(node->work).handle;
  if (runtime().handles.find<Kernel>(named)) {
    params->func = nullptr;
    params->kern = static_cast<CUkernel>(named);
  }
}

void calls::graphKernelNodeSetParams(CUgraphNode node,
                                     const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  replaceWork(nodeOf(node)->work, kernelWork(described(params)));
}

void calls::graphKernelNodeSetParams(CUgraphNode node,
                                     const CUDA_KERNEL_NODE_PARAMS *params) {
  replaceWork(nodeOf(node)->work, kernelWork(described(params)));
}

void calls::graphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  std::shared_ptr<Node> to = nodeOf(dst), from = nodeOf(src);
  workAs<KernelWork>(*to).attributes = workAs<KernelWork>(*from).attributes;
}

void calls::graphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attr,
                                        CUkernelNodeAttrValue *value) {
  const AttributeMap &map = workAs<KernelWork>(*nodeOf(node)).attributes;
  CUkernelNodeAttrValue &out = output(value);
  require(attr > CU_LAUNCH_ATTRIBUTE_IGNORE && attr < CU_LAUNCH_ATTRIBUTE_MAX,
          "there is no such attribute of kernel nodes");
  auto entry = map.find(attr);
  out = entry == map.end() ? CUkernelNodeAttrValue() : entry->second;
}

void calls::graphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attr,
                                        const CUkernelNodeAttrValue *value) {
  KernelWork &work = workAs<KernelWork>(*nodeOf(node));
  require(value, "the attribute's value is null");
  checkLaunchAttribute(attr, *value);
  KernelWork changed = work;
  changed.attributes[attr] = *value;
  checkKernel(changed);
  work = std::move(changed);
}

void calls::graphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                               const CUgraphNode *dependencies, size_t count,
                               const CUDA_MEMCPY3D *params, CUcontext ctx) {
  checkContext(ctx);
  add(node, graph, dependencies, nullptr, count, makeCopy(described(params)));
}

void calls::graphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params) {
  output(params) = workAs<CopyWork>(*nodeOf(node)).params;
}

void calls::graphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params) {
  replaceWork(nodeOf(node)->work, makeCopy(described(params)));
}

void calls::graphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                               const CUgraphNode *dependencies, size_t count,
                               const CUDA_MEMSET_NODE_PARAMS *params, CUcontext ctx) {
  checkContext(ctx);
  add(node, graph, dependencies, nullptr, count, makeFill(described(params)));
}

void calls::graphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params) {
  output(params) = workAs<FillWork>(*nodeOf(node)).params;
}

void calls::graphMemsetNodeSetParams(CUgraphNode node,
                                     const CUDA_MEMSET_NODE_PARAMS *params) {
  replaceWork(nodeOf(node)->work, makeFill(described(params)));
}

void calls::graphAddHostNode(CUgraphNode *node, CUgraph graph,
                             const CUgraphNode *dependencies, size_t count,
                             const CUDA_HOST_NODE_PARAMS *params) {
  add(node, graph, dependencies, nullptr, count, hostWork(described(params)));
}

void calls::graphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params) {
  const HostWork &work = workAs<HostWork>(*nodeOf(node));
  output(params) = {work.function, work.userData};
}

void calls::graphHostNodeSetParams(CUgraphNode node,
                                   const CUDA_HOST_NODE_PARAMS *params) {
  replaceWork(nodeOf(node)->work, hostWork(described(params)));
}

void calls::graphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t count,
                                   CUgraph childGraph) {
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph.graph = childGraph;
  graphAddNode(node, graph, dependencies, nullptr, count, &params);
}

void calls::graphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
  output(graph) = Handles::handle(*workAs<ChildWork>(*nodeOf(node)).graph);
}

void calls::graphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count) {
  add(node, graph, dependencies, nullptr, count, EmptyWork());
}

void calls::graphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                    const CUgraphNode *dependencies, size_t count,
                                    CUevent event) {
  add(node, graph, dependencies, nullptr, count, RecordWork{eventOf(event)});
}

void calls::graphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  output(event) = Handles::handle(*workAs<RecordWork>(*nodeOf(node)).event);
}

void calls::graphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  workAs<RecordWork>(*nodeOf(node)).event = eventOf(event);
}

void calls::graphAddEventWaitNode(CUgraphNode *node, CUgraph graph,
                                  const CUgraphNode *dependencies, size_t count,
                                  CUevent event) {
  add(node, graph, dependencies, nullptr, count, WaitWork{eventOf(event)});
}

void calls::graphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  output(event) = Handles::handle(*workAs<WaitWork>(*nodeOf(node)).event);
}

void calls::graphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  workAs<WaitWork>(*nodeOf(node)).event = eventOf(event);
}

void calls::graphAddNode(CUgraphNode *node, CUgraph graph,
                         const CUgraphNode *dependencies,
                         const CUgraphEdgeData *dependencyData, size_t count,
                         CUgraphNodeParams *params) {
  // Checks come before workOf, which clones a child graph: a later failure would leak it.
  output(node);
  std::shared_ptr<Graph> target = graphOf(graph);
  readDependencies(*target, dependencies, dependencyData, count);
  const CUgraphNodeParams &wanted = described(params);
  if (wanted.type == CU_GRAPH_NODE_TYPE_GRAPH)
    require(graphOf(wanted.graph.graph) != target, "a graph cannot be its own child");
  add(node, graph, dependencies, dependencyData, count, workOf(wanted));
}

void calls::graphAddNode(CUgraphNode *node, CUgraph graph,
                         const CUgraphNode *dependencies, size_t count,
                         CUgraphNodeParams *params) {
  graphAddNode(node, graph, dependencies, nullptr, count, params);
}

void calls::graphNodeSetParams(CUgraphNode handle, CUgraphNodeParams *params) {
  std::shared_ptr<Node> node = nodeOf(handle);
  require(described(params).type == typeOf(node->work) &&
              params->type != CU_GRAPH_NODE_TYPE_GRAPH,
          "the graph node is of another type, or a child graph");
  replaceWork(node->work, workOf(*params));
}

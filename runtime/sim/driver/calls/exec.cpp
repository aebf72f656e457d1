//===- exec.cpp - Executable graphs ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/node_params.h"
#include "runtime/sim/driver/submit.h"
#include <cstdio>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

// The driver's CUDA_GRAPH_INSTANTIATE_FLAG_*.
constexpr uint64_t UploadFlag = 2, DeviceLaunchFlag = 4, AllInstantiateFlags = 15;

CUgraphExec makeExec(CUgraph handle, uint64_t flags) {
  require(!(flags & ~AllInstantiateFlags), "there is no such flag of an instantiation");
  if (flags & DeviceLaunchFlag)
    fail(CUDA_ERROR_NOT_SUPPORTED, "graphs that kernels launch are not modelled");
  auto exec = std::make_shared<GraphExec>();
  exec->graph = instantiate(*graphOf(handle));
  exec->flags = flags;
  return runtime().handles.add(exec);
}

/// Returns the node of the executable graph that was instantiated from `node`.
ExecNode &execNode(CUgraphExec handle, CUgraphNode node) {
  std::shared_ptr<GraphExec> exec = execOf(handle);
  ExecNode *found = findExecNode(exec->graph, reinterpret_cast<uint64_t>(node));
  require(found, "the node is not of the graph that was instantiated");
  return *found;
}

/// Returns the reason why a node's work cannot be updated in an executable graph.
CUgraphExecUpdateResult compareWork(const Work &old, const Work &changed) {
  if (old.index() != changed.index())
    return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
  if (auto *kernel = std::get_if<KernelWork>(&old)) {
    const KernelWork &other = std::get<KernelWork>(changed);
    if (kernel->function->context.lock() != other.function->context.lock())
      return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
    if (kernel->flag(CU_LAUNCH_ATTRIBUTE_COOPERATIVE) !=
        other.flag(CU_LAUNCH_ATTRIBUTE_COOPERATIVE))
      return CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
  }
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

struct Difference {
  CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  uint64_t node = 0; ///< the node of the new graph
};

Difference compare(const ExecGraph &old, const ExecGraph &changed) {
  if (old.nodes.size() != changed.nodes.size())
    return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, 0};
  for (size_t i = 0; i < old.nodes.size(); i++) {
    const ExecNode &a = old.nodes[i], &b = changed.nodes[i];
    if (a.waits != b.waits)
      return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b.source};
    CUgraphExecUpdateResult result = compareWork(a.work, b.work);
    if (result != CU_GRAPH_EXEC_UPDATE_SUCCESS)
      return {result, b.source};
    if (a.child)
      if (Difference inner = compare(*a.child, *b.child); inner.result)
        return {inner.result, b.source};
  }
  return {};
}

/// Copies the parameters of `changed`; the nodes keep their identities.
void assign(ExecGraph &old, const ExecGraph &changed) {
  old.held = changed.held;
  for (size_t i = 0; i < old.nodes.size(); i++) {
    old.nodes[i].work = changed.nodes[i].work;
    if (old.nodes[i].child)
      assign(*old.nodes[i].child, *changed.nodes[i].child);
  }
}

} // namespace

void calls::graphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                      unsigned long long flags) {
  CUgraphExec &out = output(exec);
  out = makeExec(graph, flags);
}

void calls::graphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *errorNode,
                             char *logBuffer, size_t bufferSize) {
  CUgraphExec &out = output(exec);
  if (errorNode)
    *errorNode = nullptr;
  if (logBuffer && bufferSize)
    logBuffer[0] = 0;
  try {
    out = makeExec(graph, 0);
  } catch (const Failure &failure) {
    if (logBuffer && bufferSize)
      snprintf(logBuffer, bufferSize, "%s", failure.message.c_str());
    throw;
  }
}

void calls::graphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                       CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
  CUgraphExec &out = output(exec);
  CUDA_GRAPH_INSTANTIATE_PARAMS &wanted = output(params);
  wanted.hErrNode_out = nullptr;
  wanted.result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
  if (wanted.flags & UploadFlag)
    streamOf(wanted.hUploadStream);
  std::shared_ptr<Graph> source = graphOf(graph);
  if (sorted(*source).size() != source->nodes.size())
    wanted.result_out = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
  out = makeExec(graph, wanted.flags);
  wanted.result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
}

void calls::graphExecGetFlags(CUgraphExec exec, cuuint64_t *flags) {
  output(flags) = execOf(exec)->flags & ~UploadFlag;
}

void calls::graphExecDestroy(CUgraphExec exec) {
  // Launches in flight hold their own copies of the work.
  runtime().handles.remove(*execOf(exec));
}

void calls::graphExecUpdate(CUgraphExec handle, CUgraph graph,
                            CUgraphExecUpdateResultInfo *resultInfo) {
  std::shared_ptr<GraphExec> exec = execOf(handle);
  CUgraphExecUpdateResultInfo &info = output(resultInfo);
  info = {CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
  ExecGraph changed = instantiate(*graphOf(graph));
  Difference difference = compare(exec->graph, changed);
  info.result = difference.result;
  info.errorNode = reinterpret_cast<CUgraphNode>(difference.node);
  if (difference.result != CU_GRAPH_EXEC_UPDATE_SUCCESS)
    fail(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
         "the graph differs from the instantiated one (CUgraphExecUpdateResult %d): "
         "instantiate it anew",
         int(difference.result));
  assign(exec->graph, changed);
}

void calls::graphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *errorNode,
                            CUgraphExecUpdateResult *updateResult) {
  CUgraphExecUpdateResultInfo info;
  auto copy = [&] {
    if (errorNode)
      *errorNode = info.errorNode;
    output(updateResult) = info.result;
  };
  try {
    graphExecUpdate(exec, graph, &info);
  } catch (const Failure &failure) {
    if (failure.code == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
      copy();
    throw;
  }
  copy();
}

static void replaceKernel(CUgraphExec exec, CUgraphNode node, KernelWork work) {
  ExecNode &target = execNode(exec, node);
  auto *old = std::get_if<KernelWork>(&target.work);
  if (old && old->function->context.lock() != work.function->context.lock())
    fail(CUDA_ERROR_INVALID_VALUE, "a kernel of another context cannot replace kernel %s",
         old->function->info->name.c_str());
  replaceWork(target.work, std::move(work));
}

void calls::graphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                         const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  replaceKernel(exec, node, kernelWork(described(params)));
}

void calls::graphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                         const CUDA_KERNEL_NODE_PARAMS *params) {
  replaceKernel(exec, node, kernelWork(described(params)));
}

void calls::graphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                         const CUDA_MEMCPY3D *params, CUcontext) {
  replaceWork(execNode(exec, node).work, makeCopy(described(params)));
}

void calls::graphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                         const CUDA_MEMSET_NODE_PARAMS *params,
                                         CUcontext) {
  replaceWork(execNode(exec, node).work, makeFill(described(params)));
}

void calls::graphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                       const CUDA_HOST_NODE_PARAMS *params) {
  replaceWork(execNode(exec, node).work, hostWork(described(params)));
}

void calls::graphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             CUgraph childGraph) {
  ExecNode &target = execNode(exec, node);
  require(target.child != nullptr, "the graph node is of another type");
  ExecGraph changed = instantiate(*graphOf(childGraph));
  require(compare(*target.child, changed).result == CU_GRAPH_EXEC_UPDATE_SUCCESS,
          "the child graph differs in more than its parameters");
  assign(*target.child, changed);
}

void calls::graphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                             CUevent event) {
  replaceWork(execNode(exec, node).work, RecordWork{eventOf(event)});
}

void calls::graphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                           CUevent event) {
  replaceWork(execNode(exec, node).work, WaitWork{eventOf(event)});
}

void calls::graphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                   CUgraphNodeParams *params) {
  const CUgraphNodeParams &wanted = described(params);
  if (wanted.type == CU_GRAPH_NODE_TYPE_GRAPH)
    return graphExecChildGraphNodeSetParams(exec, node, wanted.graph.graph);
  Work work = workOf(wanted);
  if (auto *kernel = std::get_if<KernelWork>(&work))
    return replaceKernel(exec, node, std::move(*kernel));
  replaceWork(execNode(exec, node).work, std::move(work));
}

static ExecNode &switchable(CUgraphExec exec, CUgraphNode node) {
  ExecNode &target = execNode(exec, node);
  CUgraphNodeType type = typeOf(target.work);
  require(type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
              type == CU_GRAPH_NODE_TYPE_MEMSET,
          "only kernel, memcpy and memset nodes can be switched off");
  return target;
}

void calls::graphNodeSetEnabled(CUgraphExec exec, CUgraphNode node,
                                unsigned int isEnabled) {
  switchable(exec, node).enabled = isEnabled != 0;
}

void calls::graphNodeGetEnabled(CUgraphExec exec, CUgraphNode node,
                                unsigned int *isEnabled) {
  output(isEnabled) = switchable(exec, node).enabled;
}

void calls::graphUpload(CUgraphExec exec, CUstream stream) {
  execOf(exec);
  submit(*streamOf(stream), EmptyWork());
}

/// Throws if a kernel's module was unloaded: an error now instead of a fault later.
static void checkLaunchable(const ExecGraph &graph) {
  for (const ExecNode &node : graph.nodes) {
    auto *kernel = std::get_if<KernelWork>(&node.work);
    if (kernel && node.enabled)
      checkKernel(*kernel);
    if (node.child)
      checkLaunchable(*node.child);
  }
}

void calls::graphLaunch(CUgraphExec handle, CUstream hStream) {
  std::shared_ptr<GraphExec> exec = execOf(handle);
  std::shared_ptr<Stream> stream = streamOf(hStream);
  std::shared_ptr<Context> context = ownerOf(*stream);
  checkHealthy(*context);
  if (stream->capture) {
    activeCapture(*stream).invalidated = true;
    fail(CUDA_ERROR_NOT_SUPPORTED, "launching a graph inside a capture is not modelled: "
                                   "add it as a child graph");
  }
  forbidImplicit(*stream);
  checkLaunchable(exec->graph);
  std::vector<std::shared_ptr<Op>> entry = streamWaits(*stream, *context);
  entry.push_back(exec->last);
  stream->last = exec->last =
      enqueueWork(EmptyWork(), context, enqueueGraph(exec->graph, context, entry));
  exec->last->finish = [exec] {}; // keeps the executable graph's resources alive, even if
                                  // it is destroyed
  runtime().engine.advance();
}

//===- step_graph.cpp - The steps of a plan as a CUDA graph ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/step_graph.h"
#include <algorithm>
#include <numeric>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

StepGraph::~StepGraph() {
  if (graph)
    (void)context.driver->graphDestroy(graph);
  if (placeholder)
    (void)context.driver->memFree(placeholder);
}

Status StepGraph::create(const Launches &launches,
                         const std::vector<std::vector<uint32_t>> &dependencies,
                         Collectives *collectives) {
  const Driver &driver = *context.driver;
  KILN_TRY(driver.check(driver.graphCreate(&graph, 0), "cuGraphCreate",
                        "device " + context.name));
  nodes.resize(launches.commands().size());
  std::vector<uint32_t> allSteps(dependencies.size());
  std::iota(allSteps.begin(), allSteps.end(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) // copies of outputs follow all steps
    KILN_TRY(addNode(launches, i, i < dependencies.size() ? dependencies[i] : allSteps,
                     collectives));
  return {};
}

Status StepGraph::instantiate(CUstream stream, CUgraphExec &out) const {
  const Driver &driver = *context.driver;
  std::string where = "device " + context.name;
  KILN_TRY(driver.check(driver.graphInstantiate(&out, graph, 0),
                        "cuGraphInstantiateWithFlags", where));
  return driver.check(driver.graphUpload(out, stream), "cuGraphUpload", where);
}

Status StepGraph::addNode(const Launches &launches, size_t index,
                          std::span<const uint32_t> after, Collectives *collectives) {
  std::span<const Command> commands = launches.commands();
  const Command &command = commands[index];
  std::vector<CUgraphNode> before;
  for (uint32_t earlier : after)
    before.push_back(nodes[earlier]);
  auto where = [&] { return launches.where(command); };
  if (command.isSkipped)
    return addNothing(before, where, nodes[index]);
  if (command.isCollective)
    return addCollective(launches, index, std::move(before), *collectives);
  // A kernel that waits by itself (griddepcontrol) gets a programmatic edge: it may start
  // before its only predecessor ends. Both kernels must always have work, since it is not
  // documented what a disabled node passes on.
  bool programmatic = context.driver->graphAddDependencies && after.size() == 1 &&
                      commands[after[0]].waits && command.waits;
  KILN_TRY(addWork(launches, command, programmatic ? std::span<CUgraphNode>() : before,
                   nodes[index]));
  if (!programmatic)
    return {};
  CUgraphEdgeData edge = {};
  edge.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
  edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  const Driver &driver = *context.driver;
  return driver.check(
      driver.graphAddDependencies(graph, &before[0], &nodes[index], &edge, 1),
      "cuGraphAddDependencies", where);
}

Status StepGraph::addWork(const Launches &launches, const Command &command,
                          std::span<const CUgraphNode> after, CUgraphNode &out) {
  if (!command.code)
    return addCopy(launches, command, after, out);
  const Driver &driver = *context.driver;
  if (command.tasks > 0)
    KILN_TRY(launches.encodeMaps(command));
  CUDA_KERNEL_NODE_PARAMS_v2 parameters = launches.kernelParameters(command);
  return driver.check(
      driver.graphAddKernelNode(&out, graph, after.data(), after.size(), &parameters),
      "cuGraphAddKernelNode", [&] { return launches.where(command); });
}

Status StepGraph::addCopy(const Launches &launches, const Command &command,
                          std::span<const CUgraphNode> after, CUgraphNode &out) {
  const Driver &driver = *context.driver;
  CUDA_MEMCPY3D_v2 parameters = launches.copyParameters(command);
  // An empty arena has no address, but a node needs one even if no dims ever enable it.
  if (!parameters.srcDevice || !parameters.dstDevice) {
    if (!placeholder)
      KILN_TRY(driver.check(driver.memAlloc(&placeholder, 1), "cuMemAlloc",
                            [&] { return launches.where(command); }));
    parameters.srcDevice = parameters.dstDevice = placeholder;
    parameters.WidthInBytes = 1;
  }
  return driver.check(driver.graphAddMemcpyNode(&out, graph, after.data(), after.size(),
                                                &parameters, context.handle),
                      "cuGraphAddMemcpyNode", [&] { return launches.where(command); });
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

Status StepGraph::addNothing(std::span<const CUgraphNode> after, const Where &where,
                             CUgraphNode &out) {
  const Driver &driver = *context.driver;
  return driver.check(driver.graphAddEmptyNode(&out, graph, after.data(), after.size()),
                      "cuGraphAddEmptyNode", where);
}

/// Adds the captured collective as a child graph, followed by a memset of the run's
/// progress, which nothing waits for.
Status StepGraph::addCollective(const Launches &launches, size_t index,
                                std::vector<CUgraphNode> after,
                                Collectives &collectives) {
  const Driver &driver = *context.driver;
  const Command &command = launches.commands()[index];
  auto where = [&] { return launches.where(command); };
  if (lastCollective && std::ranges::find(after, lastCollective) == after.end())
    after.push_back(lastCollective);
  std::span<const uint64_t> buffers = launches.slotsOf(command);
  auto step = static_cast<uint32_t>(index);
  CUgraph captured = nullptr;
  KILN_TRY(collectives.capture(step, buffers[0], buffers[1], where, captured));
  CUgraphNode &node = nodes[index];
  if (captured) {
    CUresult added =
        driver.graphAddChildGraphNode(&node, graph, after.data(), after.size(), captured);
    (void)driver.graphDestroy(captured);
    KILN_TRY(driver.check(added, "cuGraphAddChildGraphNode", where));
  } else {
    KILN_TRY(addNothing(after, where, node));
  }
  lastCollective = node;
  CUDA_MEMSET_NODE_PARAMS progress = collectives.progressBehind(step);
  std::vector<CUgraphNode> before = {node};
  if (lastProgress)
    before.push_back(lastProgress);
  return driver.check(driver.graphAddMemsetNode(&lastProgress, graph, before.data(),
                                                before.size(), &progress, context.handle),
                      "cuGraphAddMemsetNode", where);
}

//===- graph_cache.cpp - Instantiated graphs of a session ------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/graph_cache.h"
#include <algorithm>
#include <numeric>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

static constexpr uint64_t nodeBytes = 64 << 10;
static constexpr uint64_t maxInstances = 64;

uint64_t cuda::graphBytes(size_t nodes) { return nodeBytes * nodes; }

size_t cuda::graphInstances(size_t nodes, uint64_t memory, uint64_t choices) {
  uint64_t fit = memory / std::max(graphBytes(nodes), nodeBytes);
  return static_cast<size_t>(
      std::max<uint64_t>(std::min({fit, choices, maxInstances}), 1));
}

GraphCache::~GraphCache() {
  for (Instance &instance : instances)
    if (instance.exec)
      (void)context.driver->graphExecDestroy(instance.exec);
  if (graph)
    (void)context.driver->graphDestroy(graph);
  if (placeholder)
    (void)context.driver->memFree(placeholder);
}

Status GraphCache::create(const Launches &launches,
                          const std::vector<std::vector<uint32_t>> &dependencies,
                          std::span<const int64_t> dims, size_t count, CUstream stream) {
  const Driver &driver = *context.driver;
  KILN_TRY(driver.check(driver.graphCreate(&graph, 0), "cuGraphCreate",
                        "device " + context.name));
  nodes.resize(launches.commands().size());
  std::vector<uint32_t> allSteps(dependencies.size());
  std::iota(allSteps.begin(), allSteps.end(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) // copies of outputs are behind all steps
    KILN_TRY(addNode(launches, i, i < dependencies.size() ? dependencies[i] : allSteps));
  instances.resize(count);
  for (Instance &instance : instances)
    KILN_TRY(instantiate(launches, dims, stream, instance));
  return {};
}

Status GraphCache::addNode(const Launches &launches, size_t index,
                           std::span<const uint32_t> after) {
  // A kernel may be launched before the only one that it waits for ends, if it waits by
  // itself. Either has work always: what a disabled node passes on is not documented.
  std::span<const Command> commands = launches.commands();
  bool programmatic = context.driver->graphAddDependencies && after.size() == 1 &&
                      commands[after[0]].waits && commands[index].waits;
  std::vector<CUgraphNode> before;
  for (uint32_t earlier : after)
    before.push_back(nodes[earlier]);
  KILN_TRY(addNode(launches, commands[index],
                   programmatic ? std::span<CUgraphNode>() : before, nodes[index]));
  if (!programmatic)
    return {};
  CUgraphEdgeData edge = {};
  edge.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
  edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  const Driver &driver = *context.driver;
  return driver.check(
      driver.graphAddDependencies(graph, &before[0], &nodes[index], &edge, 1),
      "cuGraphAddDependencies", [&] { return launches.where(commands[index]); });
}

Status GraphCache::addNode(const Launches &launches, const Command &command,
                           std::span<const CUgraphNode> after, CUgraphNode &out) {
  const Driver &driver = *context.driver;
  if (command.code) {
    if (command.tasks > 0)
      KILN_TRY(launches.encodeMaps(command));
    CUDA_KERNEL_NODE_PARAMS_v2 parameters = launches.kernelParameters(command);
    return driver.check(
        driver.graphAddKernelNode(&out, graph, after.data(), after.size(), &parameters),
        "cuGraphAddKernelNode", [&] { return launches.where(command); });
  }
  CUDA_MEMCPY3D_v2 parameters = launches.copyParameters(command);
  // An arena without bytes has no address, and a node is made with one even if no dims
  // ever enable it.
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

Status GraphCache::instantiate(const Launches &launches, std::span<const int64_t> dims,
                               CUstream stream, Instance &instance) {
  const Driver &driver = *context.driver;
  KILN_TRY(driver.check(driver.graphInstantiate(&instance.exec, graph, 0),
                        "cuGraphInstantiateWithFlags", "device " + context.name));
  for (const Command &command : launches.commands())
    instance.given.push_back({command.code, command.tasks, command.sharedBytes, true});
  instance.dims.assign(dims.begin(), dims.end());
  instance.slots.assign(launches.slotValues().begin(), launches.slotValues().end());
  return driver.check(driver.graphUpload(instance.exec, stream), "cuGraphUpload",
                      "device " + context.name);
}

/// The instance for these dims: the one that has them, or one that has none yet, or
/// the one that was used longest ago.
GraphCache::Instance &GraphCache::choose(std::span<const int64_t> dims) {
  Instance *oldest = &instances[0];
  for (Instance &instance : instances) {
    if (instance.lastUse && std::ranges::equal(instance.dims, dims)) {
      oldest = &instance;
      break;
    }
    if (instance.lastUse < oldest->lastUse)
      oldest = &instance;
  }
  oldest->lastUse = ++uses;
  oldest->dims.assign(dims.begin(), dims.end());
  return *oldest;
}

Status GraphCache::prepare(const Launches &launches, std::span<const int64_t> dims,
                           CUgraphExec &out) {
  Instance &instance = choose(dims);
  for (size_t i = 0; i < nodes.size(); ++i)
    KILN_TRY(update(launches, i, instance));
  out = instance.exec;
  return {};
}

/// Brings one node up to date. A node without work is disabled and keeps its
/// parameters. Dims may ask for another function too: each has slots of its own, so
/// that what a node was given last is known once its function is the same.
Status GraphCache::update(const Launches &launches, size_t index, Instance &instance) {
  const Driver &driver = *context.driver;
  const Command &command = launches.commands()[index];
  Given &given = instance.given[index];
  bool works = command.tasks > 0;
  if (works != given.enabled) {
    KILN_TRY(driver.check(driver.graphNodeSetEnabled(instance.exec, nodes[index], works),
                          "cuGraphNodeSetEnabled",
                          [&] { return launches.where(command); }));
    given.enabled = works;
  }
  std::span<const uint64_t> wanted = launches.slotsOf(command);
  std::span<uint64_t> has =
      std::span(instance.slots).subspan(command.slots, command.count);
  bool same = given.code == command.code && given.tasks == command.tasks &&
              given.sharedBytes == command.sharedBytes && std::ranges::equal(has, wanted);
  if (!works || same)
    return {};
  KILN_TRY(setParameters(launches, command, nodes[index], instance.exec));
  given.code = command.code;
  given.tasks = command.tasks;
  given.sharedBytes = command.sharedBytes;
  std::ranges::copy(wanted, has.begin());
  return {};
}

Status GraphCache::setParameters(const Launches &launches, const Command &command,
                                 CUgraphNode node, CUgraphExec exec) {
  const Driver &driver = *context.driver;
  if (command.code) {
    KILN_TRY(launches.encodeMaps(command));
    CUDA_KERNEL_NODE_PARAMS_v2 parameters = launches.kernelParameters(command);
    return driver.check(driver.graphExecKernelNodeSetParams(exec, node, &parameters),
                        "cuGraphExecKernelNodeSetParams",
                        [&] { return launches.where(command); });
  }
  CUDA_MEMCPY3D_v2 parameters = launches.copyParameters(command);
  return driver.check(
      driver.graphExecMemcpyNodeSetParams(exec, node, &parameters, context.handle),
      "cuGraphExecMemcpyNodeSetParams", [&] { return launches.where(command); });
}

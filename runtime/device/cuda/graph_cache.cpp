//===- graph_cache.cpp - Instantiated graphs of a session ------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/graph_cache.h"
#include <algorithm>

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

GraphCache::~GraphCache() { drop(); }

void GraphCache::drop() {
  for (Instance &instance : instances)
    clear(instance);
  shared.reset();
}

/// Destroys an instance's graph; the driver keeps what a launch in progress needs.
void GraphCache::clear(Instance &instance) {
  if (instance.exec)
    (void)context.driver->graphExecDestroy(instance.exec);
  instance.exec = nullptr;
  instance.own.reset();
}

Status GraphCache::create(const Launches &launches,
                          const std::vector<std::vector<uint32_t>> &dependencies,
                          std::span<const int64_t> dims, size_t count, CUstream stream) {
  shared = std::make_unique<StepGraph>(context);
  KILN_TRY(shared->create(launches, dependencies, nullptr));
  instances.resize(count);
  for (Instance &instance : instances)
    KILN_TRY(instantiate(launches, *shared, dims, stream, instance));
  return {};
}

Status GraphCache::instantiate(const Launches &launches, const StepGraph &graph,
                               std::span<const int64_t> dims, CUstream stream,
                               Instance &instance) {
  KILN_TRY(graph.instantiate(stream, instance.exec));
  instance.graph = &graph;
  instance.given.clear();
  for (const Command &command : launches.commands())
    instance.given.push_back({command.code, command.tasks, command.sharedBytes, true});
  instance.dims.assign(dims.begin(), dims.end());
  instance.slots.assign(launches.slotValues().begin(), launches.slotValues().end());
  return {};
}

/// Returns the instance with these dims, else an unused one, else the least recently
/// used.
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
  return *oldest;
}

Status GraphCache::prepare(const Launches &launches, std::span<const int64_t> dims,
                           CUgraphExec &out) {
  Instance &instance = choose(dims);
  instance.lastUse = ++uses;
  instance.dims.assign(dims.begin(), dims.end());
  for (size_t i = 0; i < instance.graph->size(); ++i)
    KILN_TRY(update(launches, i, instance));
  out = instance.exec;
  return {};
}

bool GraphCache::hasCaptured(const Launches &launches, std::span<const int64_t> dims) {
  const Instance &instance = choose(dims);
  if (!instance.exec || !std::ranges::equal(instance.dims, dims))
    return false;
  return std::ranges::all_of(launches.commands(), [&](const Command &command) {
    return !command.isCollective ||
           std::ranges::equal(
               std::span(instance.slots).subspan(command.slots, command.count),
               launches.slotsOf(command));
  });
}

Status GraphCache::capture(const Launches &launches,
                           const std::vector<std::vector<uint32_t>> &dependencies,
                           std::span<const int64_t> dims, Collectives &collectives,
                           CUstream stream) {
  Instance &instance = choose(dims);
  clear(instance);
  instance.own = std::make_unique<StepGraph>(context);
  Status made = instance.own->create(launches, dependencies, &collectives);
  if (made.ok())
    made = instantiate(launches, *instance.own, dims, stream, instance);
  if (made.ok())
    instance.lastUse = ++uses;
  else
    clear(instance);
  return made;
}

/// Updates the parameters of one node. A node without work is disabled and keeps its
/// parameters. Other dims may select another kernel: each has separate slots, so the
/// slots recorded here are the node's parameters if its function is the same.
Status GraphCache::update(const Launches &launches, size_t index, Instance &instance) {
  const Driver &driver = *context.driver;
  const Command &command = launches.commands()[index];
  if (command.isCollective || command.isSkipped)
    return {};
  CUgraphNode node = instance.graph->node(index);
  Given &given = instance.given[index];
  bool works = command.tasks > 0;
  if (works != given.enabled) {
    KILN_TRY(driver.check(driver.graphNodeSetEnabled(instance.exec, node, works),
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
  KILN_TRY(setParameters(launches, command, node, instance.exec));
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

//===- graph.cpp - Graphs and their executable form -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/graph.h"
#include "runtime/sim/driver/submit.h"
#include <algorithm>
#include <unordered_map>

using namespace kiln::sim;
using namespace kiln::sim::driver;

Graph::~Graph() {
  // Chains of dependencies can be long: release them in a loop, not by recursion.
  for (const std::shared_ptr<Node> &node : nodes)
    node->dependencies.clear();
}

std::shared_ptr<Graph> driver::graphOf(CUgraph handle) {
  if (auto graph = runtime().handles.find<Graph>(handle))
    return graph;
  fail(CUDA_ERROR_INVALID_VALUE, "%p is no graph: never made, or destroyed already",
       (void *)handle);
}

std::shared_ptr<Node> driver::nodeOf(CUgraphNode handle) {
  if (auto node = runtime().handles.find<Node>(handle))
    return node;
  fail(CUDA_ERROR_INVALID_VALUE,
       "%p is no graph node: never added, or its graph is "
       "destroyed",
       (void *)handle);
}

std::shared_ptr<GraphExec> driver::execOf(CUgraphExec handle) {
  if (auto exec = runtime().handles.find<GraphExec>(handle))
    return exec;
  fail(CUDA_ERROR_INVALID_VALUE,
       "%p is no executable graph: never instantiated, or "
       "destroyed already",
       (void *)handle);
}

CUgraphNodeType driver::typeOf(const Work &work) {
  // Indexed by Work's alternative.
  constexpr CUgraphNodeType types[] = {
      CU_GRAPH_NODE_TYPE_EMPTY,      CU_GRAPH_NODE_TYPE_KERNEL,
      CU_GRAPH_NODE_TYPE_MEMCPY,     CU_GRAPH_NODE_TYPE_MEMSET,
      CU_GRAPH_NODE_TYPE_HOST,       CU_GRAPH_NODE_TYPE_EVENT_RECORD,
      CU_GRAPH_NODE_TYPE_WAIT_EVENT, CU_GRAPH_NODE_TYPE_GRAPH,
      CU_GRAPH_NODE_TYPE_MEM_FREE};
  return types[work.index()];
}

void driver::checkEdge(const CUgraphEdgeData &edge) {
  // Ports 1 and 2 of a kernel (programmatic, launch order) order less than its completion
  // does; waiting for the completion is a legal way to honour them.
  require(edge.from_port <= 2, "an edge's from_port is 0, 1 or 2");
  require(edge.to_port == 0, "an edge's to_port is 0");
  require(edge.type <= 1, "an edge's type is default or programmatic");
  require((edge.type == 1) == (edge.from_port != 0),
          "an edge from a programmatic port has the programmatic type, and no other has");
  for (unsigned char byte : edge.reserved)
    require(!byte, "an edge's reserved bytes must be 0");
}

Dependencies driver::readDependencies(const Graph &graph, const CUgraphNode *nodes,
                                      const CUgraphEdgeData *edges, size_t count) {
  require(!count || nodes, "the list of dependencies is null");
  Dependencies list;
  for (size_t i = 0; i < count; i++) {
    std::shared_ptr<Node> node = nodeOf(nodes[i]);
    require(node->graph.lock().get() == &graph,
            "a dependency is a node of another graph");
    CUgraphEdgeData edge = edges ? edges[i] : CUgraphEdgeData();
    checkEdge(edge);
    require(!edge.from_port || std::holds_alternative<KernelWork>(node->work),
            "only edges from kernels are programmatic");
    list.emplace_back(std::move(node), edge);
  }
  return list;
}

std::shared_ptr<Node> driver::addNode(const std::shared_ptr<Graph> &graph, Work work,
                                      Dependencies dependencies) {
  for (size_t i = 0; i < dependencies.size(); i++)
    for (size_t j = 0; j < i; j++)
      require(dependencies[i].first != dependencies[j].first,
              "a node is twice in a list of dependencies");
  auto node = std::make_shared<Node>();
  node->graph = graph;
  node->work = std::move(work);
  node->dependencies = std::move(dependencies);
  runtime().handles.add(node);
  graph->nodes.push_back(node);
  return node;
}

void driver::removeNode(Graph &graph, Node &node) {
  for (const std::shared_ptr<Node> &other : graph.nodes)
    std::erase_if(other->dependencies, [&](auto &d) { return d.first.get() == &node; });
  if (auto *child = std::get_if<ChildWork>(&node.work))
    forgetGraph(*child->graph);
  runtime().handles.remove(node);
  std::erase_if(graph.nodes, [&](auto &other) { return other.get() == &node; });
}

void driver::forgetGraph(Graph &graph) {
  for (const std::shared_ptr<Node> &node : graph.nodes) {
    if (auto *child = std::get_if<ChildWork>(&node->work))
      forgetGraph(*child->graph);
    runtime().handles.remove(*node);
  }
  graph.held.clear();
  if (graph.alive())
    runtime().handles.remove(graph);
}

std::shared_ptr<Graph> driver::cloneGraph(const Graph &graph) {
  auto copy = std::make_shared<Graph>();
  copy->held = graph.held;
  runtime().handles.add(copy);
  std::unordered_map<const Node *, std::shared_ptr<Node>> clones;
  for (const std::shared_ptr<Node> &node : graph.nodes) {
    Work work = node->work;
    if (auto *child = std::get_if<ChildWork>(&work)) {
      child->graph = cloneGraph(*child->graph);
      child->graph->child = true;
    }
    std::shared_ptr<Node> clone = addNode(copy, std::move(work), {});
    clone->original = node->number();
    clones[node.get()] = clone;
  }
  for (const std::shared_ptr<Node> &node : graph.nodes)
    for (const auto &[from, edge] : node->dependencies)
      clones[node.get()]->dependencies.emplace_back(clones[from.get()], edge);
  return copy;
}

std::vector<std::shared_ptr<Node>> driver::sorted(const Graph &graph) {
  std::unordered_map<const Node *, size_t> missing;
  std::unordered_map<const Node *, std::vector<std::shared_ptr<Node>>> behind;
  std::vector<std::shared_ptr<Node>> order;
  for (const std::shared_ptr<Node> &node : graph.nodes) {
    missing[node.get()] = node->dependencies.size();
    for (const auto &[from, edge] : node->dependencies)
      behind[from.get()].push_back(node);
    if (node->dependencies.empty())
      order.push_back(node);
  }
  for (size_t i = 0; i < order.size(); i++)
    for (const std::shared_ptr<Node> &next : behind[order[i].get()])
      if (--missing[next.get()] == 0)
        order.push_back(next);
  if (order.size() != graph.nodes.size())
    order.clear();
  return order;
}

ExecGraph driver::instantiate(const Graph &graph) {
  std::vector<std::shared_ptr<Node>> order = sorted(graph);
  require(order.size() == graph.nodes.size(), "the graph has a cycle");
  ExecGraph exec;
  exec.held = graph.held;
  std::unordered_map<const Node *, size_t> index;
  for (const std::shared_ptr<Node> &node : order) {
    index[node.get()] = exec.nodes.size();
    ExecNode &added = exec.nodes.emplace_back();
    added.source = node->number();
    added.work = node->work;
    for (const auto &[from, edge] : node->dependencies)
      added.waits.push_back(index[from.get()]);
    if (auto *kernel = std::get_if<KernelWork>(&node->work))
      checkKernel(*kernel);
    if (auto *child = std::get_if<ChildWork>(&node->work))
      added.child = std::make_shared<ExecGraph>(instantiate(*child->graph));
  }
  return exec;
}

ExecNode *driver::findExecNode(ExecGraph &graph, uint64_t source) {
  for (ExecNode &node : graph.nodes) {
    if (node.source == source)
      return &node;
    if (node.child)
      if (ExecNode *inner = findExecNode(*node.child, source))
        return inner;
  }
  return nullptr;
}

std::vector<std::shared_ptr<Op>>
driver::enqueueGraph(const ExecGraph &graph, const std::shared_ptr<Context> &context,
                     const std::vector<std::shared_ptr<Op>> &entry) {
  std::vector<std::vector<std::shared_ptr<Op>>> results(graph.nodes.size());
  std::vector<bool> hasFollower(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); i++) {
    const ExecNode &node = graph.nodes[i];
    std::vector<std::shared_ptr<Op>> waits =
        node.waits.empty() ? entry : decltype(waits)();
    for (size_t wait : node.waits) {
      hasFollower[wait] = true;
      waits.insert(waits.end(), results[wait].begin(), results[wait].end());
    }
    if (node.child)
      results[i] = enqueueGraph(*node.child, context, waits);
    else
      results[i] = {
          enqueueWork(node.enabled ? node.work : Work(EmptyWork()), context, waits)};
  }
  std::vector<std::shared_ptr<Op>> ends;
  for (size_t i = 0; i < graph.nodes.size(); i++)
    if (!hasFollower[i])
      ends.insert(ends.end(), results[i].begin(), results[i].end());
  return graph.nodes.empty() ? entry : ends;
}

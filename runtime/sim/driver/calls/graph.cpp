//===- graph.cpp - Graphs and their structure ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/node_params.h"
#include <algorithm>
#include <cstdio>

using namespace kiln::sim;
using namespace kiln::sim::driver;

void calls::graphCreate(CUgraph *handle, unsigned int flags) {
  CUgraph &out = output(handle);
  require(!flags, "cuGraphCreate takes no flags");
  out = runtime().handles.add(std::make_shared<Graph>());
}

static std::shared_ptr<Graph> ownGraph(CUgraph handle) {
  std::shared_ptr<Graph> graph = graphOf(handle);
  require(!graph->child, "the graph belongs to a node of another graph");
  return graph;
}

void calls::graphDestroy(CUgraph handle) { forgetGraph(*ownGraph(handle)); }

void calls::graphClone(CUgraph *clone, CUgraph original) {
  CUgraph &out = output(clone);
  out = Handles::handle(*cloneGraph(*graphOf(original)));
}

void calls::graphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
  CUgraphNode &out = output(node);
  std::shared_ptr<Node> wanted = nodeOf(original);
  for (const std::shared_ptr<Node> &candidate : graphOf(clone)->nodes)
    if (candidate->original == wanted->number()) {
      out = Handles::handle(*candidate);
      return;
    }
  fail(CUDA_ERROR_INVALID_VALUE, "the graph is no clone of the node's graph");
}

void calls::graphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  output(type) = typeOf(nodeOf(node)->work);
}

void calls::graphDestroyNode(CUgraphNode handle) {
  std::shared_ptr<Node> node = nodeOf(handle);
  std::shared_ptr<Graph> graph = node->graph.lock();
  if (graph)
    removeNode(*graph, *node);
}

void calls::graphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *numNodes) {
  NodeList list;
  for (const std::shared_ptr<Node> &node : graphOf(graph)->nodes)
    list.add(*node);
  list.write(nodes, nullptr, nullptr, numNodes, false);
}

void calls::graphGetRootNodes(CUgraph graph, CUgraphNode *rootNodes,
                              size_t *numRootNodes) {
  NodeList list;
  for (const std::shared_ptr<Node> &node : graphOf(graph)->nodes)
    if (node->dependencies.empty())
      list.add(*node);
  list.write(rootNodes, nullptr, nullptr, numRootNodes, false);
}

void calls::graphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                          CUgraphEdgeData *edgeData, size_t *numEdges) {
  require(!from == !to, "both ends of the edges are asked for, or none");
  NodeList list;
  for (const std::shared_ptr<Node> &node : graphOf(graph)->nodes)
    for (const auto &[before, edge] : node->dependencies) {
      list.add(*before);
      list.others.push_back(Handles::handle(*node));
      list.edges.push_back(edge);
    }
  list.write(from, to, edgeData, numEdges, true);
}

void calls::graphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                          size_t *numEdges) {
  graphGetEdges(graph, from, to, nullptr, numEdges);
}

void calls::graphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies,
                                     CUgraphEdgeData *edgeData, size_t *numDependencies) {
  NodeList list;
  for (const auto &[before, edge] : nodeOf(node)->dependencies) {
    list.add(*before);
    list.edges.push_back(edge);
  }
  list.write(dependencies, nullptr, edgeData, numDependencies, true);
}

void calls::graphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies,
                                     size_t *numDependencies) {
  graphNodeGetDependencies(node, dependencies, nullptr, numDependencies);
}

void calls::graphNodeGetDependentNodes(CUgraphNode handle, CUgraphNode *dependentNodes,
                                       CUgraphEdgeData *edgeData,
                                       size_t *numDependentNodes) {
  std::shared_ptr<Node> node = nodeOf(handle);
  NodeList list;
  if (std::shared_ptr<Graph> graph = node->graph.lock())
    for (const std::shared_ptr<Node> &other : graph->nodes)
      for (const auto &[before, edge] : other->dependencies)
        if (before == node) {
          list.add(*other);
          list.edges.push_back(edge);
        }
  list.write(dependentNodes, nullptr, edgeData, numDependentNodes, true);
}

void calls::graphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *dependentNodes,
                                       size_t *numDependentNodes) {
  graphNodeGetDependentNodes(node, dependentNodes, nullptr, numDependentNodes);
}

namespace {

struct EdgeEnds {
  std::shared_ptr<Node> to;
  Dependency from;
};

bool sameEdge(const CUgraphEdgeData &a, const CUgraphEdgeData &b) {
  return a.from_port == b.from_port && a.to_port == b.to_port && a.type == b.type;
}

/// Reads all edges of a call and checks them before the graph is changed.
std::vector<EdgeEnds> readEdges(CUgraph handle, const CUgraphNode *from,
                                const CUgraphNode *to, const CUgraphEdgeData *edgeData,
                                size_t count) {
  std::shared_ptr<Graph> graph = graphOf(handle);
  require(!count || (from && to), "the list of edges is null");
  Dependencies starts = readDependencies(*graph, from, edgeData, count);
  std::vector<EdgeEnds> edges;
  for (size_t i = 0; i < count; i++) {
    std::shared_ptr<Node> end = nodeOf(to[i]);
    require(end->graph.lock() == graph, "an edge leads to another graph");
    require(end != starts[i].first, "an edge leads from a node to itself");
    edges.push_back({end, starts[i]});
  }
  return edges;
}

auto findEdge(const EdgeEnds &edge) {
  Dependencies &list = edge.to->dependencies;
  return std::find_if(list.begin(), list.end(), [&](const Dependency &known) {
    return known.first == edge.from.first && sameEdge(known.second, edge.from.second);
  });
}

} // namespace

void calls::graphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                 const CUgraphNode *to, const CUgraphEdgeData *edgeData,
                                 size_t numDependencies) {
  std::vector<EdgeEnds> edges = readEdges(graph, from, to, edgeData, numDependencies);
  for (const EdgeEnds &edge : edges)
    require(findEdge(edge) == edge.to->dependencies.end(), "the edge is there already");
  for (const EdgeEnds &edge : edges)
    edge.to->dependencies.push_back(edge.from);
}

void calls::graphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                 const CUgraphNode *to, size_t numDependencies) {
  graphAddDependencies(graph, from, to, nullptr, numDependencies);
}

void calls::graphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                    const CUgraphNode *to,
                                    const CUgraphEdgeData *edgeData,
                                    size_t numDependencies) {
  std::vector<EdgeEnds> edges = readEdges(graph, from, to, edgeData, numDependencies);
  for (const EdgeEnds &edge : edges)
    require(findEdge(edge) != edge.to->dependencies.end(), "there is no such edge");
  for (const EdgeEnds &edge : edges)
    if (auto known = findEdge(edge); known != edge.to->dependencies.end())
      edge.to->dependencies.erase(known);
}

void calls::graphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                    const CUgraphNode *to, size_t numDependencies) {
  graphRemoveDependencies(graph, from, to, nullptr, numDependencies);
}

static std::string label(const Node &node) {
  const char *const names[] = {"empty",  "kernel", "memcpy", "memset", "host",
                               "record", "wait",   "graph",  "free"};
  std::string text = names[node.work.index()];
  if (auto *kernel = std::get_if<KernelWork>(&node.work))
    text += " " + kernel->function->info->name;
  return text;
}

void calls::graphDebugDotPrint(CUgraph handle, const char *path, unsigned int) {
  std::shared_ptr<Graph> graph = graphOf(handle);
  require(path, "the path is null");
  FILE *file = fopen(path, "w");
  if (!file)
    fail(CUDA_ERROR_OPERATING_SYSTEM, "%s cannot be written", path);
  fprintf(file, "digraph graph_%llu {\n", (unsigned long long)graph->number());
  for (const std::shared_ptr<Node> &node : graph->nodes) {
    fprintf(file, "  n%llu [label=\"%s\"];\n", (unsigned long long)node->number(),
            label(*node).c_str());
    for (const auto &[before, edge] : node->dependencies)
      fprintf(file, "  n%llu -> n%llu;\n", (unsigned long long)before->number(),
              (unsigned long long)node->number());
  }
  fprintf(file, "}\n");
  if (fclose(file))
    fail(CUDA_ERROR_OPERATING_SYSTEM, "%s cannot be written", path);
}

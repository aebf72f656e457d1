//===- graph.h - Graphs, their executable form, and captures ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_GRAPH_H
#define KILN_SIM_DRIVER_GRAPH_H

#include "runtime/sim/driver/runtime.h"
#include "runtime/sim/driver/work.h"

namespace kiln::sim::driver {

struct Node;
/// A dependency: on whom, and how.
using Dependency = std::pair<std::shared_ptr<Node>, CUgraphEdgeData>;
using Dependencies = std::vector<Dependency>;

struct Node : Object {
  using Handle = CUgraphNode;
  std::weak_ptr<Graph> graph;
  Work work;
  Dependencies dependencies;
  uint64_t original = 0; ///< number of the node that this is a clone of
  /// Pointers to the kernel's parameters that cuGraphKernelNodeGetParams returns.
  std::vector<void *> argumentPointers;
};

/// Something of the program that lives as long as graphs use it. Graphs, their clones,
/// executable graphs and launches under way hold it; the last to let go calls `destroy`.
struct UserObject : Object {
  using Handle = CUuserObject;
  void *payload = nullptr;
  CUhostFn destroy = nullptr;
  unsigned ofProgram = 1; ///< references that the program has

  ~UserObject() override { destroy(payload); }
};
using UserObjects = std::vector<std::shared_ptr<UserObject>>;

struct Graph : Object {
  using Handle = CUgraph;
  std::vector<std::shared_ptr<Node>> nodes; ///< in the order of adding
  UserObjects held;
  bool child = false; ///< belongs to a node: the program may not destroy it

  ~Graph() override;
};

struct ExecGraph;

struct ExecNode {
  uint64_t source = 0; ///< number of the graph's node
  Work work;
  std::vector<size_t> waits; ///< indices below its own
  bool enabled = true;
  std::shared_ptr<ExecGraph> child;
};

struct ExecGraph {
  std::vector<ExecNode> nodes; ///< every node behind those that it waits for
  UserObjects held;
};

struct GraphExec : Object {
  using Handle = CUgraphExec;
  std::weak_ptr<Context> context;
  ExecGraph graph;
  uint64_t flags = 0;
  std::shared_ptr<Op> last; ///< launches of one exec do not overlap
};

/// Stream capture in progress. Streams and events own it, too.
struct Capture {
  std::shared_ptr<Graph> graph;
  bool foreignGraph = false; ///< the program's own: captured into
  std::weak_ptr<Context> context;
  std::weak_ptr<Stream> origin;
  std::vector<std::weak_ptr<Stream>> streams; ///< the origin and all that joined
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;
  uint64_t id = 0;
  bool invalidated = false;
};

std::shared_ptr<Graph> graphOf(CUgraph handle);
std::shared_ptr<Node> nodeOf(CUgraphNode handle);
std::shared_ptr<GraphExec> execOf(CUgraphExec handle);

/// Returns CUDA's type of a node with this work.
CUgraphNodeType typeOf(const Work &work);

/// Adds a node; throws if a dependency is not in the graph or twice in the list.
std::shared_ptr<Node> addNode(const std::shared_ptr<Graph> &graph, Work work,
                              Dependencies dependencies);
Dependencies readDependencies(const Graph &graph, const CUgraphNode *nodes,
                              const CUgraphEdgeData *edges, size_t count);
/// Throws for edge data that no node type takes.
void checkEdge(const CUgraphEdgeData &edge);
/// Removes a node with all edges to and from it.
void removeNode(Graph &graph, Node &node);
std::shared_ptr<Graph> cloneGraph(const Graph &graph);
/// The program can name neither the graph nor its nodes any more.
void forgetGraph(Graph &graph);
/// Every node behind all those that it depends on. Empty for a graph with a cycle.
std::vector<std::shared_ptr<Node>> sorted(const Graph &graph);

/// Throws if the graph cannot run.
ExecGraph instantiate(const Graph &graph);
ExecNode *findExecNode(ExecGraph &graph, uint64_t source);
/// Enqueues every node. `entry` is what its roots wait for; returns what has to be
/// done for the graph to be done.
std::vector<std::shared_ptr<Op>>
enqueueGraph(const ExecGraph &graph, const std::shared_ptr<Context> &context,
             const std::vector<std::shared_ptr<Op>> &entry);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_GRAPH_H

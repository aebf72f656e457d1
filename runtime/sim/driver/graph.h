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
/// A dependency: the node depended on, and the edge's data.
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

/// A program's object that lives as long as graphs use it. Graphs, their clones,
/// executable graphs and launches in flight hold it; the last reference calls `destroy`.
struct UserObject : Object {
  using Handle = CUuserObject;
  void *payload = nullptr;
  CUhostFn destroy = nullptr;
  unsigned ofProgram = 1; ///< the program's own references

  ~UserObject() override { destroy(payload); }
};
using UserObjects = std::vector<std::shared_ptr<UserObject>>;

struct Graph : Object {
  using Handle = CUgraph;
  std::vector<std::shared_ptr<Node>> nodes; ///< in the order they were added
  UserObjects held;
  bool child = false; ///< a child graph of a node: the program may not destroy it

  ~Graph() override;
};

struct ExecGraph;

struct ExecNode {
  uint64_t source = 0; ///< number of the original node
  Work work;
  std::vector<size_t> waits; ///< indices of earlier nodes that it waits for
  bool enabled = true;
  std::shared_ptr<ExecGraph> child;
};

struct ExecGraph {
  std::vector<ExecNode> nodes; ///< in topological order
  UserObjects held;
};

struct GraphExec : Object {
  using Handle = CUgraphExec;
  std::weak_ptr<Context> context;
  ExecGraph graph;
  uint64_t flags = 0;
  std::shared_ptr<Op> last; ///< last launch: launches of one executable graph do not
                            ///< overlap
};

/// Stream capture in progress. Streams and events own it, too.
struct Capture {
  std::shared_ptr<Graph> graph;
  bool foreignGraph = false; ///< the graph is the program's, captured into
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

/// Returns CUDA's node type for this work.
CUgraphNodeType typeOf(const Work &work);

/// Adds a node; throws if a dependency is not in the graph or twice in the list.
std::shared_ptr<Node> addNode(const std::shared_ptr<Graph> &graph, Work work,
                              Dependencies dependencies);
Dependencies readDependencies(const Graph &graph, const CUgraphNode *nodes,
                              const CUgraphEdgeData *edges, size_t count);
/// Throws if the edge data is invalid for every node type.
void checkEdge(const CUgraphEdgeData &edge);
/// Removes a node with all edges to and from it.
void removeNode(Graph &graph, Node &node);
std::shared_ptr<Graph> cloneGraph(const Graph &graph);
/// Invalidates the program's handles of the graph and its nodes.
void forgetGraph(Graph &graph);
/// Returns the nodes in topological order; empty for a graph with a cycle.
std::vector<std::shared_ptr<Node>> sorted(const Graph &graph);

/// Makes the executable form; throws if the graph cannot run.
ExecGraph instantiate(const Graph &graph);
ExecNode *findExecNode(ExecGraph &graph, uint64_t source);
/// Enqueues every node. `entry`: operations that the roots wait for. Returns the
/// operations that complete the graph.
std::vector<std::shared_ptr<Op>>
enqueueGraph(const ExecGraph &graph, const std::shared_ptr<Context> &context,
             const std::vector<std::shared_ptr<Op>> &entry);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_GRAPH_H

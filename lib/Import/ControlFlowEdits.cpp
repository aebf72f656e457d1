//===- ControlFlowEdits.cpp - Ifs and Loops that are made smaller ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlFlowEdits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace kiln;
using namespace kiln::import;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void kiln::import::forEachRead(const onnx::NodeProto &node,
                               llvm::function_ref<void(StringRef)> visit) {
  for (const std::string &name : node.input())
    if (!name.empty())
      visit(name);
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g()) {
      for (const onnx::NodeProto &inner : attribute.g().node())
        forEachRead(inner, visit);
      for (const onnx::ValueInfoProto &output : attribute.g().output())
        visit(output.name());
    }
}

void kiln::import::renameReads(onnx::GraphProto &graph, const std::string &from,
                               const std::string &to) {
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    for (std::string &name : *node.mutable_input())
      if (name == from)
        name = to;
    for (onnx::AttributeProto &attribute : *node.mutable_attribute())
      if (attribute.has_g())
        renameReads(*attribute.mutable_g(), from, to);
  }
}

std::vector<onnx::GraphProto *> kiln::import::graphsIn(onnx::GraphProto &graph) {
  std::vector<onnx::GraphProto *> graphs{&graph};
  for (onnx::NodeProto &node : *graph.mutable_node())
    for (onnx::AttributeProto &attribute : *node.mutable_attribute())
      if (attribute.has_g())
        llvm::append_range(graphs, graphsIn(*attribute.mutable_g()));
  return graphs;
}

/// Adds the names of values that a graph makes or takes.
static void addNames(const onnx::GraphProto &graph, llvm::StringSet<> &names) {
  for (const onnx::ValueInfoProto &input : graph.input())
    names.insert(input.name());
  for (const onnx::TensorProto &tensor : graph.initializer())
    names.insert(tensor.name());
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &name : node.output())
      names.insert(name);
}

void kiln::import::renameValue(onnx::GraphProto &body, const std::string &from,
                               const std::string &to) {
  renameReads(body, from, to);
  for (onnx::NodeProto &node : *body.mutable_node())
    for (std::string &name : *node.mutable_output())
      if (name == from)
        name = to;
  auto rename = [&](auto &values) {
    for (auto &value : values)
      if (value.name() == from)
        value.set_name(to);
  };
  rename(*body.mutable_input());
  rename(*body.mutable_initializer());
  rename(*body.mutable_output());
}

/// Gives values of the body names that no other graph has: the branches of an If often
/// have the same ones.
static void makeUnique(onnx::GraphProto &main, onnx::GraphProto &body) {
  llvm::StringSet<> taken;
  for (const onnx::GraphProto *graph : graphsIn(main))
    addNames(*graph, taken);
  llvm::StringSet<> own;
  addNames(body, own);
  for (StringRef name : own.keys()) {
    std::string fresh = name.str();
    for (int i = 1; taken.contains(fresh); ++i)
      fresh = name.str() + "_" + std::to_string(i);
    taken.insert(fresh);
    if (fresh != name)
      renameValue(body, name.str(), fresh);
  }
}

bool kiln::import::makesByNode(const onnx::GraphProto &graph, StringRef value) {
  return llvm::any_of(graph.node(), [&](const onnx::NodeProto &node) {
    return llvm::is_contained(node.output(), value);
  });
}

static bool isOutput(const onnx::GraphProto &graph, StringRef name) {
  return llvm::any_of(graph.output(),
                      [&](const auto &output) { return output.name() == name; });
}

static bool isRead(const onnx::GraphProto &graph, StringRef value) {
  bool found = value.empty() ? false : isOutput(graph, value);
  for (const onnx::NodeProto &node : graph.node())
    forEachRead(node, [&](StringRef name) { found |= !value.empty() && name == value; });
  return found;
}

//===----------------------------------------------------------------------===//
// Bodies in place of nodes
//===----------------------------------------------------------------------===//

std::vector<int> kiln::import::nodesNamed(const onnx::GraphProto &graph, StringRef type) {
  std::vector<int> found;
  for (int i = 0; i < graph.node_size(); ++i)
    if (graph.node(i).op_type() == type && graph.node(i).domain().empty())
      found.push_back(i);
  return found;
}

static const onnx::GraphProto *bodyOf(const onnx::NodeProto &node, StringRef name) {
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.name() == name && attribute.has_g())
      return &attribute.g();
  return nullptr;
}

namespace {
/// Copies of a node and of one of its bodies.
struct Body {
  onnx::NodeProto node;
  onnx::GraphProto graph;
};
} // namespace

/// Copies a node and its body, whose values get names that no other graph has.
static std::optional<Body> copyBody(onnx::GraphProto &main, onnx::NodeProto &node,
                                    StringRef name) {
  const onnx::GraphProto *graph = bodyOf(node, name);
  if (!graph)
    return std::nullopt;
  Body body{node, *graph};
  node.clear_attribute(); // the names of both branches are free
  makeUnique(main, body.graph);
  return body;
}

/// Gives output `from` of the body the name of output `to` of the node: renames the
/// value, or adds an Identity where no node makes it, or where it is another output, too.
static void nameOutput(Body &body, int from, int to) {
  const std::string own = body.graph.output(from).name(), name = body.node.output(to);
  if (name.empty())
    return;
  if (makesByNode(body.graph, own) && !llvm::is_contained(body.node.output(), own))
    return renameValue(body.graph, own, name);
  onnx::NodeProto &copy = *body.graph.add_node();
  copy.set_op_type("Identity");
  copy.add_input(own);
  copy.add_output(name);
}

/// Replaces a node by those of a body.
static void splice(onnx::GraphProto &graph, int number, onnx::GraphProto &body) {
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  for (int i = 0; i < graph.node_size(); ++i)
    if (i == number)
      nodes.MergeFrom(body.node());
    else
      nodes.Add()->Swap(graph.mutable_node(i));
  graph.mutable_node()->Swap(&nodes);
  graph.mutable_initializer()->MergeFrom(body.initializer());
}

/// Gives outputs of the body from `first` on the names of the node's outputs.
static void nameOutputs(Body &body, int first) {
  for (int i = 0; i < body.node.output_size(); ++i)
    nameOutput(body, first + i, i);
}

bool kiln::import::inlineBranch(onnx::GraphProto &main, onnx::GraphProto &graph,
                                int number, StringRef branch) {
  onnx::NodeProto &node = *graph.mutable_node(number);
  const onnx::GraphProto *found = bodyOf(node, branch);
  if (!found || found->output_size() < node.output_size())
    return false;
  std::optional<Body> body = copyBody(main, node, branch);
  nameOutputs(*body, 0);
  splice(graph, number, body->graph);
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Inputs of a Loop and of its body in front of those that are carried, and outputs of
/// its body in front of them.
static constexpr int kLoopInputs = 2, kBodyOutputs = 1;

static int numCarried(const onnx::NodeProto &loop) {
  return std::max(loop.input_size() - kLoopInputs, 0);
}

static bool fits(const onnx::NodeProto &loop, const onnx::GraphProto *body) {
  return body && loop.input_size() >= kLoopInputs &&
         body->input_size() == numCarried(loop) + kLoopInputs &&
         loop.output_size() >= numCarried(loop) &&
         body->output_size() == loop.output_size() + kBodyOutputs;
}

/// Adds an initializer of one element.
static void addScalar(onnx::GraphProto &graph, const std::string &name, int type,
                      std::string bytes) {
  onnx::TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(type);
  tensor.set_raw_data(std::move(bytes));
}

/// Gives the body's inputs the values of the first iteration.
static void bindInputs(Body &body) {
  addScalar(body.graph, body.graph.input(0).name(), onnx::TensorProto::INT64,
            std::string(sizeof(int64_t), '\0'));
  if (body.node.input(1).empty())
    addScalar(body.graph, body.graph.input(1).name(), onnx::TensorProto::BOOL, "\1");
  for (int i = body.node.input(1).empty() ? kLoopInputs : 1; i < body.node.input_size();
       ++i)
    renameValue(body.graph, std::string(body.graph.input(i).name()), body.node.input(i));
}

bool kiln::import::inlineIteration(onnx::GraphProto &main, onnx::GraphProto &graph,
                                   int number) {
  onnx::NodeProto &node = *graph.mutable_node(number);
  if (!fits(node, bodyOf(node, "body")))
    return false;
  for (int i = numCarried(node); i < node.output_size(); ++i)
    if (isRead(graph, node.output(i)))
      return false;
  std::optional<Body> body = copyBody(main, node, "body");
  bindInputs(*body);
  while (body->node.output_size() > numCarried(body->node))
    body->node.mutable_output()->RemoveLast();
  nameOutputs(*body, kBodyOutputs);
  splice(graph, number, body->graph);
  return true;
}

std::vector<LoopValue> kiln::import::unreadLoopValues(const onnx::GraphProto &graph) {
  std::vector<LoopValue> values;
  for (int node : nodesNamed(graph, "Loop")) {
    const onnx::NodeProto &loop = graph.node(node);
    if (!fits(loop, bodyOf(loop, "body")))
      continue;
    for (int i = 0; i < loop.output_size(); ++i)
      if (!isRead(graph, loop.output(i)))
        values.push_back({node, i});
  }
  return values;
}

void kiln::import::dropLoopValue(onnx::GraphProto &graph, LoopValue value) {
  onnx::NodeProto &loop = *graph.mutable_node(value.node);
  for (onnx::AttributeProto &attribute : *loop.mutable_attribute()) {
    if (attribute.name() != "body")
      continue;
    onnx::GraphProto &body = *attribute.mutable_g();
    body.mutable_output()->DeleteSubrange(value.output + kBodyOutputs, 1);
    if (value.output >= numCarried(loop))
      continue;
    int input = value.output + kLoopInputs;
    renameReads(body, std::string(body.input(input).name()), loop.input(input));
    body.mutable_input()->DeleteSubrange(input, 1);
  }
  if (value.output < numCarried(loop))
    loop.mutable_input()->DeleteSubrange(value.output + kLoopInputs, 1);
  loop.mutable_output()->DeleteSubrange(value.output, 1);
}
